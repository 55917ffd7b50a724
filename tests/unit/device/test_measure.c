/* The conditions that kernels are measured under, on the CPU device: as it is, and as one that says
 * of itself what a card does. */

#include "layers/pattern.h"
#include "models/model.h"
#include "runtime/base/heap.h"
#include "runtime/device/device_backend.h"
#include "runtime/measure/measure_internal.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { KIB = 1 << 10, MIB = 1 << 20, CACHE_BYTES = 64 * KIB, MOST_NOTES = 512, RUNS = 4 };

static void sleep_for(double seconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- a device that notes what is enqueued ---------------------------------------------------- */

typedef struct note {
    char kind; /* of a hold, sweep, fill, number, or '-' */
    vdnn_extent extent;
    double seconds; /* of a hold */
    double time;
} note;

static struct {
    note notes[MOST_NOTES];
    int count;
    bool is_card;
} device_log;

static char kind_of(const vdnn_device_work *work)
{
    static const vdnn_measure none = {.device = NULL};
    const vdnn_extent nothing = {VDNN_TIER_DEVICE, 0, 0};
    return work->run == vdnn_condition_hold(&none, 0).run                 ? 'h'
           : work->run == vdnn_condition_sweep(&none).run                 ? 's'
           : work->run == vdnn_condition_fill(&none, nothing).run         ? 'f'
           : work->run == vdnn_condition_number(&none, nothing, 0, 1).run ? 'n'
                                                                          : '-';
}

static vdnn_status noting_enqueue(void *state, const vdnn_device_work *work)
{
    note own = {.kind = kind_of(work), .time = now()};
    if (own.kind != '-') {
        const vdnn_condition *condition = work->argument;
        own.extent = condition->extent;
        own.seconds = condition->seconds;
    }
    /* A card that wakes up sweeps thousands of times. */
    const note *last = device_log.count == 0 ? NULL : &device_log.notes[device_log.count - 1];
    bool is_one_more = last != NULL && last->kind == 's' && own.kind == 's';
    if (!is_one_more && device_log.count < MOST_NOTES)
        device_log.notes[device_log.count++] = own;
    return vdnn_device_cpu.enqueue(state, work);
}

static vdnn_status noting_open(const char *instance, const vdnn_device_options *options,
                               vdnn_device_properties *properties, void **state)
{
    vdnn_status status = vdnn_device_cpu.open(instance, options, properties, state);
    if (status == VDNN_OK && device_log.is_card) {
        properties->cache_bytes = CACHE_BYTES;
        properties->enqueues = true;
        properties->shares_host_memory = false;
    }
    return status;
}

typedef struct bench {
    vdnn_device *device;
    vdnn_measure *measure;
} bench;

static bench set_up(bool is_card)
{
    static vdnn_device_backend backend;
    bench b = {NULL, NULL};
    backend = vdnn_device_cpu;
    backend.open = noting_open;
    backend.enqueue = noting_enqueue;
    vdnn_device_replace(&backend);
    device_log.is_card = is_card;
    device_log.count = 0;
    assert_ok(vdnn_device_open("cpu", &(vdnn_device_options){.threads = 1}, &b.device));
    assert_ok(vdnn_measure_create(b.device, MIB, &b.measure));
    return b;
}

static void tear_down(bench *b)
{
    vdnn_measure_destroy(b->measure);
    vdnn_device_close(b->device);
    vdnn_device_replace(NULL);
}

/* The kinds of what was noted since. */
static const char *kinds_since(int first)
{
    static char text[MOST_NOTES + 1];
    for (int i = first; i < device_log.count; i++)
        text[i - first] = device_log.notes[i].kind;
    text[device_log.count - first] = '\0';
    return text;
}

/* The next of that kind from there on: before it a card may have had to wake up. */
static int next_of(char kind, int from)
{
    int i = from;
    while (i < device_log.count && device_log.notes[i].kind != kind)
        i++;
    return i;
}

/* ---- something to time ----------------------------------------------------------------------- */

typedef struct job {
    double seconds[8]; /* of each run; of the later ones as the last */
    double host_seconds[8];
    int count; /* of runs that were enqueued */
    int done;
} job;

static double at_most_7(const double *list, int i)
{
    return list[i < 7 ? i : 7];
}

static vdnn_status run_job(void *argument, void *stream)
{
    job *own = argument;
    (void)stream;
    double seconds = at_most_7(own->seconds, own->done++);
    if (seconds > 0)
        sleep_for(seconds);
    return VDNN_OK;
}

static vdnn_status enqueue_job(vdnn_measure *measure, void *argument, const int32_t *waits,
                               int32_t wait_count)
{
    job *own = argument;
    double seconds = at_most_7(own->host_seconds, own->count++);
    if (seconds > 0)
        sleep_for(seconds);
    const vdnn_launch launch = {.run = run_job, .argument = own};
    return vdnn_device_launch(measure->device, VDNN_STREAM_COMPUTE, 0, waits, wait_count, &launch);
}

static vdnn_timed timed_job(job *own)
{
    return (vdnn_timed){.enqueue = enqueue_job, .argument = own, .event_count = 1};
}

/* ---- conditions ------------------------------------------------------------------------------ */

TEST(a_run_on_a_card_is_held_and_finds_the_caches_as_a_step_leaves_them)
{
    bench b = set_up(true);
    job own = {.count = 0};
    vdnn_timed timed = timed_job(&own);
    vdnn_run_time result;
    assert_ok(vdnn_measure_need(b.measure, MIB));
    int first = device_log.count;
    timed.is_step = true;
    timed.fresh = vdnn_measure_extent(b.measure, 0, MIB / 2);
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_true(own.count >= RUNS);
    first = next_of('h', first);
    const char *kinds = kinds_since(first);
    assert_int_equal(strlen(kinds), 4 * own.count);
    for (int i = 0; i < own.count; i++) {
        const note *notes = &device_log.notes[first + 4 * i];
        assert_memory_equal(kinds + 4 * (size_t)i, "hsf-", 4);
        assert_true(notes[0].seconds >= 1e-4);
        assert_int_equal(notes[1].extent.offset, 0);
        assert_true(notes[1].extent.bytes >= 2 * CACHE_BYTES);
        /* What a cache still has of it is its end. */
        assert_int_equal(notes[2].extent.bytes, CACHE_BYTES);
        assert_int_equal(notes[2].extent.offset + CACHE_BYTES,
                         timed.fresh.offset + timed.fresh.bytes);
        assert_true(notes[2].extent.offset >= notes[1].extent.offset + notes[1].extent.bytes);
    }
    tear_down(&b);
}

TEST(a_run_on_the_cpu_finds_the_cores_caches_swept_and_waits_for_nothing)
{
    bench b = set_up(false);
    job own = {.count = 0};
    vdnn_timed timed = timed_job(&own);
    vdnn_run_time result;
    int first = device_log.count;
    timed.is_step = true;
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_string_equal(kinds_since(first), "s-s-s-s-");
    assert_true(device_log.notes[first].extent.bytes == MIB);
    tear_down(&b);
}

TEST(a_hold_grows_until_the_host_has_enqueued_all_behind_it)
{
    bench b = set_up(true);
    job own = {.host_seconds = {0, 2e-3, 2e-3, 2e-3, 2e-3, 2e-3, 2e-3, 2e-3}};
    vdnn_timed timed = timed_job(&own);
    vdnn_run_time result;
    int first = device_log.count;
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_true(own.count > RUNS);
    assert_true(device_log.notes[next_of('h', first)].seconds < 2e-3);
    assert_true(device_log.notes[device_log.count - 2].seconds >= 4e-3);
    tear_down(&b);
}

/* As where libraries load what they need at the first call. */
TEST(a_long_warm_up_that_the_host_was_late_with_is_not_the_time)
{
    bench b = set_up(true);
    job own = {.seconds = {0.12}, .host_seconds = {0.02}};
    const vdnn_timed timed = timed_job(&own);
    vdnn_run_time result;
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_true(own.count >= RUNS);
    assert_true(result.seconds < 0.06);
    tear_down(&b);
}

TEST(what_is_long_is_run_once_and_what_is_far_slower_twice)
{
    bench b = set_up(false);
    job is_long = {.seconds = {0.12, 0.12}}, slow = {.seconds = {2e-3, 2e-3}}, quick = {.count = 0};
    vdnn_run_time result;
    vdnn_timed timed = timed_job(&is_long);
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_int_equal(is_long.count, 1);
    timed = timed_job(&slow);
    timed.repetition.enough_seconds = 1e-3;
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_int_equal(slow.count, 2);
    timed = timed_job(&quick);
    timed.repetition.enough_seconds = 1;
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_int_equal(quick.count, RUNS);
    tear_down(&b);
}

/* ---- a card's clocks, and the cost of an operation ------------------------------------------- */

TEST(a_card_works_before_it_is_measured_and_again_after_it_was_idle)
{
    double begin = now();
    bench b = set_up(true);
    int holds = next_of('h', 0);
    assert_true(holds > 0 && holds < device_log.count);
    assert_int_equal(strspn(kinds_since(0), "s"), holds);
    assert_true(device_log.notes[holds].time - begin >= 0.3);
    sleep_for(0.25);
    job own = {.count = 0};
    const vdnn_timed timed = timed_job(&own);
    vdnn_run_time result;
    int first = device_log.count;
    assert_ok(vdnn_measure_median(b.measure, &timed, &result));
    assert_int_equal(device_log.notes[first].kind, 's');
    tear_down(&b);
    b = set_up(false);
    assert_int_equal(next_of('s', 0), device_log.count);
    tear_down(&b);
}

TEST(an_operation_costs_what_a_full_stream_takes_for_each)
{
    for (int is_card = 0; is_card < 2; is_card++) {
        bench b = set_up(is_card);
        int first = next_of('h', 0);
        const char *kinds = kinds_since(first);
        for (size_t i = 0; i < strlen(kinds); i++)
            assert_int_equal(kinds[i], i % (1 + VDNN_MEASURE_EVENTS) == 0 ? 'h' : '-');
        assert_true(strlen(kinds) >= RUNS * (1 + VDNN_MEASURE_EVENTS));
        assert_true(b.measure->launch_seconds > 0 && b.measure->launch_seconds < 1e-3);
        assert_true(b.measure->empty_seconds >= 0);
        assert_true(b.measure->empty_seconds <= b.measure->launch_seconds);
        assert_true(vdnn_measure_without_launch(b.measure, 1) < 1);
        assert_true(vdnn_measure_without_launch(b.measure, 0) > 0);
        tear_down(&b);
    }
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { BATCH = 100 };

static double many_flops(const vdnn_layer *layer, vdnn_pass pass)
{
    (void)pass;
    return 9e9 * (double)layer->x[0].dims[VDNN_N]; /* five samples are a card's short run */
}

static struct {
    int64_t samples[64];
    int count;
} runs_log;

static vdnn_status note_samples(const vdnn_kernel *kernel, const vdnn_kernel_args *args)
{
    (void)args;
    if (runs_log.count < 64)
        runs_log.samples[runs_log.count++] = kernel->layer->x[0].dims[VDNN_N];
    sleep_for(2e-3);
    return VDNN_OK;
}

static const vdnn_algorithm noting = {.layer_type = "relu",
                                      .name = "noting",
                                      .device = "cpu",
                                      .passes = 1U << VDNN_FORWARD,
                                      .deterministic = true,
                                      .run = note_samples};

static vdnn_graph *make_graph(void)
{
    static const char text[] = "name: small\n"
                               "input: {channels: 2, height: 4, width: 4}\n"
                               "classes: 2\n"
                               "batch: 100\n"
                               "layers:\n"
                               "  - {name: relu, type: relu}\n"
                               "  - {name: fc, type: fc, out: 2}\n"
                               "  - {name: loss, type: softmax_loss}\n";
    vdnn_model *model = NULL;
    vdnn_graph *graph = NULL;
    const vdnn_graph_options options = {.rules = VDNN_RULES_LEAN, .dtype = VDNN_F32};
    assert_ok(vdnn_model_parse(text, strlen(text), "small.yaml", &model));
    assert_ok(vdnn_graph_create(model, &options, &graph));
    vdnn_model_destroy(model);
    return graph;
}

TEST(a_card_runs_the_whole_batch_unless_another_algorithm_is_far_faster)
{
    static const struct {
        bool is_card;
        double worth_seconds;
        int64_t first, last; /* samples */
    } cases[] = {{true, HUGE_VAL, 5, BATCH}, {true, 1e-6, 5, 5}, {false, HUGE_VAL, 1, 1}};
    vdnn_graph *graph = make_graph();
    vdnn_layer_def def = *graph->layers[0].def;
    vdnn_layer layer = graph->layers[0];
    def.flops = many_flops;
    layer.def = &def;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench b = set_up(cases[i].is_card);
        const vdnn_measure_limits limits = {cases[i].worth_seconds, HUGE_VAL};
        vdnn_pass_time result = {.is_exact = true};
        runs_log.count = 0;
        assert_ok(vdnn_measure_pass(b.measure, &layer, VDNN_FORWARD, &noting, &limits, &result));
        assert_true(result.seconds > 0);
        assert_true(cases[i].last == BATCH || !result.is_exact);
        assert_int_equal(runs_log.samples[0], cases[i].first);
        assert_int_equal(runs_log.samples[runs_log.count - 1], cases[i].last);
        tear_down(&b);
    }
    vdnn_graph_destroy(graph);
}

/* ---- operands -------------------------------------------------------------------------------- */

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void expect_small(float value)
{
    assert_true(fabsf(value) >= 0x1p-11f && fabsf(value) <= 0x1p-2f);
}

/* A float of random mantissa read as two bf16 is any number, infinities and NaN among them. */
TEST(the_pattern_is_of_small_numbers_as_f32_and_as_bf16)
{
    double sum = 0, squares = 0;
    uint32_t words[VDNN_PATTERN_WORDS];
    for (uint32_t block = 0; block < VDNN_PATTERN_BLOCKS; block++) {
        vdnn_pattern(block, words);
        for (int i = 0; i < VDNN_PATTERN_WORDS; i++) {
            const float halves[] = {float_of(words[i] << 16), float_of(words[i] & 0xffff0000U)};
            assert_true(fabsf(float_of(words[i])) >= 0x1p-11f);
            assert_true(fabsf(float_of(words[i])) < 0.26F);
            for (int k = 0; k < 2; k++) {
                expect_small(halves[k]);
                sum += (double)halves[k];
                squares += (double)halves[k] * (double)halves[k];
            }
        }
    }
    double count = 2.0 * VDNN_PATTERN_WORDS * VDNN_PATTERN_BLOCKS;
    assert_true(fabs(sum / count) < 5e-3);
    assert_true(fabs(sqrt(squares / count) - 0.1) < 5e-3);
}

TEST(operands_hold_the_pattern_of_their_place)
{
    enum { FIRST = 1000 * VDNN_PATTERN_BLOCK_BYTES, ALL = 5 * VDNN_PATTERN_BYTES / 2 };
    bench b = set_up(false);
    assert_ok(vdnn_measure_need(b.measure, ALL));
    assert_ok(vdnn_measure_fill(b.measure, FIRST));
    assert_ok(vdnn_measure_fill(b.measure, ALL));
    const char *base = vdnn_measure_base(b.measure);
    size_t offset = vdnn_measure_extent(b.measure, 0, 0).offset;
    for (size_t i = 0; i < ALL; i += VDNN_PATTERN_BLOCK_BYTES) {
        uint32_t words[VDNN_PATTERN_WORDS];
        vdnn_pattern((uint32_t)((offset + i) / VDNN_PATTERN_BLOCK_BYTES % VDNN_PATTERN_BLOCKS),
                     words);
        assert_memory_equal(base + i, words, sizeof words);
    }
    tear_down(&b);
}
