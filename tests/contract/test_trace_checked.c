/* Timelines as Perfetto reads them: the project's checker (tools/check_trace.py) over those of
 * every policy on three networks, on the CPU and simulated; and it tells each of many ways in which
 * a trace can be wrong. */

#include "tests/support/run_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3"
#define CHECK PYTHON " tools/check_trace.py"

/* Branches that are added and concatenated, norms, and an average over all positions. */
static const char BRANCHES[] =
    "name: branches\n"
    "input: {channels: 3, height: 16, width: 16}\n"
    "classes: 10\n"
    "batch: 8\n"
    "layers:\n"
    "  - {name: conv1, type: conv, out: 8, kernel: 3, pad: 1, bias: false}\n"
    "  - {name: norm1, type: batchnorm}\n"
    "  - {name: relu1, type: relu}\n"
    "  - {name: conv2, type: conv, out: 8, kernel: 3, pad: 1}\n"
    "  - {name: add2, type: add, from: [conv2, relu1]}\n"
    "  - {name: relu2, type: relu}\n"
    "  - {name: conv3, type: conv, out: 4, kernel: 1}\n"
    "  - {name: conv4, type: conv, out: 4, kernel: 3, pad: 1, from: relu2}\n"
    "  - {name: join, type: concat, from: [conv3, conv4]}\n"
    "  - {name: pool, type: global_avgpool}\n"
    "  - {name: fc, type: fc, out: 10}\n"
    "  - {name: loss, type: softmax_loss}\n";

/* A layer that is run part by part, and one with dropout. */
static const char PARTS[] = "name: parts\n"
                            "input: {channels: 2, height: 12, width: 12}\n"
                            "classes: 10\n"
                            "batch: 8\n"
                            "layers:\n"
                            "  - {name: conv1, type: conv, out: 16, kernel: 3, parts: 4}\n"
                            "  - {name: relu1, type: relu}\n"
                            "  - {name: pool1, type: maxpool, kernel: 2}\n"
                            "  - {name: conv2, type: conv, out: 8, kernel: 3}\n"
                            "  - {name: drop2, type: dropout, p: 0.5}\n"
                            "  - {name: fc, type: fc, out: 10}\n"
                            "  - {name: loss, type: softmax_loss}\n";

static const char *const policies[] = {"base", "all", "conv", "dyn", "opt"};
enum { POLICIES = sizeof policies / sizeof *policies, MOST_WORDS = 4096 };

static void need_python(void)
{
    if (access(PYTHON, X_OK) != 0)
        skip_because("there is no %s", PYTHON);
}

static void put_networks(const char *folder)
{
    vdnn_test_network(folder);
    vdnn_test_write_below(folder, "branches.yaml", BRANCHES);
    vdnn_test_write_below(folder, "parts.yaml", PARTS);
}

static void expect_good(const char *folder, const char *options, const char *files)
{
    vdnn_test_run run;
    vdnn_test_program(&run, folder, CHECK "%s%s", options, files);
    if (run.code != 0)
        fail_msg("%s%s", run.out, run.err);
    vdnn_test_run_free(&run);
}

/* Of the networks, under the policies. In simulated time copies are where the plan has them, and
 * the planned peak is reached; on the CPU a copy that starts late leaves it lower. */
TEST_IN_FOLDER(every_policys_timeline_is_good)
{
    static const char *const networks[] = {"net", "branches", "parts"};
    static const struct {
        const char *device, *check;
    } devices[] = {{"cpu", ""}, {"sim:titan-x-maxwell", " --reaches"}};
    vdnn_test_run run;
    need_python();
    put_networks(*state);
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        char files[MOST_WORDS] = "";
        int count = 0;
        for (size_t n = 0; n < sizeof networks / sizeof *networks; n++)
            for (int p = 0; p < POLICIES; p++, count++) {
                const char *end = count % 2 ? ".gz" : "";
                size_t length = strlen(files);
                vdnn_test_program(&run, *state,
                                  "vdnnrun --model @/%s.yaml --device %s --policy %s --steps 3 "
                                  "--plan-trials 10 --profile @/%s%zu --quiet "
                                  "--trace @/%d.json%s --json @/%d.run",
                                  networks[n], devices[d].device, policies[p], networks[n], d,
                                  count, end, count);
                vdnn_test_expect(&run, 0, "");
                vdnn_test_run_free(&run);
                (void)snprintf(files + length, sizeof files - length, " @/%d.json%s=@/%d.run",
                               count, end, count);
            }
        expect_good(*state, devices[d].check, files);
    }
}

/* Micro-batches, several devices in one process and in two, a file tier, and a tight budget, in
 * which a copy that ends later than planned leaves the peak lower. */
TEST_IN_FOLDER(timelines_of_other_runs_are_good)
{
    static const char *const ways[] = {
        "--device cpu --policy all --accumulate 2",
        "--device cpu --policy all --devices 2",
        "--device cpu --policy conv --launch 2 --shard optimizer",
        "--device cpu --policy all --disk @ --host-mem 40KiB",
        "--device cpu --policy all --checkpoint @/c --checkpoint-every 2",
        "--device sim:titan-x-maxwell --policy dyn --device-mem 140KiB",
        "--device sim:titan-x-maxwell --policy opt --device-mem 80KiB --plan-trials 20",
    };
    char files[MOST_WORDS] = "";
    need_python();
    put_networks(*state);
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        size_t length = strlen(files);
        char line[256];
        (void)snprintf(line, sizeof line,
                       "vdnnrun --model @/net.yaml %s --steps 4 --quiet --trace @/%zu.json --json "
                       "@/%zu.run",
                       ways[w], w, w);
        vdnn_test_run_to(*state, 0, "", line);
        (void)snprintf(files + length, sizeof files - length, " @/%zu.json=@/%zu.run", w, w);
    }
    expect_good(*state, "", files);
}

TEST_IN_FOLDER(the_checker_tells_what_is_broken)
{
    vdnn_test_run run, broken;
    char *save = NULL, *words;
    int number = 0;
    need_python();
    vdnn_test_run_to(*state, 0, "",
                     "vdnnrun --model vgg16 --batch 64 --device sim:titan-x-maxwell --policy all "
                     "--rules paper --steps 3 --trace @/whole --json @/run");
    vdnn_test_run_to(*state, 0, "", CHECK " @/whole=@/run");
    vdnn_test_program(&run, *state, PYTHON " tests/support/break_trace.py @/whole @");
    vdnn_test_expect(&run, 0, "");
    for (words = strtok_r(run.out, "\n", &save); words != NULL;
         words = strtok_r(NULL, "\n", &save), number++) {
        vdnn_test_program(&broken, *state, CHECK " @/%d.json=@/run", number);
        if (broken.code != 1 || strstr(broken.out, words) == NULL)
            fail_msg("way %d: expected 1 and \"%s\", got %d:\n%s%s", number, words, broken.code,
                     broken.out, broken.err);
        vdnn_test_run_free(&broken);
    }
    assert_true(number > 20);
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(what_is_no_trace_is_refused)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "Expecting value"},
        {"{\"traceEvents\":[", "Expecting value"},
        {"[]", "expected an object with an array of traceEvents"},
        {"{\"traceEvents\":[],\"traceEvents\":[]}", "has a key twice"},
    };
    need_python();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        vdnn_test_write_below(*state, "t.json", cases[c].text);
        vdnn_test_run_to(*state, 2, cases[c].words, CHECK " @/t.json");
    }
    vdnn_test_run_to(*state, 2, "No such file", CHECK " @/none.json.gz");
}
