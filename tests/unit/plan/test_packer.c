#include "runtime/base/heap.h"
#include "runtime/base/numbers/random.h"
#include "runtime/planner/packings.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { ALIGNMENT = 64, MOST = 60, HORIZON = 40 };

static vdnn_region region; /* of every packing */

static size_t pack(vdnn_packer_item *items, int32_t count)
{
    size_t span = 1;
    vdnn_region_clear(&region);
    assert_ok(vdnn_packer_pack(&region, items, count, ALIGNMENT, &span));
    return span;
}

static bool share(const vdnn_packer_item *a, const vdnn_packer_item *b)
{
    bool in_time = a->pinned || b->pinned || (a->start < b->end && b->start < a->end);
    return in_time && a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static int32_t make_items(vdnn_packer_item *items, uint64_t seed, uint32_t round)
{
    uint32_t bits[4], counter[4] = {0, 0, round, 0};
    vdnn_random_philox(seed, counter, bits);
    int32_t count = 1 + (int32_t)(bits[0] % MOST);
    for (int32_t i = 0; i < count; i++) {
        counter[0] = (uint32_t)i + 1;
        vdnn_random_philox(seed, counter, bits);
        int32_t start = (int32_t)(bits[0] % HORIZON);
        items[i] = (vdnn_packer_item){.start = start,
                                      .end = start + 1 + (int32_t)(bits[1] % HORIZON),
                                      .pinned = bits[3] % 8 == 0,
                                      .bytes = 1 + bits[2] % 5000};
    }
    return count;
}

static void expect_packed(const vdnn_packer_item *items, int32_t count, size_t span)
{
    size_t highest = 0;
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(items[i].offset % ALIGNMENT, 0);
        if (items[i].offset + items[i].bytes > highest)
            highest = items[i].offset + items[i].bytes;
        for (int32_t k = 0; k < i; k++)
            assert_false(share(&items[i], &items[k]));
    }
    assert_int_equal(span, highest);
}

static void items_alive_together_never_share_a_byte(void **state)
{
    (void)state;
    vdnn_packer_item items[MOST];
    for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(20000); round++) {
        int32_t count = make_items(items, vdnn_test_seed(), round);
        expect_packed(items, count, pack(items, count));
    }
}

/* As of what is loaded for the next step: alive from its load to the end, and from the begin to its
 * take. */
static int32_t make_places(vdnn_packer_item *items, uint32_t round)
{
    uint32_t bits[4], counter[4] = {0, 1, round, 0};
    int32_t places = 1 + (int32_t)(round % 3);
    for (int32_t i = 0; i < places; i++, counter[0]++) {
        vdnn_random_philox(vdnn_test_seed(), counter, bits);
        int32_t taken = 1 + (int32_t)(bits[0] % HORIZON),
                loaded = taken + (int32_t)(bits[1] % HORIZON);
        size_t bytes = 1 + bits[2] % 5000;
        items[2 * i] = (vdnn_packer_item){.end = taken, .place = i + 1, .bytes = bytes};
        items[2 * i + 1] =
            (vdnn_packer_item){.start = loaded, .end = 2 * HORIZON, .place = i + 1, .bytes = bytes};
    }
    return 2 * places;
}

/* Of the same sizes, all the time: as in an evaluation between two steps. */
static void expect_places(const vdnn_packer_item *items, int32_t places, int32_t count)
{
    vdnn_packer_item pinned[MOST + 6];
    int32_t pinned_count = 0;
    for (int32_t i = 0; i < count; i++)
        if (items[i].pinned)
            pinned[pinned_count++] = items[i];
    for (int32_t i = 0; i < places; i += 2) {
        assert_int_equal(items[i].offset, items[i + 1].offset);
        pinned[pinned_count] = items[i];
        pinned[pinned_count++].pinned = true;
    }
    (void)pack(pinned, pinned_count);
    for (int32_t i = places - 2; i >= 0; i -= 2)
        assert_int_equal(pinned[--pinned_count].offset, items[i].offset);
}

static void items_of_one_place_have_one_offset(void **state)
{
    (void)state;
    vdnn_packer_item items[MOST + 6];
    for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(5000); round++) {
        int32_t places = make_places(items, round),
                count = places + make_items(items + places, vdnn_test_seed() + 4, round);
        expect_packed(items, count, pack(items, count));
        expect_places(items, places, count);
    }
}

/* Limits all around the span: what is packed within one is packed, and no smaller than with all the
 * work; most limits that can be kept are. */
static void what_is_packed_within_a_limit_is_packed_and_no_smaller(void **state)
{
    (void)state;
    vdnn_packer_item items[MOST];
    int looser = 0, within = 0, rounds = vdnn_test_count(5000);
    for (uint32_t round = 0; round < (uint32_t)rounds; round++) {
        int32_t count = make_items(items, vdnn_test_seed() + 3, round);
        size_t least = pack(items, count);
        const size_t bytes[] = {0, least, least + ALIGNMENT, least + least / 8, SIZE_MAX};
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
            size_t span = 0;
            vdnn_region_clear(&region);
            assert_ok(
                vdnn_packer_pack_within(&region, items, count, ALIGNMENT, bytes[i], NULL, &span));
            expect_packed(items, count, span);
            assert_true(span >= least);
            looser += span > least;
            within += span <= bytes[i] && i > 0;
        }
    }
    print_message("%d of %d limits kept\n", within, 4 * rounds);
    assert_true(looser > 0);
    assert_true(within >= 3 * rounds);
}

/* What was packed is packed again with little work, in no more, and so is what is left of it when
 * some items are gone. */
static void what_was_packed_is_packed_again(void **state)
{
    (void)state;
    vdnn_packer_item items[MOST];
    for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(2000); round++) {
        int32_t count = make_items(items, vdnn_test_seed() + 5, round), left = 0;
        const size_t before = pack(items, count);
        for (int32_t i = 0; i < count; i++) {
            items[i].was_packed = true;
            items[i].was_at = items[i].offset;
        }
        for (int32_t i = 0; i < count; i++)
            if (items[i].pinned || round % 2 == 0 || i % 3 != 0)
                items[left++] = items[i];
        size_t span = 0;
        vdnn_region_clear(&region);
        assert_ok(vdnn_packer_pack_within(&region, items, left, ALIGNMENT, before, NULL, &span));
        expect_packed(items, left, span);
        assert_true(span <= before);
    }
}

enum { FILLING = 750, MOST_FILLING = 2100, HEIGHT = 400, DAYS = 300 };

/* Items that fill a height at all times: one that is cut in two again and again, along its life or
 * along its bytes. */
static void make_filling(vdnn_packer_item *items, int32_t filling, uint32_t round)
{
    items[0] = (vdnn_packer_item){.end = DAYS, .bytes = (size_t)HEIGHT * ALIGNMENT};
    int32_t count = 1;
    for (uint32_t draw = 0; count < filling; draw++) {
        uint32_t bits[4], counter[4] = {draw, round, 0, 0};
        vdnn_random_philox(vdnn_test_seed() + 6, counter, bits);
        vdnn_packer_item *of = &items[bits[0] % (uint32_t)count];
        const uint32_t life = (uint32_t)(of->end - of->start),
                       size = (uint32_t)(of->bytes / ALIGNMENT);
        vdnn_packer_item rest = *of;
        if (bits[1] % 2 == 0 && life > 1)
            of->end = rest.start = of->start + 1 + (int32_t)(bits[2] % (life - 1));
        else if (bits[1] % 2 == 1 && size > 1)
            of->bytes = (1 + bits[2] % (size - 1)) * ALIGNMENT;
        else
            continue;
        if (of->end == rest.end)
            rest.bytes -= of->bytes;
        items[count++] = rest;
    }
}

/* Packs with so many looks; whether within the bytes. */
static bool pack_filling(vdnn_packer_item *items, int32_t count, size_t bytes, int64_t *looks)
{
    size_t span = 0;
    vdnn_region_clear(&region);
    assert_ok(vdnn_packer_pack_within(&region, items, count, ALIGNMENT, bytes, looks, &span));
    expect_packed(items, count, span);
    return span <= bytes;
}

/* What little work does not find is searched for in columns while there are looks, and they fall
 * only then; of too many items it is not. */
static void what_is_hard_to_pack_is_found_with_more_work(void **state)
{
    static const struct {
        int32_t items;
        int rounds, percent; /* of the height, that there is */
        bool is_searched;
    } cases[] = {
        {FILLING, 60, 107, true}, {2 * FILLING, 8, 110, true}, {MOST_FILLING, 2, 105, false}};
    static vdnn_packer_item items[MOST_FILLING];
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int hard = 0, found = 0;
        for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(cases[c].rounds); round++) {
            const size_t bytes = (size_t)(HEIGHT * cases[c].percent / 100) * ALIGNMENT;
            int64_t none = 0, looks = 1;
            make_filling(items, cases[c].items, round);
            const bool was_hard = !pack_filling(items, cases[c].items, bytes, &none);
            assert_true(none == 0);
            const bool is_found = pack_filling(items, cases[c].items, bytes, &looks);
            assert_int_equal(looks < 1, was_hard && cases[c].is_searched);
            hard += was_hard;
            found += was_hard && is_found;
        }
        print_message("%d items: %d of %d found with more work\n", (int)cases[c].items, found,
                      hard);
        assert_true(hard > 0);
        assert_true(cases[c].is_searched ? 2 * found >= hard : found == 0);
    }
}

/* Bytes all around the span: the answer without the offsets is that of the whole search. */
static void what_fits_is_what_the_span_says(void **state)
{
    (void)state;
    vdnn_packer_item items[MOST];
    for (uint32_t round = 0; round < (uint32_t)vdnn_test_count(2000); round++) {
        int32_t count = make_items(items, vdnn_test_seed() + 2, round);
        size_t span = pack(items, count);
        const size_t bytes[] = {0,        span / 2,         span - 1, span,
                                span + 1, span + ALIGNMENT, 2 * span, SIZE_MAX};
        for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
            size_t excess_bytes = SIZE_MAX;
            vdnn_region_clear(&region);
            assert_ok(
                vdnn_packer_excess(&region, items, count, ALIGNMENT, bytes[i], &excess_bytes));
            assert_int_equal(excess_bytes == 0, span <= bytes[i]);
            if (excess_bytes > 0)
                assert_true(excess_bytes <= span - bytes[i]);
        }
    }
}

static void the_span_is_at_least_what_is_alive_and_at_most_the_sum(void **state)
{
    (void)state;
    vdnn_packer_item items[MOST];
    for (uint32_t round = 0; round < 500; round++) {
        int32_t count = make_items(items, vdnn_test_seed() + 1, round);
        size_t span = pack(items, count), most = 0, sum = 0, least = 0;
        assert_ok(vdnn_packer_least(&region, items, count, ALIGNMENT, &least));
        for (int32_t t = 0; t < 2 * HORIZON; t++) {
            size_t live = 0;
            for (int32_t i = 0; i < count; i++)
                if (items[i].pinned || (items[i].start <= t && t < items[i].end))
                    live += items[i].bytes;
            most = live > most ? live : most;
        }
        for (int32_t i = 0; i < count; i++)
            sum += (items[i].bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        assert_true(span >= most);
        assert_true(span >= least);
        assert_true(least + ALIGNMENT > most);
        assert_true(span <= sum);
    }
}

static void a_stack_of_nested_lives_is_packed_without_loss(void **state)
{
    (void)state;
    vdnn_packer_item items[16];
    for (int32_t i = 0; i < 16; i++)
        items[i] = (vdnn_packer_item){.start = i, .end = 32 - i, .bytes = 640};
    assert_int_equal(pack(items, 16), 16 * 640);
}

static void lives_that_only_touch_share_an_address(void **state)
{
    (void)state;
    vdnn_packer_item items[] = {{.start = 0, .end = 5, .bytes = 100},
                                {.start = 5, .end = 9, .bytes = 100}};
    assert_int_equal(pack(items, 2), 100);
}

static void pinned_items_keep_their_offsets_whatever_moves_beside_them(void **state)
{
    (void)state;
    vdnn_packer_item few[] = {{.pinned = true, .bytes = 100}, {.pinned = true, .bytes = 50}};
    vdnn_packer_item many[] = {{.pinned = true, .bytes = 100},
                               {.start = 0, .end = 3, .bytes = 9000},
                               {.pinned = true, .bytes = 50},
                               {.start = 1, .end = 2, .bytes = 1}};
    assert_int_equal(pack(few, 2), 128 + 50);
    (void)pack(many, 4);
    assert_int_equal(many[0].offset, few[0].offset);
    assert_int_equal(many[2].offset, few[1].offset);
}

static void nothing_to_pack_spans_nothing(void **state)
{
    (void)state;
    assert_int_equal(pack(NULL, 0), 0);
}

/* Known or not: what is asked for often is known, and what was pushed out is packed anew. One that
 * differs in one number alone is another. */
static void what_was_packed_before_is_packed_the_same(void **state)
{
    (void)state;
    const size_t live = vdnn_heap_live_count();
    vdnn_packings *packings;
    vdnn_packer_item items[MOST], anew[MOST];
    assert_ok(vdnn_packings_create(&packings));
    for (int i = 0; i < vdnn_test_count(20000); i++) {
        uint32_t bits[4], counter[4] = {0, 2, (uint32_t)i, 0};
        vdnn_random_philox(vdnn_test_seed(), counter, bits);
        const uint32_t round = bits[0] % (i % 2 == 0 ? 8 : 200);
        const int32_t count = make_items(items, vdnn_test_seed(), round);
        const size_t alignment = bits[2] % 3 == 0 ? 2 * ALIGNMENT : ALIGNMENT;
        const int32_t changed = (int32_t)(bits[1] % 2 % (uint32_t)count);
        items[changed].end += bits[2] % 5 == 0;
        items[changed].bytes += bits[3] % 7 == 0;
        size_t span = 1, span_anew = 2;
        memcpy(anew, items, sizeof anew);
        vdnn_region_clear(&region);
        assert_ok(vdnn_packer_pack(&region, anew, count, alignment, &span_anew));
        assert_ok(vdnn_packings_pack(packings, &region, items, count, alignment, &span));
        assert_int_equal(span, span_anew);
        for (int32_t k = 0; k < count; k++)
            assert_int_equal(items[k].offset, anew[k].offset);
    }
    vdnn_packings_destroy(packings);
    assert_int_equal(vdnn_heap_live_count(), live);
}

/* From one region to the next, and to the packings at the end of the last: nothing is allocated. */
static void memory_is_passed_on_from_region_to_region(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20 };
    const size_t live = vdnn_heap_live_count();
    vdnn_packings *packings;
    vdnn_region first = {.top = NULL}, second = {.top = NULL};
    assert_ok(vdnn_packings_create(&packings));
    vdnn_packings_pass_on(packings, &first);
    assert_non_null(vdnn_region_take(&first, BYTES, 1));
    const size_t calls = vdnn_heap_call_count();
    vdnn_packings_pass_on(packings, &second);
    assert_null(first.top);
    vdnn_region_clear(&second);
    assert_non_null(vdnn_region_take(&second, BYTES, 1));
    vdnn_packings_take_back(packings, &first); /* it has none */
    assert_non_null(second.top);
    vdnn_packings_take_back(packings, &second);
    assert_null(second.top);
    vdnn_packings_pass_on(packings, &first);
    assert_non_null(first.top);
    assert_int_equal(vdnn_heap_call_count(), calls);
    vdnn_packings_take_back(packings, &first);
    vdnn_packings_trim(packings);
    vdnn_packings_destroy(packings);
    assert_int_equal(vdnn_heap_live_count(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_alive_together_never_share_a_byte),
        cmocka_unit_test(items_of_one_place_have_one_offset),
        cmocka_unit_test(what_is_packed_within_a_limit_is_packed_and_no_smaller),
        cmocka_unit_test(what_was_packed_is_packed_again),
        cmocka_unit_test(what_is_hard_to_pack_is_found_with_more_work),
        cmocka_unit_test(what_fits_is_what_the_span_says),
        cmocka_unit_test(the_span_is_at_least_what_is_alive_and_at_most_the_sum),
        cmocka_unit_test(a_stack_of_nested_lives_is_packed_without_loss),
        cmocka_unit_test(lives_that_only_touch_share_an_address),
        cmocka_unit_test(pinned_items_keep_their_offsets_whatever_moves_beside_them),
        cmocka_unit_test(nothing_to_pack_spans_nothing),
        cmocka_unit_test(what_was_packed_before_is_packed_the_same),
        cmocka_unit_test(memory_is_passed_on_from_region_to_region),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    vdnn_region_fini(&region);
    return failed;
}
