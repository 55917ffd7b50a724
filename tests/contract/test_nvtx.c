#include "runtime/base/nvtx.h"
#include "runtime/plan/streams.h"
#include "tests/support/gpu.h"
#include "tests/support/run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a profiler sees of a training: the recorder of tests/support/ is the profiler. On the CPU
 * device a stream's thread tells of its steps; those of a CUDA device are told where they are
 * enqueued, and its streams have the names. */

#ifdef VDNN_TEST_DEVICE
static const char device[] = VDNN_TEST_DEVICE;
#else
static const char device[] = "cpu";
#endif

static bool is_on_threads(void)
{
    return strcmp(device, "cpu") == 0;
}

static const char *thread_of(const char *stream)
{
    return is_on_threads() ? stream : "main";
}

enum { MAX_RANGES = 8192, NAME_BYTES = 128 };

/* A range as recorded, or a step of the printed plan as it should be. */
typedef struct seen {
    char category[NAME_BYTES], kind[NAME_BYTES], name[NAME_BYTES], layer[NAME_BYTES],
        thread[NAME_BYTES];
    long long bytes, start, end, depth;
} seen;

typedef struct list {
    seen *items;
    int count;
} list;

static seen *add(list *all)
{
    assert_true(all->count < MAX_RANGES);
    if (all->items == NULL)
        all->items = calloc(MAX_RANGES, sizeof *all->items);
    assert_non_null(all->items);
    return &all->items[all->count++];
}

static void copy(char *to, const char *text)
{
    assert_non_null(text);
    (void)snprintf(to, NAME_BYTES, "%s", text);
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static long long number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

/* ---- the record ------------------------------------------------------------------------------ */

typedef struct record {
    list ranges;
    json_t *threads; /* number, as text, to name */
    int streams;     /* of CUDA, with names */
} record;

static void read_range(const json_t *line, record *result)
{
    const json_t *payload = json_object_get(line, "payload");
    char tid[32];
    seen *range = add(&result->ranges);
    assert_string_equal(text_of(line, "domain"), "vdnn");
    assert_int_equal(json_object_size(payload), 3);
    copy(range->category, text_of(line, "category"));
    copy(range->kind, text_of(line, "name"));
    copy(range->name, text_of(payload, "step"));
    copy(range->layer, text_of(payload, "layer"));
    (void)snprintf(tid, sizeof tid, "%lld", number_of(line, "tid"));
    copy(range->thread,
         json_object_get(result->threads, tid) == NULL ? "main" : text_of(result->threads, tid));
    range->bytes = number_of(payload, "bytes");
    range->start = number_of(line, "start_ns");
    range->end = number_of(line, "end_ns");
    range->depth = number_of(line, "depth");
}

static void read_line(const char *text, record *result)
{
    json_error_t error;
    json_t *line = json_loads(text, 0, &error);
    if (line == NULL)
        fail_msg("%s in the line %s", error.text, text);
    if (json_object_get(line, "thread") != NULL) {
        char tid[32];
        (void)snprintf(tid, sizeof tid, "%lld", number_of(line, "tid"));
        assert_int_equal(json_object_set(result->threads, tid, json_object_get(line, "thread")), 0);
    } else if (json_object_get(line, "stream") != NULL) {
        assert_memory_equal(text_of(line, "stream"), "vdnn ", 5);
        result->streams++;
    } else
        read_range(line, result);
    json_decref(line);
}

static record read_record(const char *path)
{
    record result = {.threads = json_object()};
    char *text, *rest;
    size_t count;
    vdnn_test_read_file(path, &text, &count);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        read_line(line, &result);
    free(text);
    return result;
}

static void free_record(record *own)
{
    free(own->ranges.items);
    json_decref(own->threads);
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* "step 3 out copy_out conv1 [input] bytes 200704 waits ..." */
static bool read_copy(const char *line, const char *kind, const char *verb, seen *copy_step)
{
    char stream[16], found[32], layer[NAME_BYTES], label[NAME_BYTES - 16];
    int step;
    long long bytes;
    if (sscanf(line, "step %d %15s %31s %127s [%111[^]]] bytes %lld", &step, stream, found, layer,
               label, &bytes) != 6 ||
        strcmp(found, kind) != 0)
        return false;
    *copy_step = (seen){.bytes = bytes};
    (void)snprintf(copy_step->name, NAME_BYTES, "%s %s", verb, label);
    copy(copy_step->layer, layer);
    return true;
}

static list read_copies(const char *plan, const char *kind, const char *verb)
{
    list copies = {0};
    seen step;
    for (const char *line = plan; line != NULL && *line != '\0';) {
        if (read_copy(line, kind, verb, &step))
            *add(&copies) = step;
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return copies;
}

static void expect_once_each(const record *recorded, const list *copies, const char *category,
                             const char *thread)
{
    int in_category = 0;
    for (int i = 0; i < recorded->ranges.count; i++)
        in_category += strcmp(recorded->ranges.items[i].category, category) == 0;
    assert_int_equal(in_category, copies->count);
    for (int k = 0; k < copies->count; k++) {
        const seen *wanted = &copies->items[k];
        int found = 0;
        for (int i = 0; i < recorded->ranges.count; i++) {
            const seen *range = &recorded->ranges.items[i];
            found += strcmp(range->category, category) == 0 &&
                     strcmp(range->name, wanted->name) == 0 &&
                     strcmp(range->layer, wanted->layer) == 0 && range->bytes == wanted->bytes &&
                     strcmp(range->thread, thread) == 0 && range->start <= range->end;
        }
        if (found != 1)
            fail_msg("%s of layer %s, %lld bytes: %d ranges of %s on %s", wanted->name,
                     wanted->layer, wanted->bytes, found, category, thread);
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void require_nvtx(void)
{
    if (!vdnn_nvtx_is_built())
        skip_because("built without NVTX's headers: no CUDA toolkit (CUDA_HOME), and set-up could "
                     "not fetch them");
}

/* Runs one step with the recorder as the tool; the plan is what the program printed. */
static record run_recorded(const char *folder, const char *options, vdnn_test_run *run)
{
    const char *named = getenv("VDNN_RECORDER");
    char *recorder = realpath(named == NULL ? VDNN_TEST_RECORDER : named, NULL);
    assert_non_null(recorder);
    vdnn_test_program(run, folder,
                      "NVTX_INJECTION64_PATH=%s NVTX_RECORDER_FILE=@/ranges "
                      "vdnnrun --device %s --steps 1 --print-plan --quiet --profile @/profile %s",
                      recorder, device, options);
    free(recorder);
    vdnn_test_expect(run, 0, "");
    return read_record(vdnn_test_path(folder, "ranges"));
}

TEST_IN_FOLDER(each_offloaded_buffer_has_one_range_out_and_one_back)
{
    static const char *const options[] = {
        "--model @/every.yaml --policy all --rules paper",
        "--model @/every.yaml --policy conv --rules lean",
        "--model lenet --policy all --rules paper",
        "--model lenet --policy all --rules lean",
        "--model squeezenet --batch 2 --policy all --rules paper",
        "--model lenet --policy conv --rules paper --dtype bf16",
    };
    /* The larger ones take minutes on the emulation. */
    size_t count = is_on_threads() ? sizeof options / sizeof *options : 2;
    require_nvtx();
    vdnn_test_every_layer(*state);
    for (size_t i = 0; i < count; i++) {
        vdnn_test_run run;
        record recorded = run_recorded(*state, options[i], &run);
        list out = read_copies(run.out, "copy_out", "offload");
        list in = read_copies(run.out, "copy_in", "prefetch");
        assert_true(out.count > 0);
        assert_int_equal(out.count, in.count);
        expect_once_each(&recorded, &out, "offload", thread_of("vdnn out"));
        expect_once_each(&recorded, &in, "prefetch", thread_of("vdnn in"));
        free(out.items);
        free(in.items);
        free_record(&recorded);
        vdnn_test_run_free(&run);
    }
}

TEST_IN_FOLDER(without_offloading_nothing_is_said_to_move)
{
    require_nvtx();
    vdnn_test_run run;
    vdnn_test_every_layer(*state);
    record recorded = run_recorded(*state, "--model @/every.yaml --policy base", &run);
    const list none = {0};
    expect_once_each(&recorded, &none, "offload", thread_of("vdnn out"));
    expect_once_each(&recorded, &none, "prefetch", thread_of("vdnn in"));
    free_record(&recorded);
    vdnn_test_run_free(&run);
}

static int count_of(const record *recorded, const char *category, const char *thread)
{
    int count = 0;
    for (int i = 0; i < recorded->ranges.count; i++)
        count += strcmp(recorded->ranges.items[i].category, category) == 0 &&
                 strcmp(recorded->ranges.items[i].thread, thread) == 0;
    return count;
}

static int count_lines(const char *plan, const char *part)
{
    int count = 0;
    for (const char *at = strstr(plan, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

TEST_IN_FOLDER(passes_updates_and_reading_are_seen_on_their_threads)
{
    require_nvtx();
    vdnn_test_run run;
    vdnn_test_every_layer(*state);
    record recorded =
        run_recorded(*state, "--model @/every.yaml --policy base --checkpoint @/run", &run);
    const char *compute = thread_of("vdnn compute");
    int forward = count_lines(run.out, " forward "), runs = count_lines(run.out, " compute run "),
        loads = count_lines(run.out, " in load "), stores = count_lines(run.out, " store ");
    assert_in_range(forward, 8, runs - 8);
    assert_int_equal(count_of(&recorded, "forward", compute), forward);
    assert_int_equal(count_of(&recorded, "backward", compute),
                     runs - forward + count_lines(run.out, " compute accumulate "));
    assert_int_equal(count_of(&recorded, "optimizer", compute),
                     count_lines(run.out, " compute update "));
    assert_in_range(count_of(&recorded, "io", "vdnn loader"), 6, MAX_RANGES);
    assert_true(loads > 0);
    /* The checkpoint is the main thread's in any case. */
    if (is_on_threads()) {
        assert_int_equal(count_of(&recorded, "io", "vdnn in"), loads);
        assert_int_equal(count_of(&recorded, "io", "main"), 1);
    } else
        assert_int_equal(count_of(&recorded, "io", "main"), loads + stores + 1);
    free_record(&recorded);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(the_streams_of_a_card_have_names)
{
    require_nvtx();
    vdnn_test_run run;
    vdnn_test_every_layer(*state);
    record recorded = run_recorded(*state, "--model @/every.yaml --policy base", &run);
    assert_int_equal(recorded.streams, is_on_threads() ? 0 : VDNN_STREAM_COUNT);
    free_record(&recorded);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(ranges_of_a_thread_do_not_overlap)
{
    require_nvtx();
    vdnn_test_run run;
    vdnn_test_every_layer(*state);
    record recorded = run_recorded(*state, "--model @/every.yaml --policy all --rules paper", &run);
    for (int i = 0; i < recorded.ranges.count; i++) {
        const seen *a = &recorded.ranges.items[i];
        assert_int_equal(a->depth, 0);
        for (int k = i + 1; k < recorded.ranges.count; k++) {
            const seen *b = &recorded.ranges.items[k];
            if (strcmp(a->thread, "vdnn loader") != 0 && strcmp(a->thread, b->thread) == 0)
                assert_true(a->end <= b->start || b->end <= a->start);
        }
    }
    free_record(&recorded);
    vdnn_test_run_free(&run);
}

/* So that a profiler's sums by name are those of a kind of work. */
TEST_IN_FOLDER(ranges_are_named_by_their_kind_not_by_their_layer)
{
    require_nvtx();
    vdnn_test_run run;
    vdnn_test_every_layer(*state);
    record recorded = run_recorded(*state, "--model @/every.yaml --policy all --rules paper", &run);
    int convolutions = 0, offloads = 0;
    for (int i = 0; i < recorded.ranges.count; i++) {
        const seen *range = &recorded.ranges.items[i];
        if (strpbrk(range->kind, "0123456789") != NULL) /* as conv1; types have none */
            fail_msg("%s of layer %s", range->kind, range->layer);
        convolutions += strcmp(range->kind, "forward conv") == 0;
        offloads += strcmp(range->kind, "offload") == 0;
    }
    assert_int_equal(offloads, count_lines(run.out, " copy_out "));
    assert_in_range(convolutions, 2, offloads);
    free_record(&recorded);
    vdnn_test_run_free(&run);
}

/* A name that is no tool's must not end the training. */
TEST_IN_FOLDER(a_tool_that_is_not_there_does_no_harm)
{
    require_nvtx();
    vdnn_test_run run;
    vdnn_test_every_layer(*state);
    vdnn_test_program(&run, *state,
                      "NVTX_INJECTION64_PATH=@/nothing.so "
                      "vdnnrun --device %s --model @/every.yaml --steps 1",
                      device);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

int main(void)
{
#ifdef VDNN_TEST_GPU_BIN
    (void)setenv("VDNN_BIN", VDNN_TEST_GPU_BIN, 0);
#endif
    if (vdnn_test_device_lacks(device))
        return 0;
    return vdnn_test_main(NULL, NULL);
}
