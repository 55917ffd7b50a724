/* tests/bench/bench_cuda.py over the stand-in: every part of it, what it writes, and that a part
 * which cannot be measured leaves the others. */

#include "tests/support/gpu.h"
#include "tests/support/program.h"

#include <stdlib.h>
#include <string.h>

static const char script[] = "tests/bench/bench_cuda.py";

/* In PyTorch's place: what torch_peer.py would say. */
static const char peer[] =
    "import json, sys\n"
    "a = sys.argv[1:]\n"
    "way = a[a.index('--mode') + 1] if '--mode' in a else ''\n"
    "if a[0] == 'speed' and way == 'save_on_cpu': print(json.dumps(dict(error='out of memory')))\n"
    "elif a[0] == 'speed' and way == 'cheap': raise RuntimeError('a fault of the driver')\n"
    "elif a[0] == 'speed': print(json.dumps(dict(images_per_second=10.0, step_seconds=0.6)))\n"
    "else: sys.exit('no torch here')\n";

/* In compute-sanitizer's: memcheck finds something, initcheck nothing. */
static const char sanitizer[] = "#!/bin/sh\n[ \"$2\" != memcheck ] || exit 99\n";

static json_t *run_bench(const char *folder, const char *arguments)
{
    char line[4096];
    vdnn_test_write_file(vdnn_test_path(folder, "peer.py"), peer, sizeof peer - 1);
    vdnn_test_write_file(vdnn_test_path(folder, "sanitizer"), sanitizer, sizeof sanitizer - 1);
    (void)snprintf(line, sizeof line,
                   "chmod +x %s/sanitizer; python3 %s --quick --bin %s --quick-model %s/every.yaml "
                   "--peer %s/peer.py --sanitizer %s/sanitizer --tests %s --out %s/out %s "
                   ">%s/log 2>&1 || { cat %s/log; exit 1; }",
                   folder, script, VDNN_TEST_GPU_BIN, folder, folder, folder, folder, folder,
                   arguments, folder, folder);
    assert_int_equal(system(line), 0);
    return vdnn_test_json(vdnn_test_path(folder, "out/result.json"));
}

static const json_t *at(const json_t *object, const char *a, const char *b)
{
    const json_t *found = json_object_get(json_object_get(object, a), b);
    if (found == NULL)
        fail_msg("there is no %s, %s", a, b);
    return found;
}

static bool is_named(const json_t *list, const char *key, const char *part)
{
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one)
    {
        if (strstr(json_string_value(json_object_get(one, key)), part) != NULL)
            return true;
    }
    return false;
}

static const json_t *bar_of(const json_t *root, const char *part)
{
    size_t i;
    const json_t *one;
    json_array_foreach(json_object_get(root, "bars"), i, one)
    {
        if (strstr(json_string_value(json_object_get(one, "bar")), part) != NULL)
            return one;
    }
    fail_msg("there is no bar with %s", part);
    return NULL;
}

static void every_part_is_measured_and_written(void **state)
{
    json_t *root = run_bench(*state, "facts budget speed cap sanitizer");
    const json_t *parts = json_object_get(root, "parts"),
                 *skipped = json_object_get(root, "not_run");
    assert_non_null(json_object_get(at(parts, "facts", "doctor"), "devices"));
    const json_t *budget = json_object_iter_value(
        json_object_iter((json_t *)(uintptr_t)json_object_get(parts, "budget")));
    assert_int_equal(json_array_size(json_object_get(budget, "policies")), 4);
    assert_true(json_number_value(at(budget, "rates", "copy_out_bytes_per_second")) > 0);
    assert_true(json_number_value(at(budget, "rates", "copy_both_bytes_per_second")) > 0);
    assert_true(json_is_true(json_object_get(bar_of(root, "highest address over"), "holds")));
    assert_non_null(bar_of(root, "step predicted within"));
    assert_true(json_number_value(json_object_get(bar_of(root, "f32: images/s of"), "found")) > 0);
    const json_t *fast = at(parts, "speed", "every.yaml, 6, f32, nondeterministic");
    assert_true(json_is_true(at(fast, "vdnn", "nondeterministic")));
    assert_true(
        json_is_false(at(at(parts, "speed", "every.yaml, 6, f32"), "vdnn", "nondeterministic")));
    assert_non_null(bar_of(root, "f32, nondeterministic: images/s of"));
    assert_non_null(bar_of(root, "f32, capped: images/s of PyTorch's best way"));
    assert_true(is_named(skipped, "what", "cap: every.yaml, 6, f32: PyTorch, cheap"));
    assert_true(is_named(skipped, "why", "a fault of the driver"));
    assert_true(is_named(skipped, "what", "memcheck was not clean"));
    assert_string_equal(json_string_value(at(parts, "sanitizer", "initcheck")), "clean");
    json_decref(root);
    char line[1024];
    (void)snprintf(line, sizeof line,
                   "tar -tzf %s/out/profiles.tar.gz | grep -q every.yaml-6-f32.profile || "
                   "tar -tzf %s/out/profiles.tar.gz | grep -q every-6-f32.profile",
                   (const char *)*state, (const char *)*state);
    assert_int_equal(system(line), 0);
}

static void what_cannot_be_measured_says_why_and_leaves_the_rest(void **state)
{
    (void)setenv("VDNN_CUDA_HOST", "devices=0", 1);
    json_t *root = run_bench(*state, "facts check budget losses");
    (void)unsetenv("VDNN_CUDA_HOST");
    const json_t *skipped = json_object_get(root, "not_run");
    assert_true(is_named(skipped, "why", "it sees no card"));
    assert_true(is_named(skipped, "why", "there are no tests in"));
    assert_true(is_named(skipped, "why", "torch_peer.py ended with no torch here"));
    assert_non_null(json_object_get(json_object_get(root, "parts"), "facts"));
    json_decref(root);
}

static void when_time_is_out_what_is_left_is_named(void **state)
{
    json_t *root = run_bench(*state, "--seconds 0.1 facts speed");
    assert_true(is_named(json_object_get(root, "not_run"), "why", "no time left"));
    assert_true(is_named(json_object_get(root, "not_run"), "what", "speed: every.yaml, 6, bf16"));
    json_decref(root);
}

static int make_network(void **state)
{
    if (vdnn_test_make_folder(state) != 0)
        return -1;
    vdnn_test_every_layer(*state);
    return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_network, vdnn_test_remove_folder)
    const struct CMUnitTest tests[] = {
        TEST(every_part_is_measured_and_written),
        TEST(what_cannot_be_measured_says_why_and_leaves_the_rest),
        TEST(when_time_is_out_what_is_left_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
