/* The trace of a training on several devices, of one process or of one each: a process track for
 * each of them, in every sum an arrow over all, in the order in which they came, and between the
 * stages of a pipeline an arrow from each send to its receive. */

#include "tests/support/run_json.h"
#include "tests/support/vdnn_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 3, STEPS = 4, MOST_FLOWS = 200 };

typedef struct arrow {
    int ends, starts, stops;
    double last; /* microseconds */
    bool of[DEVICES];
} arrow;

static int device_of(json_t *event)
{
    const int device = (int)vdnn_test_integer_at(event, "pid") - 1;
    assert_in_range(device, 0, DEVICES - 1);
    return device;
}

static bool is_phase(json_t *event, const char *phase)
{
    return strcmp(vdnn_test_text_at(event, "ph"), phase) == 0;
}

static bool is_called(json_t *event, const char *name)
{
    const char *own = json_string_value(json_object_get(event, "name"));
    return own != NULL && strcmp(own, name) == 0;
}

static void expect_tracks(json_t *events)
{
    bool named[DEVICES] = {false};
    char name[32];
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event)
    {
        if (!is_called(event, "process_name"))
            continue;
        const int device = device_of(event);
        assert_false(named[device]);
        named[device] = true;
        (void)snprintf(name, sizeof name, "device %d: ", device);
        assert_non_null(
            strstr(vdnn_test_text_at(vdnn_test_object_at(event, "args"), "name"), name));
    }
    for (int d = 0; d < DEVICES; d++)
        assert_true(named[d]);
}

/* Sums of each device in the spans, which are as many on each. */
static int count_sums(json_t *events)
{
    int sums[DEVICES] = {0};
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event) if (is_phase(event, "X") &&
                                             json_object_get(json_object_get(event, "args"),
                                                             "Collective name") != NULL)
        sums[device_of(event)]++;
    for (int d = 1; d < DEVICES; d++)
        assert_int_equal(sums[d], sums[0]);
    return sums[0];
}

/* A span on the device's track of sums that begins then. */
static bool begins_a_sum(json_t *events, json_t *arrow_end)
{
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event)
    {
        if (is_phase(event, "X") && device_of(event) == device_of(arrow_end) &&
            vdnn_test_integer_at(event, "tid") == vdnn_test_integer_at(arrow_end, "tid") &&
            fabs(vdnn_test_number_at(event, "ts") - vdnn_test_number_at(arrow_end, "ts")) < 1e-9)
            return true;
    }
    return false;
}

static int count_arrows(json_t *events)
{
    static arrow arrows[MOST_FLOWS];
    int count = 0;
    size_t i;
    json_t *event;
    memset(arrows, 0, sizeof arrows);
    json_array_foreach(events, i, event)
    {
        if (!is_called(event, "summed"))
            continue;
        const json_int_t id = vdnn_test_integer_at(event, "id");
        assert_in_range(id, 0, MOST_FLOWS - 1);
        arrow *its = &arrows[id];
        const double now = vdnn_test_number_at(event, "ts");
        assert_true(its->ends == 0 ? is_phase(event, "s") : now >= its->last);
        assert_false(its->of[device_of(event)]);
        assert_true(begins_a_sum(events, event));
        its->of[device_of(event)] = true;
        its->last = now;
        its->ends++;
        its->starts += is_phase(event, "s");
        its->stops += is_phase(event, "f");
    }
    for (int k = 0; k < MOST_FLOWS; k++) {
        if (arrows[k].ends == 0)
            continue;
        assert_int_equal(arrows[k].ends, DEVICES);
        assert_int_equal(arrows[k].starts, 1);
        assert_int_equal(arrows[k].stops, 1);
        count++;
    }
    return count;
}

/* The events of a traced training; the caller frees the root. */
static json_t *trace(const char *folder, const char *options, json_t **root)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model @/net.yaml --device cpu --batch 8 --steps %d "
                      "--profile @/p --trace @/t.json %s",
                      (int)STEPS, options);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    *root = vdnn_test_json(vdnn_test_path(folder, "t.json"));
    json_t *events = json_object_get(*root, "traceEvents");
    expect_tracks(events);
    return events;
}

TEST_IN_FOLDER(every_device_has_a_track_and_every_sum_an_arrow)
{
    static const char *const ways[] = {"--devices 3", "--launch 3", "--devices 3 --shard optimizer",
                                       "--launch 3 --shard optimizer --policy all"};
    vdnn_test_network(*state);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        json_t *root, *events = trace(*state, ways[w], &root);
        const int sums = count_sums(events);
        assert_true(sums >= STEPS);
        assert_true(count_arrows(events) >= sums);
        json_decref(root);
    }
}

/* ---- stages of a pipeline -------------------------------------------------------------------- */

/* The name of the span of the arrow's end, which is called "send MAP", "receive MAP". */
static const char *spanned_by(json_t *events, json_t *arrow_end)
{
    size_t i;
    json_t *event;
    const double at = vdnn_test_number_at(arrow_end, "ts");
    json_array_foreach(events, i, event)
    {
        if (!is_phase(event, "X") || device_of(event) != device_of(arrow_end) ||
            vdnn_test_integer_at(event, "tid") != vdnn_test_integer_at(arrow_end, "tid"))
            continue;
        const double start = vdnn_test_number_at(event, "ts");
        if (start <= at + 1e-9 && at <= start + vdnn_test_number_at(event, "dur") + 1e-9)
            return vdnn_test_text_at(event, "name");
    }
    fail_msg("no span at %g", at);
    return NULL;
}

static int count_spans(json_t *events, const char *verb)
{
    int count = 0;
    size_t i;
    json_t *event;
    json_array_foreach(events, i, event) if (is_phase(event, "X")) count +=
        strncmp(vdnn_test_text_at(event, "name"), verb, strlen(verb)) == 0;
    return count;
}

/* Both ends of an arrow come one after the other, on neighbors, of the same map. */
static int count_sent(json_t *events)
{
    int count = 0;
    size_t i;
    json_t *event, *sends = NULL;
    json_array_foreach(events, i, event)
    {
        if (!is_called(event, "sent"))
            continue;
        if (is_phase(event, "s")) {
            assert_null(sends);
            sends = event;
            continue;
        }
        assert_true(is_phase(event, "f"));
        assert_non_null(sends);
        assert_int_equal(abs(device_of(event) - device_of(sends)), 1);
        assert_true(vdnn_test_integer_at(event, "id") == vdnn_test_integer_at(sends, "id"));
        const char *sent = spanned_by(events, sends), *received = spanned_by(events, event);
        assert_int_equal(strncmp(sent, "send ", 5), 0);
        assert_int_equal(strncmp(received, "receive ", 8), 0);
        assert_string_equal(sent + 5, received + 8);
        sends = NULL;
        count++;
    }
    assert_null(sends);
    return count;
}

#define STAGES "--stages 3 --micro-batches 2 "

TEST_IN_FOLDER(what_a_stage_sends_has_an_arrow_to_its_receive)
{
    static const char *const ways[] = {STAGES "--devices 3", STAGES "--launch 3 --schedule gpipe"};
    vdnn_test_network(*state);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        json_t *root, *events = trace(*state, ways[w], &root);
        const int sends = count_spans(events, "send ");
        assert_true(sends >= STEPS * 2 * 2 * 2); /* up and down two cuts in two micro-batches */
        assert_int_equal(count_spans(events, "receive "), sends);
        assert_int_equal(count_sent(events), sends);
        json_decref(root);
    }
}
