/* What batch normalization promises beside its formula: statistics, evaluation, means far from 0;
 * on the CPU, or on the device that VDNN_TEST_DEVICE names. */

#include "layers/norm/batchnorm.h"
#include "runtime/base/system.h"
#include "runtime/comm/group.h"
#include "tests/support/gpu.h"
#include "tests/support/layer_case.h"
#include "tests/support/rows.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef VDNN_TEST_DEVICE
static const char *const kind = VDNN_TEST_DEVICE;
static const vdnn_layout together = VDNN_NHWC;
#else
static const char *const kind = "cpu";
static const vdnn_layout together = VDNN_NCHW16C; /* a cell's channels lie together */
#endif

static vdnn_device *device; /* NULL: the CPU */

/* A layer with its bench, run by its native row with two threads. */
typedef struct rig {
    vdnn_layer *layer;
    vdnn_bench *bench;
} rig;

static rig rig_of(const char *keys, const char *inputs, vdnn_layer_form form)
{
    rig made = {NULL, NULL};
    vdnn_layer_case c = {"batchnorm", keys, inputs};
    assert_ok(vdnn_layer_case_build_as(&c, VDNN_RULE_LEAN, form, &made.layer));
    made.bench = vdnn_bench_create(made.layer, 1);
    made.bench->device = device;
    return made;
}

static void rig_end(rig r)
{
    vdnn_bench_destroy(r.bench);
    vdnn_layer_case_destroy(r.layer);
}

static const vdnn_algorithm *native(void)
{
    return vdnn_algorithm_find("batchnorm", "native", kind);
}

static void rig_run(rig r, vdnn_pass pass)
{
    assert_ok(vdnn_bench_run(r.bench, native(), pass, 2, 0xff));
}

/* A row of its own: against the reference. */
static void rig_compare(rig r, vdnn_pass pass, double bound)
{
    if (!vdnn_row_begin(vdnn_row_of(r.layer, native(), pass)))
        return;
    vdnn_bench_refer(r.bench, pass);
    if (vdnn_row_ok(vdnn_bench_run(r.bench, native(), pass, 2, 0xff)))
        (void)vdnn_row_within(vdnn_bench_error(r.bench, pass), bound);
    vdnn_row_end();
}

static float *floats(const vdnn_bench_buffer *buffer)
{
    return (float *)(void *)buffer->data;
}

static float *param_in(rig r, const vdnn_bench_buffer *block, int param)
{
    return floats(block) + r.layer->params[param].offset / sizeof(float);
}

static void assert_near(double value, double wanted, double bound)
{
    if (!(fabs(value - wanted) <= bound))
        fail_msg("%.9g, wanted %.9g within %.3g", value, wanted, bound);
}

TEST(parameters_have_the_names_and_first_values_of_pytorch)
{
    static const struct {
        const char *name;
        double fill;
        vdnn_update_rule update;
    } wanted[] = {{"weight", 1, VDNN_UPDATE_OPTIMIZER},
                  {"bias", 0, VDNN_UPDATE_OPTIMIZER},
                  {"running_mean", 0, VDNN_UPDATE_AVERAGE},
                  {"running_var", 1, VDNN_UPDATE_AVERAGE}};
    rig r = rig_of("momentum=0.25", "2x5x3x3", (vdnn_layer_form){0});
    assert_int_equal(r.layer->param_count, 4);
    assert_int_equal(r.layer->param_bytes, 4 * 5 * sizeof(float));
    assert_int_equal(r.layer->trainable_bytes, r.layer->param_bytes);
    for (int p = 0; p < 4; p++) {
        const vdnn_param *param = &r.layer->params[p];
        assert_string_equal(param->name, wanted[p].name);
        assert_int_equal(param->count, 5);
        assert_true(param->fill == wanted[p].fill && param->fan_in == 0 && !param->is_bias);
        assert_int_equal(param->update, wanted[p].update);
        if (param->update == VDNN_UPDATE_AVERAGE)
            assert_true(param->rate == 0.25);
    }
    rig_end(r);
}

TEST(the_gradients_of_running_statistics_are_those_of_the_batch)
{
    rig r = rig_of("", "2x2x1x2", (vdnn_layer_form){0});
    static const float x[] = {1, 3, -5, -5, 5, 7, -5, -1};
    for (int i = 0; i < 8; i++)
        floats(&r.bench->x[0])[i] = x[i];
    rig_run(r, VDNN_FORWARD);
    rig_run(r, VDNN_BACKWARD_DATA);
    const float *mean = param_in(r, &r.bench->dw, VDNN_BATCHNORM_MEAN);
    const float *variance = param_in(r, &r.bench->dw, VDNN_BATCHNORM_VARIANCE);
    assert_near((double)mean[0], 4, 1e-6);
    assert_near((double)mean[1], -4, 1e-6);
    assert_near((double)variance[0], 20.0 / 3, 1e-6); /* by n - 1 */
    assert_near((double)variance[1], 4, 1e-6);
    rig_end(r);
}

/* In every layout and type: y depends on the element and the running statistics alone. */
TEST(evaluation_takes_the_running_statistics)
{
    const vdnn_layer_form forms[] = {{VDNN_F32, VDNN_NCHW, VDNN_NCHW, false},
                                     {VDNN_F32, together, together, true},
                                     {VDNN_BF16, VDNN_NCHW, VDNN_NCHW, true},
                                     {VDNN_BF16, together, together, true}};
    vdnn_rows_begin(__func__, device);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        rig r = rig_of("eps=0.01", "3x20x5x7", forms[i]);
        r.bench->context.evaluate = true;
        for (int c = 0; c < 20; c++)
            param_in(r, &r.bench->w, VDNN_BATCHNORM_VARIANCE)[c] = 0.5F + (float)c;
        rig_compare(r, VDNN_FORWARD, i < 2 ? 2e-6 : 5e-3);
        rig_end(r);
    }
    vdnn_rows_end();
}

/* Where the mean is a hundred deviations off, a sum of squares in f32 would leave no digit of the
 * variance. */
TEST(a_mean_far_from_zero_costs_no_accuracy)
{
    vdnn_rows_begin(__func__, device);
    for (int layout = 0; layout < 2; layout++) {
        vdnn_layout of_maps = layout ? together : VDNN_NCHW;
        rig r = rig_of("", "8x16x30x31", (vdnn_layer_form){VDNN_F32, of_maps, of_maps, false});
        int64_t count = vdnn_desc_stored(&r.layer->x[0]);
        for (int64_t i = 0; i < count; i++)
            floats(&r.bench->x[0])[i] = 100 + 0x1p-6F * (float)(i * 7919 % 127 - 63);
        for (vdnn_pass pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++)
            rig_compare(r, pass, 3e-5);
        rig_end(r);
    }
    vdnn_rows_end();
}

TEST(a_constant_channel_gives_its_bias)
{
    rig r = rig_of("", "4x3x5x5", (vdnn_layer_form){0});
    for (int i = 0; i < 4 * 3 * 25; i++)
        floats(&r.bench->x[0])[i] = 0.1F;
    rig_run(r, VDNN_FORWARD);
    for (int i = 0; i < 4 * 3 * 25; i++) {
        float bias = param_in(r, &r.bench->w, VDNN_BATCHNORM_BIAS)[i / 25 % 3];
        assert_near((double)floats(&r.bench->y)[i], (double)bias, 1e-5);
    }
    rig_end(r);
}

TEST(nan_stays_in_its_channel_and_passes_the_relu)
{
    rig r = rig_of("", "2x2x3x3", (vdnn_layer_form){.relu = true});
    floats(&r.bench->x[0])[4] = NAN;
    rig_run(r, VDNN_FORWARD);
    for (int i = 0; i < 2 * 2 * 9; i++)
        assert_int_equal(isnan(floats(&r.bench->y)[i]) != 0, i / 9 % 2 == 0);
    rig_end(r);
}

TEST(one_value_a_channel_is_refused)
{
    vdnn_layer *layer = NULL;
    assert_status(vdnn_layer_case_build(&(vdnn_layer_case){"batchnorm", "", "1x7x1x1"},
                                        VDNN_RULE_LEAN, &layer),
                  VDNN_BAD_INPUT);
    assert_message("one value per channel");
    assert_null(layer);
    assert_ok(vdnn_layer_case_build(&(vdnn_layer_case){"batchnorm", "", "1x7x1x2"}, VDNN_RULE_LEAN,
                                    &layer));
    vdnn_layer_case_destroy(layer);
}

/* ---- several devices ------------------------------------------------------------------------- */

enum { MOST_DEVICES = 4 };

/* One of the devices that share a batch, on a thread of its own. */
typedef struct part {
    rig r;
    vdnn_group *end;
    vdnn_kernel_devices devices;
    double numbers[MOST_DEVICES * 256];
    vdnn_first_error error;
    pthread_t thread;
} part;

static vdnn_status sum_numbers(void *context, double *numbers, size_t count)
{
    part *own = context;
    const int32_t ranks = vdnn_group_ranks(own->end);
    vdnn_status status = vdnn_group_exchange(own->end, VDNN_LANE_COMPUTE, numbers,
                                             count * sizeof *numbers, own->numbers);
    for (size_t i = 0; i < count; i++) {
        numbers[i] = own->numbers[i];
        for (size_t d = 1; d < (size_t)ranks; d++)
            numbers[i] += own->numbers[d * count + i];
    }
    return status;
}

static void *run_part(void *argument)
{
    part *own = argument;
    for (int pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++)
        vdnn_first_error_keep(&own->error,
                              vdnn_bench_run(own->r.bench, native(), (vdnn_pass)pass, 2, 0xff));
    return NULL;
}

static rig rig_of_samples(const char *keys, int64_t samples, int64_t channels, vdnn_layer_form form)
{
    char inputs[64];
    (void)snprintf(inputs, sizeof inputs, "%dx%dx3x2", (int)samples, (int)channels);
    return rig_of(keys, inputs, form);
}

/* Copies samples of the whole batch's map to a part's. */
static void take_samples(const vdnn_bench_buffer *whole, int64_t samples, int64_t first,
                         vdnn_bench_buffer *to)
{
    memcpy(to->data, whole->data + whole->bytes / (size_t)samples * (size_t)first, to->bytes);
}

/* Against those of the whole batch. */
static double difference(const vdnn_bench_buffer *whole, size_t first, const vdnn_bench_buffer *of)
{
    double most = 0;
    for (size_t i = 0; i < of->bytes / sizeof(float); i++)
        most = fmax(most, fabs((double)floats(of)[i] - (double)floats(whole)[first + i]));
    return most;
}

static void run_parts(part *parts, int32_t count)
{
    vdnn_group *ends[MOST_DEVICES];
    assert_ok(vdnn_group_open(&vdnn_transport_in_process, count, ends));
    for (int32_t d = 0; d < count; d++) {
        parts[d].end = ends[d];
        parts[d].devices = (vdnn_kernel_devices){sum_numbers, &parts[d]};
        parts[d].r.bench->devices = &parts[d].devices;
        assert_int_equal(vdnn_system_start_thread(&parts[d].thread, run_part, &parts[d]), 0);
    }
    for (int32_t d = 0; d < count; d++)
        assert_int_equal(pthread_join(parts[d].thread, NULL), 0);
    for (int32_t d = 0; d < count; d++) {
        assert_ok(vdnn_first_error_tell(&parts[d].error));
        vdnn_group_close(ends[d]);
    }
}

/* The most that anything differs from the whole batch on one device. */
static double compare_parts(rig whole, int64_t samples, const int64_t *shares, int32_t count,
                            vdnn_layer_form form)
{
    static part parts[MOST_DEVICES];
    const int64_t channels = whole.layer->y.dims[VDNN_C];
    int64_t first = 0;
    VDNN_INVARIANT(count, >, 0);
    memset(parts, 0, sizeof parts);
    for (int32_t d = 0; d < count; first += shares[d], d++) {
        parts[d].r = rig_of_samples("sync=true", shares[d], channels, form);
        take_samples(&whole.bench->x[0], samples, first, &parts[d].r.bench->x[0]);
        take_samples(&whole.bench->dy, samples, first, &parts[d].r.bench->dy);
        memcpy(parts[d].r.bench->w.data, whole.bench->w.data, whole.bench->w.bytes);
    }
    run_parts(parts, count);
    double most = 0;
    float *dw = floats(&parts[0].r.bench->dw);
    const size_t summed = vdnn_layer_summed_bytes(whole.layer) / sizeof(float);
    first = 0;
    for (int32_t d = 0; d < count; first += shares[d], d++) {
        const vdnn_bench *own = parts[d].r.bench;
        const size_t at = whole.bench->y.bytes / sizeof(float) / (size_t)samples * (size_t)first;
        most = fmax(most, difference(&whole.bench->y, at, &own->y));
        most = fmax(most, difference(&whole.bench->dx[0], at, &own->dx[0]));
        assert_memory_equal(own->aux.data, parts[0].r.bench->aux.data, own->aux.bytes);
        for (size_t i = 0; i < summed && d > 0; i++)
            dw[i] += floats(&own->dw)[i];
    }
    most = fmax(most, difference(&whole.bench->dw, 0, &parts[0].r.bench->dw));
    for (int32_t d = 0; d < count; d++)
        rig_end(parts[d].r);
    return most;
}

/* Sums in double round to the same float but for rare ones, and elements are then computed by the
 * same operations. */
TEST(devices_that_sync_compute_what_one_with_all_samples_does)
{
    static const double bound = 4e-6;
    const vdnn_layer_form forms[] = {{VDNN_F32, VDNN_NCHW, VDNN_NCHW, false},
                                     {VDNN_F32, together, together, true}};
    vdnn_test_rng rng = {vdnn_test_seed()};
    double most = 0;
    if (device != NULL)
        skip_because("joint statistics are the CPU's");
    for (int round = 0; round < vdnn_test_count(200); round++) {
        const int32_t count = (int32_t)vdnn_test_between(&rng, 1, MOST_DEVICES);
        const vdnn_layer_form form = forms[round % 2];
        int64_t shares[MOST_DEVICES], samples = 0;
        for (int32_t d = 0; d < count; d++)
            samples += shares[d] = vdnn_test_between(&rng, 1, 6);
        const int64_t channels = vdnn_test_between(&rng, 1, 40);
        rig whole = rig_of_samples("sync=true", samples, channels, form),
            plain = rig_of_samples("", samples, channels, form);
        for (int pass = VDNN_FORWARD; pass <= VDNN_BACKWARD_DATA; pass++) {
            rig_run(whole, (vdnn_pass)pass);
            rig_run(plain, (vdnn_pass)pass);
        }
        assert_memory_equal(whole.bench->y.data, plain.bench->y.data, plain.bench->y.bytes);
        assert_memory_equal(whole.bench->dw.data, plain.bench->dw.data, plain.bench->dw.bytes);
        most = fmax(most, compare_parts(whole, samples, shares, count, form));
        rig_end(whole);
        rig_end(plain);
    }
    print_message("values differ by up to %.2g\n", most);
    assert_true(most < bound);
}

int main(void)
{
    return vdnn_test_main_on(kind, &device);
}
