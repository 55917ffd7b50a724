/* Budgets: the smallest that a policy names is exact, the remedies of a message fit, and the
 * defaults. */

#include "runtime/vdnn.h"
#include "tests/support/faults.h"
#include "tests/support/run_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The smallest budget by the JSON of a refusal, which must also name it. */
static json_int_t smallest_budget(const char *folder, const char *option, const char *mode,
                                  const char *more)
{
    vdnn_test_run run;
    char words[64];
    const char *json = vdnn_test_path(folder, "refused.json");
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s/net.yaml --policy %s %s --dry-run %s 100 "
                      "--profile %s/profile --json %s",
                      folder, mode, more, option, folder, json);
    json_t *root = vdnn_test_json(json);
    json_t *plan = vdnn_test_object_at(root, "plan");
    assert_true(json_is_false(json_object_get(plan, "fits")));
    json_int_t bytes = vdnn_test_integer_at(plan, "smallest_bytes");
    (void)snprintf(words, sizeof words, "%s %lld ", option, (long long)bytes);
    vdnn_test_expect(&run, 4, words);
    vdnn_test_run_free(&run);
    json_decref(root);
    return bytes;
}

static void expect_code(const char *folder, const char *option, const char *mode, const char *more,
                        json_int_t bytes, int code)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s/net.yaml --policy %s %s %s %lld --profile "
                      "%s/profile",
                      folder, mode, more, option, (long long)bytes, folder);
    vdnn_test_expect(&run, code, "");
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(the_smallest_budget_is_exact)
{
    vdnn_test_network(*state);
    vdnn_test_images(*state, 20);
    char tested[128];
    (void)snprintf(tested, sizeof tested, "--data npy:%s --test-data npy:%s", (char *)*state,
                   (char *)*state);
    const char *const more[] = {"", "--rules paper", tested, "--stages 3", "--stages 2 --launch 2"};
    for (size_t k = 0; k < sizeof more / sizeof more[0]; k++)
        for (size_t i = 0; i < VDNN_TEST_MODES; i++) {
            char run[256];
            json_int_t bytes = smallest_budget(*state, "--device-mem", vdnn_test_modes[i], more[k]);
            (void)snprintf(run, sizeof run, "%s --steps 1", more[k]);
            expect_code(*state, "--device-mem", vdnn_test_modes[i], run, bytes, 0);
            expect_code(*state, "--device-mem", vdnn_test_modes[i], run, bytes - 1, 4);
        }
}

/* A linear layer of a sequence computes each position, as a convolution does, and its input leaves.
 */
TEST_IN_FOLDER(offloading_takes_less_of_a_sequence)
{
    vdnn_test_write_below(*state, "net.yaml",
                          "name: positions\n"
                          "input: {tokens: 256, vocabulary: 50}\n"
                          "batch: 4\n"
                          "layers:\n"
                          "  - {name: words, type: embedding, out: 32}\n"
                          "  - repeat:\n"
                          "      count: 4\n"
                          "      layers:\n"
                          "        - {name: \"up_{i}\", type: linear, out: 128}\n"
                          "        - {name: \"gelu_{i}\", type: gelu}\n"
                          "        - {name: \"down_{i}\", type: linear, out: 32}\n"
                          "  - {name: head, type: linear, out: 50}\n"
                          "  - {name: loss, type: softmax_loss}\n");
    const json_int_t base = smallest_budget(*state, "--device-mem", "base --algo m", "");
    const char *const modes[] = {"all --algo m", "dyn"};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        assert_true(3 * smallest_budget(*state, "--device-mem", modes[i], "") < 2 * base);
}

/* Policies that copy out get host memory, the others all as device memory. */
TEST_IN_FOLDER(one_budget_over_device_and_host_is_divided_as_the_policy_needs)
{
    vdnn_test_network(*state);
    for (size_t i = 0; i < VDNN_TEST_MODES; i++) {
        vdnn_test_run run;
        const char *mode = vdnn_test_modes[i], *json = vdnn_test_path(*state, "run.json");
        const json_int_t bytes = smallest_budget(*state, "--unified-mem", mode, "");
        expect_code(*state, "--unified-mem", mode, "--dry-run", bytes - 1, 4);
        vdnn_test_program(&run, *state,
                          "vdnnrun --model @/net.yaml --policy %s --unified-mem %lld --profile "
                          "@/profile --steps 2 --json @/run.json",
                          mode, (long long)bytes);
        vdnn_test_expect(&run, 0, "");
        vdnn_test_run_free(&run);
        json_t *root = vdnn_test_json(json), *device = vdnn_test_object_at(root, "device");
        json_t *plan = vdnn_test_object_at(root, "plan");
        assert_int_equal(vdnn_test_integer_at(root, "unified_budget_bytes"), bytes);
        assert_int_equal(vdnn_test_integer_at(device, "budget_bytes") +
                             vdnn_test_integer_at(root, "host_budget_bytes"),
                         bytes);
        assert_int_equal(vdnn_test_integer_at(plan, "arena_bytes") +
                             vdnn_test_integer_at(plan, "host_arena_bytes"),
                         bytes);
        const bool copies = strncmp(mode, "all", 3) == 0 || strncmp(mode, "conv", 4) == 0;
        assert_true(copies == (vdnn_test_integer_at(plan, "host_arena_bytes") > 0));
        json_decref(root);
    }
}

/* A card has no more than there is, and its host the rest. */
TEST_IN_FOLDER(one_budget_over_a_card_and_its_host_leaves_the_rest_to_the_host)
{
    vdnn_test_network(*state);
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model @/net.yaml --device sim:t4 --unified-mem 20GiB --dry-run "
                     "--json @/run.json");
    json_t *root = vdnn_test_json(vdnn_test_path(*state, "run.json")),
           *device = vdnn_test_object_at(root, "device");
    const json_int_t card = vdnn_test_integer_at(device, "budget_bytes");
    assert_true(card <= vdnn_test_integer_at(device, "memory_bytes"));
    assert_int_equal(card + vdnn_test_integer_at(root, "host_budget_bytes"), 20LL << 30);
    json_decref(root);
    vdnn_test_run_to(*state, 2, "it goes without --host-mem",
                     "vdnnrun --model @/net.yaml --unified-mem 1GiB --host-mem 1GiB");
    vdnn_test_run_to(*state, 2, "it goes without --explain",
                     "vdnnrun --model @/net.yaml --unified-mem 1GiB --explain");
}

/* On a card that is simulated, where layers can be cut: by the JSON of the plan. */
static int count_chained(const char *folder, json_int_t bytes, int code)
{
    vdnn_test_run run;
    int count = 0;
    size_t i;
    json_t *layer;
    vdnn_test_program(&run, folder,
                      "vdnnrun --model %s/net.yaml --batch 64 --policy opt --plan-trials 20 "
                      "--device sim:t4 --device-mem %lld --dry-run --json %s/plan.json",
                      folder, (long long)bytes, folder);
    vdnn_test_expect(&run, code, "");
    vdnn_test_run_free(&run);
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "plan.json"));
    json_array_foreach(json_object_get(root, "layers"), i, layer)
    {
        const bool is_chained = json_is_true(json_object_get(layer, "chained"));
        assert_true(!is_chained || vdnn_test_integer_at(layer, "parts") > 1);
        count += is_chained;
    }
    json_decref(root);
    return count;
}

TEST_IN_FOLDER(opt_chains_layers_where_nothing_else_fits)
{
    vdnn_test_network(*state);
    static const char more[] = "--batch 64 --device sim:t4 --plan-trials 20";
    const json_int_t dyn = smallest_budget(*state, "--device-mem", "dyn", more),
                     opt = smallest_budget(*state, "--device-mem", "opt", more);
    assert_true(opt < dyn / 2);
    assert_int_equal(count_chained(*state, (json_int_t)1 << 30, 0), 0);
    assert_true(count_chained(*state, opt, 0) > 0);
    (void)count_chained(*state, opt - 1, 4);
}

/* Whatever another measurement finds fast: no two runs of this share their times. */
TEST_IN_FOLDER(a_refusal_names_a_policy_and_a_batch_that_fit)
{
    vdnn_test_run run;
    char words[128], policy[32];
    vdnn_test_network(*state);
    json_int_t base = smallest_budget(*state, "--device-mem", "base --algo p", "--rules paper");
    json_int_t least = smallest_budget(*state, "--device-mem", "dyn", "--rules paper");
    assert_true(least < base);
    vdnn_test_program(&run, *state,
                      "vdnnrun --model %s/net.yaml --policy base --rules paper --device-mem %lld",
                      (char *)*state, (long long)least);
    vdnn_test_expect(&run, 4, "a policy that fits this budget: --policy ");
    vdnn_test_expect(&run, 4, "--profile FILE keeps them");
    const char *found = strstr(run.err, "the largest batch that fits: --batch ");
    assert_non_null(found);
    int batch = atoi(strstr(found, "--batch ") + strlen("--batch "));
    assert_non_null(strstr(found, " --algo m\n"));
    assert_in_range(batch, 1, 7);
    found = strstr(run.err, "this budget: --policy ");
    assert_int_equal(sscanf(found, "this budget: --policy %31[^\n]", policy), 1);
    vdnn_test_run_free(&run);
    for (int more = 0; more < 2; more++) {
        assert_int_equal(unlink(vdnn_test_path(*state, "profile")), 0);
        (void)snprintf(words, sizeof words, "--algo m --batch %d --rules paper --dry-run",
                       batch + more);
        expect_code(*state, "--device-mem", "base", words, least, more == 0 ? 0 : 4);
    }
    assert_int_equal(unlink(vdnn_test_path(*state, "profile")), 0);
    expect_code(*state, "--device-mem", policy, "--rules paper --dry-run", least, 0);
}

TEST_IN_FOLDER(a_host_tier_that_is_too_small_is_named)
{
    vdnn_test_run run;
    vdnn_test_program(&run, *state, "vdnnrun --model %s --policy all --host-mem 100 --dry-run",
                      vdnn_test_network(*state));
    vdnn_test_expect(&run, 4, "pinned host memory; the budget (--host-mem) is 100 bytes");
    vdnn_test_run_free(&run);
    expect_code(*state, "--device-mem", "base", "--host-mem 100 --dry-run", 1 << 26, 0);
}

TEST_IN_FOLDER(default_budgets_leave_a_fifth_of_the_memory)
{
    vdnn_test_network(*state);
    json_t *root = vdnn_test_run_json(*state, "--dry-run");
    json_int_t device = vdnn_test_integer_at(vdnn_test_object_at(root, "device"), "budget_bytes");
    json_int_t host = vdnn_test_integer_at(root, "host_budget_bytes");
    json_int_t all = vdnn_test_integer_at(vdnn_test_object_at(root, "device"), "memory_bytes");
    assert_true(device > 0 && host > 0 && device + host <= all / 10 * 8);
    json_decref(root);
    root = vdnn_test_run_json(*state, "--dry-run --device-mem 25%");
    assert_int_equal(vdnn_test_integer_at(vdnn_test_object_at(root, "device"), "budget_bytes"),
                     all / 4);
    json_decref(root);
}

/* The largest sizes that can be asked for; what is more, or more than there is, is refused. */
TEST_IN_FOLDER(no_size_in_json_is_negative)
{
    static const char *const programs[] = {"vdnnrun --dry-run --quiet",
                                           "vdnnreport --budgets 9223372036854775807,100% --quiet",
                                           "vdnnscale --devices 1,2 --batches 8 --quiet"};
    static const char *const refused[] = {"--device-mem 9223372036854775808", "--device-mem 200%",
                                          "--host-mem 100.5%"};
    vdnn_test_network(*state);
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        char command[256], *text, *at;
        size_t length;
        (void)snprintf(command, sizeof command,
                       "%s --model @/net.yaml --device sim:t4 --device-mem 9223372036854775807 "
                       "--host-mem 9223372036854775807 --json @/large.json",
                       programs[p]);
        vdnn_test_run_to(*state, 0, "", command);
        vdnn_test_read_file(vdnn_test_path(*state, "large.json"), &text, &length);
        for (at = text; (at = strstr(at, "_bytes\":")) != NULL; at++)
            assert_int_not_equal(at[strcspn(at, "-0123456789[{n")], '-');
        free(text);
        for (size_t r = 0; r < sizeof refused / sizeof *refused; r++) {
            (void)snprintf(command, sizeof command, "%s --model @/net.yaml --device sim:t4 %s",
                           programs[p], refused[r]);
            vdnn_test_run_to(*state, 2, strchr(refused[r], ' ') + 1, command);
        }
    }
}

TEST_IN_FOLDER(the_report_exits_with_4_only_if_nothing_fits)
{
    vdnn_test_run run;
    vdnn_test_network(*state);
    json_int_t least = smallest_budget(*state, "--device-mem", "opt", "");
    for (int less = 0; less < 2; less++) {
        vdnn_test_program(&run, *state,
                          "vdnnreport --model %s/net.yaml --device-mem %lld --profile %s/profile",
                          (char *)*state, (long long)least - less, (char *)*state);
        vdnn_test_expect(&run, less == 0 ? 0 : 4, less == 0 ? "" : "no policy fits");
        assert_non_null(strstr(run.out, "base (m)"));
        vdnn_test_run_free(&run);
    }
}

/* ---- machines that are smaller than a layer -------------------------------------------------- */

/* Two convolutions whose maps have `side`^2 x 2^6 bytes for each sample. */
static void write_wide(const char *folder, int side, int batch)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "name: wide\ninput: {channels: 3, height: %d, width: %d}\nclasses: 10\n"
                   "batch: %d\nlayers:\n  - {name: conv1, type: conv, out: 16, kernel: 3, pad: 1}\n"
                   "  - {name: norm1, type: batchnorm}\n  - {name: relu1, type: relu}\n"
                   "  - {name: pool, type: global_avgpool}\n  - {name: fc, type: fc, out: 10}\n"
                   "  - {name: loss, type: softmax_loss}\n",
                   side, side, batch);
    vdnn_test_write_below(folder, "wide.yaml", text);
}

static void count_estimates(void *context, vdnn_log_level level, const char *text)
{
    int *count = context;
    (void)level;
    *count +=
        strstr(text, "is estimated, as there is not the memory to measure one sample") != NULL;
}

/* The message of a dry run that does not fit a machine with so much memory. */
static const char *plan_on_a_machine(const char *folder, long kib, int *estimates)
{
    char memory[96];
    (void)snprintf(memory, sizeof memory, "MemTotal: %ld kB\nMemAvailable: %ld kB\n", kib, kib);
    vdnn_test_write_below(folder, "proc/meminfo", memory);
    const char *model = vdnn_test_path(folder, "wide.yaml");
    const vdnn_session_options options = {.size = sizeof options,
                                          .model = model,
                                          .device = "cpu",
                                          .threads = 1,
                                          .policy = "base",
                                          .algo = "m",
                                          .dry_run = true};
    const vdnn_messages messages = {
        .size = sizeof messages, .log = count_estimates, .context = estimates};
    const vdnn_test_fault machine = {.root = folder};
    vdnn_session *session = NULL;
    vdnn_test_fault_begin(&machine);
    vdnn_status status = vdnn_session_create(&options, &messages, &session);
    if (status == VDNN_OK)
        status = vdnn_session_run(session);
    vdnn_session_destroy(session);
    (void)vdnn_test_fault_end();
    assert_int_equal(status, VDNN_NO_FIT);
    return vdnn_status_message();
}

TEST_IN_FOLDER(a_batch_beyond_the_machine_is_planned_from_fewer_samples)
{
    int estimates = 0;
    write_wide(*state, 64, 2048); /* 512 MiB for a map */
    const char *message = plan_on_a_machine(*state, 100000, &estimates);
    assert_int_equal(estimates, 0);
    assert_non_null(strstr(message, "smallest budget of this policy"));
    assert_non_null(strstr(message, "the largest batch that fits"));
}

TEST_IN_FOLDER(a_sample_beyond_the_machine_is_planned_by_estimates)
{
    write_wide(*state, 512, 2); /* 16 MiB for a map of a sample */
    int estimates = 0;
    const char *message = plan_on_a_machine(*state, 40000, &estimates);
    assert_true(estimates > 0);
    assert_non_null(strstr(message, "smallest budget of this policy"));
}
