#!/bin/sh
# Checks formatting, clang-tidy, cppcheck, shellcheck (where it is found) and the project's own rules.
#
#   tools/lint.sh COMPILER-FLAGS...
#
# Runs all of them, shows what each finds, and fails where one found something.
set -u

library='runtime alloc layers policies models traces'
folders="$library tools tests"
# The examples include the installed header: compiling them is a test.
examples=$(find tests/examples -name '*.c' | sort)
sources=$(find $folders -name '*.c' ! -path 'tests/examples/*' | sort)
headers=$(find $folders -name '*.h' | sort)
kernels=$(find $folders -name '*.cu' -o -name '*.cpp' | sort)
failed=

check() { # NAME COMMAND...
    name=$1
    shift
    if report=$("$@" 2>&1); then
        echo "lint: $name: good"
    else
        printf '%s\n' "$report"
        echo "lint: $name: FAILED"
        failed="$failed $name"
    fi
}

format() {
    clang-format --dry-run -Werror $sources $examples $headers $kernels
}

tidy() {
    export flags
    # shellcheck disable=SC2016
    printf '%s\n' $sources | xargs -n 4 -P "$(nproc)" \
        sh -c 'clang-tidy --quiet "$@" -- $flags -fopenmp 2>&1 | grep -v "warnings\{0,1\} generated"' _ |
        grep . && return 1
    return 0
}

# An unknown macro or include, or an uninitialized variable, is left to the compilers and clang-tidy.
cpp_check() {
    cppcheck --quiet --std=c11 --enable=warning,portability,performance --error-exitcode=1 \
        --inline-suppr --suppress=missingInclude --suppress=missingIncludeSystem \
        --suppress=unknownMacro --suppress=legacyUninitvar -j "$(nproc)" -I. -D_GNU_SOURCE -D__x86_64__ $sources
}

# The library returns what went wrong; programs alone talk to people and to the environment.
# Examples in comments may print.
library_is_quiet() {
    grep -rnE --include='*.[ch]' \
        '(^|[^A-Za-z0-9_>.])(_?exit|quick_exit|v?printf|puts|putchar|(secure_)?getenv) *\(' \
        $library | grep -v ':[0-9]*: \*' && return 1
    return 0
}

# All that the library wants of the system goes through runtime/base/system.h, where tests put hooks.
outside_has_one_door() {
    names=$(sed -n 's/^    X([^(]*, \([a-z_0-9]*\),.*/\1/p' runtime/base/system.h)
    [ -n "$names" ] || return 1
    more='fopen fdopen freopen popen tmpfile mkstemp mkdtemp openat dup fcntl writev
        fdatasync ftruncate remove scandir nftw gzopen gzdopen json_load_file json_loadf
        json_dump_file json_dumpf thrd_create mremap'
    pattern=$(printf '%s|' $names $more)
    grep -rnE --include='*.[ch]' "(^|[^A-Za-z0-9_>.])(${pattern%|}) *\(" $library |
        grep -v -e ':[0-9]*: \*' -e '^runtime/base/system\.[ch]:' && return 1
    return 0
}

# What a processor has is asked, and its instructions are written, by runtime/base/machine/simd.h alone.
simd_has_one_door() {
    grep -rnE --include='*.[ch]' --include='*.cu' \
        '(imm|arm_neon|xmm|emm|cpuid)[a-z]*\.h>|__builtin_cpu_|target\("' $folders |
        grep -v '^runtime/base/machine/simd\.h:' && return 1
    return 0
}

# Of numbers as text the locale of a program must not matter: runtime/base/numbers/decimal.h alone
# calls what follows it, and text goes through there or vdnn_text_add.
numbers_have_one_door() {
    names='v(s|f|d|as)n?printf|strto(d|f|ld)[a-z0-9]*|atof|v?f?s?scanf|strn?casecmp|strcoll|strxfrm|strftime
        setlocale|newlocale|uselocale|localeconv|to(lower|upper)
        is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)
        json_load[sb]|json_dumps'
    pattern=$(echo $names | tr ' ' '|')
    found=$(
        grep -rnE --include='*.[ch]' --include='*.cu' \
            "(^|[^A-Za-z0-9_>.])($pattern) *\(" $library
        # shellcheck disable=SC2016
        find $library -name '*.[ch]' -print -o -name '*.cu' -print | sort |
            xargs awk 'FNR == 1 { call = "" }
                /(^|[^A-Za-z0-9_])(f|d|s|as)?n?printf *\(/ { call = FILENAME ":" FNR ":"; text = "" }
                call != "" { text = text $0 }
                call != "" && /;$/ {
                    gsub(/%%/, "", text)
                    if (text ~ /%[-+ #0]*[0-9*]*(\.[0-9*]+)?L?[aefgAEFG]/) print call text
                    call = ""
                }'
    )
    printf '%s\n' "$found" | grep -v -e '^$' -e ':[0-9]*: \*' -e '^runtime/base/numbers/decimal\.c:' \
        -e '^runtime/base/json\.c:' && return 1
    return 0
}

# What the programs can do, any program can: they include nothing of the library but its interface.
programs_use_the_interface() {
    grep -rnE '^ *# *include +"' tools tests/examples --include='*.[ch]' |
        grep -vE '"(runtime/vdnn\.h|tools/[a-z_/]+\.h)"' && return 1
    return 0
}

folders_include_what_the_table_says() {
    awk -f tools/rooms.awk tools/rooms.txt $sources $examples $headers $kernels
}

# A folder that one can read.
folders_are_small() {
    find layers runtime tests/unit -type f | sed 's|/[^/]*$||' | sort | uniq -c |
        awk '$1 > 25 { print $2 ": " $1 " files, 25 at most"; bad = 1 } END { exit bad }'
}

every_header_is_guarded_by_its_path() {
    result=0
    for header in $headers; do
        guard=VDNN_$(echo "$header" |
            tr 'a-z/.-' 'A-Z___')
        grep -q "^#ifndef $guard\$" "$header" || {
            echo "$header: expected the guard $guard"
            result=1
        }
    done
    return $result
}

# Functions of a type in one kernels' file are taken for those of its namesake in another by the linker.
kernels_share_no_type_names() {
    grep -hE '^(typedef |template <[^>]*> )?struct .*\{' layers/*/*.cu | sed 's/.* \([a-z_0-9]*\) {.*/\1/' |
        sort | uniq -d | grep . && return 1
    return 0
}

# What users read says recompute, free, resume, offload and emulation, and so does the code.
words_are_the_fields() {
    read="README.md tools/json.md tools/options.c
        $(find $folders -name README.md -o -name '*.h' ! -path 'tests/*')"
    tiring='(^|[ (])(so (many|much)|likewise|anew|besides?)([] ,:;)]|\.( |$)|$)'
    own='of (its|their|our|one.s) own([],.:;)]| (which|that|is|are|for|in)( |$)|$)'
    stale='made again|makes? again|remake|cheap_again|giv(e|es|en) back|let go of|go(es)? on (from|with)|sen[dt]s? away|(brings?|comes?) back|what a layer made|stand-in|of one.s own|says of itself|contenders?|tireless|the patience of|had no end'
    code='(int32_t|double) (beside|behind)[;)]' # members and parameters
    grep -nE "$tiring|$own" $read | grep -vE "$code" && return 1
    grep -nw behind $read | grep -vE "$code|hid(den|es) .*behind compute|hides the copies behind|tier behind the host" && return 1
    grep -nE "$stale" $read && return 1
    grep -rnE --include='*.c' '"[^"]*(^|[ "])(so many|likewise|anew|beside)([] ,:;)"]|\.( |"))' $library tools && return 1
    grep -rnE --include='*.[ch]' --include='*.cu' --include='*.cpp' 'remake|cheap_again' $folders && return 1
    return 0
}

scripts_are_clean() {
    # Lists of words are meant to be split.
    shellcheck -e SC2086,SC2046 tools/*.sh tools/packaging/*.sh tests/*.sh .ci/run
}

flags=$*
check format format
check clang-tidy tidy
check cppcheck cpp_check
check library-is-quiet library_is_quiet
check outside outside_has_one_door
check simd simd_has_one_door
check numbers numbers_have_one_door
check programs-use-the-interface programs_use_the_interface
check rooms folders_include_what_the_table_says
check folders folders_are_small
check type-names kernels_share_no_type_names
check header-guards every_header_is_guarded_by_its_path
check words words_are_the_fields
if command -v shellcheck >/dev/null; then
    check shellcheck scripts_are_clean
else
    echo 'lint: shellcheck: left out, not installed'
fi

[ -z "$failed" ] || {
    echo "lint: failed:$failed"
    exit 1
}
