/* Consistent edits of plans (tests/support/plan_editor.h): what the checker accepts is right, byte
 * for byte, in every order that its waits admit, and what it refuses is wrong, or has not the form
 * of a plan. */

#include "runtime/checker/checker.h"
#include "tests/support/plan_edit.h"
#include "tests/support/plan_editor.h"
#include "tests/support/plan_interpreter.h"
#include "tests/support/plan_run.h"
#include "tests/support/random_plan.h"
#include "tests/support/stated_forms.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

enum { EDITS = 100000, OF_EACH_PLAN = 40, KINDS = 40 };
enum { RUN_EDITS = 3000, OF_EACH_RUN = 20, RUNS = 6, SPARE_BYTES = 1 << 20 };

typedef struct tally {
    int made[KINDS], accepted[KINDS], refused[KINDS][VDNN_PLAN_VERDICTS], executed[KINDS];
    int forms[VDNN_STATED_FORMS]; /* right ones that a stated form refuses */
    int holes; /* plans that checker and interpreter, or executor, see otherwise */
} tally;

static void print_plan(const vdnn_plan *plan)
{
    vdnn_text text = {0};
    if (vdnn_plan_print(plan, &text) == VDNN_OK)
        (void)fputs(text.data, stderr);
    vdnn_text_fini(&text);
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void tell_hole(const vdnn_plan *plan, const char *edits, uint64_t seed, int number,
                      const vdnn_plan_finding *finding, tally *t)
{
    t->holes++;
    if (t->holes == 1)
        print_plan(plan);
    print_error("seed %llu, edit %d: %s: the checker accepts it, the interpreter says \"%s\"\n",
                (unsigned long long)seed, number, edits, finding->what);
}

/* Of what the plan claims all is true. */
static void count_form(const vdnn_plan *plan, const char *edits, uint64_t seed, int number,
                       const char *message, tally *t)
{
    const int form = vdnn_stated_form_of(message);
    if (form >= 0) {
        t->forms[form]++;
        return;
    }
    t->holes++;
    print_plan(plan);
    print_error("seed %llu, edit %d: %s: it is right, and the checker refuses it: %s\n",
                (unsigned long long)seed, number, edits, message);
}

static void compare(const vdnn_plan *plan, const size_t *budget_bytes, size_t kind,
                    const char *edits, uint64_t seed, int number, tally *t)
{
    vdnn_plan_finding finding;
    const vdnn_status status = vdnn_checker_check(plan, budget_bytes);
    const bool accepted = status == VDNN_OK;
    char message[512];
    (void)snprintf(message, sizeof message, "%s", accepted ? "" : vdnn_status_message());
    vdnn_plan_interpret(plan, budget_bytes, &finding);
    t->made[kind]++;
    t->accepted[kind] += accepted;
    t->refused[kind][finding.verdict] += !accepted;
    if (accepted && finding.verdict != VDNN_PLAN_RIGHT)
        tell_hole(plan, edits, seed, number, &finding, t);
    if (!accepted && finding.verdict == VDNN_PLAN_RIGHT)
        count_form(plan, edits, seed, number, message, t);
}

static size_t draw_kind(vdnn_test_rng *rng)
{
    return (size_t)vdnn_test_between(rng, 0, (int64_t)vdnn_editor_count() - 1);
}

/* What the plan of the planner computes; NULL: nothing is run. */
typedef struct original {
    const vdnn_plan_outcome *outcome;
    int left; /* edits that may still be run */
} original;

/* Some of those that are accepted compute the bits of the original. */
static void run(const vdnn_plan *plan, original *o, size_t kind, const char *edits, uint64_t seed,
                int number, tally *t)
{
    if (o->left == 0 || vdnn_checker_check(plan, plan->span_bytes) != VDNN_OK)
        return;
    vdnn_plan_outcome outcome = vdnn_plan_run(plan, number % 2 == 0);
    o->left--;
    t->executed[kind]++;
    if (!vdnn_plan_outcome_is_same(o->outcome, &outcome)) {
        t->holes++;
        print_plan(plan);
        print_error("seed %llu, edit %d: %s: it does not compute what the original does (%s)\n",
                    (unsigned long long)seed, number, edits,
                    outcome.status == VDNN_OK ? "other bits" : vdnn_status_message());
    }
    vdnn_plan_outcome_fini(&outcome);
}

/* Up to three edits of one plan. */
static void edit(const vdnn_random_plan *drawn, original *o, uint64_t seed, int number, tally *t)
{
    vdnn_test_rng rng = {~seed * 1000003 + (uint64_t)number};
    size_t budget_bytes[VDNN_TIER_COUNT];
    char edits[256] = "";
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        budget_bytes[tier] = drawn->plan->span_bytes[tier] + SPARE_BYTES;
    vdnn_plan *edited = vdnn_plan_edit_copy(drawn->plan);
    const int64_t count = vdnn_test_between(&rng, 1, 3);
    size_t kind = 0;
    for (int64_t n = 0; n < count; n++) {
        const size_t drawn_kind = draw_kind(&rng);
        if (!vdnn_editor_apply(drawn_kind, edited, &rng))
            continue;
        kind = drawn_kind;
        vdnn_plan_edit_refresh(edited);
        (void)snprintf(edits + strlen(edits), sizeof edits - strlen(edits), "%s%s",
                       n > 0 ? ", " : "", vdnn_editor_name(kind));
    }
    vdnn_editor_finish(edited, &rng);
    compare(edited, budget_bytes, kind, edits, seed, number, t);
    run(edited, o, kind, edits, seed, number, t);
    vdnn_plan_destroy(edited);
}

static void check_tally(const tally *t)
{
    int sums[4] = {0};
    print_message("%-48s %7s %8s %8s | refused: %6s %6s %6s\n", "edit", "made", "accepted",
                  "executed", "wrong", "form", "right");
    for (size_t kind = 0; kind < vdnn_editor_count(); kind++) {
        const int *refused = t->refused[kind];
        print_message("%-48s %7d %8d %8d | %15d %6d %6d\n", vdnn_editor_name(kind), t->made[kind],
                      t->accepted[kind], t->executed[kind], refused[VDNN_PLAN_WRONG],
                      refused[VDNN_PLAN_FORM], refused[VDNN_PLAN_RIGHT]);
        sums[0] += t->made[kind];
        sums[1] += t->accepted[kind];
        sums[2] += refused[VDNN_PLAN_WRONG];
        sums[3] += refused[VDNN_PLAN_RIGHT];
    }
    print_message("%d edits, %d accepted, %d refused and wrong, %d refused and right\n", sums[0],
                  sums[1], sums[2], sums[3]);
    for (int form = 0; form < VDNN_STATED_FORMS; form++)
        print_message("%7d right ones have not the form of %s\n", t->forms[form],
                      vdnn_stated_form_name(form));
    assert_int_equal(t->holes, 0);
}

/* The planner's own plan is right, and accepted. */
static void check_original(const vdnn_random_plan *drawn, uint64_t seed, tally *t)
{
    vdnn_plan_finding finding;
    const vdnn_status status = vdnn_checker_check(drawn->plan, drawn->plan->span_bytes);
    vdnn_plan_interpret(drawn->plan, drawn->plan->span_bytes, &finding);
    if (status == VDNN_OK && finding.verdict == VDNN_PLAN_RIGHT)
        return;
    t->holes++;
    if (t->holes == 1)
        print_plan(drawn->plan);
    print_error("seed %llu: the plan of the planner: the interpreter says \"%s\", the checker "
                "\"%s\"\n",
                (unsigned long long)seed, finding.what,
                status == VDNN_OK ? "good" : vdnn_status_message());
}

static void edit_plan(uint64_t seed, vdnn_random_plan_kind kind, int edits, int runs, tally *t)
{
    vdnn_random_plan drawn;
    vdnn_plan_outcome outcome = {.weights = NULL};
    vdnn_random_plan_draw(&drawn, seed, kind);
    check_original(&drawn, seed, t);
    if (runs > 0) {
        outcome = vdnn_plan_run(drawn.plan, false);
        assert_ok(outcome.status);
    }
    original o = {&outcome, runs};
    for (int number = 0; number < edits; number++)
        edit(&drawn, &o, seed, number, t);
    vdnn_plan_outcome_fini(&outcome);
    vdnn_random_plan_fini(&drawn);
}

static void an_edited_plan_is_accepted_exactly_when_it_is_right(void **state)
{
    tally t = {.holes = 0};
    (void)state;
    assert_true(vdnn_editor_count() <= KINDS);
    for (int n = 0; n < vdnn_test_count(EDITS / OF_EACH_PLAN); n++)
        edit_plan(vdnn_test_seed() + (uint64_t)n, VDNN_RANDOM_PLAN_MIXED, OF_EACH_PLAN, 0, &t);
    check_tally(&t);
}

/* Fewer of each plan, so that there are more plans. */
static void an_accepted_edit_changes_no_bit(void **state)
{
    tally t = {.holes = 0};
    (void)state;
    vdnn_plan_run_begin();
    for (int n = 0; n < vdnn_test_count(RUN_EDITS / OF_EACH_RUN); n++)
        edit_plan(vdnn_test_seed() + (uint64_t)n, VDNN_RANDOM_PLAN_RUNS, OF_EACH_RUN, RUNS, &t);
    vdnn_plan_run_end();
    check_tally(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edited_plan_is_accepted_exactly_when_it_is_right),
        cmocka_unit_test(an_accepted_edit_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
