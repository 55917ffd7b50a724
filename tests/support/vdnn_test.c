#include "tests/support/vdnn_test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Before any main, so that no test program has to ask for it. */
__attribute__((constructor)) static void take_filter(void)
{
    const char *only = getenv("VDNN_TEST_ONLY");
    if (only != NULL)
        cmocka_set_test_filter(only);
}

enum { MOST_TESTS = 128 };
static struct CMUnitTest tests[MOST_TESTS];
static size_t test_count;

void vdnn_test_register(struct CMUnitTest test)
{
    if (test_count == MOST_TESTS) {
        (void)fprintf(stderr, "more than %d tests in a program\n", MOST_TESTS);
        abort();
    }
    tests[test_count++] = test;
}

int vdnn_test_main(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
    return _cmocka_run_group_tests("tests", tests, test_count, set_up, tear_down);
}

void vdnn_test_status(vdnn_status status, vdnn_status expected, const char *expression,
                      const char *file, int line)
{
    if (status == expected)
        return;
    print_error("%s: \"%s\", expected \"%s\"; message: \"%s\"\n", expression,
                vdnn_status_text(status), vdnn_status_text(expected), vdnn_status_message());
    _fail(file, line);
}

void vdnn_test_message(const char *part, const char *file, int line)
{
    if (strstr(vdnn_status_message(), part) != NULL)
        return;
    print_error("\"%s\" is not in the message \"%s\"\n", part, vdnn_status_message());
    _fail(file, line);
}

void vdnn_test_skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("skip: ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    (void)fflush(stdout);
}

static uint64_t number_from_environment(const char *name, uint64_t preset)
{
    const char *text = getenv(name);
    return text == NULL || *text == '\0' ? preset : strtoull(text, NULL, 0);
}

uint64_t vdnn_test_seed(void)
{
    static atomic_flag told = ATOMIC_FLAG_INIT; /* threads ask as well */
    uint64_t seed = number_from_environment("VDNN_TEST_SEED", 20160401);
    if (!atomic_flag_test_and_set(&told))
        printf("VDNN_TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

enum { USUAL_PERCENT = 3 };

int vdnn_test_count(int whole)
{
    uint64_t percent = number_from_environment("VDNN_TEST_COUNT_PERCENT", USUAL_PERCENT);
    int64_t count = (int64_t)whole * (int64_t)(percent < 100 ? percent : 100) / 100;
    return count < 1 ? 1 : (int)count;
}

int vdnn_test_count_for_share(int whole, int least)
{
    const int count = vdnn_test_count(whole);
    return count < least ? least : count;
}

uint64_t vdnn_test_random(vdnn_test_rng *rng)
{
    /* splitmix64 */
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t vdnn_test_between(vdnn_test_rng *rng, int64_t low, int64_t high)
{
    return low + (int64_t)(vdnn_test_random(rng) % (uint64_t)(high - low + 1));
}
