/* The makefiles: what they make anew when what they make it of changes, and what they list. Built
 * with a library of a few files, in a folder of its own. */

#include "tests/support/vdnn_test.h"

#include <stdio.h>
#include <stdlib.h>

/* `built WHAT LIST...` makes $at/WHAT of a library whose sources are the list. */
static void expect_shell(const char *command)
{
    static char line[4096];
    (void)snprintf(line, sizeof line,
                   "set -e; at=$(mktemp -d); trap 'rm -rf $at' EXIT; built() { what=$1; shift; "
                   "make -s CONFIG=release NVCC=$nvcc BUILD=$at LIBRARY_SRC=\"$*\" $at/$what "
                   ">$at/log 2>&1 || { cat $at/log; exit 1; }; }; nvcc=; %s",
                   command);
    if (system(line) != 0)
        fail_msg("failed: %s", command);
}

TEST(a_file_that_joins_or_leaves_the_library_is_in_it_or_not)
{
    expect_shell("members() { ar t $at/libvdnn-whole.a | tr '\\n' ' '; }; "
                 "one=runtime/base/messages.c; two=runtime/base/json.c; "
                 "built libvdnn-whole.a $one; test \"$(members)\" = 'messages.o '; "
                 "built libvdnn-whole.a $one $two; test \"$(members)\" = 'messages.o json.o '; "
                 "built libvdnn-whole.a $two; test \"$(members)\" = 'json.o '; "
                 "before=$(stat -c %y $at/libvdnn-whole.a); built libvdnn-whole.a $two; "
                 "test \"$before\" = \"$(stat -c %y $at/libvdnn-whole.a)\"");
}

TEST(the_cuda_device_comes_and_goes_with_its_compiler)
{
    expect_shell("for object in runtime/device/device_kinds runtime/comm/collectives; do "
                 "cuda() { nm $at/$object.o | grep -c 'vdnn_[a-z]*_cuda' || true; }; "
                 "nvcc=; built $object.o; test $(cuda) = 0; "
                 "nvcc=/bin/true; built $object.o; test $(cuda) -gt 0; "
                 "nvcc=; built $object.o; test $(cuda) = 0; done");
}

TEST(help_lists_the_targets_of_every_makefile)
{
    expect_shell("make -s help >$at/help; for file in Makefile $(find layers runtime tests tools "
                 "-name '*.mk'); do test $(wc -l <$file) -le 200; "
                 "for target in $(sed -n 's/^\\([a-z][a-z -]*\\):.* ## .*/\\1/p' $file); do "
                 "grep -qw -e \"$target\" $at/help; done; done; "
                 "test $(wc -l <$at/help) -gt 20");
}
