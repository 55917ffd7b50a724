/* An installed copy: its files, its version and doctor, and programs built on it. */

#include "tests/support/files.h"

#include <stdio.h>
#include <stdlib.h>

/* Runs a shell command in the repository; `$at` is the folder, `$pc` finds the installed copy. */
static void expect_shell(const char *folder, const char *command)
{
    static char line[8192];
    (void)snprintf(line, sizeof line,
                   "set -e; at=%s; root=$at/usr/local; pc=$root/lib/pkgconfig; "
                   "pc() { PKG_CONFIG_PATH=$pc pkg-config \"$@\"; }; "
                   "strict='-Wall -Wextra -Wpedantic -Werror'; "
                   "header() { grep -o 'VDNN_API .*' runtime/vdnn.h | "
                   "grep -o 'vdnn_[a-z_]*(' | tr -d '(' | sort; }; %s",
                   folder, command);
    if (system(line) != 0)
        fail_msg("failed: %s", command);
}

static char folder[256];

static int install(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/vdnn-install-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return -1;
    expect_shell(folder, "make -s SETUP=no CONFIG=release install PREFIX=/usr/local DESTDIR=$at "
                         ">$at/log 2>&1 || { cat $at/log; exit 1; }");
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    expect_shell(folder, "rm -rf $at");
    return 0;
}

TEST(the_static_library_shows_the_functions_of_the_header_and_nothing_else)
{
    expect_shell(folder, "header >$at/header; nm -g --defined-only $root/lib/libvdnn.a | "
                         "awk 'NF == 3 {print $3}' | sort >$at/shown; test $(wc -l <$at/header) "
                         "-gt 40; diff $at/header $at/shown");
}

TEST(the_examples_are_short_and_run_on_the_shared_and_on_the_static_library)
{
    expect_shell(folder, "for name in train_from_code train_on_arrays custom_policy; do "
                         "test $(wc -l <tests/examples/$name.c) -lt 80; "
                         "gcc -std=c11 $strict tests/examples/$name.c $(pc --cflags --libs vdnn) "
                         "-Wl,-rpath,$root/lib -o $at/$name; "
                         "gcc -std=c11 $strict tests/examples/$name.c $(pc --cflags vdnn) "
                         "$root/lib/libvdnn.a $(pc --static --libs vdnn | sed 's/-lvdnn//') "
                         "-o $at/$name-static; done");
    expect_shell(folder, "cd $at; for how in '' -static; do ./train_from_code$how >$at/losses; "
                         "test $(wc -l <$at/losses) -eq 20; grep -q nan $at/losses && exit 1; "
                         "rm small.safetensors; ./train_on_arrays$how >$at/losses; test $(wc -l "
                         "<$at/losses) -eq 51; "
                         "grep -q nan $at/losses && exit 1; rm rows.safetensors; "
                         "./custom_policy$how $root/share/vdnn/models/lenet.yaml 64MiB | "
                         "grep -q '^[* ]*largest (p) *yes'; done");
}

/* As its first line says; it trains where there is time for that. */
TEST(the_program_of_the_readme_is_built_and_runs)
{
    expect_shell(folder, "sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```' >$at/train.c; "
                         "grep -q main $at/train.c; gcc -std=c11 $strict $at/train.c "
                         "$(pc --cflags --libs vdnn) -Wl,-rpath,$root/lib -o $at/train");
    if (vdnn_test_count(100) == 100)
        expect_shell(folder, "VDNN_NO_CACHE=1 $at/train");
}

TEST(the_header_is_cplusplus_too)
{
    expect_shell(folder,
                 "printf '%s\\n' '#include <vdnn/vdnn.h>' 'int main() {' "
                 "'  vdnn_session_options options = vdnn_session_options();' "
                 "'  vdnn_session *session = nullptr;' '  options.size = sizeof options;' "
                 "'  return vdnn_session_create(&options, nullptr, &session) - VDNN_USAGE;' '}' "
                 ">$at/main.cc; g++ -std=c++11 $strict $at/main.cc $(pc --cflags --libs vdnn) "
                 "-Wl,-rpath,$root/lib -o $at/main; $at/main");
}

/* Others before it take of the static part of thread-local memory what a running process has left:
 * 14 libraries, or PyTorch. */
TEST(a_running_program_loads_the_library_twice_after_others)
{
    expect_shell(folder,
                 "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do "
                 "echo \"__thread char own$i[96] = {1}; char *get$i(void) { return own$i; }\" "
                 ">$at/tls$i.c; gcc -shared -fPIC -ftls-model=initial-exec $at/tls$i.c "
                 "-o $at/libtls$i.so; done; "
                 "gcc -std=c11 $strict tests/examples/load_at_run_time.c $(pc --cflags vdnn) -ldl "
                 "-o $at/load; $at/load $root/lib/libvdnn.so.1 $at/libtls*.so 2>$at/log >$at/out; "
                 "test ! -s $at/log; test $(wc -l <$at/out) -eq 2; "
                 "readelf -d $root/lib/libvdnn.so | grep STATIC_TLS && exit 1 || true");
    expect_shell(folder, "for python in python3 /usr/bin/python3; do for first in sys torch; do "
                         "! $python -c \"import $first\" 2>/dev/null || "
                         "$python -c \"import $first, ctypes; "
                         "ctypes.CDLL('$root/lib/libvdnn.so.1').vdnn_version()\"; done; done");
}

TEST(every_option_is_in_help_man_page_and_completion)
{
    expect_shell(
        folder,
        "for name in vdnnrun vdnnreport vdnnscale; do $root/bin/$name --help | "
        "sed -n 's/^  --\\([a-z-]*\\).*/\\1/p' >$at/options; test $(wc -l <$at/options) -gt 15; "
        "page=$root/share/man/man1/$name.1; "
        "words=$(bash -c \"source $root/share/bash-completion/completions/$name; "
        "COMP_WORDS=($name --) COMP_CWORD=1; _$name; echo \\${COMPREPLY[*]}\"); "
        "for option in $(cat $at/options); do escaped=$(echo $option | sed 's/-/\\\\\\\\-/g'); "
        "grep -qF \"BR \\\\-\\\\-$(echo $option | sed 's/-/\\\\-/g')\" $page || "
        "{ echo \"$name: --$option is not in the man page\"; exit 1; }; "
        "case \" $words \" in *\" --$option \"*) ;; "
        "*) echo \"$name: --$option is not completed\"; exit 1;; esac; done; done");
    expect_shell(folder, "bash -c \"source $root/share/bash-completion/completions/vdnnrun; "
                         "COMP_WORDS=(vdnnrun --policy d) COMP_CWORD=2; _vdnnrun; "
                         "test \\${COMPREPLY[0]} = dyn\"");
}

/* Words as bash makes them: it splits at = and :, and replaces what is behind them alone. What is
 * asked of it by compopt is listed behind the words. */
TEST(values_are_completed_whatever_form_they_are_given_in)
{
    static const struct {
        const char *program, *words, *completed;
    } cases[] = {
        {"vdnnrun", "--policy d", "dyn"},
        {"vdnnrun", "--policy = d", "dyn"},
        {"vdnnrun", "--policy =", "base all conv dyn opt"},
        {"vdnnrun", "--device c", "cpu cuda"},
        {"vdnnrun", "--device sim : h2", "h200"},
        {"vdnnrun", "--device = sim : gh", "gh200"},
        {"vdnnreport", "--device sim : h200,gh", "h200,gh200"},
        {"vdnnreport", "--policies base,d", "base,dyn"},
        {"vdnnrun", "--data im", "images: nospace"},
        {"vdnnrun", "--data idx : $at/pla", "$at/place nospace filenames"},
        {"vdnnrun", "--test-data = npy : $at/pla", "$at/place nospace filenames"},
        {"vdnnrun", "--checkpoint $at/pla", "$at/place filenames"},
        {"vdnnrun", "--model $at/pla", "$at/place $at/place.yaml filenames"},
        {"vdnnrun", "--model len", "lenet filenames"},
        {"vdnnrun", "--resume au", "auto"},
    };
    expect_shell(folder, "mkdir $at/place; touch $at/place.yaml");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char script[1024];
        (void)snprintf(script, sizeof script,
                       "found=$(bash -c \"source $root/share/bash-completion/completions/%s; "
                       "compopt() { asked=\\\"\\$asked \\$2\\\"; }; "
                       "COMP_WORDBREAKS=:=; COMP_WORDS=(%s %s); "
                       "COMP_CWORD=\\$((\\${#COMP_WORDS[@]} - 1)); _%s; "
                       "echo \\$(printf '%%s\\n' \\${COMPREPLY[@]} \\$asked | sort)\"); "
                       "wanted=$(echo $(printf '%%s\\n' %s | sort)); "
                       "test \"$found\" = \"$wanted\" || { echo \"%s: $found\"; exit 1; }",
                       cases[i].program, cases[i].program, cases[i].words, cases[i].program,
                       cases[i].completed, cases[i].words);
        expect_shell(folder, script);
    }
}

TEST(every_function_of_the_header_has_its_page)
{
    expect_shell(folder, "for function in $(header); do grep -q \"$function(\" "
                         "$root/share/man/man3/vdnn.3 || exit 1; done");
}

TEST(an_installed_program_finds_its_networks_wherever_it_is_moved)
{
    expect_shell(folder, "mv $root $at/moved; (cd /; $at/moved/bin/vdnnrun --model lenet --dry-run "
                         ">/dev/null 2>$at/log || { cat $at/log; exit 1; }); mv $at/moved $root");
}

TEST(uninstall_leaves_nothing)
{
    expect_shell(folder, "echo mine >$root/share/vdnn/models/mine.yaml; "
                         "make -s SETUP=no CONFIG=release uninstall PREFIX=/usr/local DESTDIR=$at; "
                         "test $(find $root ! -type d | wc -l) -eq 1; "
                         "test -f $root/share/vdnn/models/mine.yaml");
}

int main(void)
{
    return vdnn_test_main(install, remove_all);
}
