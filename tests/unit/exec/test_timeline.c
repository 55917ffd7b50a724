#include "tests/support/files.h"

#include "runtime/base/heap.h"
#include "traces/timeline.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MAX_STEPS = 24, MAX_BUFFERS = 12, MAX_ACCESSES = 64, MAX_TIME = 40 };

/* ---- plans by hand --------------------------------------------------------------------------- */

typedef struct plan_rig {
    vdnn_graph graph;
    vdnn_layer layers[2];
    int32_t no_parts[3];
    vdnn_step steps[MAX_STEPS];
    vdnn_buffer buffers[MAX_BUFFERS];
    vdnn_access accesses[MAX_ACCESSES];
    vdnn_span spans[MAX_STEPS];
    int32_t waits[MAX_STEPS];
    vdnn_plan plan;
    vdnn_timeline timeline;
} plan_rig;

static void begin(plan_rig *rig)
{
    static char name[] = "small", first[] = "conv1", second[] = "fc \"2\"";
    memset(rig, 0, sizeof *rig);
    rig->layers[0].name = first;
    rig->layers[1].name = second;
    rig->graph = (vdnn_graph){
        .name = name, .layers = rig->layers, .layer_count = 2, .first_part = rig->no_parts};
    rig->plan = (vdnn_plan){.graph = &rig->graph,
                            .policy = "all",
                            .algo = "p",
                            .steps = rig->steps,
                            .buffers = rig->buffers,
                            .accesses = rig->accesses,
                            .waits = rig->waits};
    rig->timeline = (vdnn_timeline){.plan = &rig->plan, .spans = rig->spans};
}

static vdnn_step *add_step(plan_rig *rig, vdnn_step_kind kind, double start, double end)
{
    static const vdnn_stream_id streams[] = {
#define X(name, text, stream, ...) [VDNN_STEP_##name] = VDNN_STREAM_##stream,
        VDNN_STEP_TABLE(X)
#undef X
    };
    assert_true(rig->plan.step_count < MAX_STEPS);
    vdnn_step *step = &rig->steps[rig->plan.step_count];
    *step = (vdnn_step){.kind = kind,
                        .stream = streams[kind],
                        .layer = -1,
                        .first_access = rig->plan.access_count,
                        .first_wait = rig->plan.wait_count,
                        .label = ""};
    rig->spans[rig->plan.step_count++] = (vdnn_span){start, end};
    return step;
}

/* The newest step accesses the buffer. */
static void add_access(plan_rig *rig, int32_t buffer, uint8_t mode, int32_t writer)
{
    assert_true(rig->plan.access_count < MAX_ACCESSES);
    rig->accesses[rig->plan.access_count++] =
        (vdnn_access){.buffer = buffer, .mode = mode, .writer = writer};
    rig->steps[rig->plan.step_count - 1].access_count++;
}

static int32_t add_buffer(plan_rig *rig, vdnn_tier tier, bool persistent, size_t bytes)
{
    assert_true(rig->plan.buffer_count < MAX_BUFFERS);
    rig->buffers[rig->plan.buffer_count] =
        (vdnn_buffer){.tier = tier, .persistent = persistent, .bytes = bytes};
    return rig->plan.buffer_count++;
}

static size_t peak_of(const plan_rig *rig, vdnn_tier tier)
{
    vdnn_live_edge scratch[2 * MAX_BUFFERS];
    return vdnn_timeline_live_peak(&rig->timeline, tier, scratch);
}

/* ---- names ----------------------------------------------------------------------------------- */

TEST(every_kind_of_step_has_a_name_and_a_title_and_nothing_else_has)
{
    plan_rig rig;
    begin(&rig);
    for (int kind = 0; kind < VDNN_STEP_KIND_COUNT; kind++) {
        vdnn_text title = {0};
        vdnn_step *step = add_step(&rig, (vdnn_step_kind)kind, 0, 1);
        step->layer = 0;
        vdnn_step_title(&title, &rig.plan, step);
        assert_false(title.failed);
        assert_non_null(strstr(title.data, "conv1"));
        assert_null(strstr(title.data, "null"));
        assert_string_not_equal(vdnn_step_kind_text(step->kind), "unknown");
        vdnn_text_fini(&title);
    }
    assert_string_equal(vdnn_step_kind_text((vdnn_step_kind)VDNN_STEP_KIND_COUNT), "unknown");
    assert_string_equal(vdnn_step_kind_text((vdnn_step_kind)-1), "unknown");
    assert_string_equal(vdnn_stream_text(VDNN_STREAM_COUNT), "unknown");
    assert_string_equal(vdnn_tier_text(VDNN_TIER_COUNT), "unknown");
    assert_string_equal(vdnn_class_text(VDNN_CLASS_COUNT), "unknown");
    assert_string_equal(vdnn_bind_text(VDNN_BIND_COUNT), "unknown");
    assert_string_equal(vdnn_category_text(VDNN_CATEGORY_COUNT), "unknown");
    assert_string_equal(vdnn_action_text(VDNN_ACTION_COUNT), "unknown");
    assert_string_equal(vdnn_pass_text(VDNN_PASS_COUNT), "unknown");
}

/* ---- overlap --------------------------------------------------------------------------------- */

TEST(overlap_counts_each_instant_once)
{
    static const struct {
        struct {
            vdnn_step_kind kind;
            double start, end;
        } steps[4];
        size_t count;
        double copy, hidden;
    } cases[] = {
        {{{VDNN_STEP_RUN, 0, 10}, {VDNN_STEP_COPY_OUT, 2, 5}}, 2, 3, 3},
        {{{VDNN_STEP_RUN, 0, 3}, {VDNN_STEP_COPY_OUT, 3, 5}, {VDNN_STEP_RUN, 5, 9}}, 3, 2, 0},
        {{{VDNN_STEP_RUN, 0, 3}, {VDNN_STEP_COPY_IN, 1, 8}, {VDNN_STEP_RUN, 4, 6}}, 3, 7, 4},
        {{{VDNN_STEP_RUN, 0, 5}, {VDNN_STEP_COPY_OUT, 2, 6}, {VDNN_STEP_COPY_IN, 4, 8}}, 3, 6, 3},
        {{{VDNN_STEP_JOIN, 0, 5}, {VDNN_STEP_COPY_OUT, 1, 2}}, 2, 1, 0},
        {{{VDNN_STEP_RUN, 0, 5}, {VDNN_STEP_LOAD, 1, 2}, {VDNN_STEP_STORE, 3, 4}}, 3, 0, 0},
        {{{VDNN_STEP_UPDATE, 0, 1},
          {VDNN_STEP_ACCUMULATE, 1, 2},
          {VDNN_STEP_COPY_OUT, 0, 1},
          {VDNN_STEP_COPY_OUT, 1, 3}},
         4,
         3,
         2},
        {{{VDNN_STEP_RUN, 1, 1}, {VDNN_STEP_COPY_OUT, 1, 1}}, 2, 0, 0},
        {{{0}}, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plan_rig rig;
        begin(&rig);
        (void)add_step(&rig, VDNN_STEP_JOIN, 0, 0);
        for (size_t k = 0; k < cases[i].count; k++)
            (void)add_step(&rig, cases[i].steps[k].kind, cases[i].steps[k].start,
                           cases[i].steps[k].end);
        vdnn_overlap overlap = vdnn_timeline_overlap(&rig.timeline);
        assert_true(overlap.copy_seconds == cases[i].copy);
        assert_true(overlap.hidden_seconds == cases[i].hidden);
        assert_true(overlap.exposed_seconds == cases[i].copy - cases[i].hidden);
    }
}

/* Random steps whose times are whole numbers, in order on each stream. */
static void add_random_steps(plan_rig *rig, vdnn_test_rng *rng)
{
    int64_t free_from[VDNN_STREAM_COUNT] = {0};
    for (int i = 0; i < MAX_STEPS; i++) {
        vdnn_step *step =
            add_step(rig, (vdnn_step_kind)vdnn_test_between(rng, 0, VDNN_STEP_STORE), 0, 0);
        int64_t start = free_from[step->stream] + vdnn_test_between(rng, 0, 2);
        int64_t end = start + vdnn_test_between(rng, 0, 3);
        if (end > MAX_TIME)
            start = end = MAX_TIME;
        rig->spans[i] = (vdnn_span){(double)start, (double)end};
        free_from[step->stream] = end;
    }
}

static bool runs_in_cell(const plan_rig *rig, int32_t step, int cell)
{
    return rig->spans[step].start <= cell && rig->spans[step].end >= cell + 1;
}

TEST(overlap_is_what_counting_seconds_gives)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(5000); i++) {
        plan_rig rig;
        begin(&rig);
        add_random_steps(&rig, &rng);
        int copied = 0, hidden = 0, reduced = 0, exposed = 0;
        for (int cell = 0; cell < MAX_TIME; cell++) {
            bool copies = false, computes = false, reduces = false;
            for (int32_t s = 0; s < rig.plan.step_count; s++) {
                vdnn_step_kind kind = rig.steps[s].kind;
                bool copy = kind == VDNN_STEP_COPY_OUT || kind == VDNN_STEP_COPY_IN ||
                            kind == VDNN_STEP_SPILL || kind == VDNN_STEP_FILL;
                bool none = kind == VDNN_STEP_JOIN || kind == VDNN_STEP_LOAD ||
                            kind == VDNN_STEP_TAKE || kind == VDNN_STEP_STORE ||
                            kind == VDNN_STEP_SEND || kind == VDNN_STEP_RECEIVE;
                copies |= copy && runs_in_cell(&rig, s, cell);
                bool reduce = kind == VDNN_STEP_REDUCE || kind == VDNN_STEP_GATHER;
                computes |= !copy && !none && !reduce && runs_in_cell(&rig, s, cell);
                reduces |= reduce && runs_in_cell(&rig, s, cell);
            }
            copied += copies;
            hidden += copies && computes;
            reduced += reduces;
            exposed += reduces && !computes;
        }
        vdnn_overlap overlap = vdnn_timeline_overlap(&rig.timeline);
        assert_true(overlap.copy_seconds == copied);
        assert_true(overlap.hidden_seconds == hidden);
        assert_true(overlap.exposed_seconds == copied - hidden);
        assert_true(overlap.reduce_seconds == reduced);
        assert_true(overlap.exposed_reduce_seconds == exposed);
    }
}

/* ---- where the time goes --------------------------------------------------------------------- */

static bool computes(const plan_rig *rig, int32_t step)
{
    return rig->steps[step].stream == VDNN_STREAM_COMPUTE &&
           vdnn_step_row_of(rig->steps[step].kind)->work == VDNN_WORK_COMPUTE &&
           rig->spans[step].end > rig->spans[step].start;
}

/* The compute step that runs in a second, or the next one; the count of steps: none. */
static int32_t owner_of(const plan_rig *rig, int cell)
{
    int32_t s = 0;
    while (s < rig->plan.step_count && (!computes(rig, s) || rig->spans[s].end <= cell))
        s++;
    return s;
}

static vdnn_time_split *cell_split(const plan_rig *rig, int cell,
                                   vdnn_time_split (*splits)[VDNN_HALVES])
{
    int32_t owner = owner_of(rig, cell), last = rig->plan.step_count - 1;
    const vdnn_step *step = &rig->steps[owner > last ? last : owner];
    bool is_of_layer = owner <= last && step->layer >= 0;
    return &splits[is_of_layer ? step->layer : 2][step->pass == VDNN_FORWARD ? 0 : 1];
}

static void count_cell(const plan_rig *rig, int cell, vdnn_time_split (*splits)[VDNN_HALVES])
{
    vdnn_time_split *split = cell_split(rig, cell, splits);
    int32_t owner = owner_of(rig, cell);
    bool copies = false;
    for (int32_t s = 0; s < rig->plan.step_count; s++)
        copies |= vdnn_step_row_of(rig->steps[s].kind)->work == VDNN_WORK_COPY &&
                  runs_in_cell(rig, s, cell);
    if (owner < rig->plan.step_count && runs_in_cell(rig, owner, cell))
        *(rig->steps[owner].kind == VDNN_STEP_RECOMPUTE ? &split->recompute_seconds
                                                        : &split->compute_seconds) += 1;
    else
        *(copies ? &split->exposed_copy_seconds : &split->stall_seconds) += 1;
}

TEST(every_instant_is_of_one_kind_and_one_layer)
{
    vdnn_test_rng rng = {vdnn_test_seed()};
    for (int i = 0; i < vdnn_test_count(5000); i++) {
        plan_rig rig;
        begin(&rig);
        add_random_steps(&rig, &rng);
        double first = MAX_TIME, end = 0;
        for (int32_t s = 0; s < rig.plan.step_count; s++) {
            rig.steps[s].layer = (int32_t)vdnn_test_between(&rng, -1, 1);
            rig.steps[s].pass =
                vdnn_test_between(&rng, 0, 1) == 0 ? VDNN_FORWARD : VDNN_BACKWARD_DATA;
            first = fmin(first, rig.spans[s].start);
            end = fmax(end, rig.spans[s].end);
        }
        vdnn_time_split found[3][VDNN_HALVES] = {0}, counted[3][VDNN_HALVES] = {0};
        vdnn_timeline_split(&rig.timeline, found);
        for (int cell = (int)first; cell < (int)end; cell++)
            count_cell(&rig, cell, counted);
        assert_memory_equal(found, counted, sizeof found);
    }
}

/* ---- live bytes ------------------------------------------------------------------------------ */

TEST(what_dies_makes_room_for_what_is_born)
{
    plan_rig rig;
    begin(&rig);
    int32_t a = add_buffer(&rig, VDNN_TIER_DEVICE, false, 100);
    int32_t b = add_buffer(&rig, VDNN_TIER_DEVICE, false, 70);
    (void)add_step(&rig, VDNN_STEP_RUN, 0, 1);
    add_access(&rig, a, VDNN_WRITE, -1);
    (void)add_step(&rig, VDNN_STEP_RUN, 1, 2);
    add_access(&rig, b, VDNN_WRITE, -1);
    assert_int_equal(peak_of(&rig, VDNN_TIER_DEVICE), 100);
    rig.spans[1].start = 0.875;
    assert_int_equal(peak_of(&rig, VDNN_TIER_DEVICE), 170);
}

TEST(a_buffer_lives_from_its_first_access_to_its_last)
{
    plan_rig rig;
    begin(&rig);
    int32_t kept = add_buffer(&rig, VDNN_TIER_DEVICE, false, 8);
    int32_t held = add_buffer(&rig, VDNN_TIER_DEVICE, false, 32);
    int32_t brief = add_buffer(&rig, VDNN_TIER_DEVICE, false, 4);
    (void)add_step(&rig, VDNN_STEP_RUN, 0, 1);
    add_access(&rig, kept, VDNN_WRITE, -1);
    (void)add_step(&rig, VDNN_STEP_RUN, 2, 3);
    add_access(&rig, brief, VDNN_WRITE, -1);
    (void)add_step(&rig, VDNN_STEP_RUN, 4, 5);
    add_access(&rig, kept, VDNN_READ, 0);
    assert_int_equal(peak_of(&rig, VDNN_TIER_DEVICE), 12);
    (void)add_step(&rig, VDNN_STEP_COPY_OUT, 2.5, 2.75);
    add_access(&rig, held, VDNN_HOLD, -1);
    assert_int_equal(peak_of(&rig, VDNN_TIER_DEVICE), 44);
}

TEST(persistent_buffers_live_all_the_time_each_in_its_tier)
{
    plan_rig rig;
    begin(&rig);
    (void)add_buffer(&rig, VDNN_TIER_DEVICE, true, 1000); /* not even accessed */
    int32_t weights = add_buffer(&rig, VDNN_TIER_DEVICE, true, 200);
    int32_t map = add_buffer(&rig, VDNN_TIER_DEVICE, false, 30);
    int32_t copy = add_buffer(&rig, VDNN_TIER_HOST, false, 4);
    (void)add_buffer(&rig, VDNN_TIER_DEVICE, false, 5000); /* nobody's */
    assert_int_equal(peak_of(&rig, VDNN_TIER_DEVICE), 1200);
    assert_int_equal(peak_of(&rig, VDNN_TIER_HOST), 0);
    (void)add_step(&rig, VDNN_STEP_COPY_OUT, 1, 2);
    add_access(&rig, map, VDNN_READ, -1);
    add_access(&rig, copy, VDNN_WRITE, -1);
    (void)add_step(&rig, VDNN_STEP_UPDATE, 3, 4);
    add_access(&rig, weights, VDNN_READ | VDNN_WRITE, -1);
    assert_int_equal(peak_of(&rig, VDNN_TIER_DEVICE), 1230);
    assert_int_equal(peak_of(&rig, VDNN_TIER_HOST), 4);
}

static void add_random_accesses(plan_rig *rig, vdnn_test_rng *rng)
{
    for (int i = 0; i < MAX_BUFFERS; i++)
        (void)add_buffer(rig, (vdnn_tier)vdnn_test_between(rng, 0, VDNN_TIER_COUNT - 1),
                         vdnn_test_between(rng, 0, 5) == 0,
                         (size_t)vdnn_test_between(rng, 1, 1000));
    for (int32_t s = 0; s < rig->plan.step_count; s++) {
        rig->steps[s].first_access = rig->plan.access_count;
        for (int64_t k = vdnn_test_between(rng, 0, 2); k > 0; k--) {
            rig->accesses[rig->plan.access_count++] = (vdnn_access){
                .buffer = (int32_t)vdnn_test_between(rng, 0, MAX_BUFFERS - 1), .mode = VDNN_READ};
            rig->steps[s].access_count++;
        }
    }
}

/* Bytes of the tier that live throughout one second. */
static size_t live_in_cell(const plan_rig *rig, vdnn_tier tier, int cell)
{
    size_t live = 0;
    for (int32_t b = 0; b < rig->plan.buffer_count; b++) {
        double birth = MAX_TIME, death = 0;
        for (int32_t s = 0; s < rig->plan.step_count; s++)
            for (int32_t a = 0; a < rig->steps[s].access_count; a++)
                if (rig->accesses[rig->steps[s].first_access + a].buffer == b) {
                    birth = fmin(birth, rig->spans[s].start);
                    death = fmax(death, rig->spans[s].end);
                }
        if (rig->buffers[b].tier == tier &&
            (rig->buffers[b].persistent || (birth <= cell && death >= cell + 1)))
            live += rig->buffers[b].bytes;
    }
    return live;
}

TEST(the_live_peak_is_what_counting_seconds_gives)
{
    vdnn_test_rng rng = {vdnn_test_seed() + 1};
    for (int i = 0; i < vdnn_test_count(2000); i++) {
        plan_rig rig;
        begin(&rig);
        add_random_steps(&rig, &rng);
        add_random_accesses(&rig, &rng);
        for (int tier = 0; tier < VDNN_TIER_COUNT; tier++) {
            size_t peak = 0;
            for (int cell = 0; cell < MAX_TIME; cell++) {
                size_t live = live_in_cell(&rig, (vdnn_tier)tier, cell);
                peak = live > peak ? live : peak;
            }
            assert_int_equal(peak_of(&rig, (vdnn_tier)tier), peak);
        }
    }
}

/* ---- the file for Perfetto ------------------------------------------------------------------- */

/* conv1 forward and its offload; prefetch; its backward. Times that do not divide evenly. */
static void make_story(plan_rig *rig)
{
    static const vdnn_algorithm direct = {.name = "direct"};
    begin(rig);
    int32_t weights = add_buffer(rig, VDNN_TIER_DEVICE, true, 1 << 20);
    int32_t map = add_buffer(rig, VDNN_TIER_DEVICE, false, 4096);
    int32_t host = add_buffer(rig, VDNN_TIER_HOST, false, 4096);
    int32_t again = add_buffer(rig, VDNN_TIER_DEVICE, false, 4096);
    add_step(rig, VDNN_STEP_JOIN, 0, 0)->label = "begin";
    vdnn_step *forward = add_step(rig, VDNN_STEP_RUN, 0, 1e-3 / 3);
    forward->layer = 0;
    forward->algorithm = &direct;
    add_access(rig, weights, VDNN_READ, -1);
    add_access(rig, map, VDNN_WRITE, -1);
    vdnn_step *out = add_step(rig, VDNN_STEP_COPY_OUT, 1e-3 / 3, 2e-3 / 3);
    *out = (vdnn_step){.kind = out->kind,
                       .stream = out->stream,
                       .layer = 0,
                       .bytes = 4096,
                       .first_access = out->first_access,
                       .wait_count = 1,
                       .label = "conv1"};
    rig->waits[rig->plan.wait_count++] = 1;
    add_access(rig, map, VDNN_READ, 1);
    add_access(rig, host, VDNN_WRITE, -1);
    vdnn_step *in = add_step(rig, VDNN_STEP_COPY_IN, 2e-3 / 3, 1e-3);
    in->label = "conv1";
    in->bytes = 4096;
    add_access(rig, host, VDNN_READ, 2);
    add_access(rig, again, VDNN_WRITE, -1);
    vdnn_step *backward = add_step(rig, VDNN_STEP_RUN, 1e-3, 1.7e-3);
    backward->layer = 1;
    backward->pass = VDNN_BACKWARD_FILTER;
    add_access(rig, again, VDNN_READ, 3);
    vdnn_step *update = add_step(rig, VDNN_STEP_UPDATE, 1.7e-3, 1.8e-3);
    update->layer = 1;
    add_access(rig, weights, VDNN_READ | VDNN_WRITE, -1);
    add_step(rig, VDNN_STEP_JOIN, 1.8e-3, 1.9e-3)->layer = 0;
}

enum { STORY_STEPS = 7 };

static json_t *parse(const char *path)
{
    static char text[1 << 20];
    gzFile file = gzopen(path, "rb"); /* reads plain files as they are */
    assert_non_null(file);
    int length = gzread(file, text, sizeof text);
    assert_in_range(length, 1, sizeof text - 1);
    assert_int_equal(gzclose(file), Z_OK);
    json_error_t error;
    json_t *root = json_loadb(text, (size_t)length, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        fail_msg("%s at byte %d", error.text, error.position);
    return root;
}

static void write_story(const char *path, const plan_rig *rig, int times)
{
    vdnn_timeline_writer *writer;
    vdnn_timeline timeline = rig->timeline;
    assert_ok(vdnn_timeline_writer_create(path, &writer));
    for (int i = 0; i < times; i++) {
        timeline.offset_seconds = 2e-3 * i;
        assert_ok(vdnn_timeline_writer_add(writer, 0, &timeline, 10 + i));
    }
    assert_ok(vdnn_timeline_writer_close(writer));
}

static const char *phase_of(const json_t *event)
{
    return json_string_value(json_object_get(event, "ph"));
}

static double number_of(const json_t *event, const char *key)
{
    const json_t *value = json_object_get(event, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

TEST_IN_FOLDER(a_trace_has_one_span_for_each_step)
{
    static const struct {
        const char *name, *algorithm;
        double start, length;
        int track, bytes;
    } spans[STORY_STEPS] = {
        {"begin", NULL, 0, 0, 1, 0},
        {"conv1 forward", "direct", 0, 333.333, 1, 0},
        {"Memcpy DtoH: offload conv1", NULL, 333.333, 333.334, 2, 4096},
        {"Memcpy HtoD: prefetch conv1", NULL, 666.667, 333.333, 3, 4096},
        {"fc \"2\" backward_filter", NULL, 1000, 700, 1, 0},
        {"update fc \"2\"", NULL, 1700, 100, 1, 0},
        {"wait conv1", NULL, 1800, 100, 1, 0},
    };
    static const char *const files[] = {"trace.json", "trace.json.gz"};
    plan_rig rig;
    make_story(&rig);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_story(vdnn_test_path(*state, files[i]), &rig, 2);
        json_t *root = parse(vdnn_test_path(*state, files[i])), *event;
        size_t index, seen = 0;
        json_array_foreach(json_object_get(root, "traceEvents"), index, event)
        {
            const json_t *arguments = json_object_get(event, "args");
            if (json_object_get(arguments, "plan_step") == NULL)
                continue;
            assert_string_equal(phase_of(event), "X");
            size_t at = seen % STORY_STEPS;
            double offset = seen++ < STORY_STEPS ? 0 : 2000;
            assert_string_equal(json_string_value(json_object_get(event, "name")), spans[at].name);
            assert_true(number_of(event, "ts") == offset + spans[at].start);
            assert_true(fabs(number_of(event, "dur") - spans[at].length) < 1e-9);
            assert_true(number_of(event, "tid") == spans[at].track);
            assert_true(number_of(arguments, "bytes") == spans[at].bytes);
            assert_true(number_of(arguments, "step") == (offset > 0 ? 11 : 10));
            assert_true(number_of(arguments, "plan_step") == (double)at);
            const json_t *algorithm = json_object_get(arguments, "algorithm");
            if (spans[at].algorithm == NULL)
                assert_null(algorithm);
            else
                assert_string_equal(json_string_value(algorithm), spans[at].algorithm);
            assert_int_equal(json_array_size(json_object_get(arguments, "waits")), at == 2);
        }
        assert_int_equal(seen, 2 * STORY_STEPS);
        json_decref(root);
    }
    char *bytes;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(*state, "trace.json.gz"), &bytes, &count);
    assert_memory_equal(bytes, "\x1f\x8b", 2);
    free(bytes);
    assert_int_equal(vdnn_test_folder_count(*state), 2);
}

TEST_IN_FOLDER(a_trace_names_its_tracks_once)
{
    static const char *const extra[] = {"steps", "updates", "launches", "checkpoints"};
    plan_rig rig;
    make_story(&rig);
    const char *path = vdnn_test_path(*state, "trace.json");
    write_story(path, &rig, 3);
    json_t *root = parse(path), *event;
    size_t index;
    int processes = 0, streams = 0, others = 0;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        if (strcmp(phase_of(event), "M") != 0)
            continue;
        const char *what = json_string_value(json_object_get(event, "name"));
        const char *name =
            json_string_value(json_object_get(json_object_get(event, "args"), "name"));
        if (strcmp(what, "process_name") == 0) {
            assert_string_equal(name, "small, policy all");
            processes++;
        } else if (strcmp(what, "thread_name") == 0 &&
                   number_of(event, "tid") <= VDNN_STREAM_COUNT) {
            assert_string_equal(name, vdnn_stream_text((vdnn_stream_id)streams));
            assert_true(number_of(event, "tid") == ++streams);
        } else if (strcmp(what, "thread_name") == 0) {
            assert_string_equal(name, extra[others++]);
        }
    }
    assert_int_equal(processes, 1);
    assert_int_equal(streams, VDNN_STREAM_COUNT);
    assert_int_equal(others, sizeof extra / sizeof *extra);
    json_decref(root);
}

/* The counter's tier; VDNN_TIER_COUNT: it is called otherwise. */
static int tier_of(const json_t *event, const char *what)
{
    const char *name = json_string_value(json_object_get(event, "name"));
    int tier = 0;
    while (tier < VDNN_TIER_COUNT &&
           (strncmp(name, vdnn_tier_text((vdnn_tier)tier), strcspn(name, " ")) != 0 ||
            strcmp(name + strcspn(name, " ") + 1, what) != 0))
        tier++;
    return strcmp(phase_of(event), "C") == 0 ? tier : VDNN_TIER_COUNT;
}

TEST_IN_FOLDER(the_counters_reach_the_live_peaks)
{
    plan_rig rig;
    make_story(&rig);
    const char *path = vdnn_test_path(*state, "trace.json");
    write_story(path, &rig, 1);
    json_t *root = parse(path), *event;
    size_t index;
    double peaks[VDNN_TIER_COUNT] = {0}, last[VDNN_TIER_COUNT] = {0};
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        const int tier = tier_of(event, "live bytes");
        if (tier == VDNN_TIER_COUNT)
            continue;
        last[tier] = number_of(json_object_get(event, "args"), "bytes");
        peaks[tier] = fmax(peaks[tier], last[tier]);
    }
    for (int tier = 0; tier < VDNN_TIER_COUNT; tier++)
        assert_true(peaks[tier] == (double)peak_of(&rig, (vdnn_tier)tier));
    assert_true(last[VDNN_TIER_DEVICE] == 1 << 20);
    assert_true(last[VDNN_TIER_HOST] == 0);
    json_decref(root);
}

/* Beside the counter of all bytes, at the same time, one with the bytes of each category. */
TEST_IN_FOLDER(the_counters_are_split_by_category)
{
    plan_rig rig;
    make_story(&rig);
    rig.buffers[0].class = VDNN_CLASS_WEIGHT;
    for (int b = 1; b < rig.plan.buffer_count; b++)
        rig.buffers[b].class = VDNN_CLASS_FEATURE_MAP;
    const char *path = vdnn_test_path(*state, "trace.json");
    write_story(path, &rig, 2);
    json_t *root = parse(path), *event;
    size_t index;
    double all = -1, maps = 0;
    int splits = 0;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        json_t *values = json_object_get(event, "args");
        if (tier_of(event, "live bytes") == VDNN_TIER_DEVICE)
            all = number_of(values, "bytes");
        if (tier_of(event, "bytes by category") != VDNN_TIER_DEVICE)
            continue;
        assert_int_equal(json_object_size(values), VDNN_CATEGORY_COUNT);
        assert_true(number_of(values, "weights") == 1 << 20);
        assert_true(number_of(values, "feature_maps") == all - (1 << 20));
        maps = fmax(maps, number_of(values, "feature_maps"));
        splits++;
    }
    assert_true(maps == 4096);
    assert_true(splits >= 4);
    json_decref(root);
}

/* Only of tiers that are used, and where there is a budget. */
TEST_IN_FOLDER(a_budget_is_a_line_beside_the_live_bytes)
{
    static const size_t budgets[VDNN_TIER_COUNT] = {3 << 20, SIZE_MAX, 4096};
    plan_rig rig;
    make_story(&rig);
    const char *path = vdnn_test_path(*state, "trace.json");
    vdnn_timeline_writer *writer;
    assert_ok(vdnn_timeline_writer_create(path, &writer));
    vdnn_timeline_writer_limit(writer, budgets);
    assert_ok(vdnn_timeline_writer_add(writer, 0, &rig.timeline, 1));
    assert_ok(vdnn_timeline_writer_close(writer));
    json_t *root = parse(path), *event;
    size_t index;
    int lines = 0;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        if (tier_of(event, "budget") == VDNN_TIER_COUNT)
            continue;
        assert_int_equal(tier_of(event, "budget"), VDNN_TIER_DEVICE);
        assert_true(number_of(json_object_get(event, "args"), "bytes") == 3 << 20);
        lines++;
    }
    assert_int_equal(lines, 1);
    json_decref(root);
}

TEST_IN_FOLDER(arrows_lead_from_an_offload_to_its_prefetch_to_the_reader)
{
    static const struct {
        const char *name;
        int from, to;
        double start, finish;
    } arrows[] = {{"offloaded", 2, 3, 333.333, 666.667}, {"prefetched", 3, 1, 666.667, 1000}};
    plan_rig rig;
    make_story(&rig);
    add_access(&rig, 3, VDNN_READ, 3); /* of the last step, which reads it twice: one arrow */
    add_access(&rig, 3, VDNN_READ, 3);
    rig.accesses[rig.plan.access_count - 1].slot = 1;
    const char *path = vdnn_test_path(*state, "trace.json");
    write_story(path, &rig, 2);
    json_t *root = parse(path), *event;
    size_t index;
    int starts = 0, finishes = 0;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        bool start = strcmp(phase_of(event), "s") == 0, finish = strcmp(phase_of(event), "f") == 0;
        if (!start && !finish)
            continue;
        int *count = start ? &starts : &finishes;
        const int which = *count % 3, offset = *count / 3 * 2000;
        assert_true(number_of(event, "id") == *count);
        ++*count;
        if (which == 2)
            continue;
        assert_string_equal(json_string_value(json_object_get(event, "name")), arrows[which].name);
        assert_true(number_of(event, "tid") == (start ? arrows[which].from : arrows[which].to));
        assert_true(number_of(event, "ts") ==
                    (start ? arrows[which].start : arrows[which].finish) + offset);
    }
    assert_int_equal(starts, 6);
    assert_int_equal(finishes, 6);
    json_decref(root);
}

/* The span with that name in the file; the reference is borrowed. */
static json_t *find_span(json_t *root, const char *name)
{
    json_t *event, *found = NULL;
    size_t index;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        if (strcmp(phase_of(event), "X") == 0 &&
            strcmp(json_string_value(json_object_get(event, "name")), name) == 0)
            found = event;
    }
    if (found == NULL)
        fail_msg("there is no span %s", name);
    return found;
}

static void expect_span(json_t *root, const char *name, int track, double start, double length)
{
    const json_t *span = find_span(root, name);
    assert_true(number_of(span, "tid") == track);
    assert_true(fabs(number_of(span, "ts") - start) < 1e-9);
    assert_true(fabs(number_of(span, "dur") - length) < 1e-9);
}

/* What is read before the first step moves the beginning of times; what comes later does not. */
TEST_IN_FOLDER(batches_and_checkpoints_have_spans_on_their_tracks)
{
    const vdnn_host_span first = {-0.5e-3, -0.2e-3, 10, 64}, second = {0.1e-3, 0.4e-3, 11, 64},
                         early = {-0.6e-3, -0.5e-3, 9, 64}, saved = {1.9e-3, 2e-3, 10, 0};
    plan_rig rig;
    make_story(&rig);
    const char *path = vdnn_test_path(*state, "trace.json");
    vdnn_timeline_writer *writer;
    assert_ok(vdnn_timeline_writer_create(path, &writer));
    assert_ok(vdnn_timeline_writer_add_read(writer, 0, 1, &first));
    assert_ok(vdnn_timeline_writer_add(writer, 0, &rig.timeline, 10));
    assert_ok(vdnn_timeline_writer_add_read(writer, 0, 0, &second));
    assert_ok(vdnn_timeline_writer_add_read(writer, 0, 0, &early));
    vdnn_timeline_writer_add_checkpoint(writer, &saved);
    assert_ok(vdnn_timeline_writer_close(writer));
    json_t *root = parse(path);
    expect_span(root, "read batch 10", VDNN_STREAM_COUNT + 6, 0, 300);
    expect_span(root, "ProfilerStep#10", VDNN_STREAM_COUNT + 1, 500, 1900);
    expect_span(root, "conv1 forward", 1, 500, 333.333);
    expect_span(root, "read batch 11", VDNN_STREAM_COUNT + 5, 600, 300);
    expect_span(root, "write checkpoint 10", VDNN_STREAM_COUNT + 4, 2400, 100);
    json_t *event;
    size_t index;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
        assert_string_not_equal(json_string_value(json_object_get(event, "name")), "read batch 9");
    json_decref(root);
}

/* A launch, and an arrow from it; a join is none. */
TEST_IN_FOLDER(a_launch_leads_to_what_it_launched)
{
    vdnn_span launches[MAX_STEPS];
    plan_rig rig;
    make_story(&rig);
    for (int i = 0; i < STORY_STEPS; i++)
        launches[i] = (vdnn_span){1e-6 * i, 1e-6 * i + 5e-7};
    rig.timeline.launches = launches;
    const char *path = vdnn_test_path(*state, "trace.json");
    write_story(path, &rig, 1);
    json_t *root = parse(path), *event;
    size_t index;
    int starts = 0, finishes = 0;
    expect_span(root, "launch offload conv1", VDNN_STREAM_COUNT + 3, 2, 0.5);
    const json_t *launch = json_object_get(find_span(root, "launch offload conv1"), "args"),
                 *copy = json_object_get(find_span(root, "Memcpy DtoH: offload conv1"), "args");
    assert_true(number_of(launch, "correlation") == number_of(copy, "correlation"));
    json_array_foreach(json_object_get(root, "traceEvents"), index, event)
    {
        if (json_object_get(event, "id") == NULL ||
            strcmp(json_string_value(json_object_get(event, "cat")), "ac2g") != 0)
            continue;
        starts += strcmp(phase_of(event), "s") == 0;
        finishes += strcmp(phase_of(event), "f") == 0;
    }
    /* conv1 forward at 0 starts before its launch, by two clocks: no arrow goes back in time. */
    assert_int_equal(starts, STORY_STEPS - 2 - 1);
    assert_int_equal(finishes, starts);
    json_decref(root);
}

/* The name of the one file of the folder. */
static void find_only_file(const char *folder, char *name, size_t size)
{
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (entry->d_name[0] != '.')
            (void)snprintf(name, size, "%s", entry->d_name);
    (void)closedir(entries);
}

/* In the file, under its temporary name, once the step is added: no step is held in memory. */
TEST_IN_FOLDER(a_step_is_in_the_file_when_it_is_added)
{
    plan_rig rig;
    make_story(&rig);
    vdnn_timeline_writer *writer;
    char *text, name[256] = "";
    size_t count, before = 0;
    assert_ok(vdnn_timeline_writer_create(vdnn_test_path(*state, "trace.json"), &writer));
    find_only_file(*state, name, sizeof name);
    for (int i = 0; i < 5; i++) {
        assert_ok(vdnn_timeline_writer_add(writer, 0, &rig.timeline, 10 + i));
        vdnn_test_read_file(vdnn_test_path(*state, name), &text, &count);
        assert_true(count > before);
        assert_memory_equal(text + count - 2, "}}", 2);
        free(text);
        before = count;
    }
    assert_string_not_equal(name, "trace.json");
    vdnn_timeline_writer_abandon(writer);
}

TEST_IN_FOLDER(an_empty_trace_is_valid)
{
    const char *path = vdnn_test_path(*state, "trace.json");
    vdnn_timeline_writer *writer;
    assert_ok(vdnn_timeline_writer_create(path, &writer));
    assert_ok(vdnn_timeline_writer_close(writer));
    json_t *root = parse(path);
    assert_int_equal(json_array_size(json_object_get(root, "traceEvents")), 0);
    json_decref(root);
}

TEST_IN_FOLDER(a_long_trace_is_written_in_parts)
{
    enum { TIMES = 100 };
    plan_rig rig;
    make_story(&rig);
    const char *path = vdnn_test_path(*state, "trace.json.gz");
    write_story(path, &rig, TIMES);
    json_t *root = parse(path), *event;
    size_t index;
    int spans = 0;
    json_array_foreach(json_object_get(root, "traceEvents"), index, event) spans +=
        json_object_get(json_object_get(event, "args"), "plan_step") != NULL;
    assert_int_equal(spans, TIMES * STORY_STEPS);
    json_decref(root);
}

TEST_IN_FOLDER(a_trace_is_whole_or_absent)
{
    plan_rig rig;
    make_story(&rig);
    vdnn_timeline_writer *writer;
    for (int packed = 0; packed < 2; packed++) {
        const char *path = vdnn_test_path(*state, packed ? "trace.json.gz" : "trace.json");
        assert_ok(vdnn_timeline_writer_create(path, &writer));
        assert_ok(vdnn_timeline_writer_add(writer, 0, &rig.timeline, 0));
        vdnn_timeline_writer_abandon(writer);
        assert_int_equal(vdnn_test_folder_count(*state), 0);
    }
    vdnn_timeline_writer_abandon(NULL);
    const char *nowhere = vdnn_test_path(*state, "none/trace.json");
    assert_status(vdnn_timeline_writer_create(nowhere, &writer), VDNN_FILE);
    assert_message(nowhere);
}

static vdnn_status write_or_abandon(const char *path, const vdnn_timeline *timeline)
{
    vdnn_timeline_writer *writer;
    vdnn_status status = vdnn_timeline_writer_create(path, &writer);
    if (status != VDNN_OK)
        return status;
    status = vdnn_timeline_writer_add(writer, 0, timeline, 0);
    if (status == VDNN_OK)
        return vdnn_timeline_writer_close(writer);
    vdnn_timeline_writer_abandon(writer);
    return status;
}

TEST_IN_FOLDER(every_allocation_of_a_trace_may_fail)
{
    plan_rig rig;
    make_story(&rig);
    size_t live = vdnn_heap_live_count();
    vdnn_status status = VDNN_NO_MEMORY;
    for (size_t n = 1; status != VDNN_OK; n++) {
        assert_int_equal(vdnn_test_folder_count(*state), 0);
        vdnn_heap_fail_after(n);
        status = write_or_abandon(vdnn_test_path(*state, "trace.json.gz"), &rig.timeline);
        vdnn_heap_fail_after(0);
        assert_true(status == VDNN_OK || status == VDNN_NO_MEMORY);
        assert_int_equal(vdnn_heap_live_count(), live);
    }
    assert_int_equal(vdnn_test_folder_count(*state), 1);
}
