/* Convolutions on lesser processors: oneDNN is told to use less than this one has, which it takes
 * only before it has been used. So each test runs this executable again, with the name of a
 * set. */

#include "tests/support/conv_check.h"
#include "tests/support/vdnn_test.h"

#include <dnnl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name;
    dnnl_cpu_isa_t isa;
} sets[] = {
    {"sse41", dnnl_cpu_isa_sse41},
    {"avx2", dnnl_cpu_isa_avx2},
    {"avx512_core", dnnl_cpu_isa_avx512_core},
};
enum { SETS = sizeof sets / sizeof sets[0], OTHER_SET = 3, NOT_HERE = 4, FAILED_CHECK = 255 };

/* Under fewer instructions `direct` must still take every form. Not a cmocka test: a failed check
 * ends the process. */
static int check_under(const char *name)
{
    for (size_t s = 0; s < SETS; s++) {
        if (strcmp(sets[s].name, name) != 0)
            continue;
        if (dnnl_set_max_cpu_isa(sets[s].isa) != dnnl_success)
            return OTHER_SET;
        if (dnnl_get_effective_cpu_isa() != sets[s].isa) /* the limit is above this processor */
            return NOT_HERE;
        vdnn_conv_check_corners(1, 1);
        return 0;
    }
    return OTHER_SET;
}

static void expect(const char *name, int code)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)execl("/proc/self/exe", "test_conv_isa", name, (char *)NULL);
        _exit(FAILED_CHECK);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_HERE)
        skip_because("this processor has no %s", name);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
        fail_msg("under '%s' the checks ended with %d", name, status);
}

TEST(convolutions_are_right_with_sse41_alone)
{
    expect("sse41", 0);
}

TEST(convolutions_are_right_with_avx2)
{
    expect("avx2", 0);
}

TEST(convolutions_are_right_with_avx512_that_knows_no_bf16)
{
    expect("avx512_core", 0);
}

TEST(an_unknown_set_is_not_taken_for_a_pass)
{
    expect("mmx", OTHER_SET);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return check_under(argv[1]);
    return vdnn_test_main(NULL, NULL);
}
