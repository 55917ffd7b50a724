#!/bin/sh
# Runs test executables one after the other and counts what cmocka says of them.
#
#   tests/run.sh EXECUTABLE...
#
# VDNN_TEST_UNDER in the environment is a command that runs each, such as valgrind.
# Prints a line for each, the whole output of those that fail, and the reasons of skips; ends with
# "N passed, N failed, N skipped". Fails where a test fails, crashes, leaks or takes too long.
set -u

limit_seconds=600
passed=0 failed=0 skipped=0

# A test that began and neither passed, failed nor was skipped took the process with it.
count='
    /^\[       OK \] /      { passed++ }
    /^\[  SKIPPED \] .*[^:]$/ && !summary { skipped++ }
    /^\[  FAILED  \] .*[^:]$/ && !summary { failed++ }
    /^\[ RUN      \] /      { begun++; summary = 0 }
    /^\[==========\] .* run\./ { summary = 1 }
    END { printf "%d %d %d %d", passed, failed, skipped, begun }'

export UBSAN_OPTIONS=print_stacktrace=1
# Threads that spin at barriers take the cores from those they wait for where others work too.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"
# Threads that wait by spinning take the processor from those that work, where there are few.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY-passive}
for test in "$@"; do
    log=$test.log
    threads=${OMP_NUM_THREADS-}
    case $test in
    build/tsan/*) threads=1 ;; # libgomp and its barriers are not instrumented
    esac
    start=$(date +%s)
    env ${threads:+OMP_NUM_THREADS=$threads} timeout -k 10 $limit_seconds ${VDNN_TEST_UNDER-} "$test" >"$log" 2>&1
    code=$?
    seconds=$(($(date +%s) - start))

    read -r p f s begun <<END
$(awk "$count" "$log")
END
    [ $((p + f + s)) -ge "$begun" ] || f=$((begun - p - s))
    # A leak found at the end, or a crash before the first test, fails too.
    [ "$f" -gt 0 ] || { [ $code = 0 ] && [ "$begun" -gt 0 ]; } || f=1
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))

    printf '%-56s %3d passed, %d failed, %d skipped, %d s\n' "$test" "$p" "$f" "$s" "$seconds"
    grep '^skip: ' "$log" | sed 's/^/    /'
    if [ "$f" -gt 0 ]; then
        sed 's/^/    /' "$log"
        [ $code != 124 ] || echo "    took longer than $limit_seconds s"
        echo "    exit code $code; again: $test"
    fi
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
