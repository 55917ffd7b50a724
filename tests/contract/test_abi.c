/* Programs keep running with a newer library of their soname: what they were compiled with is
 * committed, in tests/libvdnn.abi, and is what runtime/vdnn.h and the shared library
 * have. */

#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>

#define COMMITTED "tests/libvdnn.abi"

/* `changed FILE EDIT` is the interface of a header after that command of sed, which finds its line,
 * in $at/FILE; `stub FILE` a library with the interface in FILE, and what tools that compare two
 * libraries read. */
static int run_shell(const char *command)
{
    static char line[4096];
    (void)snprintf(
        line, sizeof line,
        "set -e; at=$(mktemp -d); trap 'rm -rf $at' EXIT; library=%s/libvdnn.so; "
        "changed() { mkdir -p $at/runtime; sed \"$2\" runtime/vdnn.h >$at/runtime/vdnn.h; "
        "! cmp -s runtime/vdnn.h $at/runtime/vdnn.h; "
        "tests/abi.sh $at >$at/$1; }; "
        "stub() { sed '/^[a-z].*);$/s/;$/ { __builtin_trap(); }/' $1 | "
        "gcc -w -g -fno-eliminate-unused-debug-types -shared -fPIC -x c - -o $2; }; "
        "functions() { sed -n 's/^[a-z].*\\(vdnn_[a-z_]*\\)(.*;$/\\1/p' %s | sort; }; %s",
        VDNN_TEST_BUILD, COMMITTED, command);
    return system(line);
}

static void expect_shell(const char *command)
{
    if (run_shell(command) != 0)
        fail_msg("failed: %s", command);
}

/* Edits of the header: a member within a struct, the type of one, one less, values, a function
 * less, the type of an argument. */
static const char *const breaking[] = {
    "s/^    double loss, images_per_second/    int more; double loss, images_per_second/",
    "s/^    int64_t rank; /    int32_t rank; /",
    "/^    size_t aux_bytes; /d",
    "s/X(NO_FIT, 8, 4/X(NO_FIT, 9, 4/",
    "s/VDNN_EXPECT_GRADIENTS = 2/VDNN_EXPECT_GRADIENTS = 4/",
    "s/^VDNN_API void vdnn_text_fini(.*/VDNN_API void vdnn_text_free(vdnn_text *text);/",
    "s/_learning_rate(vdnn_session \\*session, double/_learning_rate(vdnn_session *session, float/",
};

TEST(the_interface_is_what_programs_were_compiled_with)
{
    if (run_shell("tests/abi.sh . >$at/now; diff -u " COMMITTED " $at/now") != 0)
        fail_msg("the interface is not that of " COMMITTED ". Programs that were compiled with it "
                 "break where a line with - is gone or has other numbers, unless it is the size "
                 "of a struct that grew at its end. What is new is committed by: tests/abi.sh . "
                 ">" COMMITTED);
}

TEST(an_interface_that_breaks_programs_is_another)
{
    for (size_t i = 0; i < sizeof breaking / sizeof *breaking; i++) {
        char command[512];
        (void)snprintf(command, sizeof command,
                       "changed now \"%s\"; ! cmp -s " COMMITTED " $at/now", breaking[i]);
        expect_shell(command);
    }
}

TEST(the_shared_library_shows_these_functions_and_nothing_else)
{
    expect_shell("functions >$at/functions; test $(wc -l <$at/functions) -gt 80; "
                 "nm -D --defined-only $library | awk '$2 != \"A\" {print $2, $3}' >$at/all; "
                 "sed -n 's/^T \\(vdnn_[a-z_]*\\)@@VDNN_[0-9.]*$/\\1/p' $at/all | sort >$at/shown; "
                 "diff $at/functions $at/shown; test $(wc -l <$at/all) = $(wc -l <$at/shown)");
}

TEST(the_soname_is_that_of_the_version)
{
    expect_shell(
        "version=$(sed -n 's/^#define VDNN_VERSION \"\\(.*\\)\"/\\1/p' runtime/vdnn.h); "
        "name=libvdnn.so.${version%%.*}; readelf -d $library | grep -qF \"soname: [$name]\"; "
        "test $(readlink $library) = libvdnn.so.$version; "
        "test $(readlink ${library%.so}.so.${version%%.*}) = libvdnn.so.$version");
}

/* The same by a judge that knows what breaks programs: Debian's abigail-tools. */
TEST(abidiff_finds_nothing_that_breaks_programs)
{
    if (system("command -v abidiff >/dev/null") != 0)
        skip_because("abidiff (abigail-tools) is not installed");
    expect_shell("tests/abi.sh . >$at/now; stub " COMMITTED " $at/old.so; stub $at/now $at/new.so; "
                 "abidiff --non-reachable-types $at/old.so $at/new.so");
    for (size_t i = 0; i < sizeof breaking / sizeof *breaking; i += 3) {
        char command[512];
        (void)snprintf(command, sizeof command,
                       "changed now \"%s\"; stub " COMMITTED
                       " $at/old.so; stub $at/now $at/new.so; "
                       "! abidiff --non-reachable-types $at/old.so $at/new.so >/dev/null",
                       breaking[i]);
        expect_shell(command);
    }
}
