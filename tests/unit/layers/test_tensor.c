#include "tests/support/vdnn_test.h"

#include "layers/tensor.h"

static vdnn_desc desc_of(int64_t n, int64_t c, int64_t h, int64_t w)
{
    return (vdnn_desc){.dims = {n, c, h, w}, .dtype = VDNN_F32, .layout = VDNN_NCHW};
}

TEST(counts_are_products_of_the_dimensions)
{
    vdnn_desc desc = desc_of(64, 3, 224, 200);
    assert_true(vdnn_desc_check(&desc));
    assert_int_equal(vdnn_desc_per_sample(&desc), 3 * 224 * 200);
    assert_int_equal(vdnn_desc_count(&desc), 64 * 3 * 224 * 200);
    assert_int_equal(vdnn_desc_bytes(&desc), 4 * 64 * 3 * 224 * 200);
}

TEST(bytes_follow_the_data_type)
{
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

TEST(the_padding_of_a_layout_counts_as_bytes_but_not_as_elements)
{
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

TEST(aligned_channels_have_the_least_padding_that_fills_16_bytes)
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

TEST(dimensions_below_one_are_refused)
{
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

TEST(sizes_are_refused_from_2_to_the_44_on)
{
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

TEST(names_are_those_of_the_tables)
{
    assert_string_equal(vdnn_dtype_text(VDNN_F32), "f32");
    assert_string_equal(vdnn_dtype_text(VDNN_U8), "u8");
    assert_string_equal(vdnn_layout_text(VDNN_NCHW), "nchw");
    assert_string_equal(vdnn_layout_text(VDNN_NCHW16C), "nChw16c");
}
