/* The memory that plans are made in. */

#include "runtime/base/heap.h"
#include "runtime/planner/workbench/region.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

static void arrays_do_not_overlap_and_stay_where_they_are(void **state)
{
    (void)state;
    enum { ARRAYS = 200 };
    vdnn_test_rng rng = {vdnn_test_seed()};
    vdnn_region region = {.top = NULL};
    unsigned char *arrays[ARRAYS];
    size_t bytes[ARRAYS];
    for (int i = 0; i < ARRAYS; i++) {
        bytes[i] = (size_t)vdnn_test_between(&rng, 0, 20000);
        arrays[i] = vdnn_region_take(&region, bytes[i], 1);
        assert_non_null(arrays[i]);
        assert_int_equal((uintptr_t)arrays[i] % _Alignof(max_align_t), 0);
        memset(arrays[i], i, bytes[i]);
    }
    for (int i = 0; i < ARRAYS; i++)
        for (size_t b = 0; b < bytes[i]; b++)
            assert_int_equal(arrays[i][b], i);
    vdnn_region_fini(&region);
}

static void what_was_taken_once_is_taken_without_an_allocation(void **state)
{
    (void)state;
    vdnn_region region = {.top = NULL};
    for (size_t i = 1; i <= 100; i++)
        assert_non_null(vdnn_region_take(&region, 100 * i, 10));
    vdnn_region_clear(&region);
    const size_t calls = vdnn_heap_call_count();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 100; i >= 1; i--) /* in another order */
            assert_non_null(vdnn_region_take(&region, 100 * i, 10));
        vdnn_region_clear(&region);
    }
    assert_int_equal(vdnn_heap_call_count(), calls);
    vdnn_region_fini(&region);
}

static void zeros_are_zero_in_memory_that_was_used(void **state)
{
    (void)state;
    vdnn_region region = {.top = NULL};
    for (int round = 0; round < 2; round++) {
        unsigned char *zeros = vdnn_region_zeros(&region, 500, 3);
        for (int b = 0; b < 1500; b++)
            assert_int_equal(zeros[b], 0);
        memset(zeros, 7, 1500);
        vdnn_region_clear(&region);
    }
    vdnn_region_fini(&region);
}

static void a_failure_sticks_until_the_memory_is_cleared(void **state)
{
    (void)state;
    vdnn_region region = {.top = NULL};
    assert_null(vdnn_region_take(&region, SIZE_MAX / 2, 8)); /* the product overflows */
    assert_null(vdnn_region_take(&region, 1, 1));
    assert_true(region.failed);
    vdnn_region_clear(&region);
    vdnn_heap_fail_after(1);
    assert_null(vdnn_region_zeros(&region, 1, 1));
    vdnn_heap_fail_after(0);
    assert_null(vdnn_region_take(&region, 1, 1));
    vdnn_region_clear(&region);
    assert_non_null(vdnn_region_take(&region, 1, 1));
    assert_false(region.failed);
    vdnn_region_fini(&region);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_do_not_overlap_and_stay_where_they_are),
        cmocka_unit_test(what_was_taken_once_is_taken_without_an_allocation),
        cmocka_unit_test(zeros_are_zero_in_memory_that_was_used),
        cmocka_unit_test(a_failure_sticks_until_the_memory_is_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
