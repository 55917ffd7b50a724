/* What threads look at beforehand is what the search would find, whether or not they are in time,
 * fail, or were never started. */

#include "runtime/base/heap.h"
#include "runtime/planner/answers.h"
#include "runtime/planner/foresight.h"
#include "tests/support/faults.h"
#include "tests/support/random_decisions.h"
#include "tests/support/random_model.h"
#include "tests/support/test_profile.h"
#include "tests/support/vdnn_test.h"

#include <errno.h>
#include <string.h>

/* More than places, so that some make room for others. */
enum { DECISIONS = 48, THREADS = 3 };

typedef struct scene {
    vdnn_test_rng rng;
    vdnn_graph *graph;
    vdnn_profile *profile;
    vdnn_workbench bench;
    vdnn_decisions decisions[DECISIONS];
} scene;

static void open_scene(scene *own, uint64_t seed)
{
    const vdnn_random_model request = vdnn_random_model_small(seed);
    *own = (scene){.rng = {seed}};
    assert_ok(vdnn_random_model_graph(&request, VDNN_RULES_LEAN, &own->graph));
    assert_ok(vdnn_test_profile_of(own->graph, VDNN_TEST_ROWS_FAKE, &own->profile));
    own->profile->has_link = true;
    own->bench = (vdnn_workbench){.graph = own->graph, .profile = own->profile};
    for (int k = 0; k < DECISIONS; k++)
        assert_ok(vdnn_random_decisions(own->graph, own->profile, &own->rng, &own->decisions[k]));
}

static void close_scene(scene *own)
{
    for (int k = 0; k < DECISIONS; k++)
        vdnn_decisions_fini(&own->decisions[k]);
    vdnn_workbench_fini(&own->bench);
    vdnn_profile_destroy(own->profile);
    vdnn_graph_destroy(own->graph);
}

static vdnn_foresight_question about(const scene *own, int k, size_t limit_bytes)
{
    return (vdnn_foresight_question){.graph = own->graph,
                                     .profile = own->profile,
                                     .decisions = &own->decisions[k],
                                     .key = vdnn_answers_key(&own->decisions[k]),
                                     .limit_bytes = limit_bytes};
}

static void check_same(const vdnn_crest *a, const vdnn_crest *b)
{
    assert_int_equal(a->limit_bytes, b->limit_bytes);
    assert_int_equal(a->peak.layer, b->peak.layer);
    assert_int_equal(a->peak.in_backward, b->peak.in_backward);
    assert_int_equal(a->peak.bytes, b->peak.bytes);
    assert_memory_equal(&a->peak.overflow_bytes, &b->peak.overflow_bytes, sizeof(double));
    assert_memory_equal(&a->bound.step_seconds, &b->bound.step_seconds, sizeof(double));
    assert_memory_equal(a->bound.arena_bytes, b->bound.arena_bytes, sizeof a->bound.arena_bytes);
    assert_int_equal(a->bound.offload_bytes, b->bound.offload_bytes);
    assert_int_equal(a->map_count, b->map_count);
    for (int32_t i = 0; i < a->map_count; i++) {
        assert_int_equal(a->maps[i].map, b->maps[i].map);
        assert_int_equal(a->maps[i].alive.map_bytes, b->maps[i].alive.map_bytes);
        assert_int_equal(a->maps[i].alive.gradient_bytes, b->maps[i].alive.gradient_bytes);
    }
}

/* As a search asks: if it is not foreseen, it looks itself. Whether it was foreseen. */
static bool ask(scene *own, vdnn_foresight *foresight, int k, size_t limit_bytes)
{
    const vdnn_foresight_question asked = about(own, k, limit_bytes);
    vdnn_workbench fresh = {.graph = own->graph, .profile = own->profile};
    vdnn_crest told = {0}, looked = {0};
    const bool is_known = vdnn_foresight_take(foresight, &asked, &own->bench, &told);
    if (!is_known)
        assert_ok(vdnn_foresight_look(&own->bench, &asked, &told));
    assert_ok(vdnn_foresight_look(&fresh, &asked, &looked));
    check_same(&told, &looked);
    vdnn_crest_fini(&told);
    vdnn_crest_fini(&looked);
    vdnn_workbench_fini(&fresh);
    return is_known;
}

static void what_is_foreseen_is_what_looking_finds(void **state)
{
    (void)state;
    int foreseen = 0;
    for (int n = 0; n < vdnn_test_count(100); n++) {
        scene own;
        vdnn_foresight *foresight;
        open_scene(&own, vdnn_test_seed() + (uint64_t)n);
        assert_ok(vdnn_foresight_begin(own.graph, THREADS, &foresight));
        assert_true(vdnn_foresight_reach(foresight) >= THREADS);
        for (int i = 0; i < 2 * DECISIONS; i++) {
            const int ahead = (int)vdnn_test_between(&own.rng, 0, 6);
            const size_t limit_bytes = (size_t)vdnn_test_between(&own.rng, 0, 2) << 14;
            for (int k = i + 1; k <= i + ahead; k++) {
                const vdnn_foresight_question next = about(&own, k % DECISIONS, limit_bytes);
                vdnn_foresight_expect(foresight, &next);
            }
            foreseen += ask(&own, foresight, i % DECISIONS, limit_bytes);
        }
        vdnn_foresight_end(foresight);
        close_scene(&own);
    }
    assert_true(foreseen > 0);
}

/* Under another limit, of another graph, or once more: what was taken is the caller's. */
static void what_was_not_expected_is_not_known(void **state)
{
    (void)state;
    scene own, other;
    vdnn_foresight *foresight;
    vdnn_crest crest = {0};
    open_scene(&own, 3);
    open_scene(&other, 3);
    assert_ok(vdnn_foresight_begin(own.graph, THREADS, &foresight));
    vdnn_foresight_question asked = about(&own, 0, 1000);
    vdnn_foresight_expect(foresight, &asked);
    asked.limit_bytes = 1001;
    assert_false(vdnn_foresight_take(foresight, &asked, &own.bench, &crest));
    asked = about(&other, 0, 1000);
    assert_false(vdnn_foresight_take(foresight, &asked, &other.bench, &crest));
    (void)ask(&own, foresight, 0, 1000);
    assert_false(ask(&own, foresight, 0, 1000));
    vdnn_foresight_end(foresight);
    close_scene(&other);
    close_scene(&own);
}

/* A search changes the decisions that it expected while threads look at them. */
static void expected_decisions_are_copied(void **state)
{
    (void)state;
    scene own;
    vdnn_foresight *foresight;
    open_scene(&own, 5);
    assert_ok(vdnn_foresight_begin(own.graph, THREADS, &foresight));
    for (int k = 1; k < DECISIONS; k++) {
        vdnn_foresight_question asked = about(&own, k, 0);
        vdnn_decisions before;
        assert_ok(vdnn_decisions_copy(&before, &own.decisions[k]));
        vdnn_foresight_expect(foresight, &asked);
        vdnn_decisions_assign(&own.decisions[k], &own.decisions[0]);
        vdnn_decisions_assign(&own.decisions[k], &before);
        (void)ask(&own, foresight, k, 0);
        vdnn_decisions_fini(&before);
    }
    vdnn_foresight_end(foresight);
    close_scene(&own);
}

static void one_thread_foresees_nothing(void **state)
{
    (void)state;
    scene own;
    open_scene(&own, 7);
    for (int threads = -1; threads <= 1; threads++) {
        vdnn_foresight *foresight;
        assert_ok(vdnn_foresight_begin(own.graph, threads, &foresight));
        assert_null(foresight);
        assert_int_equal(vdnn_foresight_reach(foresight), 0);
        assert_false(ask(&own, foresight, 0, 0));
        vdnn_foresight_end(foresight);
    }
    close_scene(&own);
}

/* Each of the threads fails to start, and all behind it. */
static void without_threads_the_search_goes_on_alone(void **state)
{
    (void)state;
    scene own;
    open_scene(&own, 9);
    for (size_t nth = 1; nth < THREADS; nth++) {
        const vdnn_test_fault none = {
            .calls = VDNN_TEST_CALL(pthread_create), .nth = nth, .lasting = true, .error = EAGAIN};
        vdnn_foresight *foresight;
        int foreseen = 0;
        vdnn_test_fault_begin(&none);
        assert_ok(vdnn_foresight_begin(own.graph, THREADS, &foresight));
        for (int k = 0; k < DECISIONS; k++) {
            const vdnn_foresight_question asked = about(&own, k, 0);
            vdnn_foresight_expect(foresight, &asked);
            foreseen += ask(&own, foresight, k, 0);
        }
        assert_true(nth > 1 || foreseen == 0);
        vdnn_foresight_end(foresight);
        assert_int_equal(vdnn_test_fault_end(), nth); /* it is not tried again */
    }
    close_scene(&own);
}

static void without_memory_it_does_not_begin(void **state)
{
    (void)state;
    scene own;
    vdnn_foresight *foresight = NULL;
    vdnn_status status = VDNN_NO_MEMORY;
    open_scene(&own, 11);
    const size_t before = vdnn_heap_live_count();
    for (size_t n = 1; status != VDNN_OK; n++) {
        vdnn_heap_fail_after(n);
        status = vdnn_foresight_begin(own.graph, THREADS, &foresight);
        vdnn_heap_fail_after(0);
        assert_true(status == VDNN_OK || (status == VDNN_NO_MEMORY && foresight == NULL));
        assert_true(status == VDNN_OK || vdnn_heap_live_count() == before);
    }
    vdnn_foresight_end(foresight);
    assert_int_equal(vdnn_heap_live_count(), before);
    close_scene(&own);
}

/* The n-th allocation fails, whoever makes it: a thread's is as if nothing had been expected, the
 * search's is its own. */
static void what_threads_have_no_memory_for_is_not_foreseen(void **state)
{
    (void)state;
    enum { MOST = 60 };
    scene own;
    open_scene(&own, 13);
    for (size_t n = 1; n <= MOST; n++) {
        vdnn_foresight *foresight;
        assert_ok(vdnn_foresight_begin(own.graph, THREADS, &foresight));
        vdnn_heap_fail_after(n);
        for (int k = 0; k < 8; k++) {
            const vdnn_foresight_question asked = about(&own, k, n);
            vdnn_crest crest = {0};
            vdnn_foresight_expect(foresight, &asked);
            if (!vdnn_foresight_take(foresight, &asked, &own.bench, &crest)) {
                vdnn_status status = vdnn_foresight_look(&own.bench, &asked, &crest);
                assert_true(status == VDNN_OK || status == VDNN_NO_MEMORY);
            }
            vdnn_crest_fini(&crest);
        }
        vdnn_heap_fail_after(0);
        for (int k = 0; k < 8; k++)
            (void)ask(&own, foresight, k, n);
        vdnn_foresight_end(foresight);
    }
    close_scene(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_foreseen_is_what_looking_finds),
        cmocka_unit_test(what_was_not_expected_is_not_known),
        cmocka_unit_test(expected_decisions_are_copied),
        cmocka_unit_test(one_thread_foresees_nothing),
        cmocka_unit_test(without_threads_the_search_goes_on_alone),
        cmocka_unit_test(without_memory_it_does_not_begin),
        cmocka_unit_test(what_threads_have_no_memory_for_is_not_foreseen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
