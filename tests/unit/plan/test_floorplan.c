#include "runtime/planner/floorplan.h"
#include "tests/support/vdnn_test.h"

static vdnn_region region;

static void close_region(void)
{
    vdnn_region_fini(&region);
}

enum { BUFFERS = 6 };

/* Two of one purpose, and others that differ in one thing each. */
static const vdnn_buffer buffers[BUFFERS] = {
    {.class = VDNN_CLASS_WORKSPACE, .layer = 1, .map = -1, .offset = 256},
    {.class = VDNN_CLASS_WORKSPACE, .layer = 1, .map = -1, .offset = 512},
    {.class = VDNN_CLASS_WORKSPACE, .layer = 2, .map = -1, .offset = 768},
    {.class = VDNN_CLASS_FEATURE_MAP, .layer = -1, .map = 1, .offset = 1024},
    {.class = VDNN_CLASS_FEATURE_MAP, .layer = -1, .map = 1, .map_offset = 64, .offset = 1280},
    {.class = VDNN_CLASS_FEATURE_MAP, .tier = VDNN_TIER_HOST, .layer = -1, .map = 1}};

static void what_was_noted_is_told(void **state)
{
    (void)state;
    vdnn_floorplan own = {.places = NULL};
    size_t offsets[BUFFERS];
    assert_ok(vdnn_floorplan_note(&own, &region, buffers, BUFFERS));
    assert_ok(vdnn_floorplan_tell(&own, &region, buffers, BUFFERS, offsets));
    for (int b = 0; b < BUFFERS; b++)
        assert_int_equal(offsets[b], buffers[b].offset);
    vdnn_floorplan_fini(&own);
    close_region();
}

/* The second of a purpose is the second, whatever is between, and a third is unknown. */
static void buffers_of_one_purpose_are_told_apart_by_their_turns(void **state)
{
    (void)state;
    vdnn_floorplan own = {.places = NULL};
    const vdnn_buffer others[] = {buffers[3], buffers[0], buffers[2], buffers[1], buffers[0]};
    size_t offsets[5];
    assert_ok(vdnn_floorplan_note(&own, &region, buffers, BUFFERS));
    assert_ok(vdnn_floorplan_tell(&own, &region, others, 5, offsets));
    assert_int_equal(offsets[0], 1024);
    assert_int_equal(offsets[1], 256);
    assert_int_equal(offsets[2], 768);
    assert_int_equal(offsets[3], 512);
    assert_true(offsets[4] == SIZE_MAX);
    vdnn_floorplan_fini(&own);
    close_region();
}

static void a_later_plan_takes_the_place_of_an_earlier_one(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    vdnn_floorplan own = {.places = NULL};
    static vdnn_buffer many[MANY];
    static size_t offsets[MANY];
    assert_ok(vdnn_floorplan_tell(&own, &region, buffers, BUFFERS, offsets));
    assert_true(offsets[0] == SIZE_MAX);
    assert_ok(vdnn_floorplan_note(&own, &region, buffers, BUFFERS));
    for (int b = 0; b < MANY; b++)
        many[b] =
            (vdnn_buffer){.class = VDNN_CLASS_GRADIENT_MAP, .map = b % 300, .offset = (size_t)b};
    assert_ok(vdnn_floorplan_note(&own, &region, many, MANY));
    assert_ok(vdnn_floorplan_tell(&own, &region, buffers, BUFFERS, offsets));
    for (int b = 0; b < BUFFERS; b++)
        assert_true(offsets[b] == SIZE_MAX);
    assert_ok(vdnn_floorplan_tell(&own, &region, many, MANY, offsets));
    for (int b = 0; b < MANY; b++)
        assert_int_equal(offsets[b], b);
    vdnn_floorplan_fini(&own);
    close_region();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_noted_is_told),
        cmocka_unit_test(buffers_of_one_purpose_are_told_apart_by_their_turns),
        cmocka_unit_test(a_later_plan_takes_the_place_of_an_earlier_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
