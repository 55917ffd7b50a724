/* Every read sees the write that it means, on the device, on the host and in files: plans that name
 * another one, or none, are refused. */

#include "tests/support/checked_plan.h"
#include "tests/support/plan_edit.h"

/* ---- reads ----------------------------------------------------------------------------------- */

static void a_read_of_the_wrong_writer_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t run = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV2, 0);
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->writer =
        vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_CONV1, 0);
    assert_refused(broken, "a later write replaced it");
    assert_message("run forward drop1");
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->writer = 0;
    assert_refused(broken, "does not write the buffer");
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->writer = -1;
    assert_refused(broken, "what was there before the training step");
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->writer = broken->step_count;
    assert_refused(broken, "a read names step");
    vdnn_test_access_of(broken, run, VDNN_BIND_X)->writer = -2;
    assert_refused(broken, "a read names step");
}

static void a_read_of_what_was_never_written_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t in = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 0),
                  next = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 1),
                  host = vdnn_test_access_of(broken, in, VDNN_BIND_SRC)->buffer;
    for (int32_t i = 0; i < broken->step_count; i++)
        for (int32_t k = 0; k < broken->steps[i].access_count; k++) {
            vdnn_access *access = &broken->accesses[broken->steps[i].first_access + k];
            if (broken->steps[i].kind == VDNN_STEP_COPY_OUT && access->buffer == host)
                access->buffer = vdnn_test_access_of(broken, next, VDNN_BIND_SRC)->buffer;
        }
    vdnn_test_access_of(broken, in, VDNN_BIND_SRC)->writer = -1;
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void weights_that_are_read_after_their_update_are_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t update = vdnn_plan_edit_find(broken, VDNN_STEP_UPDATE, VDNN_TEST_CONV3, 0);
    const int32_t data = vdnn_plan_edit_find_run(broken, VDNN_BACKWARD_DATA, VDNN_TEST_CONV3, 0);
    assert_true(data >= 0 && data < update);
    vdnn_step swapped = broken->steps[data];
    broken->steps[data] = broken->steps[update];
    broken->steps[update] = swapped;
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void a_second_write_of_the_same_buffer_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t in = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 0),
                  next = vdnn_test_step_of(broken, VDNN_STEP_COPY_IN, 1);
    vdnn_test_access_of(broken, next, VDNN_BIND_DST)->buffer =
        vdnn_test_access_of(broken, in, VDNN_BIND_DST)->buffer;
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void another_value_than_the_network_means_is_refused(void **state)
{
    vdnn_plan *broken = vdnn_test_checked_fresh(*state);
    const int32_t left = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_LEFT, 0),
                  both = vdnn_plan_edit_find_run(broken, VDNN_FORWARD, VDNN_TEST_BOTH, 0);
    vdnn_access *first = vdnn_test_access_of(broken, both, VDNN_BIND_X);
    const vdnn_access kept = *first;
    first[0].buffer = first[1].buffer;
    first[0].writer = first[1].writer;
    first[1].buffer = kept.buffer;
    first[1].writer = kept.writer;
    vdnn_plan_edit_refresh(broken);
    assert_refused(broken, "a step reads another value than left");
    assert_true(kept.writer == left);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void what_is_filled_from_another_maps_file_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *broken = vdnn_test_checked_copy(f, f->files);
    vdnn_access *first = vdnn_test_access_of(broken, vdnn_test_step_of(broken, VDNN_STEP_FILL, 0),
                                             VDNN_BIND_SRC),
                *second = vdnn_test_access_of(broken, vdnn_test_step_of(broken, VDNN_STEP_FILL, 1),
                                              VDNN_BIND_SRC);
    const vdnn_access kept = *first;
    *first = *second;
    *second = kept;
    vdnn_plan_edit_refresh(broken);
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void what_was_never_spilled_cannot_be_filled(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *broken = vdnn_test_checked_copy(f, f->files);
    vdnn_test_access_of(broken, vdnn_test_step_of(broken, VDNN_STEP_FILL, 0), VDNN_BIND_SRC)
        ->writer = -1;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
    broken = vdnn_test_checked_copy(f, f->files);
    vdnn_test_buffer_of(broken, vdnn_test_step_of(broken, VDNN_STEP_SPILL, 0), VDNN_BIND_DST)
        ->tier = VDNN_TIER_HOST;
    assert_status(vdnn_test_checked_status(broken), VDNN_INTERNAL);
}

static void a_place_in_the_file_that_is_not_whole_blocks_is_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *broken = vdnn_test_checked_copy(f, f->files);
    vdnn_test_buffer_of(broken, vdnn_test_step_of(broken, VDNN_STEP_SPILL, 0), VDNN_BIND_DST)
        ->offset += VDNN_ALIGNMENT;
    assert_refused(broken, "no multiple of 4096");
}

static void bytes_of_files_that_are_not_true_are_refused(void **state)
{
    vdnn_test_checked *f = *state;
    vdnn_plan *broken = vdnn_test_checked_copy(f, f->files);
    broken->spill_bytes += 4;
    assert_refused(broken, "bytes of kind spill");
    broken = vdnn_test_checked_copy(f, f->files);
    broken->peak_bytes[VDNN_TIER_FILE] -= 4;
    assert_refused(broken, "as the peak of the file");
    broken = vdnn_test_checked_copy(f, f->files);
    broken->span_bytes[VDNN_TIER_FILE] += VDNN_ALIGNMENT;
    assert_refused(broken, "the plan claims a file span");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_of_the_wrong_writer_is_refused),
        cmocka_unit_test(a_read_of_what_was_never_written_is_refused),
        cmocka_unit_test(weights_that_are_read_after_their_update_are_refused),
        cmocka_unit_test(a_second_write_of_the_same_buffer_is_refused),
        cmocka_unit_test(another_value_than_the_network_means_is_refused),
        cmocka_unit_test(what_is_filled_from_another_maps_file_is_refused),
        cmocka_unit_test(what_was_never_spilled_cannot_be_filled),
        cmocka_unit_test(a_place_in_the_file_that_is_not_whole_blocks_is_refused),
        cmocka_unit_test(bytes_of_files_that_are_not_true_are_refused),
    };
    return cmocka_run_group_tests(tests, vdnn_test_checked_set_up, vdnn_test_checked_tear_down);
}
