/* What is written about a network, for programs and for people, is read again with the names that
 * the network has: JSON, traces, weights, plans, and reports in all formats. The first byte of an
 * input says which of them; the lines behind it are the names of the network and of three layers,
 * as YAML has them between quotes. */

#include "policies/registry.h"
#include "runtime/data/tensors/safetensors.h"
#include "runtime/fit/explain.h"
#include "runtime/report/report.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memory_files.h"
#include "tests/fuzz/written.h"
#include "tests/support/policy_ask.h"
#include "tests/support/test_profile.h"
#include "traces/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 4, NAME_BYTES = 400, LAYERS = 4, MOST_STEPS = 256 };

#define TRACE "trace.json"
#define TENSORS VDNN_MEMORY_FILES "/weights"

/* ---- the network ----------------------------------------------------------------------------- */

static vdnn_status make_model(char *const names[NAMES], vdnn_model **model)
{
    static char yaml[NAMES * NAME_BYTES + 1024];
    int length = snprintf(yaml, sizeof yaml,
                          "name: \"%s\"\n"
                          "input: {channels: 1, height: 4, width: 4}\n"
                          "classes: 2\n"
                          "batch: 2\n"
                          "layers:\n"
                          "  - {name: \"%s\", type: conv, out: 2, kernel: 3, pad: 1}\n"
                          "  - {name: \"%s\", type: conv, out: 2, kernel: 1}\n"
                          "  - {name: \"%s\", type: fc, out: 2}\n"
                          "  - {name: l, type: softmax_loss}\n",
                          names[0], names[1], names[2], names[3]);
    VDNN_FUZZ_CHECK(length > 0 && (size_t)length < sizeof yaml);
    return vdnn_model_parse(yaml, (size_t)length, "net.yaml", model);
}

static void split(const uint8_t *data, size_t size, char *const names[NAMES])
{
    size_t at = 0;
    for (int n = 0; n < NAMES; n++) {
        size_t length = 0;
        for (; at < size && data[at] != '\n'; at++)
            if (length + 1 < NAME_BYTES)
                names[n][length++] = (char)data[at];
        names[n][length] = '\0';
        at += at < size;
    }
}

/* Made once: plans do not depend on names. What a step or buffer is called is a pointer to one. */
static struct {
    vdnn_graph *graph;
    vdnn_setup setup;
    vdnn_plan *plan;
} own;

static void make_plan(void)
{
    static char names[NAMES][NAME_BYTES] = {"net", "a", "b", "c"};
    static char *const list[NAMES] = {names[0], names[1], names[2], names[3]};
    vdnn_graph_options options = {.rules = VDNN_RULES_PAPER};
    vdnn_setup *setup = &own.setup;
    vdnn_model *model = NULL;
    VDNN_FUZZ_CHECK(make_model(list, &model) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_graph_create(model, &options, &own.graph) == VDNN_OK);
    vdnn_model_destroy(model);
    VDNN_FUZZ_CHECK(own.graph->layer_count == LAYERS);
    VDNN_FUZZ_CHECK(vdnn_test_profile_of(own.graph, VDNN_TEST_ROWS_FAKE, &setup->profile) ==
                    VDNN_OK);
    const vdnn_device_options alone = {.threads = 1, .event_count = 1};
    VDNN_FUZZ_CHECK(vdnn_device_open("cpu", &alone, &setup->device) == VDNN_OK);
    setup->graph = own.graph;
    setup->properties = (vdnn_device_properties){.kind = "sim", .name = "a card", .simulated = 1};
    setup->budget_bytes[VDNN_TIER_DEVICE] = setup->budget_bytes[VDNN_TIER_HOST] = (size_t)1 << 40;
    vdnn_policy_ask request = {.graph = own.graph,
                               .profile = setup->profile,
                               .budget_bytes = {(size_t)1 << 40, (size_t)1 << 40}};
    VDNN_FUZZ_CHECK(vdnn_policy_ask_plan(vdnn_policy_find("all"), &request, &own.plan, NULL) ==
                    VDNN_OK);
    VDNN_FUZZ_CHECK(own.plan->step_count <= MOST_STEPS && own.plan->offload_bytes > 0);
}

/* Where the plan has one of the names of `from`, it has that of `to` afterwards. */
static void rename_label(const char **label, char *const from[LAYERS], char *const to[LAYERS])
{
    for (int l = 0; l < LAYERS; l++)
        if (strcmp(*label, from[l]) == 0) {
            *label = to[l];
            return;
        }
}

static void rename_layers(char *network, char *const from[LAYERS], char *const to[LAYERS])
{
    own.graph->name = network;
    for (int l = 0; l < LAYERS; l++)
        own.graph->layers[l].name = to[l];
    for (int32_t s = 0; s < own.plan->step_count; s++)
        rename_label(&own.plan->steps[s].label, from, to);
    for (int32_t b = 0; b < own.plan->buffer_count; b++)
        rename_label(&own.plan->buffers[b].label, from, to);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static bool is_text(const json_t *object, const char *key, const char *wanted)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL && strcmp(text, wanted) == 0;
}

static void check_json(const vdnn_text *text, const vdnn_graph *graph)
{
    json_t *root = vdnn_written_json(text->data, text->length), *layers;
    VDNN_FUZZ_CHECK(is_text(root, "model", graph->name));
    layers = json_object_get(root, "layers");
    VDNN_FUZZ_CHECK(json_array_size(layers) == LAYERS);
    for (int32_t l = 0; l < LAYERS; l++)
        VDNN_FUZZ_CHECK(is_text(json_array_get(layers, (size_t)l), "name", graph->layers[l].name));
    json_decref(root);
}

static void check_trace(const vdnn_plan *plan)
{
    static vdnn_span spans[MOST_STEPS];
    vdnn_timeline timeline = {.plan = plan, .spans = spans};
    vdnn_timeline_writer *writer = NULL;
    const void *bytes;
    size_t count, found = 0;
    json_t *event;
    VDNN_FUZZ_CHECK(vdnn_timeline_writer_create(VDNN_MEMORY_FILES "/" TRACE, &writer) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_timeline_writer_add(writer, 0, &timeline, 1) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_timeline_writer_close(writer) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_memory_files_get(TRACE, &bytes, &count));
    json_t *root = vdnn_written_json(bytes, count), *args;
    json_t *events = json_object_get(root, "traceEvents");
    for (size_t i = 0; (event = json_array_get(events, i)) != NULL; i++) {
        args = json_object_get(event, "args");
        if (!is_text(event, "ph", "X") || json_object_get(args, "plan_step") == NULL)
            continue;
        int32_t layer = plan->steps[found++].layer;
        VDNN_FUZZ_CHECK(layer < 0 || is_text(args, "layer", plan->graph->layers[layer].name));
    }
    VDNN_FUZZ_CHECK(found == (size_t)plan->step_count);
    json_decref(root);
}

/* ---- weights --------------------------------------------------------------------------------- */

static void check_weights(const vdnn_graph *graph)
{
    static const float value = 1;
    static const int64_t one = 1;
    vdnn_safetensors_entry entries[LAYERS];
    vdnn_safetensors *file = NULL;
    for (int32_t l = 0; l < LAYERS; l++)
        entries[l] = (vdnn_safetensors_entry){
            .name = graph->layers[l].name, .dims = &one, .dim_count = 1, .floats = &value};
    VDNN_FUZZ_CHECK(vdnn_safetensors_write(TENSORS, entries, LAYERS) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_safetensors_open(TENSORS, &file) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_safetensors_count(file) == LAYERS);
    for (int32_t l = 0; l < LAYERS; l++) {
        float found = 0;
        vdnn_status status = vdnn_safetensors_read(file, entries[l].name, &one, 1, &found);
        VDNN_FUZZ_CHECK(status == VDNN_OK && found == value);
    }
    vdnn_safetensors_close(file);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void check_report(const vdnn_setup *setup, vdnn_plan *plan, vdnn_report_format format)
{
    vdnn_report_row row = {.setup = setup, .policy = vdnn_policy_find("all"), .plan = plan};
    static const vdnn_report_options nothing = {.size = sizeof nothing};
    static const vdnn_print_options plain = {.size = sizeof plain};
    vdnn_report report = {.options.ask = {.report = &nothing, .print = &plain},
                          .setup = *setup,
                          .rows = &row,
                          .row_count = 1};
    const char *name = setup->graph->name;
    vdnn_text text = {0};
    VDNN_FUZZ_CHECK(vdnn_report_write(&report, format, &text) == VDNN_OK);
    vdnn_written_people(&text);
    if (format == VDNN_REPORT_JSON)
        check_json(&text, setup->graph);
    if (format == VDNN_REPORT_CSV)
        vdnn_written_csv(&text, 2);
    if (format == VDNN_REPORT_MARKDOWN)
        vdnn_written_markdown(&text, name, 1);
    if (format == VDNN_REPORT_HTML)
        vdnn_written_html(&text, name);
    vdnn_text_fini(&text);
}

static void check_run(const vdnn_setup *setup, const vdnn_plan *plan)
{
    vdnn_text text = {0};
    vdnn_record record = {.setup = setup, .plan = plan, .policy = "all", .algo = "m"};
    VDNN_FUZZ_CHECK(vdnn_record_json(&record, &text) == VDNN_OK);
    check_json(&text, setup->graph);
    vdnn_text_fini(&text);
}

static void check_words(const vdnn_setup *setup, const vdnn_plan *plan)
{
    vdnn_text text = {0};
    vdnn_record record = {.setup = setup, .plan = plan, .policy = "all", .algo = "m"};
    vdnn_explanation explanation = {.setup = setup,
                                    .plan = plan,
                                    .asked = {.policy = vdnn_policy_find("all")},
                                    .largest_count = 1};
    VDNN_FUZZ_CHECK(vdnn_record_footprint(&record, &text) == VDNN_OK);
    VDNN_FUZZ_CHECK(vdnn_explain_print(&explanation, &text) == VDNN_OK);
    vdnn_written_people(&text);
    vdnn_text_fini(&text);
}

static void check_plan(const vdnn_plan *plan)
{
    vdnn_text text = {0};
    VDNN_FUZZ_CHECK(vdnn_plan_print(plan, &text) == VDNN_OK);
    vdnn_written_people(&text);
    vdnn_written_plan(&text, plan);
    vdnn_text_fini(&text);
}

/* One of all that is written: each takes longer than reading the names. */
static void check_one(unsigned which, const vdnn_setup *setup, vdnn_plan *plan)
{
    enum { FORMATS = VDNN_REPORT_ALGORITHMS + 1, RUN = FORMATS, WORDS, PLAN, TRACES, WEIGHTS, ALL };
    which %= ALL;
    if (which < FORMATS)
        check_report(setup, plan, (vdnn_report_format)which);
    else if (which == RUN)
        check_run(setup, plan);
    else if (which == WORDS)
        check_words(setup, plan);
    else if (which == PLAN)
        check_plan(plan);
    else if (which == TRACES)
        check_trace(plan);
    else
        check_weights(setup->graph);
}

/* The labels that no layer has, as "begin", keep their own when the names are put back. */
static bool is_label(const char *name)
{
    static const char *const labels[] = {"begin", "end", "labels", "input", "shared"};
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (strcmp(name, labels[i]) == 0)
            return true;
    return false;
}

static void check_names(unsigned which, const vdnn_model *model)
{
    char *before[LAYERS], *now[LAYERS], *network = own.graph->name;
    for (int l = 0; l < LAYERS; l++) {
        before[l] = own.graph->layers[l].name;
        now[l] = model->layers[l].name;
        if (is_label(now[l]))
            return;
    }
    rename_layers(model->name, before, now);
    check_one(which, &own.setup, own.plan);
    rename_layers(network, now, before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char names[NAMES][NAME_BYTES];
    static char *const list[NAMES] = {names[0], names[1], names[2], names[3]};
    vdnn_model *model = NULL;
    if (size == 0)
        return 0;
    if (own.plan == NULL)
        make_plan();
    vdnn_fuzz_begin();
    split(data + 1, size - 1, list);
    vdnn_status status = make_model(list, &model);
    vdnn_fuzz_status(status, 1U << VDNN_BAD_INPUT);
    if (status == VDNN_OK && model->layer_count == LAYERS)
        check_names(data[0], model);
    vdnn_model_destroy(model);
    return vdnn_fuzz_end();
}
