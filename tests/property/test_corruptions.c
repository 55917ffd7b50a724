#include "runtime/checker/checker.h"
#include "tests/support/plan_corruptions.h"
#include "tests/support/plan_edit.h"
#include "tests/support/plan_interpreter.h"
#include "tests/support/random_plan.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

/* The checker refuses a corrupted plan exactly if a brute-force interpreter says that some byte is
 * wrong, or that it has not the form of a plan (tests/support/plan_interpreter.h). */

enum { CORRUPTIONS = 10000, OF_EACH_PLAN = 20, KINDS = 32, SPARE_BYTES = 1 << 20 };

typedef struct tally {
    int found[KINDS][VDNN_PLAN_VERDICTS];
    int claims[KINDS];                /* plans whose sums alone are others than they report */
    int plans, striped, shared, late; /* before they are corrupted; of these with parts of channels,
                                         with several gradients in a bucket, loaded late */
} tally;

static void print_plan(const vdnn_plan *plan)
{
    vdnn_text text = {0};
    if (vdnn_plan_print(plan, &text) == VDNN_OK)
        (void)fputs(text.data, stderr);
    vdnn_text_fini(&text);
}

/* Sums that a plan reports are not corrupted here: a corruption that does no harm makes them
 * untrue, and is accepted but for them. */
static void compare(const vdnn_plan *plan, const size_t *budget_bytes, size_t kind, uint64_t seed,
                    tally *t)
{
    vdnn_plan_finding finding;
    const vdnn_status status = vdnn_checker_check(plan, budget_bytes);
    const bool claims =
                   status != VDNN_OK && strstr(vdnn_status_message(), "the plan claims") != NULL,
               accepted = status == VDNN_OK || claims;
    vdnn_plan_interpret(plan, budget_bytes, &finding);
    t->found[kind][finding.verdict]++;
    t->claims[kind] += claims;
    if (accepted == (finding.verdict == VDNN_PLAN_RIGHT))
        return;
    print_plan(plan);
    print_error("seed %llu: %s: the interpreter says \"%s\", the checker \"%s\"\n",
                (unsigned long long)seed, vdnn_corruption_name(kind), finding.what,
                status == VDNN_OK ? "good" : vdnn_status_message());
    fail();
}

static size_t draw_kind(vdnn_test_rng *rng)
{
    return (size_t)vdnn_test_between(rng, 0, (int64_t)vdnn_corruption_count() - 1);
}

/* Every fourth twice. */
static void corrupt(const vdnn_plan *plan, uint64_t seed, tally *t)
{
    vdnn_test_rng rng = {~seed};
    size_t budget_bytes[VDNN_TIER_COUNT];
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        budget_bytes[tier] = plan->span_bytes[tier] + (seed % 2) * SPARE_BYTES;
    for (int n = 0; n < OF_EACH_PLAN;) {
        const size_t kind = draw_kind(&rng);
        vdnn_plan *broken = vdnn_plan_edit_copy(plan);
        if (vdnn_corruption_apply(kind, broken, &rng)) {
            if (vdnn_test_between(&rng, 0, 3) == 0)
                (void)vdnn_corruption_apply(draw_kind(&rng), broken, &rng);
            compare(broken, budget_bytes, kind, seed, t);
            n++;
        }
        vdnn_plan_destroy(broken);
    }
}

static bool has_buckets(const vdnn_plan *plan)
{
    for (int32_t i = 0; i < plan->step_count; i++)
        if (plan->steps[i].kind == VDNN_STEP_REDUCE &&
            plan->steps[i].bytes > plan->graph->layers[plan->steps[i].layer].trainable_bytes)
            return true;
    return false;
}

static void count_plan(const vdnn_plan *plan, tally *t)
{
    int32_t k = 0;
    while (k < plan->access_count && plan->accesses[k].stride == 0)
        k++;
    t->plans++;
    t->shared += plan->training && has_buckets(plan);
    t->striped += k < plan->access_count;
    t->late += plan->training && plan->loads == VDNN_LOADS_LATE;
}

/* Most do harm: else the kinds, or the interpreter, would say little. */
static void check_tally(const tally *t)
{
    int wrong = 0, all = 0;
    print_message("%-38s %7s %7s %7s %7s\n", "corruption", "wrong", "form", "right", "sums");
    for (size_t kind = 0; kind < vdnn_corruption_count(); kind++) {
        const int *found = t->found[kind];
        print_message("%-38s %7d %7d %7d %7d\n", vdnn_corruption_name(kind), found[VDNN_PLAN_WRONG],
                      found[VDNN_PLAN_FORM], found[VDNN_PLAN_RIGHT], t->claims[kind]);
        wrong += found[VDNN_PLAN_WRONG];
        all += found[VDNN_PLAN_WRONG] + found[VDNN_PLAN_FORM] + found[VDNN_PLAN_RIGHT];
    }
    assert_true(wrong > all / 2);
    print_message("%d of %d plans access stripes, %d have buckets, %d are loaded late\n",
                  t->striped, t->plans, t->shared, t->late);
    assert_true(t->striped > 0 && t->shared > 0 && t->late > 0);
}

static void a_corrupted_plan_is_refused_exactly_when_a_byte_is_wrong(void **state)
{
    tally t = {.plans = 0};
    (void)state;
    assert_true(vdnn_corruption_count() <= KINDS);
    for (int n = 0; n < vdnn_test_count(CORRUPTIONS / OF_EACH_PLAN); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_random_plan drawn;
        vdnn_plan_finding finding;
        vdnn_random_plan_draw(&drawn, seed, VDNN_RANDOM_PLAN_ANY);
        const vdnn_plan *plan = drawn.plan;
        vdnn_plan_interpret(plan, plan->span_bytes, &finding);
        if (finding.verdict != VDNN_PLAN_RIGHT) {
            print_plan(plan);
            fail_msg("seed %llu: the plan of the planner: %s", (unsigned long long)seed,
                     finding.what);
        }
        assert_ok(vdnn_checker_check(plan, plan->span_bytes));
        count_plan(plan, &t);
        corrupt(plan, seed, &t);
        vdnn_random_plan_fini(&drawn);
    }
    check_tally(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corrupted_plan_is_refused_exactly_when_a_byte_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
