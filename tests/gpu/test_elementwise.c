/* Passes over whole arrays on a CUDA device: the operations of no layer type give the bits of the
 * CPU's, a sum has as many inputs as it likes. */

#include "layers/layer.h"
#include "layers/stage.h"
#include "tests/support/gpu.h"
#include "tests/support/layer_case.h"
#include "tests/support/rows.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Four arrays of the arena, each of them with room for what begins inside it. */
enum { ARRAYS = 4, ROOM = 4400, MOST_SHIFT = 5, EVENTS = 1, MOST_UPDATES = 256 };

/* The optimizers come first. */
typedef enum operation {
    AVERAGE = VDNN_OPTIMIZER_COUNT,
    MANY_UPDATES,
    ACCUMULATE,
    ACCUMULATE_BF16,
    CLEAR,
    MOVE,
    MOVE_BF16,
    OPERATIONS
} operation;

static const char *const operation_texts[OPERATIONS] = {
#define X(id, name, ...) #name,
    VDNN_OPTIMIZER_TABLE(X)
#undef X
        "average",
    "updates",
    "accumulate",
    "accumulate",
    "clear",
    "move",
    "move"};

/* One operation on arrays that begin so many elements behind those of the arena. */
typedef struct job {
    operation does;
    int64_t count;
    int shifts[ARRAYS];
    float *arrays[ARRAYS];
    const char *kind;
} job;

/* Of many updates, by adamw. */
static vdnn_step_context context_of(operation does)
{
    return (vdnn_step_context){.step = 3,
                               .optimizer =
                                   does < AVERAGE ? (vdnn_optimizer_id)does : VDNN_OPTIMIZER_ADAMW,
                               .settings = {.lr = 0.013,
                                            .momentum = 0.9,
                                            .weight_decay = 0.0005,
                                            .betas = {0.9, 0.99},
                                            .eps = 1e-6,
                                            .accumulator = 0.5}};
}

/* Pieces under either rule in turns, of 0 to 31 elements or one after which nothing is left. */
static vdnn_status run_many(const vdnn_elementwise *row, const vdnn_update *whole,
                            const vdnn_step_context *context, void *stream)
{
    vdnn_update updates[MOST_UPDATES];
    int64_t first = 0;
    int32_t count = 0;
    for (; count < MOST_UPDATES && first < whole->count; first += updates[count++].count) {
        int64_t left = whole->count - first, piece = count == MOST_UPDATES - 1 ? left : count % 32;
        updates[count] =
            (vdnn_update){.rule = count % 3 ? VDNN_UPDATE_OPTIMIZER : VDNN_UPDATE_AVERAGE,
                          .rate = 0.1,
                          .w = whole->w + first,
                          .slots = {whole->slots[0] + first, whole->slots[1] + first},
                          .dw = whole->dw + first,
                          .count = piece < left ? piece : left};
    }
    return row->update(updates, count, 1, context, stream);
}

/* Pieces of one to nine elements, a third of one array to the half of another. */
static vdnn_status run_move(const vdnn_elementwise *row, const job *own, size_t element,
                            void *stream)
{
    size_t bytes = (size_t)(1 + own->count % 9) * element;
    int64_t pieces = own->count * (int64_t)element / (3 * (int64_t)bytes);
    const vdnn_stripes from = {(size_t)own->shifts[1] * element, bytes, 3 * bytes, pieces},
                       to = {(size_t)own->shifts[0] * element, bytes, 2 * bytes, pieces};
    return row->move(&from, own->arrays[1], &to, own->arrays[0], 1, stream);
}

static vdnn_status run(void *argument, void *stream)
{
    const job *own = argument;
    const vdnn_elementwise *row = vdnn_elementwise_find(own->kind);
    float *at[ARRAYS];
    for (int i = 0; i < ARRAYS; i++)
        at[i] = own->arrays[i] + own->shifts[i];
    uint16_t *sum = (uint16_t *)(void *)own->arrays[0] + own->shifts[0];
    const uint16_t *part = (const uint16_t *)(const void *)own->arrays[1] + own->shifts[1];
    const vdnn_update all = {.rule =
                                 own->does == AVERAGE ? VDNN_UPDATE_AVERAGE : VDNN_UPDATE_OPTIMIZER,
                             .rate = 0.1,
                             .w = at[0],
                             .slots = {at[1], at[3]},
                             .dw = at[2],
                             .count = own->count};
    const vdnn_step_context context = context_of(own->does);
    if (own->does == MANY_UPDATES)
        return run_many(row, &all, &context, stream);
    if (own->does <= AVERAGE)
        return row->update(&all, 1, 1, &context, stream);
    if (own->does >= MOVE)
        return run_move(row, own, own->does == MOVE ? sizeof *sum * 2 : sizeof *sum, stream);
    if (own->does == CLEAR)
        return row->clear(at[0], (size_t)own->count * sizeof *at[0], 1, stream);
    if (own->does == ACCUMULATE)
        return row->accumulate(at[0], at[1], VDNN_F32, own->count, 1, stream);
    return row->accumulate(sum, part, VDNN_BF16, own->count, 1, stream);
}

static bool is_narrow(operation does)
{
    return does == ACCUMULATE_BF16 || does == MOVE_BF16;
}

/* Of the arrays; sums of squares are not negative. */
static bool is_slot(int array)
{
    return array % 2 == 1;
}

static void fill(operation does, float values[ARRAYS * ROOM])
{
    vdnn_test_rng rng = {7};
    for (int i = 0; i < ARRAYS * ROOM; i++)
        values[i] = (float)vdnn_test_between(&rng, is_slot(i / ROOM) ? 0 : -100000, 100000) / 3000;
    if (does == ACCUMULATE_BF16) {
        static float drawn[ARRAYS * ROOM];
        memcpy(drawn, values, sizeof drawn);
        vdnn_stage_narrow(VDNN_BF16, drawn, values, ARRAYS * ROOM);
    }
}

static void place_arrays(job *own, float *base, const char *kind)
{
    for (int i = 0; i < ARRAYS; i++)
        own->arrays[i] = base + (ptrdiff_t)i * ROOM;
    own->kind = kind;
}

static vdnn_status run_on(vdnn_device *device, job *own, float wanted[ARRAYS * ROOM],
                          float got[ARRAYS * ROOM])
{
    const size_t bytes = ARRAYS * ROOM * sizeof *got;
    const vdnn_extent all = {VDNN_TIER_DEVICE, 0, bytes};
    const vdnn_launch work = {.run = run, .argument = own, .extents = &all, .extent_count = 1};
    vdnn_status status = vdnn_device_write(device, VDNN_TIER_DEVICE, 0, wanted, bytes);
    place_arrays(own, wanted, "cpu");
    if (status == VDNN_OK)
        status = run(own, NULL);
    place_arrays(own, vdnn_device_base(device, VDNN_TIER_DEVICE), "cuda");
    if (status == VDNN_OK)
        status = vdnn_device_round(device);
    if (status == VDNN_OK)
        status = vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &work);
    if (status == VDNN_OK)
        status = vdnn_device_synchronize(device);
    return status == VDNN_OK ? vdnn_device_read(device, got, VDNN_TIER_DEVICE, 0, bytes) : status;
}

/* Runs it on both devices and compares the whole arena, so what lies beside the arrays too. */
static void compare(vdnn_device *device, job own)
{
    char shape[64];
    (void)snprintf(shape, sizeof shape, "%lld from %d, %d, %d, %d", (long long)own.count,
                   own.shifts[0], own.shifts[1], own.shifts[2], own.shifts[3]);
    if (!vdnn_row_begin(vdnn_row_named(operation_texts[own.does], shape,
                                       is_narrow(own.does) ? "bf16" : "f32", NULL)))
        return;
    static float wanted[ARRAYS * ROOM], got[ARRAYS * ROOM];
    fill(own.does, wanted);
    if (vdnn_row_ok(run_on(device, &own, wanted, got)) && memcmp(got, wanted, sizeof got) != 0)
        vdnn_row_fail("it gives other bits than the CPU's");
    vdnn_row_end();
}

/* Nothing, and around the ends of packs, of a thread's and of a block's share. */
TEST(bits_are_the_cpus_wherever_arrays_begin_and_end)
{
    static const int64_t counts[] = {0, 1, 3, 4, 5, 7, 8, 9, 31, 32, 33, 2047, 2048, 2049, 4391};
    vdnn_rows_begin(__func__, *state);
    for (operation does = 0; does < OPERATIONS; does++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (int shift = 0; shift < MOST_SHIFT; shift++)
                compare(*state, (job){.does = does,
                                      .count = counts[c],
                                      .shifts = {shift, shift, shift, shift}});
    vdnn_rows_end();
}

TEST(arrays_may_begin_differently)
{
    vdnn_rows_begin(__func__, *state);
    for (operation does = 0; does < OPERATIONS; does++)
        for (int one = 0; one < ARRAYS; one++) {
            job own = {.does = does, .count = 77};
            own.shifts[one] = 1 + one;
            compare(*state, own);
        }
    vdnn_rows_end();
}

/* ---- the norm of gradients ------------------------------------------------------------------- */

/* Of gradients in the arena, behind it; in two calls. */
typedef struct norm_job {
    const char *kind;
    const float *gradients;
    int64_t count;
    vdnn_norm *norm;
} norm_job;

static vdnn_status add_norms(void *argument, void *stream)
{
    const norm_job *own = argument;
    const vdnn_elementwise *row = vdnn_elementwise_find(own->kind);
    const vdnn_step_context context = {.clip_norm = 3};
    vdnn_status status = VDNN_OK;
    for (int call = 0; call < 2 && status == VDNN_OK; call++) {
        const vdnn_update updates[] = {
            {.rule = VDNN_UPDATE_OPTIMIZER, .dw = own->gradients + call, .count = own->count},
            {.rule = VDNN_UPDATE_AVERAGE, .dw = own->gradients, .count = 3},
            {.rule = VDNN_UPDATE_OPTIMIZER, .dw = own->gradients + ROOM, .count = 5 * call}};
        status = row->norm(updates, 3, call == 0, 1, &context, own->norm, stream);
    }
    return status;
}

static void compare_norm(vdnn_device *device, int64_t count)
{
    static float values[ARRAYS * ROOM];
    char shape[32];
    vdnn_norm wanted = {0}, got = {0};
    (void)snprintf(shape, sizeof shape, "%lld", (long long)count);
    if (!vdnn_row_begin(vdnn_row_named("norm", shape, "f32", NULL)))
        return;
    fill(AVERAGE, values);
    norm_job on_host = {"cpu", values + ROOM, count, &wanted};
    float *base = vdnn_device_base(device, VDNN_TIER_DEVICE);
    norm_job own = {"cuda", base + ROOM, count, (vdnn_norm *)(void *)base};
    const vdnn_extent all = {VDNN_TIER_DEVICE, 0, sizeof values};
    const vdnn_launch work = {
        .run = add_norms, .argument = &own, .extents = &all, .extent_count = 1};
    assert_ok(add_norms(&on_host, NULL));
    vdnn_status status = vdnn_device_write(device, VDNN_TIER_DEVICE, 0, values, sizeof values);
    if (status == VDNN_OK)
        status = vdnn_device_round(device);
    if (status == VDNN_OK)
        status = vdnn_device_launch(device, VDNN_STREAM_COMPUTE, 0, NULL, 0, &work);
    if (status == VDNN_OK)
        status = vdnn_device_synchronize(device);
    if (status == VDNN_OK)
        status = vdnn_device_read(device, &got, VDNN_TIER_DEVICE, 0, sizeof got);
    double off = fabs(got.squares - wanted.squares);
    if (vdnn_row_ok(status) && (!(off <= 1e-12 * wanted.squares) ||
                                fabsf(got.scale - wanted.scale) > 1e-6F * wanted.scale))
        vdnn_row_fail("it is another norm than the CPU's");
    vdnn_row_end();
}

TEST(a_norm_is_the_cpus)
{
    static const int64_t counts[] = {0, 1, 255, 256, 257, 4391};
    vdnn_rows_begin(__func__, *state);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        compare_norm(*state, counts[c]);
    vdnn_rows_end();
}

/* One launch takes eight. */
TEST(a_sum_goes_on_behind_the_inputs_of_one_launch)
{
    static const char all[] = "2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 "
                              "2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5 2x1x3x5";
    const vdnn_algorithm *row = vdnn_algorithm_find("add", "native", "cuda");
    vdnn_rows_begin(__func__, *state);
    for (size_t count = 2; count <= VDNN_BENCH_INPUTS; count++) {
        const vdnn_layer_case own = {"add", "", all + sizeof all - 8 * count};
        vdnn_layer *layer = NULL;
        assert_ok(vdnn_layer_case_build(&own, VDNN_RULE_LEAN, &layer));
        assert_int_equal(layer->input_count, count);
        vdnn_bench *bench = vdnn_bench_create(layer, count);
        bench->device = *state;
        if (vdnn_row_begin(vdnn_row_of(layer, row, VDNN_FORWARD))) {
            vdnn_bench_refer(bench, VDNN_FORWARD);
            if (vdnn_row_ok(vdnn_bench_run(bench, row, VDNN_FORWARD, 1, 0xff)))
                (void)vdnn_row_within(vdnn_bench_error(bench, VDNN_FORWARD), 1e-6);
            vdnn_row_end();
        }
        vdnn_bench_destroy(bench);
        vdnn_layer_case_destroy(layer);
    }
    vdnn_rows_end();
}

static int open_device(void **state)
{
    const vdnn_device_options options = {.event_count = EVENTS};
    vdnn_device *device = NULL;
    if (vdnn_device_open("cuda", &options, &device) != VDNN_OK)
        return -1;
    *state = device;
    return vdnn_device_reserve(device, VDNN_TIER_DEVICE, ARRAYS * ROOM * sizeof(float)) == VDNN_OK
               ? 0
               : -1;
}

static int close_device(void **state)
{
    vdnn_device_close(*state);
    return 0;
}

int main(void)
{
    if (vdnn_test_device_lacks("cuda"))
        return 0;
    return vdnn_test_main(open_device, close_device);
}
