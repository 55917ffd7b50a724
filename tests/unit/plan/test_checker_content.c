/* Which access made each byte of a buffer, against an array that says it byte by byte. */

#include "runtime/checker/checker_flow.h"
#include "tests/support/vdnn_test.h"

#include <string.h>

enum { BYTES = 240, WRITES = 40, ROUNDS = 300, NONE = -1 };

typedef struct rig {
    vdnn_buffer buffer;
    vdnn_access access;
    vdnn_plan plan;
    vdnn_checker checker;
    vdnn_flow f;
    int32_t expected[BYTES];
} rig;

static void set_up(rig *r)
{
    memset(r, 0, sizeof *r);
    r->buffer.bytes = BYTES;
    r->plan = (vdnn_plan){
        .buffers = &r->buffer, .buffer_count = 1, .accesses = &r->access, .access_count = 1};
    r->checker.plan = &r->plan;
    r->f.checker = &r->checker;
    memset(r->expected, NONE, sizeof r->expected);
    assert_ok(vdnn_flow_content_init(&r->f.content, &r->plan));
}

static size_t pick(vdnn_test_rng *rng, size_t low, size_t high)
{
    return (size_t)vdnn_test_between(rng, (int64_t)low, (int64_t)high);
}

/* Mostly of whole periods, as samples are; else at any byte. */
static vdnn_access draw_range(vdnn_test_rng *rng)
{
    const size_t unit = pick(rng, 0, 3) == 0 ? 1 : 24, first = pick(rng, 0, BYTES / unit - 1),
                 count = pick(rng, 1, BYTES / unit - first);
    return (vdnn_access){.first = first * unit, .bytes = count * unit};
}

/* Two strides, one of which divides the other. */
static vdnn_access draw_stripes(vdnn_test_rng *rng)
{
    const size_t stride = pick(rng, 0, 3) == 0 ? 8 : 24, begin = pick(rng, 0, stride - 1),
                 bytes = pick(rng, 1, begin == 0 ? stride - 1 : stride - begin),
                 periods = BYTES / stride, from = pick(rng, 0, periods - 2),
                 count = pick(rng, 2, periods - from);
    return (vdnn_access){.first = from * stride + begin,
                         .bytes = (count - 1) * stride + bytes,
                         .stripe = bytes,
                         .stride = stride};
}

static vdnn_access draw(vdnn_test_rng *rng)
{
    return pick(rng, 0, 1) == 0 ? draw_range(rng) : draw_stripes(rng);
}

static bool takes(const vdnn_access *access, size_t byte)
{
    const bool is_inside = byte >= access->first && byte < access->first + access->bytes;
    return is_inside &&
           (access->stride == 0 || (byte - access->first) % access->stride < access->stripe);
}

static void write(rig *r, vdnn_access access, int32_t origin)
{
    assert_ok(vdnn_flow_write(&r->f.content, &access, origin));
    for (size_t byte = 0; byte < BYTES; byte++)
        if (takes(&access, byte))
            r->expected[byte] = origin;
}

/* All bytes of a range, each its origin's, and each once. */
static void bytes_of_ranges_are_known(rig *r, vdnn_access access)
{
    bool seen[BYTES] = {false};
    vdnn_flow_range range;
    r->access = access;
    assert_ok(vdnn_flow_bound(&r->f.content, &access));
    vdnn_flow_reader reader = vdnn_flow_read(&r->f, 0);
    while (vdnn_flow_next(&reader, &range))
        for (int64_t i = 0; i < range.at.count; i++)
            for (size_t k = 0; k < range.at.bytes; k++) {
                const size_t byte = range.at.offset + (size_t)i * range.at.stride + k;
                assert_true(takes(&access, byte) && !seen[byte]);
                assert_int_equal(range.origin, r->expected[byte]);
                seen[byte] = true;
            }
    for (size_t byte = 0; byte < BYTES; byte++)
        assert_int_equal(seen[byte], takes(&access, byte));
}

/* Every origin of a byte that stripes have. */
static void origins_of_stripes_are_known(rig *r, vdnn_access access)
{
    bool read[WRITES + 1] = {false};
    vdnn_flow_range range;
    r->access = access;
    vdnn_flow_reader reader = vdnn_flow_read(&r->f, 0);
    while (vdnn_flow_next(&reader, &range))
        read[range.origin + 1] = true;
    for (size_t byte = 0; byte < BYTES; byte++)
        assert_true(!takes(&access, byte) || read[r->expected[byte] + 1]);
}

static void each_byte_has_the_origin_of_its_last_write(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        vdnn_test_rng rng = {vdnn_test_seed() + round};
        rig r;
        set_up(&r);
        for (int32_t origin = 0; origin < WRITES; origin++) {
            write(&r, draw(&rng), origin);
            bytes_of_ranges_are_known(&r, draw_range(&rng));
            origins_of_stripes_are_known(&r, draw_stripes(&rng));
        }
        vdnn_flow_content_fini(&r.f.content);
    }
}

/* Parts of channels of a map, read by the same and by other ones, and what they do not read. */
static void a_pattern_is_read_by_its_stripes(void **state)
{
    enum { STRIDE = 24, THIRD = 8 };
    rig r;
    (void)state;
    set_up(&r);
    for (int32_t part = 0; part < 3; part++) {
        const size_t first = (size_t)part * THIRD;
        write(
            &r,
            (vdnn_access){
                .first = first, .bytes = BYTES - STRIDE + THIRD, .stripe = THIRD, .stride = STRIDE},
            part);
    }
    for (int32_t part = 0; part < 3; part++) {
        vdnn_flow_range range;
        r.access = (vdnn_access){.first = (size_t)part * THIRD,
                                 .bytes = BYTES - STRIDE + THIRD,
                                 .stripe = THIRD,
                                 .stride = STRIDE};
        vdnn_flow_reader reader = vdnn_flow_read(&r.f, 0);
        assert_true(vdnn_flow_next(&reader, &range));
        assert_int_equal(range.origin, part);
        assert_int_equal(range.at.count, BYTES / STRIDE);
        assert_false(vdnn_flow_next(&reader, &range));
    }
    assert_true(r.f.content.count <= 1 + 3); /* whatever the number of periods */
    vdnn_flow_content_fini(&r.f.content);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_has_the_origin_of_its_last_write),
        cmocka_unit_test(a_pattern_is_read_by_its_stripes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
