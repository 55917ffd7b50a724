/* Consistent edits of plans that run together: those of devices that share each batch, and an
 * evaluation beside a training. What the checker accepts of them is right in every order, and none
 * hangs. */

#include "runtime/checker/checker.h"
#include "tests/support/devices_interpreter.h"
#include "tests/support/plan_edit.h"
#include "tests/support/plan_editor.h"
#include "tests/support/plan_repair.h"
#include "tests/support/plan_surgery.h"
#include "tests/support/random_plan.h"
#include "tests/support/shared_case.h"
#include "tests/support/stated_forms.h"

#include <stdio.h>
#include <string.h>

enum { TEAMS = 6000, OF_EACH_TEAM = 20, BESIDE = 6000, OF_EACH_PAIR = 20 };

typedef struct tally {
    int made, alone, accepted, refused, needless, holes;
} tally;

static void print_plan(const vdnn_plan *plan)
{
    vdnn_text text = {0};
    if (vdnn_plan_print(plan, &text) == VDNN_OK)
        (void)fputs(text.data, stderr);
    vdnn_text_fini(&text);
}

static bool is_good(const vdnn_plan *plan)
{
    vdnn_plan_finding finding;
    if (vdnn_checker_check(plan, vdnn_tier_unlimited) != VDNN_OK)
        return false;
    vdnn_plan_interpret(plan, vdnn_tier_unlimited, &finding);
    return finding.verdict == VDNN_PLAN_RIGHT;
}

static void compare(tally *t, vdnn_status status, const vdnn_plan_finding *finding, uint64_t seed,
                    int number, const vdnn_plan *const *plans, int count)
{
    const bool right = finding->verdict == VDNN_PLAN_RIGHT;
    t->accepted += status == VDNN_OK;
    t->refused += status != VDNN_OK && !right;
    const char *message = status == VDNN_OK ? "good" : vdnn_status_message();
    const bool by_form = status != VDNN_OK && right && vdnn_stated_form_of(message) >= 0;
    t->needless += by_form;
    if ((status == VDNN_OK) == right || by_form)
        return;
    if (t->holes++ == 0)
        for (int p = 0; p < count; p++)
            print_plan(plans[p]);
    print_error("seed %llu, edit %d: the checker says \"%s\", the interpreter \"%s\"\n",
                (unsigned long long)seed, number, message, finding->what);
}

static void check_tally(const tally *t, const char *what)
{
    print_message("%s: %d edits, %d not good alone, %d accepted, %d wrong and refused, %d right "
                  "ones without a stated form\n",
                  what, t->made, t->alone, t->accepted, t->refused, t->needless);
    assert_int_equal(t->holes, 0);
    assert_true(t->accepted > 0 && t->refused > 0);
}

static size_t draw_kind(vdnn_test_rng *rng)
{
    return (size_t)vdnn_test_between(rng, 0, (int64_t)vdnn_editor_count() - 1);
}

/* ---- devices --------------------------------------------------------------------------------- */

typedef struct team {
    vdnn_shared_device list[3];
    vdnn_plan *edited[3];
    int32_t count;
} team;

static void draw_team(team *all, uint64_t seed)
{
    static const char *const texts[] = {
        vdnn_shared_synced,  vdnn_shared_half_synced, vdnn_shared_plain, vdnn_shared_synced,
        vdnn_shared_clipped, vdnn_shared_normal,      vdnn_shared_tied,  vdnn_shared_in_parts};
    vdnn_test_rng rng = {seed};
    const size_t text = (size_t)vdnn_test_between(&rng, 0, 7);
    vdnn_shared_kind kind = {.devices = (int32_t)vdnn_test_between(&rng, 2, 3), .micros = 1};
    kind.reduce = (vdnn_reduce_scheme)vdnn_test_between(&rng, 0, VDNN_REDUCE_COUNT - 1);
    kind.shards = kind.reduce == VDNN_REDUCE_RING && vdnn_test_between(&rng, 0, 1) == 0;
    if (texts[text] != vdnn_shared_in_parts)
        kind.micros = (int32_t)vdnn_test_between(&rng, 1, 2);
    const vdnn_shared_manner how =
        (vdnn_shared_manner)vdnn_test_between(&rng, 0, VDNN_SHARED_MANNERS - 1);
    *all = (team){.count = kind.devices};
    for (int32_t r = 0; r < all->count; r++) {
        vdnn_shared_shape(&all->list[r], texts[text], &kind, r);
        vdnn_shared_plan(&all->list[r], how);
    }
}

/* On some devices a sum waits for a run, on others the run for the sum. */
static void order_devices(team *all, vdnn_test_rng *rng)
{
    const vdnn_test_rng common = *rng;
    (void)vdnn_test_random(rng);
    for (int32_t r = 0; r < all->count; r++) {
        vdnn_test_rng own = common;
        if (vdnn_test_between(rng, 0, 3) > 0)
            (void)vdnn_editor_order_lanes(all->edited[r], &own, vdnn_test_between(rng, 0, 1) == 0);
    }
}

/* All devices, or one of them. */
static void edit_devices(team *all, vdnn_test_rng *rng)
{
    const int64_t count = vdnn_test_between(rng, 0, 2);
    if (count == 0 || vdnn_test_between(rng, 0, 1) == 0)
        order_devices(all, rng);
    for (int64_t n = 0; n < count; n++) {
        const size_t kind = draw_kind(rng);
        const int64_t only = vdnn_test_between(rng, 0, 2 * all->count - 1);
        const vdnn_test_rng common = *rng;
        for (int32_t r = 0; r < all->count; r++) {
            vdnn_test_rng own = common;
            if (only >= all->count || only == r)
                (void)vdnn_editor_apply(kind, all->edited[r], &own);
            vdnn_plan_edit_refresh(all->edited[r]);
        }
        (void)vdnn_test_random(rng);
    }
    for (int32_t r = 0; r < all->count; r++)
        vdnn_plan_repair(all->edited[r]);
}

static void edit_team(team *all, uint64_t seed, int number, tally *t)
{
    vdnn_test_rng rng = {~seed * 1000003 + (uint64_t)number};
    bool good = true;
    for (int32_t r = 0; r < all->count; r++)
        all->edited[r] = vdnn_plan_edit_copy(all->list[r].c.plan);
    edit_devices(all, &rng);
    for (int32_t r = 0; r < all->count && good; r++)
        good = is_good(all->edited[r]);
    t->made++;
    t->alone += !good;
    if (good) {
        const vdnn_plan *plans[3] = {all->edited[0], all->edited[1], all->edited[2]};
        vdnn_plan_finding finding;
        vdnn_devices_interpret(plans, all->count, &finding);
        compare(t, vdnn_checker_check_devices(plans, all->count), &finding, seed, number, plans,
                all->count);
    }
    for (int32_t r = 0; r < all->count; r++)
        vdnn_plan_destroy(all->edited[r]);
}

static void edited_devices_are_accepted_exactly_when_they_meet_well(void **state)
{
    tally t = {.made = 0};
    (void)state;
    for (int n = 0; n < vdnn_test_count_for_share(TEAMS / OF_EACH_TEAM, 18); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        team all;
        draw_team(&all, seed);
        for (int number = 0; number < OF_EACH_TEAM; number++)
            edit_team(&all, seed, number, &t);
        for (int32_t r = 0; r < all.count; r++)
            vdnn_training_case_end(&all.list[r].c);
    }
    check_tally(&t, "devices");
}

/* ---- an evaluation beside a training --------------------------------------------------------- */

/* Of one plan a buffer, whatever is in it, goes to where the other has one, or apart. */
static void move_buffer(vdnn_plan *plan, const vdnn_plan *other, vdnn_test_rng *rng)
{
    vdnn_buffer *moved = &plan->buffers[vdnn_plan_surgery_pick(rng, 0, plan->buffer_count - 1)];
    const vdnn_buffer *at =
        &other->buffers[vdnn_plan_surgery_pick(rng, 0, other->buffer_count - 1)];
    if (vdnn_test_between(rng, 0, 2) == 0)
        vdnn_plan_surgery_set_apart(plan, (int32_t)(moved - plan->buffers));
    else if (at->tier == moved->tier)
        moved->offset = at->offset;
}

static void edit_pair(const vdnn_random_plan *drawn, uint64_t seed, int number, tally *t)
{
    vdnn_test_rng rng = {~seed * 1000003 + (uint64_t)number};
    vdnn_plan *pair[2] = {vdnn_plan_edit_copy(drawn->training), vdnn_plan_edit_copy(drawn->plan)};
    const int64_t count = vdnn_test_between(&rng, 1, 2);
    for (int64_t n = 0; n < count; n++) {
        const int64_t which = vdnn_test_between(&rng, 0, 3) > 0;
        if (vdnn_test_between(&rng, 0, 2) > 0)
            move_buffer(pair[which], pair[!which], &rng);
        else
            (void)vdnn_editor_apply(draw_kind(&rng), pair[which], &rng);
        vdnn_plan_edit_refresh(pair[which]);
    }
    for (int p = 0; p < 2; p++)
        vdnn_plan_repair(pair[p]);
    t->made++;
    if (is_good(pair[0]) && is_good(pair[1])) {
        const vdnn_plan *plans[2] = {pair[0], pair[1]};
        vdnn_plan_finding finding;
        vdnn_plan_interpret_beside(pair[0], pair[1], vdnn_tier_unlimited, &finding);
        compare(t, vdnn_checker_check_evaluation(pair[0], pair[1]), &finding, seed, number, plans,
                2);
    } else
        t->alone++;
    vdnn_plan_destroy(pair[0]);
    vdnn_plan_destroy(pair[1]);
}

static void an_edited_evaluation_is_accepted_exactly_when_the_training_stays_whole(void **state)
{
    tally t = {.made = 0};
    (void)state;
    for (int n = 0; n < vdnn_test_count_for_share(BESIDE / OF_EACH_PAIR, 18); n++) {
        const uint64_t seed = vdnn_test_seed() + (uint64_t)n;
        vdnn_random_plan drawn;
        vdnn_random_plan_draw(&drawn, seed, VDNN_RANDOM_PLAN_BESIDE);
        for (int number = 0; number < OF_EACH_PAIR; number++)
            edit_pair(&drawn, seed, number, &t);
        vdnn_random_plan_fini(&drawn);
    }
    check_tally(&t, "evaluations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edited_devices_are_accepted_exactly_when_they_meet_well),
        cmocka_unit_test(an_edited_evaluation_is_accepted_exactly_when_the_training_stays_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
