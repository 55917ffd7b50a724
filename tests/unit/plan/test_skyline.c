#include "runtime/base/numbers/random.h"
#include "runtime/planner/packer/skyline.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 6, HORIZON = 8, MOST_SIZE = 9, ENOUGH = 10000000, PIECES = 40 };

static vdnn_region region; /* of every search */

static bool pack(vdnn_skyline_item *items, int32_t count, int32_t height, int64_t work)
{
    vdnn_skyline search;
    vdnn_region_clear(&region);
    assert_ok(vdnn_skyline_init(&search, &region, items, count, 0));
    return vdnn_skyline_pack(&search, height, work);
}

static bool beside(const vdnn_skyline_item *a, const vdnn_skyline_item *b)
{
    return a->start < b->end && b->start < a->end;
}

static void expect_packed(const vdnn_skyline_item *items, int32_t count, int32_t height)
{
    for (int32_t i = 0; i < count; i++) {
        assert_true(items[i].offset >= 0 && items[i].offset + items[i].size <= height);
        for (int32_t k = 0; k < i; k++)
            assert_false(beside(&items[i], &items[k]) &&
                         items[i].offset < items[k].offset + items[k].size &&
                         items[k].offset < items[i].offset + items[i].size);
    }
}

static int32_t make_items(vdnn_skyline_item *items, uint32_t round)
{
    uint32_t bits[4], counter[4] = {0, 0, round, 0};
    vdnn_random_philox(vdnn_test_seed(), counter, bits);
    int32_t count = 1 + (int32_t)(bits[0] % MOST);
    for (int32_t i = 0; i < count; i++) {
        counter[0] = (uint32_t)i + 1;
        vdnn_random_philox(vdnn_test_seed(), counter, bits);
        int32_t start = (int32_t)(bits[0] % HORIZON);
        items[i] = (vdnn_skyline_item){.start = start,
                                       .end = start + 1 + (int32_t)(bits[1] % HORIZON),
                                       .size = 1 + (int32_t)(bits[2] % MOST_SIZE)};
    }
    return count;
}

/* The least height of all: items are placed in every order, each on top of those before it that are
 * alive at the same time. Of an optimal packing, the order of offsets gives no larger one. */
static int32_t least_height(const vdnn_skyline_item *items, int32_t count, unsigned placed,
                            int32_t *offsets, int32_t height)
{
    int32_t least = INT32_MAX;
    if (placed == (1U << count) - 1)
        return height;
    for (int32_t i = 0; i < count; i++) {
        if ((placed & 1U << i) != 0)
            continue;
        offsets[i] = 0;
        for (int32_t k = 0; k < count; k++)
            if ((placed & 1U << k) != 0 && beside(&items[i], &items[k]) &&
                offsets[k] + items[k].size > offsets[i])
                offsets[i] = offsets[k] + items[k].size;
        int32_t end = offsets[i] + items[i].size;
        int32_t own =
            least_height(items, count, placed | 1U << i, offsets, end > height ? end : height);
        least = own < least ? own : least;
    }
    return least;
}

static void few_items_are_packed_in_the_least_height_of_all_orders(void **state)
{
    (void)state;
    vdnn_skyline_item items[MOST];
    int32_t offsets[MOST];
    for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(20000); round++) {
        int32_t count = make_items(items, round);
        int32_t least = least_height(items, count, 0, offsets, 0);
        assert_true(pack(items, count, least, ENOUGH));
        expect_packed(items, count, least);
        assert_false(pack(items, count, least - 1, ENOUGH));
    }
}

/* A rectangle of time and bytes that is cut again and again, so that a packing without loss exists.
 */
static int32_t cut_rectangle(vdnn_skyline_item *items, uint32_t round, int32_t height)
{
    int32_t count = 1;
    items[0] = (vdnn_skyline_item){.start = 0, .end = 1000, .size = height};
    for (uint32_t i = 0; i < 20 * PIECES && count < PIECES; i++) {
        uint32_t bits[4], counter[4] = {i, 1, round, 0};
        vdnn_random_philox(vdnn_test_seed(), counter, bits);
        vdnn_skyline_item *piece = &items[bits[0] % (uint32_t)count], rest = *piece;
        int32_t length = piece->end - piece->start;
        if (bits[1] % 2 == 0 && length > 1) {
            piece->end = rest.start =
                piece->start + 1 + (int32_t)(bits[2] % (uint32_t)(length - 1));
            items[count++] = rest;
        } else if (bits[1] % 2 == 1 && piece->size > 1) {
            piece->size = 1 + (int32_t)(bits[2] % (uint32_t)(piece->size - 1));
            rest.size -= piece->size;
            items[count++] = rest;
        }
    }
    return count;
}

static void pieces_of_a_rectangle_are_put_together(void **state)
{
    (void)state;
    enum { HEIGHT = 1 << 20 };
    vdnn_skyline_item items[PIECES];
    int rounds = vdnn_test_count(5000), packed = 0;
    for (uint32_t round = 0; round < (uint32_t)rounds; round++) {
        int32_t count = cut_rectangle(items, round, HEIGHT);
        assert_false(pack(items, count, HEIGHT - 1, ENOUGH));
        if (!pack(items, count, HEIGHT, ENOUGH))
            continue;
        expect_packed(items, count, HEIGHT);
        packed++;
    }
    print_message("%d of %d\n", packed, rounds);
    assert_true(packed >= rounds - rounds / 20);
}

static void more_work_finds_what_less_has_found(void **state)
{
    (void)state;
    enum { HEIGHT = 1 << 20 };
    vdnn_skyline_item items[PIECES], same[PIECES];
    int stopped = 0;
    for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(300); round++) {
        int32_t count = cut_rectangle(items, round, HEIGHT);
        memcpy(same, items, sizeof same);
        for (int64_t work = 1000; work < ENOUGH; work *= 10) {
            if (!pack(items, count, HEIGHT, work)) {
                stopped++;
                continue;
            }
            assert_true(pack(same, count, HEIGHT, 10 * work));
            for (int32_t i = 0; i < count; i++)
                assert_int_equal(items[i].offset, same[i].offset);
        }
    }
    assert_true(stopped > 0);
}

/* minimalloc's, which greedy orders pack in up to 1.37 times what is alive at one time: one after
 * the other in a file. */
static void hard_instances_are_packed_in_their_capacity(void **state)
{
    (void)state;
    enum { MOST_BUFFERS = 512, INSTANCES = 6, WORK = 60000000 };
    static vdnn_skyline_item items[MOST_BUFFERS];
    int32_t count = 0, capacity = 0, packed = 0;
    char line[256], name = 'A', current = 'A';
    FILE *file = fopen("tests/reference/packing.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the columns' names */
    for (bool more = true; more;) {
        vdnn_skyline_item next = {.size = 0};
        more = fgets(line, sizeof line, file) != NULL;
        if (more)
            assert_int_equal(sscanf(line, "%c,%d,%d,%d,%d", &name, &capacity, &next.start,
                                    &next.end, &next.size),
                             5);
        if (!more || name != current) {
            assert_true(pack(items, count, capacity, WORK));
            expect_packed(items, count, capacity);
            packed++;
            current = name;
            count = 0;
        }
        assert_true(count < MOST_BUFFERS);
        items[count++] = next;
    }
    (void)fclose(file);
    assert_int_equal(packed, INSTANCES);
}

static void nothing_is_packed_in_no_height(void **state)
{
    (void)state;
    assert_true(pack(NULL, 0, 0, ENOUGH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_items_are_packed_in_the_least_height_of_all_orders),
        cmocka_unit_test(pieces_of_a_rectangle_are_put_together),
        cmocka_unit_test(more_work_finds_what_less_has_found),
        cmocka_unit_test(hard_instances_are_packed_in_their_capacity),
        cmocka_unit_test(nothing_is_packed_in_no_height),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    vdnn_region_fini(&region);
    return failed;
}
