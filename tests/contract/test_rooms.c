/* The folders: what includes what, by the table of tools/rooms.txt, and that a violation is found.
 */

#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>

static void expect_shell(const char *command)
{
    static char line[2048];
    (void)snprintf(line, sizeof line,
                   "set -e; check=\"$PWD/tools/rooms.awk $PWD/tools/rooms.txt\"; %s", command);
    if (system(line) != 0)
        fail_msg("failed: %s", command);
}

/* `takes FILE INCLUDED`: whether such an include is taken; `refused` the opposite, with what was
 * said. */
#define PLANTED                                                                                    \
    "at=$(mktemp -d); trap 'rm -rf $at' EXIT; cd $at; takes() { "                                  \
    "mkdir -p $(dirname $1); printf '\\n#include \"%s\"\\n' $2 >$1; awk -f $check $1; }; "         \
    "refused() { if takes $1 $2 >said; then exit 1; fi; }; "

TEST(every_include_of_the_project_is_in_the_table)
{
    expect_shell("awk -f $check $(git ls-files '*.c' '*.h' '*.cu' '*.cpp' 2>/dev/null || "
                 "find runtime layers policies alloc traces models tools -name '*.[ch]')");
}

TEST(a_planted_include_is_refused_with_its_file_line_and_rule)
{
    expect_shell(PLANTED "refused policies/dyn.c runtime/device/device.h; "
                         "grep -q '^policies/dyn.c:2: includes runtime/device/device.h of "
                         "runtime/device; policies may include: runtime/base runtime/plan' said");
    expect_shell(PLANTED
                 "refused runtime/planner/steps/emit.c policies/policy.h; grep -q planner said");
    expect_shell(PLANTED "refused runtime/base/text.c alloc/allocator.h; "
                         "grep -q 'runtime/base may include: nothing else' said");
    expect_shell(PLANTED "refused layers/conv/conv.c other/file.h; grep -q 'no room' said");
    expect_shell(PLANTED "refused tools/vdnnrun.c runtime/base/text.h");
}

TEST(what_the_table_has_is_taken)
{
    expect_shell(PLANTED
                 "takes policies/dyn.c runtime/vdnn.h; takes policies/dyn.c runtime/plan/plan.h; "
                 "takes layers/conv/conv.c layers/pool/pool.h; takes tests/unit/x.c layers/a.h");
}
