/* What the programs hold for cards: what was asked for, what README claims, and something for every
 * card from the oldest one on. */

#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* In the repository; `$code` says what a program holds and fails where something is amiss. */
static void expect_shell(const char *command)
{
    static char line[2048];
    (void)snprintf(line, sizeof line, "set -e; code=tools/cuda_code.py; %s", command);
    if (system(line) != 0)
        fail_msg("failed: %s", command);
}

static void require(const char *path, const char *otherwise)
{
    if (access(path, F_OK) != 0)
        skip_because("%s", otherwise);
}

TEST(the_programs_hold_what_was_asked_for)
{
    require(VDNN_TEST_NVCC, "the programs were built without nvcc");
    expect_shell("for program in build/bin/*; do $code $program $(cat build/release/card_code); "
                 "done");
}

TEST(the_programs_for_every_card_hold_what_was_asked_for)
{
    require("build/cuda/bin/vdnnrun", "`make cuda` was not run here");
    expect_shell("for program in build/cuda/bin/*; do $code $program $(cat build/cuda/card_code); "
                 "done");
}

TEST(readme_claims_what_is_compiled_for_every_card)
{
    expect_shell(
        "list=$(sed -n 's/^ARCHS .*(CONFIG)),\\(.*\\))$/\\1/p' layers/cuda/cuda.mk); test "
        "-n \"$list\"; "
        "claim=$(echo $list | sed 's/[0-9]\\b/.&/g; s/ /, /g'); "
        "tr '\\n' ' ' <tools/README.md | grep -qF \"machine code for $claim; PTX for 8.0\"");
}

/* PTX of the newest card is nothing that those between it and the others could be given. */
TEST(a_card_that_would_find_nothing_is_named)
{
    require(VDNN_TEST_NVCC, "there is no nvcc to compile with");
    expect_shell(
        "at=$(mktemp -d); trap 'rm -rf $at' EXIT; echo '__global__ void none() {}' >$at/none.cu; "
        "make_one() { " VDNN_TEST_NVCC " -gencode arch=compute_90,code=sm_90 "
        "-gencode arch=compute_$1,code=compute_$1 -c $at/none.cu -o $at/$1.o; }; "
        "make_one 90; $code $at/90.o sm_90 compute_90 | "
        "grep -qx 'machine code for 9.0; PTX for 9.0'; "
        "if $code $at/90.o sm_90; then exit 1; fi; "
        "make_one 120; if $code $at/120.o sm_90 compute_120 2>$at/why; then exit 1; fi; "
        "grep 'nothing in it runs on cards of 10.0, 10.3, 11.0$' $at/why; "
        "if $code /bin/true; then exit 1; fi");
}
