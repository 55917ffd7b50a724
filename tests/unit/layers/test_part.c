/* Parts of layers: which there are, which bytes are theirs, and what layers they are. */

#include "layers/part.h"
#include "layers/signature.h"
#include "layers/stage.h"
#include "runtime/base/heap.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

static const vdnn_layer_form plain;

static vdnn_layer *built_as(const char *type, const char *keys, const char *inputs,
                            vdnn_layer_form form)
{
    vdnn_layer *layer = NULL;
    vdnn_layer_case c = {type, keys, inputs};
    assert_ok(vdnn_layer_case_build_as(&c, VDNN_RULE_LEAN, form, &layer));
    return layer;
}

static vdnn_layer *built(const char *type, const char *keys, const char *inputs)
{
    return built_as(type, keys, inputs, plain);
}

static void *zeros(size_t bytes)
{
    void *block = calloc(1, bytes);
    assert_non_null(block);
    return block;
}

static vdnn_part cut(const vdnn_layer *layer, vdnn_axis axis, int64_t count, int64_t i)
{
    vdnn_part part;
    assert_ok(vdnn_part_cut(layer, axis, count, i, &part));
    assert_null(vdnn_part_refusal(layer, &part));
    return part;
}

/* ---- which parts there are ------------------------------------------------------------------- */

static int64_t first_of(const vdnn_part *part, vdnn_axis axis)
{
    return axis == VDNN_AXIS_SAMPLES ? part->first_sample : part->first_channel;
}

static int64_t count_of(const vdnn_part *part, vdnn_axis axis)
{
    return axis == VDNN_AXIS_SAMPLES ? part->samples : part->channels;
}

static void check_cut(const vdnn_layer *layer, vdnn_axis axis, int64_t count)
{
    const vdnn_part whole = vdnn_part_whole(layer);
    vdnn_axis other = VDNN_AXES - 1 - axis;
    int64_t end = 0;
    for (int64_t i = 0; i < count; i++) {
        vdnn_part part = cut(layer, axis, count, i);
        assert_int_equal(first_of(&part, axis), end);
        assert_int_equal(first_of(&part, other), 0);
        assert_int_equal(count_of(&part, other), count_of(&whole, other));
        end += count_of(&part, axis);
    }
    assert_int_equal(end, count_of(&whole, axis));
}

TEST(the_parts_of_a_cut_cover_the_layer)
{
    const vdnn_layer_form blocked = {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false};
    vdnn_layer *layers[] = {
        built("conv", "out=13 kernel=3", "11x5x7x6"),
        built("conv", "out=12 kernel=1 groups=4", "3x8x2x2"),
        built("fc", "out=10", "7x3x4x5"),
        built_as("maxpool", "kernel=2", "5x70x4x4", blocked),
        built_as("conv", "out=100 kernel=3", "4x48x5x5", blocked),
        built_as("conv", "out=96 kernel=3 groups=32", "4x96x5x5", blocked),
        built("softmax_loss", "", "9x10x1x1"),
        built("embedding", "out=10", "4x5<6"),
        built("fc", "out=10", "4x5x6"),
        built("global_avgpool", "", "4x5x6"),
        built("softmax_loss", "", "4x5x6"),
        built("softmax_loss", "ignore=-100", "4x5x6"),
        built("attention", "heads=2", "4x5x6"),
        built("additive_attention", "", "4x5x6 4x3x6 4x3x2"),
        built("lstm", "out=7", "4x5x6"),
        built("mse", "", "4x5x6"),
        built("dice", "ignore=0", "4x5x6"),
        built("dice", "batch=true", "4x5x6"),
    };
    static const int64_t most[][VDNN_AXES] = {{11, 13}, {3, 4}, {7, 10}, {5, 5}, {4, 7}, {4, 2},
                                              {9, 1},   {4, 1}, {4, 1},  {4, 1}, {4, 1}, {1, 1},
                                              {4, 1},   {4, 1}, {4, 1},  {4, 1}, {4, 1}, {1, 1}};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        for (vdnn_axis axis = 0; axis < VDNN_AXES; axis++) {
            assert_int_equal(vdnn_part_most(layers[i], axis), most[i][axis]);
            for (int64_t count = 1; count <= most[i][axis]; count++)
                check_cut(layers[i], axis, count);
        }
        vdnn_layer_case_destroy(layers[i]);
    }
}

static void assert_refused(vdnn_layer *layer, vdnn_axis axis, int64_t count, const char *text)
{
    vdnn_part part = {-1, -1, -1, -1};
    assert_status(vdnn_part_cut(layer, axis, count, 0, &part), VDNN_USAGE);
    assert_message(text);
    assert_int_equal(part.samples, -1);
    vdnn_layer_case_destroy(layer);
}

TEST(a_count_that_does_not_fit_is_refused_with_one_that_does)
{
    const vdnn_layer_form blocked = {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false};
    assert_refused(built("fc", "out=10", "7x3x4x5"), VDNN_AXIS_SAMPLES, 8,
                   "8 parts of its 7 samples; expected 1 to 7");
    assert_refused(built("fc", "out=10", "7x3x4x5"), VDNN_AXIS_SAMPLES, 0,
                   "0 parts of its 7 samples; expected 1 to 7");
    assert_refused(built_as("conv", "out=96 kernel=3", "4x48x5x5", blocked), VDNN_AXIS_CHANNELS, 7,
                   "7 parts of its 96 channels, at multiples of 16; expected 1 to 6");
    assert_refused(built("batchnorm", "", "4x8x5x5"), VDNN_AXIS_SAMPLES, 2,
                   "2 parts of its 4 samples, which depend on each other; expected 1");
    assert_refused(built("lrn", "size=5", "4x8x5x5"), VDNN_AXIS_CHANNELS, 2,
                   "2 parts of its 8 channels, which cannot be computed without each other; "
                   "expected 1");
}

TEST(a_part_that_is_none_is_refused)
{
    vdnn_layer *conv = built("conv", "out=12 kernel=1 groups=4", "3x8x2x2");
    vdnn_layer *norm = built("batchnorm", "", "4x8x5x5"), *lrn = built("lrn", "size=5", "4x8x5x5");
    const struct {
        const vdnn_layer *layer;
        vdnn_part part;
        bool is_refused;
    } rows[] = {
        {conv, {0, 3, 0, 12}, false},        {conv, {2, 1, 3, 9}, false},
        {conv, {0, 3, 3, 8}, true},          {conv, {0, 3, 2, 3}, true},
        {conv, {-1, 2, 0, 12}, true},        {conv, {2, 2, 0, 12}, true},
        {conv, {0, 0, 0, 12}, true},         {conv, {0, 3, 9, 6}, true},
        {conv, {INT64_MAX, 1, 0, 12}, true}, {norm, {0, 4, 3, 2}, false},
        {norm, {0, 2, 0, 8}, true},          {norm, {0, 4, 0, 8}, false},
        {lrn, {1, 2, 0, 8}, false},          {lrn, {0, 4, 0, 7}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(vdnn_part_refusal(rows[i].layer, &rows[i].part) != NULL,
                         rows[i].is_refused);
    vdnn_layer_case_destroy(conv);
    vdnn_layer_case_destroy(norm);
    vdnn_layer_case_destroy(lrn);
}

/* ---- bytes of maps --------------------------------------------------------------------------- */

/* What element (n, c, cell) of a map holds. Exact in bf16, and another one in a neighbour. */
static float mark_of(const vdnn_desc *map, int64_t n, int64_t c, int64_t cell)
{
    int64_t cells = map->dims[VDNN_H] * map->dims[VDNN_W];
    return (float)(1 + ((n * map->dims[VDNN_C] + c) * cells + cell) % 251);
}

static void fill(const vdnn_desc *map, void *block)
{
    int64_t per_sample = vdnn_desc_per_sample(map), cells = per_sample / map->dims[VDNN_C];
    float *sample = zeros((size_t)per_sample * sizeof *sample);
    for (int64_t n = 0; n < map->dims[VDNN_N]; n++) {
        for (int64_t i = 0; i < per_sample; i++)
            sample[i] = mark_of(map, n, i / cells, i % cells);
        vdnn_stage_store(map, block, n, sample);
    }
    free(sample);
}

/* A compact map of the part holds its elements of the whole, from a channel on. */
static void check_elements(const vdnn_desc *whole, const vdnn_desc *own, const void *compact,
                           int64_t first_sample, int64_t first_channel)
{
    int64_t per_sample = vdnn_desc_per_sample(own), cells = per_sample / own->dims[VDNN_C];
    float *sample = zeros((size_t)per_sample * sizeof *sample);
    for (int64_t n = 0; n < own->dims[VDNN_N]; n++) {
        vdnn_stage_load(own, compact, n, sample);
        for (int64_t i = 0; i < per_sample; i++)
            assert_true(sample[i] ==
                        mark_of(whole, first_sample + n, first_channel + i / cells, i % cells));
    }
    free(sample);
}

static void move(const vdnn_stripes *from, const void *source, const vdnn_stripes *to, void *target)
{
    assert_ok(vdnn_elementwise_find("cpu")->move(from, source, to, target, 1, NULL));
}

/* Both maps of every part; together they are the map of the whole, with its padding. */
static void check_maps(const vdnn_layer *layer, vdnn_axis axis, int64_t count, int64_t x_of_y)
{
    const vdnn_desc *maps[] = {&layer->y, &layer->x[0]};
    for (int m = 0; m < 2; m++) {
        size_t bytes = vdnn_desc_bytes(maps[m]);
        char *whole = zeros(bytes), *again = zeros(bytes);
        fill(maps[m], whole);
        for (int64_t i = 0; i < count; i++) {
            vdnn_part part = cut(layer, axis, count, i);
            vdnn_layer own;
            assert_ok(vdnn_part_init(layer, &part, &own));
            const vdnn_desc *map = m == 0 ? &own.y : &own.x[0];
            vdnn_stripes at = m == 0 ? vdnn_part_y(layer, &part) : vdnn_part_x(layer, &part, 0);
            assert_int_equal((size_t)at.count * at.bytes, vdnn_desc_bytes(map));
            assert_true(axis == VDNN_AXIS_CHANNELS || at.count == 1);
            vdnn_stripes side_by_side = vdnn_part_compact(&at);
            char *compact = zeros(vdnn_desc_bytes(map));
            move(&at, whole, &side_by_side, compact);
            check_elements(maps[m], map, compact, part.first_sample,
                           m == 0 ? part.first_channel : part.first_channel * x_of_y);
            move(&side_by_side, compact, &at, again);
            free(compact);
            vdnn_part_fini(&own);
        }
        assert_memory_equal(whole, again, bytes);
        free(whole);
        free(again);
    }
}

TEST(the_bytes_of_a_part_are_its_elements_in_every_layout)
{
    static const vdnn_dtype dtypes[] = {VDNN_F32, VDNN_BF16};
    for (int layout = 0; layout < VDNN_LAYOUTS; layout++)
        for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
            vdnn_layer_form form = {dtypes[d], (vdnn_layout)layout, VDNN_NCHW, false};
            vdnn_layer *layer = built_as("maxpool", "kernel=2x1", "7x52x4x3", form);
            for (vdnn_axis axis = 0; axis < VDNN_AXES; axis++)
                for (int64_t count = 1; count <= vdnn_part_most(layer, axis); count++)
                    check_maps(layer, axis, count, 1);
            vdnn_layer_case_destroy(layer);
        }
}

TEST(parts_of_a_grouped_convolution_read_their_groups)
{
    vdnn_layer *layer = built("conv", "out=12 kernel=1 groups=4", "3x24x2x3");
    assert_false(vdnn_part_shares_x(layer));
    for (int64_t count = 1; count <= 4; count++)
        check_maps(layer, VDNN_AXIS_CHANNELS, count, 2);
    vdnn_layer_case_destroy(layer);
}

TEST(parts_of_the_outputs_read_all_of_x)
{
    vdnn_layer *layer = built("conv", "out=12 kernel=3", "3x5x4x3");
    assert_true(vdnn_part_shares_x(layer));
    for (int64_t i = 0; i < 4; i++) {
        vdnn_part part = cut(layer, VDNN_AXIS_CHANNELS, 4, i);
        vdnn_stripes x = vdnn_part_x(layer, &part, 0);
        assert_int_equal(x.offset, 0);
        assert_int_equal(x.count, 1);
        assert_int_equal(x.bytes, vdnn_desc_bytes(&layer->x[0]));
    }
    vdnn_layer_case_destroy(layer);
}

/* ---- bytes of parameters and aux ------------------------------------------------------------- */

/* Parameter p of every part, by its elements, in the block of the whole. */
static void check_param(const vdnn_layer *layer, const vdnn_part *part, const vdnn_layer *own,
                        int32_t p)
{
    const vdnn_param *param = &layer->params[p], *rows = &own->params[p];
    int64_t row = param->count / param->dims[0];
    float *values = zeros((size_t)param->count * sizeof *values);
    float *found = zeros((size_t)rows->count * sizeof *found);
    char *whole = zeros(layer->param_bytes);
    for (int64_t i = 0; i < param->count; i++)
        values[i] = (float)(i + 1);
    vdnn_stage_pack(param, values, whole + param->offset);
    vdnn_stripes at = vdnn_part_param(layer, part, p);
    assert_int_equal(at.count, 1);
    assert_int_equal(at.bytes, rows->bytes);
    assert_true(at.offset >= param->offset && at.offset + at.bytes <= param->offset + param->bytes);
    vdnn_stage_unpack(rows, whole + at.offset, found);
    assert_memory_equal(found, values + part->first_channel * row,
                        (size_t)rows->count * sizeof *found);
    free(values);
    free(found);
    free(whole);
}

TEST(rows_of_parameters_go_with_the_channels)
{
    const vdnn_layer_form blocked = {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false};
    vdnn_layer *layers[] = {built("conv", "out=13 kernel=3", "2x5x7x6"),
                            built("conv", "out=12 kernel=1 groups=4", "3x8x2x2"),
                            built("fc", "out=10", "7x3x4x5"),
                            built("batchnorm", "", "2x7x3x3"),
                            built_as("conv", "out=90 kernel=3", "2x40x5x5", blocked),
                            built_as("batchnorm", "", "2x70x3x3", blocked)};
    for (size_t l = 0; l < sizeof layers / sizeof *layers; l++) {
        const vdnn_layer *layer = layers[l];
        for (int64_t count = 1; count <= vdnn_part_most(layer, VDNN_AXIS_CHANNELS); count++)
            for (int64_t i = 0; i < count; i++) {
                vdnn_part part = cut(layer, VDNN_AXIS_CHANNELS, count, i);
                vdnn_layer own;
                assert_ok(vdnn_part_init(layer, &part, &own));
                for (int32_t p = 0; p < layer->param_count; p++)
                    check_param(layer, &part, &own, p);
                assert_true(own.trainable_bytes == own.param_bytes);
                vdnn_part_fini(&own);
            }
        vdnn_layer_case_destroy(layers[l]);
    }
}

TEST(the_aux_of_samples_is_a_range_but_for_masks)
{
    static const struct {
        const char *type, *keys, *inputs;
        int64_t bytes; /* of a sample; 0: none, -1: a mask */
    } rows[] = {{"relu", "", "5x8x5x1", -1},
                {"dropout", "p=0.5", "5x8x5x1", -1},
                {"maxpool", "kernel=2", "5x3x4x6", 18},
                {"softmax_loss", "", "5x10x1x1", 40},
                {"layernorm", "", "5x3x40", 24},
                {"groupnorm", "groups=2", "5x4x3x2", 16},
                {"rmsnorm", "", "5x3x40", 12},
                {"conv", "out=8 kernel=1", "5x8x5x5", 0}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        vdnn_layer *layer = built(rows[r].type, rows[r].keys, rows[r].inputs);
        vdnn_part part = vdnn_part_whole(layer);
        vdnn_stripes at;
        assert_true(vdnn_part_aux(layer, &part, &at));
        assert_true(at.offset == 0 && at.bytes == layer->aux_bytes && at.count == 1);
        part.first_sample = 2;
        part.samples = 3;
        assert_int_equal(vdnn_part_aux(layer, &part, &at), rows[r].bytes >= 0);
        if (rows[r].bytes >= 0)
            assert_true((int64_t)at.offset == 2 * rows[r].bytes &&
                        (int64_t)at.bytes == 3 * rows[r].bytes && at.count == 1);
        vdnn_layer_case_destroy(layer);
    }
    vdnn_layer *norm = built("batchnorm", "", "4x8x5x5");
    vdnn_part channels = cut(norm, VDNN_AXIS_CHANNELS, 2, 1);
    vdnn_stripes at;
    assert_false(vdnn_part_aux(norm, &channels, &at));
    vdnn_layer_case_destroy(norm);
}

/* ---- a part as a layer ----------------------------------------------------------------------- */

static void check_same_signature(const vdnn_layer *own, const vdnn_layer *natural)
{
    char *wanted = NULL;
    assert_ok(vdnn_signature_make(natural, &wanted));
    assert_string_equal(own->signature, wanted);
    assert_int_equal(own->aux_bytes, natural->aux_bytes);
    assert_int_equal(own->param_bytes, natural->param_bytes);
    assert_int_equal(own->trainable_bytes, natural->trainable_bytes);
    assert_memory_equal(&own->y, &natural->y, sizeof own->y);
    assert_true(vdnn_layer_flops(own, VDNN_FORWARD) == vdnn_layer_flops(natural, VDNN_FORWARD));
    vdnn_heap_free(wanted);
}

TEST(a_part_is_the_layer_of_its_shape)
{
    static const struct {
        const char *type, *keys, *inputs;
        vdnn_part part;
        const char *own_keys, *own_inputs;
    } rows[] = {
        {"conv", "out=13 kernel=3", "6x5x7x6", {2, 3, 0, 13}, "out=13 kernel=3", "3x5x7x6"},
        {"conv", "out=13 kernel=3", "6x5x7x6", {2, 3, 4, 5}, "out=5 kernel=3", "3x5x7x6"},
        {"conv",
         "out=12 kernel=1 groups=4",
         "3x8x2x2",
         {0, 3, 3, 6},
         "out=6 kernel=1 groups=2",
         "3x4x2x2"},
        {"fc", "out=10 bias=false", "7x3x4x5", {6, 1, 7, 3}, "out=3 bias=false", "1x3x4x5"},
        {"maxpool", "kernel=2", "5x3x4x2", {0, 5, 1, 2}, "kernel=2", "5x2x4x2"},
        {"add", "", "5x3x4x2 5x3x4x2", {0, 2, 1, 1}, "", "2x1x4x2 2x1x4x2"},
        {"batchnorm", "", "4x8x5x5", {0, 4, 2, 3}, "", "4x3x5x5"},
        {"concat", "", "5x3x4x2 5x2x4x2", {1, 2, 0, 5}, "", "2x3x4x2 2x2x4x2"},
        {"softmax_loss", "", "9x10x1x1", {3, 4, 0, 2}, "", "4x10x1x1"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        vdnn_layer *layer = built(rows[r].type, rows[r].keys, rows[r].inputs);
        vdnn_layer *natural = built(rows[r].type, rows[r].own_keys, rows[r].own_inputs);
        vdnn_layer own;
        assert_null(vdnn_part_refusal(layer, &rows[r].part));
        assert_ok(vdnn_part_init(layer, &rows[r].part, &own));
        check_same_signature(&own, natural);
        assert_ptr_equal(own.name, layer->name);
        vdnn_part_fini(&own);
        vdnn_layer_case_destroy(layer);
        vdnn_layer_case_destroy(natural);
    }
}

TEST(a_part_keeps_the_layouts_of_the_whole)
{
    const vdnn_layer_form blocked = {VDNN_F32, VDNN_NCHW16C, VDNN_NCHW16C, false};
    vdnn_layer *layer = built_as("conv", "out=49 kernel=3", "2x48x5x5", blocked);
    assert_int_equal(layer->y.layout, VDNN_NCHW16C);
    vdnn_part part = {0, 2, 48, 1}; /* one channel alone would be nchw */
    vdnn_layer own;
    assert_null(vdnn_part_refusal(layer, &part));
    assert_ok(vdnn_part_init(layer, &part, &own));
    assert_int_equal(own.y.layout, VDNN_NCHW16C);
    assert_int_equal(own.params[0].layout, VDNN_PARAM_BLOCKED);
    vdnn_part_fini(&own);
    vdnn_layer_case_destroy(layer);
}

TEST(a_part_that_finds_no_memory_says_so_and_leaves_nothing)
{
    vdnn_layer *layer = built("conv", "out=13 kernel=3", "6x5x7x6");
    vdnn_part part = {2, 3, 4, 5};
    vdnn_layer own;
    size_t calls = vdnn_heap_call_count(), live = vdnn_heap_live_count();
    assert_ok(vdnn_part_init(layer, &part, &own));
    calls = vdnn_heap_call_count() - calls;
    vdnn_part_fini(&own);
    assert_int_equal(vdnn_heap_live_count(), live);
    for (size_t n = 1; n <= calls; n++) {
        vdnn_heap_fail_after(n);
        assert_status(vdnn_part_init(layer, &part, &own), VDNN_NO_MEMORY);
        vdnn_heap_fail_after(0);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
    vdnn_layer_case_destroy(layer);
}

/* ---- where a part runs in a plan --------------------------------------------------------------
 */

TEST(a_part_stages_what_is_in_stripes)
{
    vdnn_layer *conv = built("conv", "out=12 kernel=3 pad=1", "2x5x4x4");
    vdnn_layer *pool = built("maxpool", "kernel=2", "2x6x4x4");
    vdnn_layer *one = built("conv", "out=12 kernel=3 pad=1", "1x5x4x4");
    vdnn_part of_conv = cut(conv, VDNN_AXIS_CHANNELS, 3, 1);
    vdnn_part of_pool = cut(pool, VDNN_AXIS_CHANNELS, 3, 1);
    vdnn_part of_one = cut(one, VDNN_AXIS_CHANNELS, 3, 1);
    vdnn_part samples = cut(conv, VDNN_AXIS_SAMPLES, 2, 1);
    const size_t y = 2 * 4 * 16 * sizeof(float); /* x, which all parts read, is one piece */
    assert_int_equal(vdnn_part_staged_bytes(conv, &of_conv, VDNN_FORWARD), y);
    assert_int_equal(vdnn_part_staged_bytes(conv, &of_conv, VDNN_BACKWARD_FILTER), y);
    assert_int_equal(vdnn_part_staged_bytes(pool, &of_pool, VDNN_FORWARD), 2 * VDNN_PART_ALIGNMENT);
    assert_int_equal(vdnn_part_staged_bytes(one, &of_one, VDNN_FORWARD), 0);
    assert_int_equal(vdnn_part_staged_bytes(conv, &samples, VDNN_FORWARD), 0);
    vdnn_layer_case_destroy(conv);
    vdnn_layer_case_destroy(pool);
    vdnn_layer_case_destroy(one);
}

TEST(parameters_of_a_part_are_found_from_its_first_row)
{
    vdnn_layer *layer = built("conv", "out=12 kernel=3", "2x5x4x4"), own;
    vdnn_part part = cut(layer, VDNN_AXIS_CHANNELS, 3, 1);
    const size_t row = 5 * 3 * 3 * sizeof(float);
    assert_ok(vdnn_part_init(layer, &part, &own));
    vdnn_part_place_params(layer, &part, &own);
    assert_int_equal(vdnn_part_param(layer, &part, 0).offset, 4 * row);
    assert_int_equal(own.params[0].offset, 0);
    assert_int_equal(own.params[1].offset, 12 * row + 4 * sizeof(float) - 4 * row);
    assert_int_equal(own.param_bytes, 4 * row + 4 * sizeof(float));
    vdnn_part_fini(&own);
    vdnn_layer_case_destroy(layer);
}
