/* The operations of no layer type, for every row of their table that runs here. */

#include "layers/registry.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 9001, GUARD = 16 };

static float w[COUNT + GUARD], v[COUNT + GUARD], dw[COUNT + GUARD];

static const vdnn_elementwise *const rows[] = {
#define X(name) &vdnn_##name,
    VDNN_ELEMENTWISE_TABLE(X)
#undef X
};

static void fill(uint64_t seed)
{
    vdnn_test_rng rng = {seed};
    for (int i = 0; i < COUNT + GUARD; i++) {
        w[i] = (float)vdnn_test_between(&rng, -1000, 1000) / 512;
        v[i] = (float)vdnn_test_between(&rng, -1000, 1000) / 512;
        dw[i] = (float)vdnn_test_between(&rng, -1000, 1000) / 512;
    }
}

static void every_row_is_found_by_its_device(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_ptr_equal(vdnn_elementwise_find(rows[i]->device), rows[i]);
    assert_null(vdnn_elementwise_find("abacus"));
}

static void sgd_follows_the_rule_of_pytorch(void **state)
{
    (void)state;
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    const vdnn_step_context context = {.lr = 0.125, .momentum = 0.5, .weight_decay = 0.25};
    for (int threads = 1; threads <= 3; threads++) {
        fill(5);
        static float w0[COUNT + GUARD], v0[COUNT + GUARD];
        memcpy(w0, w, sizeof w);
        memcpy(v0, v, sizeof v);
        assert_ok(cpu->sgd(w, v, dw, COUNT, threads, &context, NULL));
        for (int i = 0; i < COUNT; i++) {
            /* All these factors are powers of two, so that no rounding is in the way. */
            float velocity = 0.5F * v0[i] + (dw[i] + 0.25F * w0[i]);
            assert_true(v[i] == velocity);
            assert_true(w[i] == w0[i] - 0.125F * velocity);
        }
        assert_memory_equal(w + COUNT, w0 + COUNT, GUARD * sizeof *w);
        assert_memory_equal(v + COUNT, v0 + COUNT, GUARD * sizeof *v);
    }
}

static void accumulate_adds_element_by_element(void **state)
{
    (void)state;
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    for (int threads = 1; threads <= 3; threads++) {
        fill(6);
        static float w0[COUNT + GUARD];
        memcpy(w0, w, sizeof w);
        assert_ok(cpu->accumulate(w, dw, VDNN_F32, COUNT, threads, NULL));
        for (int i = 0; i < COUNT; i++)
            assert_true(w[i] == w0[i] + dw[i]);
        assert_memory_equal(w + COUNT, w0 + COUNT, GUARD * sizeof *w);
    }
}

static void nothing_is_done_for_no_elements(void **state)
{
    (void)state;
    const vdnn_elementwise *cpu = vdnn_elementwise_find("cpu");
    const vdnn_step_context context = {.lr = 1};
    fill(7);
    float first = w[0];
    assert_ok(cpu->sgd(w, v, dw, 0, 2, &context, NULL));
    assert_ok(cpu->accumulate(w, dw, VDNN_F32, 0, 2, NULL));
    assert_true(w[0] == first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found_by_its_device),
        cmocka_unit_test(sgd_follows_the_rule_of_pytorch),
        cmocka_unit_test(accumulate_adds_element_by_element),
        cmocka_unit_test(nothing_is_done_for_no_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
