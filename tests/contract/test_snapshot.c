/* The memory of a planned step for PyTorch's page memory_viz: what Python reads of it has the
 * plan's numbers, and the page's own reader knows every opcode in it. */

#include "tests/support/run_json.h"
#include "tests/support/vdnn_test.h"

#include <stdlib.h>
#include <string.h>

#define PYTHON "/usr/bin/python3"

/* Reads each N.pickle and N.json of the folder, and says what is wrong. */
static const char script[] =
    "import glob, json, pickle, pickletools, sys\n"
    "known = {'PROTO', 'STOP', 'MARK', 'EMPTY_DICT', 'EMPTY_LIST', 'SETITEMS', 'APPENDS', "
    "'BININT',\n"
    "         'BININT1', 'BININT2', 'LONG1', 'BINUNICODE'}\n"
    "try:\n"
    "    import torch.cuda._memory_viz as viz\n"
    "except ImportError:\n"
    "    viz = None\n"
    "def check_tier(snapshot, tier, peak, span):\n"
    "    segment = next((s for s in snapshot['segments'] if s['device'] == tier), None)\n"
    "    live, now, most, last = {}, 0, 0, 0\n"
    "    for e in snapshot['device_traces'][tier]:\n"
    "        assert e['time_us'] >= last, 'time goes back'\n"
    "        last = e['time_us']\n"
    "        assert len(e['frames']) == 2 and all(f['name'] and f['filename'] for f in "
    "e['frames'])\n"
    "        if e['action'] == 'alloc':\n"
    "            assert e['addr'] not in live, 'allocated twice'\n"
    "            live[e['addr']] = e['size']\n"
    "            now += e['size']\n"
    "            base = segment['address']\n"
    "            assert base <= e['addr'] and e['addr'] + e['size'] <= base + span\n"
    "        elif e['action'] == 'free_completed':\n"
    "            assert live.pop(e['addr']) == e['size']\n"
    "            now -= e['size']\n"
    "        most = max(most, now)\n"
    "    assert most == peak, (tier, most, peak)\n"
    "    if span:\n"
    "        assert segment['total_size'] == span == sum(b['size'] for b in segment['blocks'])\n"
    "        assert segment['allocated_size'] == now\n"
    "        kept = {b['address']: b['size'] for b in segment['blocks']\n"
    "                if b['state'] == 'active_allocated'}\n"
    "        assert kept == live\n"
    "def check(path):\n"
    "    data = open(path, 'rb').read()\n"
    "    used = {op.name for op, arg, at in pickletools.genops(data)}\n"
    "    assert used <= known, used - known\n"
    "    plan = json.load(open(path.replace('pickle', 'json')))['plan']\n"
    "    snapshot = pickle.loads(data)\n"
    "    check_tier(snapshot, 0, plan['device_peak_bytes'], plan['arena_bytes'])\n"
    "    check_tier(snapshot, 1, plan['host_peak_bytes'], plan['host_arena_bytes'])\n"
    "    if viz is None:\n"
    "        return\n"
    "    try:\n"
    "        stats = viz.stats(snapshot)\n"
    "    except TypeError: # an older one takes the segments\n"
    "        stats = viz.stats(snapshot['segments'])\n"
    "    assert stats['total_size'].value == plan['arena_bytes'] + plan['host_arena_bytes']\n"
    "paths = glob.glob(sys.argv[1] + '/*.pickle')\n"
    "assert len(paths) == int(sys.argv[2])\n"
    "for path in paths:\n"
    "    check(path)\n";

TEST_IN_FOLDER(the_snapshot_has_the_numbers_of_the_plan)
{
    static const struct {
        const char *name;
        int modes; /* the searches of dyn and opt, the last ones, take seconds for large networks */
    } networks[] = {{"@/net.yaml", VDNN_TEST_MODES},
                    {"googlenet --batch 16", VDNN_TEST_MODES},
                    {"vgg116 --batch 32", VDNN_TEST_MODES - 2}};
    vdnn_test_network(*state);
    vdnn_test_write_file(vdnn_test_path(*state, "check.py"), script, sizeof script - 1);
    vdnn_test_run run;
    int count = 0;
    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++)
        for (int m = 0; m < networks[n].modes; m++, count++) {
            vdnn_test_program(&run, *state,
                              "vdnnrun --model %s --device sim:titan-x-maxwell --dry-run --quiet "
                              "--device-mem 100GiB --memory-snapshot @/%d.pickle --json @/%d.json "
                              "--policy %s",
                              networks[n].name, count, count, vdnn_test_modes[m]);
            vdnn_test_expect(&run, 0, "");
            vdnn_test_run_free(&run);
        }
    vdnn_test_program(&run, *state, PYTHON " @/check.py @ %d", count);
    vdnn_test_expect(&run, 0, "");
    vdnn_test_run_free(&run);
}

TEST_IN_FOLDER(the_same_plan_has_the_same_bytes)
{
    char *bytes[2];
    size_t count[2];
    for (int i = 0; i < 2; i++) {
        vdnn_test_run_to(
            *state, 0, "",
            "vdnnrun --model lenet --device sim:t4 --dry-run --quiet --memory-snapshot "
            "@/m.pickle");
        vdnn_test_read_file(vdnn_test_path(*state, "m.pickle"), &bytes[i], &count[i]);
    }
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(bytes[0], bytes[1], count[0]);
    free(bytes[0]);
    free(bytes[1]);
}

TEST_IN_FOLDER(a_place_that_cannot_be_written_is_refused_at_once)
{
    vdnn_test_run_to(*state, 6, "/nowhere/m.pickle",
                     "vdnnrun --model lenet --device sim:t4 --memory-snapshot @/nowhere/m.pickle");
}
