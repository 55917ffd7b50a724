#!/bin/sh
# Runs test executables, several at a time, and counts what cmocka says of them.
#
#   tests/run.sh EXECUTABLE...
#
# In the environment, VDNN_TEST_JOBS is how many run at a time (as many as there are processors), VDNN_TEST_UNDER
# a command that runs each, such as valgrind, VDNN_TEST_LIMIT_SECONDS what one may take (600), VDNN_TEST_PART, such as
# 2/3, which third of them runs (all: 1/1).
# Prints a line for each as it ends, with its seconds and those of all its threads and programs, and the whole
# output of those that fail; at the end every test that was skipped, by reason, every test that failed with the
# lines that say why, and "N passed, N failed, N skipped". Fails where a test fails, crashes, leaks, takes too long,
# or is skipped without a reason.
set -u

limit_seconds=${VDNN_TEST_LIMIT_SECONDS:-600}

# A test that began and neither passed, failed nor was skipped took the process with it.
count='
    /^\[       OK \] /      { passed++ }
    /^skip: /                { explained = 1 }
    /^\[  SKIPPED \] .*[^:]$/ && !summary { explained ? skipped++ : failed++ }
    /^\[  FAILED  \] .*[^:]$/ && !summary { failed++ }
    /^\[ RUN      \] /      { begun++; summary = explained = 0 }
    /^\[==========\] .* run\./ { summary = 1 }
    END { printf "%d %d %d %d", passed, failed, skipped, begun }'

# Of each test that failed, its name and the last lines it printed, or those of a sanitizer from the one that
# names what it found. A process may also end within a test, or fail outside of all.
# shellcheck disable=SC2016 # the $ are awk's
reasons='
    function forget() {
        running = ""
        last = found = explained = 0
    }
    function tell(name) {
        printf "FAILED %s: %s\n", executable, name
        first = found ? found : last - shown + 1
        for (i = first > 0 ? first : 1; i <= last && i < first + shown; i++)
            print "    " lines[i]
    }
    BEGIN { shown = 12 }
    /^\[ RUN      \] /                         { forget(); running = substr($0, 14); next }
    /^\[  SKIPPED \] / && running != "" && !explained {
        lines[++last] = "skipped without a reason"
        tell(running)
        told = 1
    }
    /^\[       OK \] / || /^\[  SKIPPED \] /   { forget(); next }
    /^\[  FAILED  \] / && running == ""        { forget(); next }
    /^\[  FAILED  \] /                         { tell(running); told = 1; forget(); next }
    /(ERROR|WARNING): [A-Za-z]+Sanitizer|runtime error: |^==[0-9]+== [A-Z]/ && !found { found = last + 1 }
    /^skip: /                                 { explained = 1 }
    { lines[++last] = $0 }
    END {
        if (running == "" && told)
            exit
        tell(running == "" ? "outside of its tests" : running " did not end")
        if (code == 124 || code == 137)
            printf "    took longer than %d s\n", limit
        printf "    exit code %d\n", code
    }'

# Of each test that was skipped: the reason, the program, its name.
# shellcheck disable=SC2016
skips='
    /^\[ RUN      \] /                            { reason = ""; summary = 0 }
    /^skip: /                                      { reason = substr($0, 7) }
    /^\[==========\] .* run\./                    { summary = 1 }
    /^\[  SKIPPED \] .*[^:]$/ && reason && !summary { printf "%s\t%s\t%s\n", reason, executable, substr($0, 14) }'

# The same of all programs, sorted: each reason once, below it each program once.
# shellcheck disable=SC2016
tell_skips='
    $1 != reason   { print "skipped: " $1; executable = "" }
    $2 != executable { print "    " $2 }
    { print "        " $3; reason = $1; executable = $2 }'

# What all children of this shell have taken of the processors, in seconds.
# shellcheck disable=SC2016
taken='
    NR == 2 {
        for (i = 1; i <= 2; i++) {
            split($i, part, "m")
            seconds += part[1] * 60 + part[2]
        }
        printf "%.0f", seconds
    }'

# run.sh --one FOLDER EXECUTABLE: runs one of them; the folder takes its counts and the reasons of its failures.
run_one() {
    folder=$1 test=$2 log=$2.log
    threads=${OMP_NUM_THREADS-}
    case $test in
    build/tsan/*) threads=1 ;; # libgomp and its barriers are not instrumented
    esac
    start=$(date +%s)
    # timeout leads a process group of its own, which it ends as a whole: what ends this shell must reach it.
    env ${threads:+OMP_NUM_THREADS=$threads} timeout -k 10 $limit_seconds ${VDNN_TEST_UNDER-} "$test" >"$log" 2>&1 &
    trap 'kill $!; exit 130' INT TERM
    wait $!
    code=$?
    seconds=$(($(date +%s) - start))
    times >"$folder/$$.times" # of this shell and, below, of what it started

    read -r p f s begun <<END
$(awk "$count" "$log")
END
    [ $((p + f + s)) -ge "$begun" ] || f=$((begun - p - s))
    # A leak found at the end, or a crash before the first test, fails too.
    [ "$f" -gt 0 ] || { [ $code = 0 ] && [ "$begun" -gt 0 ]; } || f=1
    {
        flock 9
        echo "$p $f $s" >>"$folder/counts"
        printf '%-56s %3d passed, %d failed, %d skipped, %d s (%d s)\n' \
            "$test" "$p" "$f" "$s" "$seconds" "$(awk "$taken" "$folder/$$.times")"
        awk -v executable="$test" "$skips" "$log" >>"$folder/skips"
        if [ "$f" -gt 0 ]; then
            sed 's/^/    /' "$log"
            echo "    exit code $code; again: $test"
            awk -v executable="$test" -v code=$code -v limit=$limit_seconds "$reasons" "$log" >>"$folder/reasons"
        fi
    } 9>>"$folder/counts"
}

if [ "${1-}" = --one ]; then
    run_one "$2" "$3"
    exit
fi

export UBSAN_OPTIONS=print_stacktrace=1
# The search of opt: the same plans, and quick ones, however busy the machine is.
export VDNN_PLAN_TRIALS="${VDNN_PLAN_TRIALS-50}"
# Each test measures for itself, and nothing is left in the user's cache of profiles.
export VDNN_NO_CACHE=1
# Threads that wait by spinning take the processor from those that work, where there are few.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"

# Every Nth from the Kth on, so that the kinds of tests are spread over the parts.
part=${VDNN_TEST_PART:-1/1}
selected=$(printf '%s\n' "$@" | awk -v part="$part" '
    BEGIN {
        if (part !~ /^[1-9][0-9]*\/[1-9][0-9]*$/ || split(part, p, "/") != 2 || p[1] + 0 > p[2] + 0)
            exit 1
    }
    NR % p[2] == p[1] % p[2]') || {
    echo "tests/run.sh: PART=$part: expected K/N, such as 2/3, with K from 1 to N" >&2
    exit 2
}
unset VDNN_TEST_PART # of these programs, not of what they run
# shellcheck disable=SC2086 # names of programs, a word each
set -- $selected

folder=$(mktemp -d "${TMPDIR:-/tmp}/vdnn-tests.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
touch "$folder/counts" "$folder/skips" "$folder/reasons"

printf '%s\n' "$@" | xargs -r -P "${VDNN_TEST_JOBS:-$(nproc)}" -n 1 "$0" --one "$folder"

sort "$folder/skips" | awk -F '\t' "$tell_skips"
cat "$folder/reasons"
awk -v wanted=$# '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        failed += wanted - NR # whose runner was killed
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit failed > 0
    }' "$folder/counts"
