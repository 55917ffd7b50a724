#include "tests/support/vdnn_test.h"

#include "layers/tensor.h"

static vdnn_desc desc_of(int64_t n, int64_t c, int64_t h, int64_t w)
{
    return (vdnn_desc){.dims = {n, c, h, w}, .dtype = VDNN_F32, .layout = VDNN_NCHW};
}

static void counts_are_products_of_the_dimensions(void **state)
{
    (void)state;
    vdnn_desc desc = desc_of(64, 3, 224, 200);
    assert_true(vdnn_desc_check(&desc));
    assert_int_equal(vdnn_desc_per_sample(&desc), 3 * 224 * 200);
    assert_int_equal(vdnn_desc_count(&desc), 64 * 3 * 224 * 200);
    assert_int_equal(vdnn_desc_bytes(&desc), 4 * 64 * 3 * 224 * 200);
}

static void bytes_follow_the_data_type(void **state)
{
    (void)state;
    static const size_t bytes[] = {
#define X(name, text, size) size,
        VDNN_DTYPE_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        vdnn_desc desc = desc_of(2, 3, 5, 7);
        desc.dtype = (vdnn_dtype)i;
        assert_int_equal(vdnn_dtype_bytes(desc.dtype), bytes[i]);
        assert_int_equal(vdnn_desc_bytes(&desc), 210 * bytes[i]);
    }
}

static void the_padding_of_a_layout_counts_as_bytes_but_not_as_elements(void **state)
{
    (void)state;
    vdnn_desc desc = desc_of(2, 17, 5, 7);
    desc.layout = VDNN_NCHW16C;
    assert_true(vdnn_desc_check(&desc));
    assert_int_equal(vdnn_desc_count(&desc), 2 * 17 * 5 * 7);
    assert_int_equal(vdnn_desc_bytes(&desc), 4 * 2 * 32 * 5 * 7);
    desc.dims[VDNN_C] = 32;
    assert_int_equal(vdnn_desc_bytes(&desc), 4 * 2 * 32 * 5 * 7);
    desc.layout = VDNN_NHWC;
    assert_int_equal(vdnn_desc_bytes(&desc), 4 * 2 * 32 * 5 * 7);
}

static void aligned_channels_have_the_least_padding_that_fills_16_bytes(void **state)
{
    static const struct {
        vdnn_dtype dtype;
        int64_t channels;
        vdnn_layout layout;
        int64_t stored;
    } cases[] = {
        {VDNN_F32, 1, VDNN_NHWC4, 4},   {VDNN_TF32, 3, VDNN_NHWC4, 4},
        {VDNN_TF32, 4, VDNN_NHWC, 4},   {VDNN_F32, 35, VDNN_NHWC4, 36},
        {VDNN_BF16, 1, VDNN_NHWC8, 8},  {VDNN_BF16, 3, VDNN_NHWC8, 8},
        {VDNN_BF16, 4, VDNN_NHWC8, 8},  {VDNN_BF16, 8, VDNN_NHWC, 8},
        {VDNN_BF16, 9, VDNN_NHWC8, 16}, {VDNN_BF16, 64, VDNN_NHWC, 64},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vdnn_desc desc = desc_of(2, cases[i].channels, 5, 7);
        desc.dtype = cases[i].dtype;
        desc.layout = vdnn_layout_aligned(cases[i].channels, cases[i].dtype);
        assert_int_equal(desc.layout, cases[i].layout);
        assert_true(vdnn_layout_is_nhwc(desc.layout));
        assert_int_equal(vdnn_desc_channels(&desc), cases[i].stored);
        assert_int_equal(vdnn_desc_stored(&desc), 2 * cases[i].stored * 5 * 7);
    }
    assert_false(vdnn_layout_is_nhwc(VDNN_NCHW) || vdnn_layout_is_nhwc(VDNN_NCHW16C));
}

static void dimensions_below_one_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < VDNN_DIMS; i++) {
        vdnn_desc desc = desc_of(2, 3, 5, 7);
        desc.dims[i] = 0;
        assert_false(vdnn_desc_check(&desc));
        desc.dims[i] = -1;
        assert_false(vdnn_desc_check(&desc));
        desc.dims[i] = INT64_MIN;
        assert_false(vdnn_desc_check(&desc));
    }
}

static void sizes_are_refused_from_2_to_the_44_on(void **state)
{
    (void)state;
    vdnn_desc desc = desc_of((int64_t)1 << 21, (int64_t)1 << 21, 1, 1);
    assert_false(vdnn_desc_check(&desc));
    desc.dtype = VDNN_BF16;
    assert_true(vdnn_desc_check(&desc));
    desc.dims[VDNN_C] -= 1;
    desc.dims[VDNN_W] = 2;
    assert_true(vdnn_desc_check(&desc));
    desc.layout = VDNN_NCHW16C; /* the padding makes it too large */
    assert_false(vdnn_desc_check(&desc));
    for (int i = 0; i < VDNN_DIMS; i++) {
        vdnn_desc huge = desc_of(1, 1, 1, 1);
        huge.dims[i] = INT64_MAX;
        assert_false(vdnn_desc_check(&huge));
        huge.layout = VDNN_NCHW16C;
        assert_false(vdnn_desc_check(&huge));
    }
}

static void names_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_string_equal(vdnn_dtype_text(VDNN_F32), "f32");
    assert_string_equal(vdnn_dtype_text(VDNN_U8), "u8");
    assert_string_equal(vdnn_layout_text(VDNN_NCHW), "nchw");
    assert_string_equal(vdnn_layout_text(VDNN_NCHW16C), "nChw16c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_products_of_the_dimensions),
        cmocka_unit_test(bytes_follow_the_data_type),
        cmocka_unit_test(the_padding_of_a_layout_counts_as_bytes_but_not_as_elements),
        cmocka_unit_test(aligned_channels_have_the_least_padding_that_fills_16_bytes),
        cmocka_unit_test(dimensions_below_one_are_refused),
        cmocka_unit_test(sizes_are_refused_from_2_to_the_44_on),
        cmocka_unit_test(names_are_those_of_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
