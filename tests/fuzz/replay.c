/* Runs every input of a target's corpus through it, without libFuzzer: as it is, cut off at several
 * places, and with bytes changed. The target is the one that this program is named after. */

#include "tests/fuzz/fuzz.h"
#include "tests/support/files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CORPUS "tests/fuzz/corpus"

/* Each input costs at most so much, whatever is in it: a hostile file must not stop a program. */
enum { LIMIT_SECONDS = 10, CHANGED_INPUTS = 2000, CUT_INPUTS = 200 };

static const char *target_name;

static double now_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void run_one(const char *path, const uint8_t *data, size_t size)
{
    double begin = now_seconds();
    (void)LLVMFuzzerTestOneInput(data, size);
    double seconds = now_seconds() - begin;
    if (seconds > LIMIT_SECONDS)
        fail_msg("%s, or a change of it, takes %.1f s", path, seconds);
}

/* Flips, sets, swaps or repeats a few bytes. */
static void change(uint8_t *data, size_t size, vdnn_test_rng *rng)
{
    static const uint8_t telling[] = {0,   1,   '\n', ' ', '"', '\'', '-', '0', '9', ':', '[',
                                      ']', '{', '}',  '%', 127, 128,  254, 255, ',', '.', '/'};
    int64_t edits = vdnn_test_between(rng, 1, 6);
    for (int64_t e = 0; e < edits && size > 0; e++) {
        size_t at = (size_t)vdnn_test_between(rng, 0, (int64_t)size - 1);
        size_t from = (size_t)vdnn_test_between(rng, 0, (int64_t)size - 1);
        size_t run = (size_t)vdnn_test_between(rng, 1, 8);
        switch (vdnn_test_between(rng, 0, 3)) {
        case 0:
            data[at] ^= (uint8_t)(1U << (unsigned)vdnn_test_between(rng, 0, 7));
            break;
        case 1:
            data[at] = telling[vdnn_test_between(rng, 0, sizeof telling - 1)];
            break;
        case 2:
            data[at] = data[from];
            break;
        default:
            run = run < size - (at > from ? at : from) ? run : size - (at > from ? at : from);
            memmove(data + at, data + from, run);
        }
    }
}

static void replay(const char *path, const uint8_t *data, size_t size, vdnn_test_rng *rng)
{
    run_one(path, data, size);
    for (int i = 0; i < vdnn_test_count(CUT_INPUTS); i++) {
        size_t less = (size_t)vdnn_test_between(rng, 0, (int64_t)size);
        /* A copy of exactly that size, so that a read beyond it is seen. */
        uint8_t *cut = malloc(less + 1);
        assert_non_null(cut);
        memcpy(cut, data, less);
        run_one(path, cut, less);
        free(cut);
    }
    uint8_t *changed = malloc(size + 1);
    assert_non_null(changed);
    for (int i = 0; i < vdnn_test_count(CHANGED_INPUTS); i++) {
        memcpy(changed, data, size);
        change(changed, size, rng);
        run_one(path, changed, size);
    }
    free(changed);
}

static void every_input_of_the_corpus_is_handled(void **state)
{
    (void)state;
    char folder[512];
    struct dirent **entries;
    vdnn_test_rng rng = {vdnn_test_seed()};
    (void)snprintf(folder, sizeof folder, "%s/%s", CORPUS, target_name);
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0)
        fail_msg("%s: cannot be listed; tests run in the root of the repository", folder);
    int inputs = 0;
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 0; i < count; i++) {
        char *data;
        size_t size;
        if (entries[i]->d_name[0] != '.') {
            const char *path = vdnn_test_path(folder, entries[i]->d_name);
            vdnn_test_read_file(path, &data, &size);
            replay(path, (const uint8_t *)data, size, &rng);
            free(data);
            inputs++;
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(inputs > 0);
    printf("%d inputs, each changed and cut\n", inputs);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_input_of_the_corpus_is_handled)};
    const char *slash = strrchr(argv[0], '/');
    target_name = (slash == NULL ? argv[0] : slash + 1) + strlen("fuzz_");
    (void)argc;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
