/* A kit, unpacked elsewhere and run with nothing in its environment: it carries all that it
 * requires except the C library, its programs train, and its tests run, or report what is missing.
 */

#include "tests/support/files.h"
#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[256];
static bool has_compiler;

/* In the repository; `$at` is the folder, `$kit` the unpacked kit, `$run` runs it without an
 * environment. */
static void expect_shell(const char *command)
{
    static char line[8192];
    (void)snprintf(line, sizeof line,
                   "set -e; at=%s; kit=$(echo $at/elsewhere/vdnn-*-kit); "
                   "run() { (cd /; env -i PATH=/usr/bin:/bin $kit/run.sh \"$@\"); }; %s",
                   folder, command);
    if (system(line) != 0)
        fail_msg("failed: %s", command);
}

static int unpack(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/vdnn-kit-XXXXXX");
    has_compiler = access(VDNN_TEST_NVCC, X_OK) == 0;
    if (mkdtemp(folder) == NULL)
        return -1;
    if (has_compiler)
        expect_shell("KIT_LEVEL=1 make -s CONFIG=release kit KIT=$at/kit.tar.gz >$at/log 2>&1 || "
                     "{ cat $at/log; exit 1; }; mkdir $at/elsewhere; "
                     "tar -xzf $at/kit.tar.gz -C $at/elsewhere; kit=$(echo $at/elsewhere/*); "
                     "du -sb $kit | cut -f 1 >$at/bytes; run --help >$at/help");
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    expect_shell("rm -rf $at");
    return 0;
}

static void require_compiler(void)
{
    if (!has_compiler)
        skip_because("there is no nvcc to make a kit with");
}

TEST(it_brings_every_library_but_the_c_librarys)
{
    require_compiler();
    expect_shell("for file in $(find $kit/bin $kit/tests -type f -perm -u+x ! -name '*.sh') "
                 "$kit/lib/*.so*; do LD_LIBRARY_PATH= ldd $file >$at/wants; "
                 "if grep 'not found' $at/wants; then exit 1; fi; done; "
                 "for file in $(find $kit/bin $kit/tests -type f -perm -u+x ! -name '*.sh'); do "
                 "ldd $file | awk '$2 == \"=>\" {print $1, $3}' | "
                 "grep -vE '^(libc|libm|libpthread|libdl|librt)\\.so' | "
                 "{ ! grep -v \" $kit/\"; }; done");
}

/* For kernels in one form; each further kind of card adds to the size. */
TEST(it_says_what_the_machine_must_have_and_is_small_enough)
{
    require_compiler();
    expect_shell("grep -q 'glibc 2\\.[0-9]* or newer' $kit/KIT.txt; "
                 "grep -q 'run.sh first --out DIR' $at/help; "
                 "echo $(cat $at/bytes) bytes unpacked; test $(cat $at/bytes) -lt $((64 << 20))");
}

TEST(its_programs_find_their_networks_and_train)
{
    require_compiler();
    expect_shell("run vdnnrun --doctor --json - | grep -q '\"cuda\": '; "
                 "run vdnnrun --device cpu --model lenet --batch 8 --steps 2 --policy all "
                 "--quiet --json - | grep -q '\"losses\"'");
}

TEST(its_tests_run_or_say_what_they_lack)
{
    require_compiler();
    expect_shell("run check >$at/log || { cat $at/log; exit 1; }; "
                 "grep -q '^[0-9]* passed, 0 failed, [0-9]* skipped' $at/log; "
                 "grep -q 'no CUDA device' $at/log || ! grep -q ' 0 passed' $at/log");
}

TEST(its_sessions_say_what_they_lack)
{
    require_compiler();
    expect_shell("test -e /dev/nvidiactl && exit 0; "
                 "run bench budget --out $at/bench --seconds 60 >$at/log 2>&1; "
                 "grep -q 'no CUDA device' $at/bench/result.json; "
                 "code=0; run first --out $at/first >$at/log 2>&1 || code=$?; test $code = 5; "
                 "grep -q 'stopped: no CUDA device' $at/log; "
                 "grep -q '\"stopped\"' $at/first/result.json; test -s $at/first/meminfo.txt");
}

int main(void)
{
    return vdnn_test_main(unpack, remove_all);
}
