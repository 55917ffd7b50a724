/* Times of layers in parts on a device that computes: those of the store, else shares of the whole
 * layer's and what other parts took beyond theirs; and a plan's parts are measured. */

#include "runtime/fit/fit.h"
#include "runtime/profile/profile_store.h"
#include "runtime/setup/run_options.h"
#include "runtime/setup/variants.h"
#include "tests/support/files.h"
#include "tests/support/run_program.h"
#include "tests/support/session_topics.h"
#include "tests/support/vdnn_test.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char network[] = "name: small\n"
                              "input: {channels: 3, height: 24, width: 24}\n"
                              "classes: 10\n"
                              "batch: 16\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: conv2, type: conv, out: 32, kernel: 3, pad: 1}\n"
                              "  - {name: pool2, type: maxpool, kernel: 2, stride: 2}\n"
                              "  - {name: fc, type: fc, out: 10}\n"
                              "  - {name: loss, type: softmax_loss}\n";

enum { BATCH = 16, MOST_LAYERS = 16 };

#define TOLD "measured, the parts of the planned step of "
#define ANEW "a step takes "

static const char *repeated; /* the JSON of a run whose algorithms are taken; NULL: none */

static int calls_before_a_signal = -1; /* negative: there is none */

static vdnn_status is_interrupted(void *argument)
{
    (void)argument;
    return calls_before_a_signal < 0 || calls_before_a_signal-- > 0 ? VDNN_OK : VDNN_INTERRUPTED;
}

typedef struct rig {
    char model[256], profile[256], device_mem[32];
    vdnn_run_options options;
    vdnn_messages silent;
    vdnn_setup setup;
    int32_t conv1;
} rig;

static void begin(rig *r, const char *folder, const char *device, const char *device_mem)
{
    *r = (rig){.conv1 = -1};
    (void)snprintf(r->model, sizeof r->model, "%s/small.yaml", folder);
    (void)snprintf(r->profile, sizeof r->profile, "%s/profile", folder);
    (void)snprintf(r->device_mem, sizeof r->device_mem, "%s", device_mem);
    vdnn_test_write_file(r->model, network, sizeof network - 1);
    const vdnn_session_options given = {
        .size = sizeof given,
        .model = r->model,
        .device = device,
        .device_mem = r->device_mem,
        .host_mem = "1G",
        .policy = "opt",
        .planning = vdnn_test_topic(planning, .plan_trials = 300, .algos = repeated),
        .threads = 2,
        .profile = strcmp(device, "cpu") == 0 ? r->profile : NULL};
    assert_ok(vdnn_messages_take(NULL, &r->silent));
    r->silent.interrupted = is_interrupted;
    assert_ok(vdnn_run_options_init(&given, &r->options));
    assert_ok(vdnn_setup_begin(&r->options, &r->silent, &r->setup));
    assert_ok(vdnn_setup_measure(&r->options, &r->silent, &r->setup));
    for (int32_t l = 0; l < r->setup.graph->layer_count; l++)
        r->conv1 = strcmp(r->setup.graph->layers[l].name, "conv1") == 0 ? l : r->conv1;
    assert_in_range(r->conv1, 0, MOST_LAYERS);
}

static void end(rig *r)
{
    vdnn_setup_end(&r->setup);
    vdnn_run_options_fini(&r->options);
}

/* Of all layers in as many parts. */
static void find(const rig *r, int32_t count, const vdnn_graph **graph,
                 const vdnn_profile **profile)
{
    int32_t parts[MOST_LAYERS] = {0};
    assert_in_range(r->setup.graph->layer_count, 1, MOST_LAYERS);
    vdnn_graph_in_parts(r->setup.graph, count, parts);
    assert_ok(vdnn_setup_variants_find(r->setup.variants, parts, graph, profile));
}

static const vdnn_choice *first_choice(const vdnn_profile *profile, int32_t layer)
{
    return &profile->layers[layer].choices[VDNN_FORWARD][0];
}

/* conv1's forward pass in these parts by the algorithm that is the whole layer's first; another one
 * may be the first of parts. */
static const vdnn_choice *same_choice(const rig *r, const vdnn_profile *profile)
{
    const vdnn_algorithm *wanted = first_choice(r->setup.profile, r->conv1)->algorithm;
    const vdnn_layer_profile *layer = &profile->layers[r->conv1];
    for (int32_t k = 0; k < layer->choice_count[VDNN_FORWARD]; k++)
        if (layer->choices[VDNN_FORWARD][k].algorithm == wanted)
            return &layer->choices[VDNN_FORWARD][k];
    fail_msg("no parts by %s", wanted->name);
    return NULL;
}

static double seconds_in(const rig *r, int32_t count)
{
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    find(r, count, &graph, &profile);
    return same_choice(r, profile)->seconds;
}

/* As if each of so many parts had been measured. */
static void store(const rig *r, int32_t count, double seconds, bool is_brief)
{
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    find(r, count, &graph, &profile);
    const vdnn_layer *part = vdnn_graph_part_layer(graph, r->conv1, 0);
    const vdnn_profile_row row = {.signature = part->signature,
                                  .algorithm = same_choice(r, profile)->algorithm->name,
                                  .pass = VDNN_FORWARD,
                                  .batch = part->x[0].dims[VDNN_N],
                                  .seconds = seconds,
                                  .is_brief = is_brief};
    assert_ok(vdnn_profile_store_add(r->setup.store, &row));
    assert_ok(vdnn_setup_variants_learn(r->setup.variants));
}

static void expect(double found, double wanted)
{
    if (fabs(found - wanted) > 1e-9 * wanted)
        fail_msg("%.9g, expected %.9g", found, wanted);
}

/* ---- what is known --------------------------------------------------------------------------- */

TEST_IN_FOLDER(parts_take_their_share_until_some_are_measured)
{
    rig r;
    begin(&r, *state, "cpu", "1G");
    const double whole = first_choice(r.setup.profile, r.conv1)->seconds;
    for (int32_t count = 2; count <= 16; count *= 2)
        expect(seconds_in(&r, count), whole);
    store(&r, 4, 3 * whole / 4, true); /* of a short run */
    expect(seconds_in(&r, 4), whole);
    end(&r);
}

TEST_IN_FOLDER(what_is_beyond_the_share_stays_in_smaller_parts)
{
    rig r;
    begin(&r, *state, "cpu", "1G");
    const double whole = first_choice(r.setup.profile, r.conv1)->seconds;
    store(&r, 4, 3 * whole / 4, false);
    expect(seconds_in(&r, 4), 3 * whole);
    expect(seconds_in(&r, 8), whole + 8 * whole / 2);
    expect(seconds_in(&r, 2), whole + 2 * whole / 2);
    expect(first_choice(r.setup.profile, r.conv1)->seconds, whole);
    store(&r, 8, 2 * whole / 8, false); /* the smallest that are known count */
    expect(seconds_in(&r, 4), 3 * whole);
    expect(seconds_in(&r, 8), 2 * whole);
    expect(seconds_in(&r, 16), whole + 16 * whole / 8);
    end(&r);
}

TEST_IN_FOLDER(parts_that_take_less_than_their_share_make_no_others_faster)
{
    rig r;
    begin(&r, *state, "cpu", "1G");
    const double whole = first_choice(r.setup.profile, r.conv1)->seconds;
    store(&r, 4, whole / 8, false);
    expect(seconds_in(&r, 4), whole / 2);
    expect(seconds_in(&r, 8), whole);
    end(&r);
}

/* ---- a plan ---------------------------------------------------------------------------------- */

static vdnn_fit_request request_of(const rig *r)
{
    return (vdnn_fit_request){
        .setup = &r->setup, .policy = r->options.policy, .algo = r->options.algo};
}

/* The smallest budget needs parts. */
static void begin_small(rig *r, const char *folder, const char *device, vdnn_fit_plans *plans)
{
    char device_mem[32];
    size_t bytes = 0;
    begin(r, folder, device, "1G");
    vdnn_fit_request request = request_of(r);
    assert_ok(vdnn_fit_plan(&request, plans));
    assert_ok(vdnn_fit_smallest(&request, plans, &bytes));
    vdnn_fit_plans_fini(plans);
    end(r);
    (void)snprintf(device_mem, sizeof device_mem, "%zu", bytes);
    begin(r, folder, device, device_mem);
    request = request_of(r);
    assert_ok(vdnn_fit_plan(&request, plans));
    assert_true(plans->training->graph != r->setup.graph);
}

/* Rows of the parts that the plan's algorithms lack. */
static int count_missing(const rig *r, const vdnn_plan *plan)
{
    int missing = 0;
    const vdnn_graph *graph = plan->graph;
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++)
            for (int32_t i = 0; i < vdnn_graph_part_count(graph, l); i++) {
                const vdnn_layer *part = vdnn_graph_part_layer(graph, l, i);
                const vdnn_algorithm *chosen = plan->algorithms[l][p];
                vdnn_profile_row row = {.signature = part->signature,
                                        .algorithm = chosen == NULL ? "" : chosen->name,
                                        .pass = (vdnn_pass)p,
                                        .batch = part->x[0].dims[VDNN_N]};
                missing += chosen != NULL && vdnn_graph_part_at(graph, l, i) != NULL &&
                           !vdnn_profile_store_find(r->setup.store, &row);
            }
    return missing;
}

TEST_IN_FOLDER(the_parts_of_a_plan_are_measured_once)
{
    rig r;
    vdnn_fit_plans plans = {0};
    double late, again;
    begin_small(&r, *state, "cpu", &plans);
    const size_t before = vdnn_profile_store_measured_count(r.setup.store);
    assert_true(count_missing(&r, plans.training) > 0);
    assert_ok(vdnn_setup_variants_measure(r.setup.variants, plans.training, &late));
    const size_t after = vdnn_profile_store_measured_count(r.setup.store);
    assert_true(after > before);
    assert_int_equal(count_missing(&r, plans.training), 0);
    assert_ok(vdnn_setup_variants_measure(r.setup.variants, plans.training, &again));
    assert_int_equal(vdnn_profile_store_measured_count(r.setup.store), after);
    assert_true(again == late);
    const size_t rows = vdnn_profile_store_row_count(r.setup.store);
    vdnn_fit_plans_fini(&plans);
    end(&r);
    begin(&r, *state, "cpu", "1G"); /* the file has them */
    assert_int_equal(vdnn_profile_store_row_count(r.setup.store), rows);
    assert_int_equal(vdnn_profile_store_measured_count(r.setup.store), 0);
    end(&r);
}

TEST_IN_FOLDER(a_device_model_knows_parts)
{
    rig r;
    vdnn_fit_plans plans = {0};
    double late = 1;
    begin_small(&r, *state, "sim:models/devices/titan-x-maxwell.yaml", &plans);
    assert_ok(vdnn_setup_variants_measure(r.setup.variants, plans.training, &late));
    assert_true(late == 0);
    vdnn_fit_plans_fini(&plans);
    end(&r);
}

/* What was measured on the processor, as a device. */
static const char *record(const char *folder, char device[512])
{
    rig r;
    begin(&r, folder, "cpu", "1G");
    end(&r);
    (void)snprintf(device, 512, "sim:%s/profile", folder);
    return device;
}

/* The choices of every layer in as many parts take its whole, but for conv1 in four. */
static void expect_shares(const rig *r, int32_t count, double conv1_in_four)
{
    const vdnn_graph *graph;
    const vdnn_profile *profile;
    find(r, count, &graph, &profile);
    for (int32_t l = 0; l < graph->layer_count; l++)
        for (int p = 0; p < VDNN_PASS_COUNT; p++) {
            const vdnn_layer_profile *own = &profile->layers[l],
                                     *whole = &r->setup.profile->layers[l];
            assert_int_equal(own->choice_count[p], whole->choice_count[p]);
            for (int32_t i = 0; i < own->choice_count[p]; i++) {
                const bool is_measured = count == 4 && l == r->conv1 && p == VDNN_FORWARD && i == 0;
                expect(own->choices[p][i].seconds,
                       is_measured ? conv1_in_four : whole->choices[p][i].seconds);
                assert_true(own->choices[p][i].workspace_bytes <=
                            whole->choices[p][i].workspace_bytes);
            }
        }
}

TEST_IN_FOLDER(a_recording_has_the_parts_that_were_measured_and_shares_of_others)
{
    rig r;
    char device[512];
    begin(&r, *state, "cpu", "1G");
    const double measured = 1.5 * first_choice(r.setup.profile, r.conv1)->seconds;
    store(&r, 4, measured / 4, false);
    assert_ok(vdnn_setup_keep(&r.setup, VDNN_OK));
    end(&r);
    begin(&r, *state, record(*state, device), "1G");
    for (int32_t count = 2; count <= 16; count *= 2)
        expect_shares(&r, count, measured);
    end(&r);
}

TEST_IN_FOLDER(a_recording_plans_in_parts)
{
    rig r;
    vdnn_fit_plans plans = {0};
    double late = 1;
    char device[512];
    begin_small(&r, *state, record(*state, device), &plans);
    assert_ok(vdnn_setup_variants_measure(r.setup.variants, plans.training, &late));
    assert_true(late == 0);
    vdnn_fit_plans_fini(&plans);
    end(&r);
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model @/small.yaml --policy opt --plan-trials 300 --device-mem %s "
                      "--host-mem 1G --steps 2 --device sim:@/profile",
                      r.device_mem);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(whole_layers_and_no_variants_have_nothing_to_measure)
{
    rig r;
    vdnn_fit_plans plans = {0};
    double late = 1;
    begin(&r, *state, "cpu", "1G");
    const size_t before = vdnn_profile_store_measured_count(r.setup.store);
    vdnn_fit_request request = request_of(&r);
    assert_ok(vdnn_fit_plan(&request, &plans));
    assert_ok(vdnn_setup_variants_measure(r.setup.variants, plans.training, &late));
    assert_true(late == 0);
    late = 1;
    assert_ok(vdnn_setup_variants_measure(NULL, plans.training, &late));
    assert_true(late == 0);
    assert_int_equal(vdnn_profile_store_measured_count(r.setup.store), before);
    vdnn_fit_plans_fini(&plans);
    end(&r);
}

TEST_IN_FOLDER(a_signal_ends_measuring_and_what_was_measured_stays)
{
    rig r;
    vdnn_fit_plans plans = {0};
    double late;
    begin_small(&r, *state, "cpu", &plans);
    const size_t before = vdnn_profile_store_measured_count(r.setup.store);
    calls_before_a_signal = 2;
    assert_int_equal(vdnn_setup_variants_measure(r.setup.variants, plans.training, &late),
                     VDNN_INTERRUPTED);
    calls_before_a_signal = -1;
    assert_int_equal(vdnn_profile_store_measured_count(r.setup.store), before + 2);
    vdnn_fit_plans_fini(&plans);
    end(&r);
}

/* ---- a search from the last ------------------------------------------------------------------ */

static bool lasts(void *argument, int64_t trials)
{
    (void)argument;
    return trials < 2000;
}

static double plan_from(const rig *r, vdnn_policy_last *last, const vdnn_policy_patience *patience)
{
    vdnn_fit_plans plans = {0};
    vdnn_fit_request request = request_of(r);
    request.last = last;
    request.patience = patience;
    assert_ok(vdnn_fit_plan(&request, &plans));
    const double seconds = plans.training->step_seconds;
    vdnn_fit_plans_fini(&plans);
    return seconds;
}

/* Where it finds nothing else, what was decided last is the plan, at the times that are known. */
TEST_IN_FOLDER(a_search_begins_with_what_was_decided_last)
{
    static const vdnn_policy_patience patience = {lasts, NULL};
    rig r;
    vdnn_fit_plans plans = {0};
    vdnn_policy_last last = {.is_known = false};
    char device[512], device_mem[32];
    begin_small(&r, *state, record(*state, device), &plans);
    vdnn_fit_plans_fini(&plans);
    (void)snprintf(device_mem, sizeof device_mem, "%zu",
                   r.setup.budget_bytes[VDNN_TIER_DEVICE] / 4 * 5);
    end(&r);
    begin(&r, *state, device, device_mem);
    const double hasty = plan_from(&r, NULL, NULL), searched = plan_from(&r, &last, &patience);
    assert_true(last.is_known);
    assert_true(searched < hasty);
    const int64_t trials = last.decisions.trials;
    expect(plan_from(&r, &last, NULL), searched);
    assert_true(trials >= 1000 && last.decisions.trials == trials);
    vdnn_policy_last_fini(&last);
    end(&r);
}

/* Less memory than it takes: as if nothing were known. */
TEST_IN_FOLDER(what_was_decided_last_and_does_not_fit_is_left)
{
    static const vdnn_policy_patience patience = {lasts, NULL};
    rig r;
    vdnn_fit_plans plans = {0};
    vdnn_policy_last last = {.is_known = false};
    char device[512];
    begin_small(&r, *state, record(*state, device), &plans);
    vdnn_fit_plans_fini(&plans);
    const double smallest = plan_from(&r, NULL, NULL);
    const size_t bytes = r.setup.budget_bytes[VDNN_TIER_DEVICE];
    r.setup.budget_bytes[VDNN_TIER_DEVICE] = 2 * bytes;
    (void)plan_from(&r, &last, &patience);
    r.setup.budget_bytes[VDNN_TIER_DEVICE] = bytes;
    expect(plan_from(&r, &last, NULL), smallest);
    vdnn_policy_last_fini(&last);
    end(&r);
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* Rows of the file whose batch is smaller than the network's. */
static int rows_of_parts(const char *path)
{
    vdnn_profile_store *file;
    int count = 0;
    assert_ok(vdnn_profile_store_open(path, &file));
    for (size_t i = 0; i < vdnn_profile_store_row_count(file); i++)
        count += vdnn_profile_store_row(file, i).batch < BATCH;
    vdnn_profile_store_destroy(file);
    return count;
}

TEST_IN_FOLDER(a_run_measures_the_parts_of_its_plan)
{
    static const struct {
        const char *budget;
        bool needs_parts;
    } cases[] = {{"1G", false}, {NULL, true}};
    rig r;
    vdnn_fit_plans plans = {0};
    begin_small(&r, *state, "cpu", &plans);
    vdnn_fit_plans_fini(&plans);
    end(&r);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *budget = cases[i].budget == NULL ? r.device_mem : cases[i].budget;
        vdnn_test_run run;
        vdnn_test_program(
            &run, *state,
            "vdnnrun --model @/small.yaml --policy opt --plan-trials 300 --device-mem "
            "%s --host-mem 1G --threads 2 --steps 2 --profile @/profile",
            budget);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        assert_int_equal(rows_of_parts(r.profile) > 0, cases[i].needs_parts);
    }
}

/* What is printed has six places. */
/* The profile of a file with whole layers that take a thousandth. */
static void shrink_times(const char *path)
{
    char *text, *line, *rest;
    size_t length;
    vdnn_test_read_file(path, &text, &length);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char head[4096], *end;
        double seconds;
        int bytes = 0;
        if (sscanf(line, "row %*s %*s %*s %*s %n%lf", &bytes, &seconds) != 1) {
            (void)fprintf(file, "%s\n", line);
            continue;
        }
        assert_in_range(bytes, 1, sizeof head - 1);
        (void)snprintf(head, sizeof head, "%.*s", bytes, line);
        seconds = strtod(line + bytes, &end);
        (void)fprintf(file, "%s%.17g%s\n", head, seconds / 1000, end);
    }
    (void)fclose(file);
    free(text);
}

/* A time as messages have it, "7.4 ms"; *at is behind it then. */
static double read_time(const char **at)
{
    static const struct {
        const char *text;
        double seconds;
    } units[] = {{" us", 1e-6}, {" ms", 1e-3}, {" s", 1}, {" min", 60}};
    char *end;
    const double number = strtod(*at, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(end, units[i].text, strlen(units[i].text)) == 0) {
            *at = end + strlen(units[i].text);
            return number * units[i].seconds;
        }
    fail_msg("no time: %s", *at);
    return 0;
}

/* As equal as times of two digits say. */
static bool is_near(double a, double b)
{
    return fabs(a - b) <= 0.06 * fmax(a, b);
}

/* Each of its lines tells the plan before, what that was measured to take more, and the plan behind
 * it. The last is no slower than any was measured to be. */
static void check_told(const char *err, const char *json)
{
    double planned, late, next = 0, least = HUGE_VAL;
    int count = 0;
    for (const char *at = err; (at = strstr(at, TOLD)) != NULL; count++) {
        const char *said = strstr(at, ANEW);
        at += strlen(TOLD);
        planned = read_time(&at);
        assert_memory_equal(at, " take ", strlen(" take "));
        at += strlen(" take ");
        late = read_time(&at);
        assert_non_null(said);
        assert_true(count == 0 || is_near(planned, next));
        least = fmin(least, planned + late);
        said += strlen(ANEW);
        next = read_time(&said);
        at = said;
    }
    assert_in_range(count, 1, 4);
    if (next > least && !is_near(next, least))
        fail_msg("%s", err);
    json_t *root = vdnn_test_json(json);
    const json_t *plan = json_object_get(root, "plan");
    assert_true(is_near(json_number_value(json_object_get(plan, "step_seconds")), next));
    json_decref(root);
}

/* By such a profile the parts of each plan are late; what is run has none that was not measured. */
TEST_IN_FOLDER(what_is_planned_anew_is_no_slower_than_what_was_measured)
{
    rig r;
    vdnn_fit_plans plans = {0};
    begin_small(&r, *state, "cpu", &plans);
    vdnn_fit_plans_fini(&plans);
    const size_t smallest = r.setup.budget_bytes[VDNN_TIER_DEVICE];
    end(&r);
    shrink_times(r.profile);
    char *whole, device_mem[32];
    size_t length;
    vdnn_test_read_file(r.profile, &whole, &length);
    for (size_t k = 8; k <= 11; k += 3) { /* eighths of the smallest budget */
        vdnn_test_run run;
        vdnn_test_write_file(r.profile, whole, length);
        (void)snprintf(device_mem, sizeof device_mem, "%zu", smallest / 8 * k + smallest % 8);
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/small.yaml --policy opt --plan-trials 40 --steps 1 "
                          "--device-mem %s --host-mem 1G --profile @/profile --threads 2 "
                          "--json @/run.json",
                          device_mem);
        vdnn_test_expect(&run, 0, "");
        check_told(run.err, vdnn_test_path(*state, "run.json"));
        vdnn_test_run_free(&run);
        repeated = vdnn_test_path(*state, "run.json");
        begin(&r, *state, "cpu", "1G");
        vdnn_fit_request request = request_of(&r);
        assert_ok(vdnn_fit_plan(&request, &plans));
        assert_int_equal(count_missing(&r, plans.training), 0);
        vdnn_fit_plans_fini(&plans);
        end(&r);
        repeated = NULL;
    }
    free(whole);
}
