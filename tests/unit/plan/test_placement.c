#include "runtime/base/numbers/random.h"
#include "runtime/planner/packer/placement.h"
#include "tests/support/vdnn_test.h"

enum { MOST = 96, HORIZON = 60, MOVES = 30 };

static uint32_t below(uint32_t round, uint32_t draw, uint32_t limit)
{
    uint32_t bits[4], counter[4] = {draw, 0, round, 0};
    vdnn_random_philox(vdnn_test_seed(), counter, bits);
    return bits[0] % limit;
}

/* The first few entries are fixed, one upon the other. */
static void make_entries(vdnn_placement *at, uint32_t round)
{
    size_t top = 0;
    int32_t numbers[2 * HORIZON] = {0};
    at->count = 1 + (int32_t)below(round, 0, MOST);
    at->fixed = (int32_t)below(round, 1, 3);
    if (at->fixed > at->count)
        at->fixed = at->count;
    for (int32_t i = 0; i < at->count; i++) {
        uint32_t draw = 2 + 3 * (uint32_t)i;
        int32_t start = (int32_t)below(round, draw, HORIZON);
        size_t bytes = 1 + below(round, draw + 1, 40);
        at->entries[i] = (vdnn_placement_entry){
            .start = start,
            .end = start + 1 + (int32_t)below(round, draw + 2, i % 8 == 0 ? HORIZON - 1 : 6),
            .index = i,
            .bytes = bytes,
            .size = (bytes + 3) / 4 * 4,
            .offset = i < at->fixed ? top : 0};
        top += at->entries[i].size;
    }
    vdnn_placement_number(at->entries, at->count, 2 * HORIZON - 1, numbers);
}

/* Moves one entry. True: as all placed by best fit in that order. False: that ends higher. */
static bool move_one(vdnn_placement *at, vdnn_placement *anew, size_t most, uint32_t round,
                     uint32_t draw)
{
    const uint32_t movable = (uint32_t)(at->count - at->fixed);
    int32_t from = at->fixed + (int32_t)below(round, draw, movable),
            to = at->fixed + (int32_t)below(round, draw + 1, movable);
    bool is_moved = vdnn_placement_move(at, from, to, most);
    for (int32_t i = 0; i < at->count; i++)
        anew->entries[i] = at->entries[i];
    anew->count = at->count;
    anew->fixed = at->fixed;
    size_t span = vdnn_placement_fit(anew, SIZE_MAX);
    assert_int_equal(is_moved, span <= most);
    for (int32_t i = 0; i < at->count && is_moved; i++)
        assert_int_equal(at->entries[i].offset, anew->entries[i].offset);
    return is_moved;
}

static void after_a_move_all_are_where_best_fit_puts_them(void **state)
{
    (void)state;
    vdnn_region region = {0};
    vdnn_placement kept, trial, anew;
    int moved = 0, refused = 0;
    vdnn_placement_init(&kept, &region, MOST);
    vdnn_placement_init(&trial, &region, MOST);
    vdnn_placement_init(&anew, &region, MOST);
    assert_false(region.failed);
    for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(1000); round++) {
        make_entries(&kept, round);
        size_t span = vdnn_placement_fit(&kept, SIZE_MAX);
        assert_int_equal(span, vdnn_placement_end(&kept.entries[vdnn_placement_topmost(&kept)]));
        for (uint32_t move = 0; move < MOVES && kept.count > kept.fixed; move++) {
            vdnn_placement_copy(&trial, &kept);
            if (!move_one(&trial, &anew, span, round, 1000 + 2 * move)) {
                refused++;
                continue;
            }
            vdnn_placement_copy(&kept, &trial);
            moved++;
        }
    }
    print_message("%d moved, %d refused\n", moved, refused);
    assert_true(moved > 0 && refused > 0);
    vdnn_region_fini(&region);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_move_all_are_where_best_fit_puts_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
