/* Every option of every program, and its effect: an option fails that has neither a row here nor a
 * key in the JSON of vdnnrun. */

#include "tests/support/run_program.h"
#include "tools/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUN VDNN_PROGRAM_RUN
#define REPORT VDNN_PROGRAM_REPORT
#define SCALE VDNN_PROGRAM_SCALE

/* The words of a run, and what it must show: `part` in `file`, or on its streams where there is
 * none. No part: nothing is said on standard error. With `unlike`, another run's words, both write
 * `file`, and the two must differ. */
typedef struct shown {
    unsigned program;
    vdnn_option_id option;
    const char *words;
    int code;
    const char *file, *part, *unlike;
} shown;

#define PLAN " --dry-run --json @/run.json"
#define SIM "--device sim:p100 "
#define LEARN "--device cpu --devices 1,2 --data npy:@ --test-data npy:@ "
#define SIM_CSV SIM "--csv @/s.csv "
#define TWO_STEPS " --steps 2 --save @/weights"

/* In order: what later rows read, earlier ones have written. */
static const shown rows[] = {
    {RUN, VDNN_OPTION_PROFILE, "--dry-run", 0, "profile", "vdnn-profile 2\nkey ", NULL},
    {RUN, VDNN_OPTION_MODEL, "--model lenet" PLAN, 0, "run.json", "\"model\": \"lenet\"", NULL},
    {RUN, VDNN_OPTION_PLAN_SECONDS, "--policy opt --plan-seconds -1", 2, NULL, "-1", NULL},
    {RUN, VDNN_OPTION_PLAN_TRIALS, "--policy opt --plan-trials 3" PLAN, 0, "run.json",
     "\"trials\": ", NULL},
    {RUN, VDNN_OPTION_NO_CACHE, "--no-cache --dry-run", 0, NULL, "time of a step", NULL},
    {RUN, VDNN_OPTION_ALGOS, "--algos @/nowhere.json --dry-run", 6, NULL, "nowhere.json", NULL},
    {RUN, VDNN_OPTION_DEVICE, "--device gpu:1 --dry-run", 2, NULL, "did you mean cuda:1?", NULL},
    {RUN, VDNN_OPTION_HOST_MEM, "--policy all --rules paper --host-mem 1 --dry-run", 4, NULL,
     "the budget (--host-mem) is 1 byte", NULL},
    {RUN, VDNN_OPTION_UNIFIED_MEM, "--unified-mem 100 --dry-run", 4, NULL,
     "smallest budget of this policy: --unified-mem ", NULL},
    {RUN, VDNN_OPTION_DISK, "--disk @" PLAN, 0, "run.json", "\"spill_bytes\": 0", NULL},
    {RUN, VDNN_OPTION_DISK_MEM, "--policy all --host-mem 1 --disk @ --disk-mem 8K --dry-run", 4,
     NULL, "the budget (--disk-mem) is 8192 bytes", NULL},
    {RUN, VDNN_OPTION_VERIFY, "--verify --policy all --rules paper --steps 2", 0, NULL,
     "bytes offloaded in a step were copied back unchanged", NULL},
    {RUN, VDNN_OPTION_REQUIRE_OFFLOAD, "--require-offload --policy all --rules paper --steps 2", 0,
     NULL, " in per step, as planned", NULL},
    {RUN, VDNN_OPTION_POISON, "--poison" PLAN, 0, "run.json", NULL, PLAN},
    {RUN, VDNN_OPTION_REDUCE, "--devices 2 --reduce gather" PLAN, 0, "run.json",
     "\"scheme\": \"gather\"", NULL},
    {RUN, VDNN_OPTION_SHARD, "--devices 2 --shard optimizer" PLAN, 0, "run.json",
     "\"saved_bytes\": ", NULL},
    {RUN, VDNN_OPTION_STAGES, "--stages 2" PLAN, 0, "run.json", "\"stages\": 2", NULL},
    {RUN, VDNN_OPTION_MICRO_BATCHES, "--stages 2 --micro-batches 2" PLAN, 0, "run.json",
     "\"accumulate\": 2", NULL},
    {RUN, VDNN_OPTION_SCHEDULE, "--stages 2 --schedule gpipe" PLAN, 0, "run.json",
     "\"schedule\": \"gpipe\"", NULL},
    {RUN, VDNN_OPTION_LAUNCH, "--launch 2" PLAN, 0, "run.json", "\"devices\": 2", NULL},
    {RUN, VDNN_OPTION_NODES, "--launch 2 --nodes 2", 2, NULL, "all four", NULL},
    {RUN, VDNN_OPTION_NODE_RANK, "--launch 2 --nodes 2 --node-rank 3 --master h:1", 2, NULL,
     "--node-rank 3: expected 0 to 1", NULL},
    {RUN, VDNN_OPTION_MASTER, "--launch 2 --master h:1", 2, NULL, "all four", NULL},
    {RUN, VDNN_OPTION_MAX_RESTARTS, "--launch 2 --max-restarts 1", 2, NULL, "needs --checkpoint",
     NULL},
    {RUN, VDNN_OPTION_PEER_TIMEOUT, "--launch 2 --peer-timeout 0", 2, NULL,
     "not a finite number from 0.1 up", NULL},
    {RUN, VDNN_OPTION_EPOCHS, "--epochs 3 --data npy:@", 0, NULL, "little: 6 steps", NULL},
    {RUN, VDNN_OPTION_STEPS, "--steps 3", 0, NULL, "little: 3 steps", NULL},
    {RUN, VDNN_OPTION_SEED, "--seed 7" TWO_STEPS, 0, "weights", NULL, "--seed 8" TWO_STEPS},
    {RUN, VDNN_OPTION_LR, "--lr 0.5" TWO_STEPS, 0, "weights", NULL, "--lr 0.25" TWO_STEPS},
    {RUN, VDNN_OPTION_ON_NAN, "--lr 1e38 --steps 3 --on-nan warn", 0, NULL,
     "the training continues, as --on-nan warn says", NULL},
    {RUN, VDNN_OPTION_REPLAY_EVERY, "--steps 3 --replay-every 0", 2, NULL, "--replay-every", NULL},
    {RUN, VDNN_OPTION_CHECK_REPLICAS, "--devices 2 --steps 3 --check-replicas 2", 0, NULL,
     "little: 3 steps", NULL},
    {RUN, VDNN_OPTION_DATA, "--data synthetic:5" TWO_STEPS, 0, "weights", NULL,
     "--data synthetic:6" TWO_STEPS},
    {RUN, VDNN_OPTION_NO_SHUFFLE, "--data npy:@" TWO_STEPS, 0, "weights", NULL,
     "--no-shuffle --data npy:@" TWO_STEPS},
    {RUN, VDNN_OPTION_ORIENT, "--orient --data npy:@", 2, NULL,
     "--orient turns pictures of images:DIR", NULL},
    {RUN, VDNN_OPTION_TEST_DATA, "--steps 1 --test-data npy:@", 0, NULL, "test accuracy", NULL},
    {RUN, VDNN_OPTION_SAVE, "--steps 1 --save @/first", 0, "first", "conv1.weight", NULL},
    {RUN, VDNN_OPTION_NAMES, "--steps 1 --save @/torch --names torchvision", 2, NULL,
     "torchvision has no network", NULL},
    {RUN, VDNN_OPTION_INIT, "--init @/first" TWO_STEPS, 0, "weights", NULL, TWO_STEPS},
    {RUN, VDNN_OPTION_EVALUATE, "--evaluate --data npy:@", 0, NULL, "samples: accuracy 0.", NULL},
    {RUN, VDNN_OPTION_PREDICT, "--predict @/images.npy", 0, NULL, "sample,class,probability", NULL},
    {RUN, VDNN_OPTION_TOP, "--predict @/images.npy --top 2", 0, NULL, ",class_2,probability_2",
     NULL},
    {RUN, VDNN_OPTION_OUT, "--predict @/images.npy --out @/p.csv", 0, "p.csv",
     "sample,class,probability", NULL},
    {RUN, VDNN_OPTION_FORCE, "--predict @/images.npy --out @/p.csv --force", 0, "p.csv",
     "sample,class,probability", NULL},
    {RUN, VDNN_OPTION_GENERATE, "--generate 3", 3, NULL, "says of no token which one is next",
     NULL},
    {RUN, VDNN_OPTION_PROMPT, "--prompt A", 2, NULL, "--generate N samples N tokens", NULL},
    {RUN, VDNN_OPTION_TEMPERATURE, "--generate 3 --temperature -1", 2, NULL,
     "not a finite number from 0 up", NULL},
    {RUN, VDNN_OPTION_EXPORT, "--steps 1 --export @/net.onnx", 0, "net.onnx", "conv1.weight", NULL},
    {RUN, VDNN_OPTION_EVAL_EVERY, "--steps 2 --test-data npy:@ --eval-every 1", 0, NULL,
     "step 1: test accuracy 0.", NULL},
    {RUN, VDNN_OPTION_KEEP_BEST, "--steps 1 --test-data npy:@ --checkpoint @/b --keep-best", 0,
     "b/best/manifest.json", "weights.safetensors", NULL},
    {RUN, VDNN_OPTION_CHECKPOINT, "--steps 2 --checkpoint @/c", 0, "c/step-00000002/manifest.json",
     "weights.safetensors", NULL},
    {RUN, VDNN_OPTION_CHECKPOINT_EVERY, "--steps 3 --checkpoint @/d --checkpoint-every 2", 0,
     "d/step-00000002/manifest.json", "weights.safetensors", NULL},
    {RUN, VDNN_OPTION_KEEP, "--steps 5 --checkpoint @/e --checkpoint-every 1 --keep 5", 0,
     "e/step-00000001/manifest.json", "weights.safetensors", NULL},
    {RUN, VDNN_OPTION_RESUME, "--steps 4 --resume @/d", 0, NULL, "resumes from step 3", NULL},
    {RUN, VDNN_OPTION_DRY_RUN, "--dry-run", 0, NULL, "time of a step", NULL},
    {RUN, VDNN_OPTION_EXPLAIN, "--device-mem 1MiB --explain", 0, NULL, "the most is alive at step",
     NULL},
    {RUN, VDNN_OPTION_MAX_BATCH, "--max-batch", 0, NULL, "the largest that fits", NULL},
    {RUN, VDNN_OPTION_VERBOSE, "--steps 2 --verbose", 0, NULL, "\n(no layer) ", NULL},
    {RUN, VDNN_OPTION_LIST, "--list layers", 0, NULL, "\nfc  out  bias=true\n", NULL},
    {RUN, VDNN_OPTION_DOCTOR, "--doctor", 0, NULL, "processor", NULL},
    {RUN, VDNN_OPTION_CALIBRATE, "--calibrate @/card.yaml --device sim:l4", 2, NULL,
     "is simulated, there is nothing to measure", NULL},
    {RUN, VDNN_OPTION_PRINT_PLAN, "--print-plan --dry-run", 0, NULL, "plan little training", NULL},
    {RUN, VDNN_OPTION_MEMORY_SNAPSHOT, "--dry-run --memory-snapshot @/m.pickle", 0, "m.pickle",
     "device_traces", NULL},
    {RUN, VDNN_OPTION_TRACE, "--steps 1 --trace @/t.json", 0, "t.json", "traceEvents", NULL},
    {RUN, VDNN_OPTION_TRACE_STEPS, "--steps 3 --trace @/u.json --trace-steps 2:3", 0, "u.json",
     "\"step\":2", NULL},
    {RUN, VDNN_OPTION_JSON, "--dry-run --json -", 0, NULL, "\"schema_version\": 1", NULL},
    {RUN, VDNN_OPTION_QUIET, "--steps 1 --quiet", 0, NULL, NULL, NULL},
    {RUN, VDNN_OPTION_LOG_LEVEL, "--steps 1 --log-level error", 0, NULL, NULL, NULL},
    {RUN, VDNN_OPTION_VERSION, "--version", 0, NULL, "vdnnrun ", NULL},
    {RUN, VDNN_OPTION_HELP, "--help", 0, NULL, "Examples", NULL},

    {REPORT, VDNN_OPTION_PROFILE, "", 0, "profile", "vdnn-profile 2\nkey ", NULL},
    {REPORT, VDNN_OPTION_NO_CACHE, "--no-cache", 0, NULL, "little, batch 8", NULL},
    {REPORT, VDNN_OPTION_MODEL, "--model lenet", 0, NULL, "lenet, batch 64", NULL},
    {REPORT, VDNN_OPTION_BATCH, "--batch 5", 0, NULL, "little, batch 5", NULL},
    {REPORT, VDNN_OPTION_DTYPE, "--json @/a.json", 0, "a.json", NULL,
     "--dtype bf16 --json @/a.json"},
    {REPORT, VDNN_OPTION_RULES, "--rules paper --json -", 0, NULL, "\"rules\": \"paper\"", NULL},
    {REPORT, VDNN_OPTION_POLICIES, "--csv @/a.csv", 0, "a.csv", NULL,
     "--policies conv --csv @/a.csv"},
    {REPORT, VDNN_OPTION_PLAN_SECONDS, "--policies opt --plan-seconds 0", 0, NULL, "opt", NULL},
    {REPORT, VDNN_OPTION_PLAN_TRIALS, "--policies opt --plan-trials 3 --json -", 0, NULL,
     "\"trials\": ", NULL},
    {REPORT, VDNN_OPTION_ACCOUNTING, "--accounting paper --json -", 0, NULL,
     "\"accounting\": \"paper\"", NULL},
    {REPORT, VDNN_OPTION_DEVICE, "--device cpus", 2, NULL, "there is no 'cpus'", NULL},
    {REPORT, VDNN_OPTION_PRICE, "--device sim:l4 --price l4=0", 2, NULL,
     "'0' is not a positive number", NULL},
    {REPORT, VDNN_OPTION_DEVICE_MEM, "--device-mem 1", 4, NULL, "the budget of 1 byte", NULL},
    {REPORT, VDNN_OPTION_HOST_MEM, "--host-mem 2MiB", 0, NULL, "host memory 2.00 MiB", NULL},
    {REPORT, VDNN_OPTION_NONDETERMINISTIC, "--nondeterministic --json -", 0, NULL,
     "\"nondeterministic\": true", NULL},
    {REPORT, VDNN_OPTION_THREADS, "--threads 2", 0, NULL, "(2 threads)", NULL},
    {REPORT, VDNN_OPTION_DEVICES, "--devices 2", 2, NULL, "only with a device model", NULL},
    {REPORT, VDNN_OPTION_REDUCE, "--device sim:p100-pcie --devices 2 --reduce host --csv @/o.csv",
     0, "o.csv", NULL, "--device sim:p100-pcie --devices 2 --csv @/o.csv"},
    {REPORT, VDNN_OPTION_SHARD, "--device sim:p100-pcie --devices 2 --shard optimizer", 0, NULL,
     "Each updates its share", NULL},
    {REPORT, VDNN_OPTION_OPTIMIZER, "--csv @/o.csv", 0, "o.csv", NULL,
     "--optimizer adamw --csv @/o.csv"},
    {REPORT, VDNN_OPTION_JSON, "--json -", 0, NULL, "\"schema_version\": 1", NULL},
    {REPORT, VDNN_OPTION_ALGORITHMS, "--algorithms", 0, NULL, "GFLOP/s", NULL},
    {REPORT, VDNN_OPTION_BUDGETS, "--budgets 1GiB,2GiB", 0, NULL, "under other budgets", NULL},
    {REPORT, VDNN_OPTION_RUN, "--run @/none.json", 6, NULL, "none.json: cannot be opened", NULL},
    {REPORT, VDNN_OPTION_COMPARE, "--compare @/one.json", 2, NULL, "1 reports; expected 2 to",
     NULL},
    {REPORT, VDNN_OPTION_CSV, "--csv @/b.csv", 0, "b.csv", "policy,algo,", NULL},
    {REPORT, VDNN_OPTION_MARKDOWN, "--markdown @/b.md", 0, "b.md", "| policy | fits |", NULL},
    {REPORT, VDNN_OPTION_HTML, "--html @/b.html", 0, "b.html", "<html", NULL},
    {REPORT, VDNN_OPTION_VERBOSE, "--device sim:h100 --verbose", 0, NULL,
     "Figures of the device model published", NULL},
    {REPORT, VDNN_OPTION_QUIET, "--quiet", 0, NULL, NULL, NULL},
    {REPORT, VDNN_OPTION_LOG_LEVEL, "--log-level error", 0, NULL, NULL, NULL},
    {REPORT, VDNN_OPTION_VERSION, "--version", 0, NULL, "vdnnreport ", NULL},
    {REPORT, VDNN_OPTION_HELP, "--help", 0, NULL, "Examples", NULL},

    {SCALE, VDNN_OPTION_MODEL, SIM "--model lenet", 0, NULL, "lenet under dyn", NULL},
    {SCALE, VDNN_OPTION_BATCHES, SIM "--batches 16,32 --csv -", 0, NULL, "8,32,4,ring,true", NULL},
    {SCALE, VDNN_OPTION_DTYPE, SIM_CSV, 0, "s.csv", NULL, SIM_CSV "--dtype bf16 "},
    {SCALE, VDNN_OPTION_RULES, SIM_CSV, 0, "s.csv", NULL, SIM_CSV "--rules paper "},
    {SCALE, VDNN_OPTION_POLICY, SIM "--policy all", 0, NULL, "under all", NULL},
    {SCALE, VDNN_OPTION_ALGO, SIM_CSV "--policy base --algo p", 0, "s.csv", NULL,
     SIM_CSV "--policy base --algo m"},
    {SCALE, VDNN_OPTION_NO_CACHE, SIM "--no-cache", 0, NULL, "little under dyn", NULL},
    {SCALE, VDNN_OPTION_DEVICE, "--device cpus", 2, NULL, "there is no 'cpus'", NULL},
    {SCALE, VDNN_OPTION_DEVICE_MEM, SIM "--device-mem 1", 4, NULL, "nothing fits the budget", NULL},
    {SCALE, VDNN_OPTION_HOST_MEM, SIM "--policy all --rules paper --host-mem 1", 4, NULL,
     "--host-mem", NULL},
    {SCALE, VDNN_OPTION_THREADS, "--device cpu --devices 1 --threads 2", 0, NULL, "(2 threads)",
     NULL},
    {SCALE, VDNN_OPTION_DEVICE_COUNTS, SIM "--devices 3 --csv -", 0, NULL, "3,8,3,ring,true", NULL},
    {SCALE, VDNN_OPTION_STAGE_COUNTS, SIM "--stages 2 --csv -", 0, NULL, "devices,stages,", NULL},
    {SCALE, VDNN_OPTION_STAGE_MICRO_BATCHES, SIM "--stages 2 --devices 2 --micro-batches 3 --csv -",
     0, NULL, "2,2,1,3,", NULL},
    {SCALE, VDNN_OPTION_STAGE_SCHEDULE, SIM_CSV "--stages 2", 0, "s.csv", NULL,
     SIM_CSV "--stages 2 --schedule gpipe"},
    {SCALE, VDNN_OPTION_HYBRID, SIM "--hybrid", 0, NULL, "Whole trainings", NULL},
    {SCALE, VDNN_OPTION_EPOCHS_CURVE, SIM "--hybrid --epochs-curve @/none", 6, NULL, "none", NULL},
    {SCALE, VDNN_OPTION_SHARD, SIM "--shard optimizer", 0, NULL, "Sharing the update saves", NULL},
    {SCALE, VDNN_OPTION_REDUCE, SIM "--reduce gather --csv -", 0, NULL, ",gather,", NULL},
    {SCALE, VDNN_OPTION_CONVERGE, SIM "--converge 0.5", 2, NULL,
     "a simulated device learns nothing", NULL},
    {SCALE, VDNN_OPTION_DATA, "--device cpu --devices 1 --data npy:@/none", 3, NULL, "none", NULL},
    {SCALE, VDNN_OPTION_TEST_DATA, LEARN "--converge 0.02", 0, NULL, "Accuracy 0.02", NULL},
    {SCALE, VDNN_OPTION_ORIENT, LEARN "--orient --converge 1", 2, NULL,
     "--orient turns pictures of images:DIR", NULL},
    {SCALE, VDNN_OPTION_EPOCHS, LEARN "--epochs 2 --converge 1", 0, NULL, "not reached", NULL},
    {SCALE, VDNN_OPTION_SEED, LEARN "--seed 7 --converge 0.01", 0, NULL, "Accuracy 0.01", NULL},
    {SCALE, VDNN_OPTION_OPTIMIZER, SIM_CSV, 0, "s.csv", NULL, SIM_CSV "--optimizer adamw "},
    {SCALE, VDNN_OPTION_JSON, SIM "--json -", 0, NULL, "\"schema_version\": 1", NULL},
    {SCALE, VDNN_OPTION_CSV, SIM_CSV, 0, "s.csv", "devices,batch,", NULL},
    {SCALE, VDNN_OPTION_HTML, SIM "--html @/s.html", 0, "s.html", "<html", NULL},
    {SCALE, VDNN_OPTION_QUIET, SIM "--quiet", 0, NULL, NULL, NULL},
    {SCALE, VDNN_OPTION_LOG_LEVEL, SIM "--log-level error", 0, NULL, NULL, NULL},
    {SCALE, VDNN_OPTION_VERSION, "--version", 0, NULL, "vdnnscale ", NULL},
    {SCALE, VDNN_OPTION_HELP, "--help", 0, NULL, "Examples", NULL},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static char *text_of(const char *folder, const char *name)
{
    char *text;
    size_t count;
    vdnn_test_read_file(vdnn_test_path(folder, name), &text, &count);
    for (size_t i = 0; i < count; i++) /* weights hold zeros */
        text[i] = text[i] == '\0' ? ' ' : text[i];
    return text;
}

static void run_words(vdnn_test_run *run, const char *folder, const shown *row, const char *words)
{
    const char *model = strstr(words, "--model ") != NULL ? "" : "--model @/net.yaml";
    const char *profile = row->program == SCALE                 ? ""
                          : strstr(words, "--threads ") != NULL ? "--profile @/two"
                                                                : "--profile @/profile";
    size_t p = 0;
    while (vdnn_program_text_at(p)->program != row->program)
        p++;
    vdnn_test_program(run, folder, "%s %s %s %s", vdnn_program_text_at(p)->name, model, profile,
                      words);
    vdnn_test_expect(run, row->code, "");
}

/* Whether another run's file is another; the row's own run has written `own`. */
static bool differs(const char *folder, const shown *row, const char *own)
{
    vdnn_test_run run;
    run_words(&run, folder, row, row->unlike);
    char *other = text_of(folder, row->file);
    bool differ = strcmp(own, other) != 0;
    free(other);
    vdnn_test_run_free(&run);
    return differ;
}

static bool is_shown(const char *folder, const shown *row, const vdnn_test_run *run)
{
    if (row->file != NULL) {
        char *text = text_of(folder, row->file);
        bool seen =
            row->unlike != NULL ? differs(folder, row, text) : strstr(text, row->part) != NULL;
        free(text);
        return seen;
    }
    if (row->part == NULL)
        return run->err[0] == '\0';
    return strstr(run->out, row->part) != NULL || strstr(run->err, row->part) != NULL;
}

static void expect_shown(const char *folder, const shown *row)
{
    vdnn_test_run run;
    run_words(&run, folder, row, row->words);
    if (!is_shown(folder, row, &run))
        fail_msg("'%s' does not show '%s':\n%s%s", row->words, row->part ? row->part : "", run.out,
                 run.err);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(every_option_does_what_it_says)
{
    (void)vdnn_test_network(*state);
    vdnn_test_images(*state, 16);
    for (size_t i = 0; i < ROWS; i++)
        expect_shown(*state, &rows[i]);
}

/* ---- options that the JSON of vdnnrun repeats ------------------------------------------------ */

/* A value of each kind; of a choice, all that it has, separated by `|`. */
static const char *values_of(const vdnn_option *option, char *buffer, size_t size)
{
    static const char *const values[] = {[VDNN_OPTION_IS_SIZE] = "64MiB",
                                         [VDNN_OPTION_IS_INTEGER] = "2",
                                         [VDNN_OPTION_IS_REAL] = "0.25",
                                         [VDNN_OPTION_IS_CHOICE] = NULL,
                                         [VDNN_OPTION_IS_FLAG] = ""};
    if (option->kind == VDNN_OPTION_IS_CHOICE)
        return vdnn_option_choices(option, buffer, size);
    (void)snprintf(buffer, size, "%s", values[option->kind]);
    return buffer;
}

static bool is_value(const json_t *found, const vdnn_option *option, const char *value)
{
    size_t bytes;
    switch (option->kind) {
    case VDNN_OPTION_IS_SIZE:
        assert_ok(vdnn_text_parse_size(value, 0, &bytes));
        return json_integer_value(found) == (json_int_t)bytes;
    case VDNN_OPTION_IS_CHOICE:
        return json_is_string(found) && strcmp(json_string_value(found), value) == 0;
    case VDNN_OPTION_IS_FLAG:
        return json_is_true(found);
    default:
        return json_number_value(found) == strtod(value, NULL);
    }
}

static const json_t *at_path(const json_t *at, const char *path)
{
    char words[64], *rest = words;
    (void)snprintf(words, sizeof words, "%s", path);
    for (char *word; (word = strsep(&rest, ".")) != NULL;)
        at = json_object_get(at, word);
    return at;
}

/* Whether the run can be made; if so, its JSON must have the value. */
static bool is_in_json(const char *folder, const vdnn_option *option, const char *value)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, "vdnnrun --model @/net.yaml --no-cache --%s %s" PLAN,
                      option->name, value);
    const bool is_run = run.code == 0;
    vdnn_test_run_free(&run);
    if (!is_run)
        return false;
    json_t *root = vdnn_test_json(vdnn_test_path(folder, "run.json"));
    if (!is_value(at_path(root, option->json), option, value))
        fail_msg("--%s %s is not in the JSON as %s", option->name, value, option->json);
    json_decref(root);
    return true;
}

/* Not every value of a choice is one of this device. */
static void expect_in_json(const char *folder, const vdnn_option *option)
{
    char buffer[256], *rest = buffer, *value;
    int count = 0;
    (void)values_of(option, buffer, sizeof buffer);
    while ((value = strsep(&rest, "|")) != NULL)
        count += is_in_json(folder, option, value);
    assert_in_range(count, option->kind == VDNN_OPTION_IS_CHOICE ? 2 : 1, 64);
}

TEST_IN_FOLDER(json_repeats_the_options_that_have_a_key)
{
    (void)vdnn_test_network(*state);
    for (int id = 0; id < VDNN_OPTION_COUNT; id++)
        if (vdnn_option_at((vdnn_option_id)id)->json != NULL)
            expect_in_json(*state, vdnn_option_at((vdnn_option_id)id));
}

/* ---- no option is forgotten ------------------------------------------------------------------ */

static int rows_of(unsigned program, vdnn_option_id id)
{
    int count = 0;
    for (size_t i = 0; i < ROWS; i++)
        count += rows[i].program == program && rows[i].option == id;
    return count;
}

TEST(every_option_of_every_program_is_shown)
{
    for (size_t p = 0; vdnn_program_text_at(p) != NULL; p++) {
        const vdnn_program_text *program = vdnn_program_text_at(p);
        for (int id = 0; id < VDNN_OPTION_COUNT; id++) {
            const vdnn_option *option = vdnn_option_at((vdnn_option_id)id);
            const bool has = (option->programs & program->program) != 0,
                       has_key = program->program == RUN && option->json != NULL;
            const int count = rows_of(program->program, (vdnn_option_id)id);
            if (count != has && !(has_key && count == 0))
                fail_msg("%s --%s: %d rows", program->name, option->name, count);
        }
    }
}

/* A row shows its option: it names it, unless every run has it. */
TEST(every_row_names_its_option)
{
    for (size_t i = 0; i < ROWS; i++) {
        char word[64];
        (void)snprintf(word, sizeof word, "--%s", vdnn_option_at(rows[i].option)->name);
        bool named = strstr(rows[i].words, word) != NULL ||
                     (rows[i].unlike != NULL && strstr(rows[i].unlike, word) != NULL) ||
                     rows[i].option == VDNN_OPTION_PROFILE;
        if (!named)
            fail_msg("'%s' does not name %s", rows[i].words, word);
    }
}
