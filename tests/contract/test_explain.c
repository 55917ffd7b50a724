/* --explain is correct: each of its remedies is tried, and fits exactly as stated. */

#include "runtime/base/numbers/rounded.h"
#include "runtime/fit/explain.h"
#include "runtime/setup/run_options.h"
#include "tests/support/run_json.h"
#include "tests/support/run_program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char network[] = "name: small\n"
                              "input: {channels: 3, height: 20, width: 20}\n"
                              "classes: 10\n"
                              "batch: 12\n"
                              "layers:\n"
                              "  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
                              "  - {name: relu1, type: relu}\n"
                              "  - {name: pool1, type: maxpool, kernel: 2, stride: 2}\n"
                              "  - {name: conv2, type: conv, out: 32, kernel: 3, pad: 1}\n"
                              "  - {name: norm2, type: batchnorm}\n"
                              "  - {name: relu2, type: relu}\n"
                              "  - {name: fc, type: fc, out: 10}\n"
                              "  - {name: loss, type: softmax_loss}\n";

static const vdnn_messages silent;

typedef struct rig {
    char model[256], profile[256];
    vdnn_session_options options;
    vdnn_run_options run_options;
    vdnn_setup setup;
    vdnn_fit_request request;
    vdnn_fit_plans plans;
} rig;

static void begin(rig *r, const vdnn_session_options *options)
{
    assert_ok(vdnn_run_options_init(options, &r->run_options));
    assert_ok(vdnn_setup_begin(&r->run_options, &silent, &r->setup));
    assert_ok(vdnn_setup_measure(&r->run_options, &silent, &r->setup));
    r->request = (vdnn_fit_request){.setup = &r->setup,
                                    .policy = r->run_options.policy,
                                    .algo = r->run_options.algo,
                                    .tests = true};
}

static void end(rig *r)
{
    vdnn_fit_plans_fini(&r->plans);
    vdnn_setup_end(&r->setup);
    vdnn_run_options_fini(&r->run_options);
}

static void prepare(rig *r, const char *folder)
{
    *r = (rig){0};
    (void)snprintf(r->model, sizeof r->model, "%s/small.yaml", folder);
    (void)snprintf(r->profile, sizeof r->profile, "%s/profile", folder);
    vdnn_test_write_file(r->model, network, sizeof network - 1);
    r->options = (vdnn_session_options){.size = sizeof r->options,
                                        .model = r->model,
                                        .device = "cpu",
                                        .device_mem = "1G",
                                        .host_mem = "1G",
                                        .threads = 2,
                                        .profile = r->profile};
}

static const char *algo_text(vdnn_algo_mode algo)
{
    return algo == VDNN_ALGO_M ? "m" : "p";
}

static const char *rules_text(vdnn_rules rules)
{
    return rules == VDNN_RULES_PAPER ? "paper" : "lean";
}

/* Does a run with these options fit so much? */
static bool fits(const rig *r, const vdnn_remedy *remedy, size_t device_bytes)
{
    rig other = {0};
    char device[32], host[32];
    vdnn_session_options options = r->options;
    (void)snprintf(device, sizeof device, "%zu", device_bytes);
    (void)snprintf(host, sizeof host, "%zu", remedy->host_bytes);
    options.device_mem = device;
    options.host_mem = host;
    options.batch = remedy->batch;
    options.accumulate = remedy->micro_batches;
    options.rules = rules_text(remedy->rules);
    options.dtype = vdnn_dtype_text(remedy->dtype);
    options.policy = remedy->policy->name;
    options.algo = algo_text(remedy->algo);
    begin(&other, &options);
    vdnn_status status = vdnn_fit_plan(&other.request, &other.plans);
    assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
    /* With the same profile, or nothing would be comparable. */
    assert_int_equal(vdnn_profile_store_measured_count(other.setup.store), 0);
    end(&other);
    return status == VDNN_OK;
}

static void follow(const rig *r, const vdnn_remedy *remedy)
{
    if (!fits(r, remedy, remedy->device_bytes))
        fail_msg("%s does not fit %zu bytes: %s", remedy->change, remedy->device_bytes,
                 vdnn_status_message());
    if (fits(r, remedy, remedy->device_bytes - 1))
        fail_msg("%s fits less than %zu bytes", remedy->change, remedy->device_bytes);
    if (fits(r, remedy, r->setup.budget_bytes[VDNN_TIER_DEVICE]) != remedy->fits)
        fail_msg("%s: \"fits\" is not what happens", remedy->change);
    assert_true(remedy->step_seconds > 0);
}

static void check_largest(const vdnn_explanation *explanation)
{
    const vdnn_plan *plan = explanation->plan;
    assert_in_range(explanation->largest_count, 1, VDNN_EXPLAIN_LARGEST);
    size_t sum = 0;
    for (size_t i = 0; i < explanation->largest_count; i++) {
        const vdnn_buffer *buffer = &plan->buffers[explanation->largest[i]];
        sum += buffer->bytes;
        assert_int_equal(buffer->tier, VDNN_TIER_DEVICE);
        if (i > 0)
            assert_true(buffer->bytes <= plan->buffers[explanation->largest[i - 1]].bytes);
    }
    assert_true(sum <= plan->peak_bytes[VDNN_TIER_DEVICE]);
}

/* A row that keeps the results stands before those that do not; of these the ones that fit, and of
 * these the fastest first. */
static void check_order(const vdnn_explanation *explanation)
{
    for (size_t i = 1; i < explanation->remedy_count; i++) {
        const vdnn_remedy *above = &explanation->remedies[i - 1], *own = &explanation->remedies[i];
        assert_true(above->results <= own->results);
        if (above->results != own->results)
            continue;
        assert_true(above->fits || !own->fits);
        if (above->fits == own->fits)
            assert_true(vdnn_remedy_rate(explanation, above) >= vdnn_remedy_rate(explanation, own));
    }
}

typedef struct explain_case {
    const char *policy;
    vdnn_algo_mode algo;
    vdnn_rules rules;
    int micro_batches;
    int permille;       /* of what the plan takes: the budget */
    const char *wanted; /* a remedy that must be among them; NULL: any */
} explain_case;

/* Where a remedy is named, no measured time decides whether it helps. */
static const explain_case cases[] = {
    {"base", VDNN_ALGO_M, VDNN_RULES_PAPER, 1, 900, "--rules lean"},
    {"conv", VDNN_ALGO_M, VDNN_RULES_LEAN, 1, 990, "--policy all"},
    {"all", VDNN_ALGO_M, VDNN_RULES_LEAN, 1, 700, "--batch "},
    {"dyn", VDNN_ALGO_P, VDNN_RULES_LEAN, 1, 950, NULL},
    {"conv", VDNN_ALGO_P, VDNN_RULES_LEAN, 1, 300, "--policy dyn"},
    {"all", VDNN_ALGO_M, VDNN_RULES_PAPER, 1, 3000, "--batch "},
    {"all", VDNN_ALGO_M, VDNN_RULES_LEAN, 5, 2000, "--batch "},
};

static void check_case(const char *folder, const explain_case *one)
{
    rig r;
    vdnn_explanation explanation;
    vdnn_text text = {0};
    prepare(&r, folder);
    r.options.rules = rules_text(one->rules);
    r.options.policy = one->policy;
    r.options.algo = algo_text(one->algo);
    r.options.accumulate = one->micro_batches;
    begin(&r, &r.options);
    assert_ok(vdnn_fit_plan(&r.request, &r.plans));
    r.setup.budget_bytes[VDNN_TIER_DEVICE] =
        r.plans.span_bytes[VDNN_TIER_DEVICE] / 1000 * (size_t)one->permille;
    vdnn_fit_plans_fini(&r.plans);
    vdnn_status status = vdnn_fit_plan(&r.request, &r.plans);
    assert_true(status == VDNN_OK || status == VDNN_NO_FIT);
    assert_ok(vdnn_explain_make(&r.request, &r.plans, NULL, &explanation));
    assert_ok(vdnn_profile_store_write(r.setup.store, r.profile));
    assert_ok(vdnn_explain_print(&explanation, &text));
    assert_int_equal(explanation.asked.fits, status == VDNN_OK);
    follow(&r, &explanation.asked);
    bool found = one->wanted == NULL;
    for (size_t i = 0; i < explanation.remedy_count; i++) {
        follow(&r, &explanation.remedies[i]);
        found =
            found || strncmp(explanation.remedies[i].change, one->wanted, strlen(one->wanted)) == 0;
        assert_non_null(strstr(text.data, explanation.remedies[i].change));
    }
    if (!found)
        fail_msg("%s, %d permille: no remedy \"%s\" in\n%s", one->policy, one->permille,
                 one->wanted, text.data);
    check_largest(&explanation);
    check_order(&explanation);
    vdnn_text_fini(&text);
    end(&r);
}

TEST_IN_FOLDER(every_remedy_does_what_it_says)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(*state, &cases[i]);
}

/* On a device whose algorithms take as much workspace in either type. */
TEST_IN_FOLDER(another_data_type_is_a_remedy)
{
    rig r;
    vdnn_explanation explanation;
    prepare(&r, *state);
    r.options.model = "models/alexnet.yaml";
    r.options.device = "sim:models/devices/a100.yaml";
    r.options.device_mem = "650MiB";
    r.options.policy = "conv";
    r.options.algo = "m";
    r.options.profile = NULL;
    begin(&r, &r.options);
    assert_status(vdnn_fit_plan(&r.request, &r.plans), VDNN_NO_FIT);
    assert_ok(vdnn_explain_make(&r.request, &r.plans, NULL, &explanation));
    size_t i = 0;
    while (i < explanation.remedy_count &&
           strcmp(explanation.remedies[i].change, "--dtype bf16") != 0)
        i++;
    assert_in_range(i, 0, explanation.remedy_count - 1);
    follow(&r, &explanation.remedies[i]);
    end(&r);
}

/* Where no layer couples samples, and it is the fewest. */
TEST_IN_FOLDER(micro_batches_are_a_remedy)
{
    rig r;
    char change[32];
    vdnn_explanation explanation;
    prepare(&r, *state);
    r.options.model = "models/alexnet.yaml";
    r.options.device = "sim:models/devices/titan-x-maxwell.yaml";
    r.options.batch = 200;
    r.options.policy = "base";
    r.options.algo = "p";
    r.options.profile = NULL;
    begin(&r, &r.options);
    assert_status(vdnn_fit_plan(&r.request, &r.plans), VDNN_NO_FIT);
    assert_ok(vdnn_explain_make(&r.request, &r.plans, NULL, &explanation));
    vdnn_remedy found = explanation.asked;
    for (size_t i = 0; i < explanation.remedy_count; i++)
        if (explanation.remedies[i].micro_batches > 1)
            found = explanation.remedies[i];
    (void)snprintf(change, sizeof change, "--accumulate %d", (int)found.micro_batches);
    assert_string_equal(found.change, change);
    assert_true(found.fits);
    follow(&r, &found);
    found.micro_batches = 1;
    assert_false(fits(&r, &found, r.setup.budget_bytes[VDNN_TIER_DEVICE]));
    end(&r);
}

/* The first whose change begins so. */
static const vdnn_remedy *remedy_called(const vdnn_explanation *explanation, const char *change)
{
    for (size_t i = 0; i < explanation->remedy_count; i++)
        if (strncmp(explanation->remedies[i].change, change, strlen(change)) == 0)
            return &explanation->remedies[i];
    fail_msg("no remedy \"%s\"", change);
    return NULL;
}

TEST_IN_FOLDER(a_host_tier_that_is_too_small_is_explained)
{
    rig r;
    vdnn_explanation explanation;
    vdnn_text text = {0};
    prepare(&r, *state);
    r.options.policy = "all";
    r.options.algo = "m";
    begin(&r, &r.options);
    r.setup.budget_bytes[VDNN_TIER_HOST] = 1000;
    assert_status(vdnn_fit_plan(&r.request, &r.plans), VDNN_NO_FIT);
    assert_ok(vdnn_explain_make(&r.request, &r.plans, NULL, &explanation));
    assert_ok(vdnn_profile_store_write(r.setup.store, r.profile));
    assert_ok(vdnn_explain_print(&explanation, &text));
    assert_int_equal(explanation.asked.device_bytes, 0);
    assert_false(explanation.asked.fits);
    assert_true(explanation.remedy_count >= 2);
    const vdnn_remedy *host = remedy_called(&explanation, "--host-mem ");
    assert_int_equal(host->host_bytes, r.plans.span_bytes[VDNN_TIER_HOST]);
    follow(&r, host);
    vdnn_remedy less = *host;
    less.host_bytes--;
    assert_false(fits(&r, &less, r.setup.budget_bytes[VDNN_TIER_DEVICE]));
    assert_non_null(strstr(text.data, "host memory: "));
    assert_non_null(strstr(text.data, "are missing"));
    vdnn_text_fini(&text);
    end(&r);
}

/* From this budget on it offloads everything, and so takes less than that; below it keeps all. */
static size_t choosy_limit;

static vdnn_status choosy_decide(const vdnn_policy_request *request, vdnn_decisions *decisions)
{
    vdnn_policy_request lean = *request;
    bool enough = request->planning->budget_bytes[VDNN_TIER_DEVICE] >= choosy_limit;
    lean.algo = VDNN_ALGO_M;
    return vdnn_policy_find(enough ? "all" : "base")->decide(&lean, decisions);
}

static const vdnn_policy choosy = {.name = "choosy", .help = "", .decide = choosy_decide};

/* Its plan takes all of it; with one byte less nothing fits. */
static void check_smallest(rig *r, size_t smallest)
{
    vdnn_fit_plans plans = {0};
    r->setup.budget_bytes[VDNN_TIER_DEVICE] = smallest;
    assert_ok(vdnn_fit_plan(&r->request, &plans));
    assert_int_equal(plans.span_bytes[VDNN_TIER_DEVICE], smallest);
    vdnn_fit_plans_fini(&plans);
    r->setup.budget_bytes[VDNN_TIER_DEVICE] = smallest - 1;
    assert_status(vdnn_fit_plan(&r->request, &plans), VDNN_NO_FIT);
    assert_true(plans.is_smallest);
    assert_int_equal(plans.smallest_bytes, smallest);
    vdnn_fit_plans_fini(&plans);
}

TEST_IN_FOLDER(a_smallest_budget_is_what_its_plan_takes)
{
    rig r;
    prepare(&r, *state);
    begin(&r, &r.options);
    r.request.policy = &choosy;
    choosy_limit = SIZE_MAX;
    assert_ok(vdnn_fit_plan(&r.request, &r.plans));
    size_t kept = r.plans.span_bytes[VDNN_TIER_DEVICE], smallest = 0;
    vdnn_fit_plans_fini(&r.plans);
    choosy_limit = 0;
    assert_ok(vdnn_fit_plan(&r.request, &r.plans));
    size_t offloaded = r.plans.span_bytes[VDNN_TIER_DEVICE];
    assert_true(offloaded < kept);
    const size_t limits[][2] = {/* limit, smallest budget */
                                {offloaded - 9, offloaded},
                                {offloaded + 9, offloaded},
                                {kept, offloaded},
                                {kept + 9, kept}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        choosy_limit = limits[i][0];
        assert_ok(vdnn_fit_smallest(&r.request, &r.plans, &smallest));
        assert_int_equal(smallest, limits[i][1]);
        check_smallest(&r, smallest);
    }
    end(&r);
}

TEST_IN_FOLDER(the_fewest_micro_batches_are_found_from_any_likely_number)
{
    static const char *const budgets[] = {"2MiB",    "1700KiB", "1400KiB", "1200KiB",
                                          "1000KiB", "850KiB",  "1KiB"};
    rig r;
    int32_t least = INT32_MAX, most = 0;
    prepare(&r, *state);
    r.options.policy = "base";
    r.options.algo = "m"; /* the fastest of fewer samples may require more */
    for (size_t b = 0; b < sizeof budgets / sizeof *budgets; b++) {
        r.options.device_mem = budgets[b];
        begin(&r, &r.options);
        int32_t known = 0, count = 0;
        bool known_fits = false, fits = false;
        assert_ok(vdnn_fit_fewest_micro_batches(&r.request, 1, &known, &known_fits));
        for (int32_t likely = 0; likely <= 14; likely++) {
            assert_ok(vdnn_fit_fewest_micro_batches(&r.request, likely, &count, &fits));
            assert_int_equal(count, known);
            assert_int_equal(fits, known_fits);
        }
        least = known_fits && known < least ? known : least;
        most = known_fits && known > most ? known : most;
        end(&r);
    }
    assert_true(least < most);
}

TEST_IN_FOLDER(the_program_explains_and_trains_nothing)
{
    vdnn_test_run run;
    const char *folder = *state;
    const char *model = vdnn_test_path(folder, "small.yaml");
    const char *save = vdnn_test_path(folder, "last.safetensors");
    vdnn_test_write_file(model, network, sizeof network - 1);
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s --policy all --device-mem 256K --explain --save %s",
                      model, save);
    vdnn_test_expect(&run, 4, "smallest budget of this policy");
    assert_non_null(strstr(run.out, "policy all --algo p: does not fit"));
    assert_non_null(strstr(run.out, "what would help:"));
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, folder,
                      "vdnnrun --model cifar_cnn --device sim:v100 --device-mem 1K --explain");
    vdnn_test_expect(&run, 4, "smallest budget of this policy");
    assert_non_null(strstr(run.out, "--dtype bf16"));
    assert_null(strstr(run.out, "--policy dyn --dtype bf16")); /* it is dyn already */
    vdnn_test_run_free(&run);
    vdnn_test_program(&run, folder, "vdnnrun --model %s --device-mem 3M --explain --save %s", model,
                      save);
    vdnn_test_expect(&run, 0, "");
    assert_non_null(strstr(run.out, "policy dyn: fits"));
    assert_non_null(strstr(run.out, "alternatives:"));
    vdnn_test_run_free(&run);
    assert_int_not_equal(access(save, F_OK), 0);
}

static json_t *losses_of(const char *folder, const char *command)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "%s --steps 2 --quiet --json @/r.json", command);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "r.json")),
           *losses = json_incref(json_object_get(root, "losses"));
    assert_int_equal(json_array_size(losses), 2);
    json_decref(root);
    return losses;
}

/* The command line of a row, from the program's name on. */
static const char *command_of(json_t *row)
{
    const char *command = strstr(vdnn_test_text_at(row, "command"), "vdnnrun ");
    assert_non_null(command);
    return command;
}

/* By their steps, which are timed in turns where the run as it is fits: only what is faster in
 * all turns is advised. */
static void check_speed(json_t *explain, json_t *row)
{
    const char *best = json_string_value(json_object_get(explain, "best")),
               *speed = json_string_value(json_object_get(row, "speed"));
    const bool is_best = best != NULL && strcmp(vdnn_test_text_at(row, "change"), best) == 0;
    if (speed == NULL)
        return;
    const bool is_faster = strcmp(speed, "faster") == 0;
    const json_t *range = json_object_get(row, "speed_range");
    assert_true(is_faster == (json_number_value(json_array_get(range, 0)) > 1));
    assert_true(is_faster || !is_best);
    assert_true(!is_best || strcmp(vdnn_test_text_at(row, "basis"), "measured") == 0);
}

/* The command lines of rows that keep the results are run as they stand, with the profile that the
 * explanation measured: the same losses, bit for bit. */
static int check_results(const char *folder, int code, const char *command)
{
    vdnn_test_run run;
    int same = 0;
    size_t i;
    vdnn_test_program(&run, folder, "%s --explain --json @/explain.json", command);
    vdnn_test_expect(&run, code, "");
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "explain.json")),
           *explain = vdnn_test_object_at(root, "explain"), *row,
           *as_it_is = vdnn_test_object_at(explain, "as_it_is"),
           *asked = losses_of(folder, command_of(as_it_is));
    assert_string_equal(vdnn_test_text_at(as_it_is, "basis"), code == 0 ? "measured" : "estimated");
    json_array_foreach(json_object_get(explain, "alternatives"), i, row)
    {
        const char *results = vdnn_test_text_at(row, "results");
        assert_non_null(strstr(run.out, vdnn_test_text_at(row, "command")));
        check_speed(explain, row);
        if (strcmp(results, "same_bits") != 0)
            continue;
        json_t *losses = losses_of(folder, command_of(row));
        if (!json_equal(losses, asked))
            fail_msg("%s has other losses", vdnn_test_text_at(row, "command"));
        json_decref(losses);
        same++;
    }
    json_decref(asked);
    json_decref(root);
    vdnn_test_run_free(&run);
    return same;
}

TEST_IN_FOLDER(rows_with_the_same_bits_have_the_losses_of_the_run)
{
    int same = 0;
    vdnn_test_write_file(vdnn_test_path(*state, "small.yaml"), network, sizeof network - 1);
    same += check_results(*state, 0,
                          "vdnnrun --model @/small.yaml --device cpu --device-mem 1G "
                          "--host-mem 1G --profile @/p --policy base --algo p");
    same += check_results(*state, 4,
                          "vdnnrun --model @/small.yaml --device cpu --device-mem 700KiB "
                          "--host-mem 1G --profile @/p --policy all --algo m");
    assert_true(same > 0);
}

/* The row of the run as it is has the time that the run is planned with, as has the end of the
 * curve; a model that is right within twelve parts in a hundred has two digits. */
TEST_IN_FOLDER(a_run_that_is_searched_for_has_its_own_time)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state,
                      "vdnnrun --model models/alexnet.yaml --device sim:titan-x-maxwell --policy "
                      "opt --device-mem 730MiB --plan-trials 4000 --explain --json @/plan.json");
    vdnn_test_expect(&run, 0, "");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "plan.json"));
    char step[32], end_of_curve[48];
    (void)vdnn_rounded_seconds(
        step, sizeof step, vdnn_test_number_at(vdnn_test_object_at(root, "plan"), "step_seconds"),
        2);
    (void)snprintf(end_of_curve, sizeof end_of_curve, "; end %s\n", step);
    assert_non_null(strstr(run.out, end_of_curve));
    const char *row = strstr(run.out, "as it is ");
    assert_non_null(row);
    const char *found = strstr(row, step);
    assert_non_null(found);
    assert_true(found < strchr(row, '\n'));
    assert_non_null(strstr(run.out, "was searched for"));
    json_decref(root);
    vdnn_test_run_free(&run);
}
