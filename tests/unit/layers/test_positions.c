/* Layers of positions: shapes, refusals, and how their weights begin. */

#include "layers/positions/parameter.h"
#include "tests/support/layer_case.h"
#include "tests/support/vdnn_test.h"

#include <math.h>

static vdnn_layer *built(const char *type, const char *keys, const char *inputs)
{
    vdnn_layer *layer = NULL;
    assert_ok(
        vdnn_layer_case_build(&(vdnn_layer_case){type, keys, inputs}, VDNN_RULE_LEAN, &layer));
    return layer;
}

/* Its positions and features. */
static void assert_sequence(const vdnn_desc *desc, int64_t positions, int64_t features)
{
    assert_int_equal(desc->rank, VDNN_SEQUENCE_RANK);
    assert_int_equal(desc->dims[VDNN_POSITIONS], positions);
    assert_int_equal(desc->dims[VDNN_FEATURES], features);
}

TEST(a_parameter_has_as_many_vectors_as_it_is_told_or_as_there_are_positions)
{
    static const struct {
        const char *keys;
        int64_t positions, length;
    } rows[] = {{"", 5, 5},
                {"length=5", 5, 5},
                {"length=9", 5, 9},
                {"join=before length=1", 6, 1},
                {"join=before", 10, 5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *layer = built("parameter", rows[i].keys, "2x5x7");
        const vdnn_param *weight = &layer->params[0];
        assert_sequence(&layer->y, rows[i].positions, 7);
        assert_int_equal(layer->param_count, 1);
        assert_string_equal(weight->name, "weight");
        assert_int_equal(weight->dims[0], rows[i].length);
        assert_int_equal(weight->dims[1], 7);
        assert_true(fabs(sqrt(2.0 / (double)weight->fan_in) - 0.02) < 1e-9);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(the_cells_of_a_picture_become_positions)
{
    vdnn_layer *layer = built("to_sequence", "", "2x5x7x3");
    assert_sequence(&layer->y, 21, 5);
    vdnn_layer_case_destroy(layer);
}

TEST(a_slice_has_the_positions_that_it_is_told)
{
    vdnn_layer *layer = built("slice", "begin=2 count=3", "2x5x7");
    assert_sequence(&layer->y, 3, 7);
    vdnn_layer_case_destroy(layer);
}

/* The scores of a rotated query and a rotated key depend on their distance alone. */
TEST(rotated_vectors_know_their_distance)
{
    enum { LENGTH = 40, WIDTH = 8 };
    static const char *const keys[] = {"heads=1", "heads=1 interleaved=true"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        vdnn_layer *layer = built("rope", keys[i], "1x40x8");
        vdnn_bench *bench = vdnn_bench_create(layer, 42);
        float *x = (float *)(void *)bench->x[0].data, *y = (float *)(void *)bench->y.data;
        for (int t = 0; t < LENGTH; t++)
            for (int c = 0; c < WIDTH; c++)
                x[t * WIDTH + c] = (float)(c * c % 5 - 2) / 3;
        assert_ok(vdnn_bench_run(bench, vdnn_algorithm_find("rope", "native", "cpu"), VDNN_FORWARD,
                                 1, 0xff));
        for (int distance = 0; distance < LENGTH; distance++)
            for (int t = 0; t + distance < LENGTH; t++) {
                double first = 0, score = 0;
                for (int c = 0; c < WIDTH; c++) {
                    first += (double)y[c] * (double)y[distance * WIDTH + c];
                    score += (double)y[t * WIDTH + c] * (double)y[(t + distance) * WIDTH + c];
                }
                assert_true(fabs(first - score) < 1e-5);
            }
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
}

TEST(what_does_not_fit_is_refused_with_its_numbers)
{
    static const struct {
        const char *type, *keys, *inputs, *message;
    } rows[] = {
        {"parameter", "length=4", "2x5x7",
         "its length of 4 is below the 5 positions of its input, each of which a vector is added"},
        {"parameter", "", "2x5x7x7", "its input is not a sequence"},
        {"parameter", "", "2x5", "its input is not a sequence"},
        {"rope", "heads=3", "2x5x8", "its input has 8 features, which 3 heads of q and 0 each"},
        {"rope", "heads=2 kv_heads=1", "2x5x12", "a head has 3 features, which are not pairs"},
        {"rope", "heads=1", "2x4x5x6", "its input is not a sequence"},
        {"slice", "begin=3 count=3", "2x5x8", "3 positions from 3 on are beyond the 5 of its"},
        {"slice", "count=1", "2x4x5x6", "its input is not a sequence"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        vdnn_layer *layer = NULL;
        const vdnn_layer_case one = {rows[i].type, rows[i].keys, rows[i].inputs};
        assert_status(vdnn_layer_case_build(&one, VDNN_RULE_LEAN, &layer), VDNN_BAD_INPUT);
        assert_message(rows[i].message);
    }
}
