#ifndef VDNN_TESTS_SUPPORT_VDNN_TEST_H
#define VDNN_TESTS_SUPPORT_VDNN_TEST_H

/* What every test includes: cmocka, statuses that explain themselves, seeds, counts, skips.
 *
 * The tests of a program run in the order of its file; a program needs no main of its own.
 * VDNN_TEST_ONLY in the environment is a pattern (`*`, `?`) that names the tests to run.
 *
 * Threads: one.
 *
 *     TEST(a_budget_of_zero_bytes_is_refused)
 *     {
 *         assert_status(vdnn_text_parse_size("0", 1, &bytes), VDNN_USAGE);
 *         for (int i = 0; i < vdnn_test_count(1000); i++)
 *             ... vdnn_test_random(&random) ...
 *     }
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/base/status.h"

/* A test: the head of a function, which registers it. In its body `state` is what the set-up of
 * the test, or of all tests, left (void **). */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)                                                         \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void add_##name(void)                                      \
    {                                                                                              \
        vdnn_test_register((struct CMUnitTest){#name, name, set_up, tear_down, NULL});             \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

#define assert_ok(expression) assert_status(expression, VDNN_OK)

/* Fails with both statuses and the message of the library. */
#define assert_status(expression, expected)                                                        \
    vdnn_test_status((expression), (expected), #expression, __FILE__, __LINE__)

/* The message of the last failure contains `part`. */
#define assert_message(part) vdnn_test_message((part), __FILE__, __LINE__)

/* Ends the test as skipped; `...` is the reason, as for printf. */
#define skip_because(...)                                                                          \
    do {                                                                                           \
        vdnn_test_skip(__VA_ARGS__);                                                               \
        skip();                                                                                    \
    } while (0)

void vdnn_test_register(struct CMUnitTest test);
/* Runs the tests of this program between the two, each may be NULL; for a main that has more to do.
 * Returns how many failed. */
int vdnn_test_main(CMFixtureFunction set_up, CMFixtureFunction tear_down);

void vdnn_test_status(vdnn_status status, vdnn_status expected, const char *expression,
                      const char *file, int line);
void vdnn_test_message(const char *part, const char *file, int line);
void vdnn_test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* VDNN_TEST_SEED, or a fixed one; printed on the first call. */
uint64_t vdnn_test_seed(void);

/* How many of `whole` cases to run: VDNN_TEST_COUNT_PERCENT of them (without it 3), at
 * least one. */
int vdnn_test_count(int whole);
/* The same where a share of the cases is tested: at least as many as say something of it. */
int vdnn_test_count_for_share(int whole, int least);

/* Random numbers for tests: reproducible from the seed that the state starts with. */
typedef struct vdnn_test_rng {
    uint64_t state;
} vdnn_test_rng;
uint64_t vdnn_test_random(vdnn_test_rng *rng);
/* In [low, high]. */
int64_t vdnn_test_between(vdnn_test_rng *rng, int64_t low, int64_t high);

#endif
