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

TEST(what_the_caller_gives_reaches_compiler_and_linker)
{
    expect_shell("WERROR= make -n NVCC= CONFIG=release BUILD=$at BIN=$at/bin CC=mine CFLAGS=-fmine "
                 "CPPFLAGS=-DMINE LDFLAGS=-Lmine PREFIX=/usr LIBDIR=/usr/lib/mine DESTDIR=$at/to "
                 "install >$at/log; "
                 "grep -q 'mine .*-DMINE.* -fmine .*-c runtime/train/session/session.c' $at/log; "
                 "grep -q 'mine .* -fmine -Lmine .*-o .*/bin/vdnnrun' $at/log; "
                 "grep -q 'mine .* -fmine -Lmine -shared' $at/log; "
                 "grep -q 'vdnn.pc:lib/mine/pkgconfig/vdnn.pc' $at/log; "
                 "grep -q 'UP@|../../..|' $at/log; grep -q 'Werror' $at/log && exit 1; "
                 "make -n NVCC= CONFIG=release BUILD=$at WERROR=yes $at/libvdnn.a | "
                 "grep -q Werror");
}

/* With nothing there but the manager: a program that does not even run. */
TEST(what_is_missing_is_named_as_the_package_manager_calls_it)
{
    expect_shell("for tool in grep sed id; do ln -s $(command -v $tool) $at/$tool; done; "
                 "for row in 'apt-get libyaml-dev' 'dnf libyaml-devel' 'pacman hwloc' "
                 "'zypper libpng16-devel' 'apk jansson-dev' 'conda onednn'; do "
                 "set -- $row; ln -sf /bin/true $at/$1; unset CONDA_PREFIX; "
                 "test $1 != conda || export CONDA_PREFIX=$at; "
                 "if PATH=$at SETUP=no CC=mine tools/setup.sh build 2>$at/log; then exit 1; fi; "
                 "rm $at/$1; grep -q \"$1 .* $2\" $at/log; done; unset CONDA_PREFIX; "
                 "if PATH=$at SETUP=no CC=mine tools/setup.sh build 2>$at/log; then exit 1; fi; "
                 "grep -q 'no package manager that is known here; .* libyaml-dev' $at/log");
}

/* What setup knows of Debian's packages, and what the version and runtime/vdnn.map say of the
 * library. */
TEST(the_packages_of_debian_have_these_libraries_and_this_soname)
{
    expect_shell(
        "version=$(sed -n 's/^#define VDNN_VERSION \"\\(.*\\)\"/\\1/p' runtime/vdnn.h); "
        "debian=tools/packaging/debian; library=libvdnn${version%%.*}; "
        "grep -qx \"Package: $library\" $debian/control; "
        "grep -q \"^libvdnn.so.${version%%.*} $library \" $debian/$library.symbols; "
        "for node in $(sed -n 's/^\\(VDNN_[0-9.]*\\) {/\\1/p' runtime/vdnn.map); do "
        "grep -q \"(symver)$node \" $debian/$library.symbols; done; "
        "for package in $(sed -n 's/^\\(build\\|option\\)|library [^|]*|\\([^|]*\\)|.*/\\2/p' "
        "tools/setup.sh); do test $(grep -cw -e $package $debian/control) = 2; done");
}
