#include "runtime/planner/lifetime.h"
#include "runtime/planner/room.h"
#include "tests/support/vdnn_test.h"

/* What compute makes of 100, 200 and 400 bytes is copied out beside the second step; the third has
 * a buffer of its own, and reads what was copied in:
 *
 *     compute   begin | make | hide | use | end
 *     out              | x | y | z |
 *     in                     | w |
 */
enum { X, Y, Z, W, OWN, BUFFERS };
enum { BEGIN, MAKE, OUT_X, OUT_Y, OUT_Z, IN_W, HIDE, USE, END, STEPS };

static const size_t sizes[BUFFERS] = {[X] = 100, [Y] = 200, [Z] = 400, [W] = 50, [OWN] = 1000};
static const vdnn_stream_id streams[STEPS] = {[OUT_X] = VDNN_STREAM_OUT,
                                              [OUT_Y] = VDNN_STREAM_OUT,
                                              [OUT_Z] = VDNN_STREAM_OUT,
                                              [IN_W] = VDNN_STREAM_IN};
static const int32_t groups[STEPS] = {[BEGIN] = -1, [USE] = 1, [END] = 2};

static vdnn_builder builder;

static void touch(int32_t step, int32_t buffer)
{
    vdnn_builder_access(&builder, step, (vdnn_access){.buffer = buffer, .mode = VDNN_WRITE});
}

static void make(void)
{
    vdnn_builder_begin(&builder, 0);
    for (int b = 0; b < BUFFERS; b++)
        vdnn_builder_buffer(&builder, (vdnn_buffer){.bytes = sizes[b], .map = -1, .layer = -1});
    for (int s = 0; s < STEPS; s++)
        vdnn_builder_step(&builder, (vdnn_step){.stream = streams[s], .layer = -1}, groups[s]);
    for (int i = 0; i < 3; i++) {
        touch(MAKE, X + i);
        touch(OUT_X + i, X + i);
        vdnn_builder_wait_for(&builder, OUT_X + i, MAKE);
    }
    touch(IN_W, W);
    vdnn_builder_wait_for(&builder, IN_W, MAKE);
    touch(USE, W);
    vdnn_builder_wait_for(&builder, USE, IN_W);
    touch(USE, OWN);
    vdnn_builder_wait_for(&builder, END, OUT_Z);
    vdnn_builder_wait_for(&builder, END, IN_W);
    assert_ok(vdnn_lifetime_clocks(&builder));
    assert_ok(vdnn_lifetime_compute(&builder, true));
}

/* The copy out that each step waits for in so many bytes. */
static void expect_waits(size_t most_bytes, int32_t use, int32_t copy_in)
{
    make();
    assert_ok(vdnn_room_wait(&builder, most_bytes));
    assert_int_equal(builder.waits[USE].on[VDNN_STREAM_OUT], use);
    assert_int_equal(builder.waits[IN_W].on[VDNN_STREAM_OUT], copy_in);
    assert_int_equal(builder.waits[HIDE].on[VDNN_STREAM_OUT], -1);
}

static void a_step_waits_for_as_many_copies_as_have_to_make_room(void **state)
{
    (void)state;
    const size_t used = sizes[OWN] + sizes[W];
    expect_waits(SIZE_MAX, -1, -1);
    expect_waits(used + 700, -1, -1);
    expect_waits(used + 699, OUT_X, -1);
    expect_waits(used + 600, OUT_X, -1);
    expect_waits(used + 599, OUT_Y, -1);
    expect_waits(used + 400, OUT_Y, -1);
    expect_waits(used + 399, OUT_Z, -1);
    expect_waits(0, OUT_Z, -1);
}

/* x, y and z are alive by the plan when w is copied. */
static void what_is_alive_by_the_plan_is_not_waited_for(void **state)
{
    (void)state;
    make();
    assert_true(builder.lifetimes[W].start < builder.lifetimes[X].end);
    expect_waits(sizes[X], OUT_Z, -1);
}

/* The second half: what was made before is dead when more is copied in. */
static void a_copy_in_waits_for_room_too(void **state)
{
    (void)state;
    make();
    builder.lifetimes[X].end = builder.lifetimes[Y].end = builder.lifetimes[Z].end =
        builder.lifetimes[W].start;
    assert_ok(vdnn_room_wait(&builder, sizes[W] + sizes[Z]));
    assert_int_equal(builder.waits[IN_W].on[VDNN_STREAM_OUT], OUT_Y);
    make();
    builder.lifetimes[X].end = builder.lifetimes[W].start;
    assert_ok(vdnn_room_wait(&builder, sizes[W] + sizes[X] + sizes[Y] + sizes[Z]));
    assert_int_equal(builder.waits[IN_W].on[VDNN_STREAM_OUT], -1);
}

static void lives_last_until_their_copies_have_ended(void **state)
{
    (void)state;
    /* In the order of the steps: y ends as `use` begins, z as `end` does. */
    static const double start[STEPS] = {0, 0, 1, 2, 4, 1, 1, 4, 9},
                        end[STEPS] = {0, 1, 2, 4, 9, 2, 3, 8, 9};
    int32_t until[BUFFERS];
    make();
    assert_ok(vdnn_room_until(&builder, start, end, until));
    assert_int_equal(until[X], builder.lifetimes[X].end);
    assert_int_equal(until[Y], 2 * builder.position[USE]);
    assert_int_equal(until[Z], 2 * builder.position[END]);
    assert_int_equal(until[W], builder.lifetimes[W].end);
    assert_int_equal(until[OWN], builder.lifetimes[OWN].end);
    vdnn_builder_fini(&builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_waits_for_as_many_copies_as_have_to_make_room),
        cmocka_unit_test(what_is_alive_by_the_plan_is_not_waited_for),
        cmocka_unit_test(a_copy_in_waits_for_room_too),
        cmocka_unit_test(lives_last_until_their_copies_have_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
