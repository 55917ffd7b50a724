#!/bin/sh
# Runs the fuzz targets, one after the other, and prints what each did.
#
#   tests/fuzz.sh [NAME...]       all where none is named; build/fuzz/bin/fuzz_NAME are there
#
# FUZZ_RUNS executions of each (10,000,000), or as many as FUZZ_SECONDS allow. What a target learned is kept in
# build/fuzz/corpus/NAME and used the next time; executions of all runs are summed in build/fuzz/executions. An
# input that ends a target is made smaller and put into tests/fuzz/corpus/NAME, which `make check` replays.
set -u

bin=build/fuzz/bin
total=build/fuzz/executions
seconds=${FUZZ_SECONDS:-0}
runs=${FUZZ_RUNS:-10000000}
[ "$seconds" = 0 ] || runs=-1
failed=0

# Every input costs little time and memory, however hostile it is.
limits='-timeout=10 -report_slow_units=3600 -rss_limit_mb=1024 -malloc_limit_mb=256'

work=$(mktemp -d "${TMPDIR:-/tmp}/vdnn-fuzz.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export UBSAN_OPTIONS=print_stacktrace=1

last() { # PATTERN FILE: the number behind the last match
    grep -o "$1 *[0-9]*" "$2" | tail -n 1 | grep -o '[0-9]*$'
}

# Puts what ended the target into its corpus, as small as it gets in half a minute; unless it does not end it
# again, because it was only the machine that was slow.
keep() { # NAME FILE
    if "$bin/fuzz_$1" $limits "$2" >"$work/again" 2>&1; then
        echo "    $2 ended it once and does not again"
        return
    fi
    failed=1
    small=$work/small
    "$bin/fuzz_$1" $limits -minimize_crash=1 -max_total_time=30 -exact_artifact_path="$small" "$2" \
        >"$work/minimize" 2>&1
    [ -s "$small" ] || cp "$2" "$small"
    found=tests/fuzz/corpus/$1/found-$(cksum <"$small" | cut -d ' ' -f 1)
    mv "$small" "$found"
    echo "    $found: again: $bin/fuzz_$1 $found"
}

[ $# -gt 0 ] || {
    for target in "$bin"/fuzz_*; do
        set -- "$@" "${target#"$bin"/fuzz_}"
    done
}
printf '%-14s %12s %14s %10s %9s %8s\n' target executions 'of all runs' 'per second' coverage crashes
for name in "$@"; do
    [ -x "$bin/fuzz_$name" ] || {
        echo "there is no fuzz target $name; $bin has:" "$(ls "$bin")" >&2
        exit 2
    }
    mkdir -p "build/fuzz/corpus/$name" "build/fuzz/found/$name" "tests/fuzz/corpus/$name"
    dictionary=
    [ ! -f "tests/fuzz/$name.dict" ] || dictionary=-dict=tests/fuzz/$name.dict
    log=build/fuzz/$name.log
    rm -f build/fuzz/found/"$name"/*
    begun=$(date +%s)
    "$bin/fuzz_$name" $limits -runs="$runs" -max_total_time="$seconds" -print_final_stats=1 $dictionary \
        -artifact_prefix="build/fuzz/found/$name/" "build/fuzz/corpus/$name" "tests/fuzz/corpus/$name" \
        >"$log" 2>&1
    code=$?
    took=$(($(date +%s) - begun))
    done=$(last 'stat::number_of_executed_units:' "$log")
    done=${done:-0}
    echo "$name $done" >>"$total"
    crashes=$(find "build/fuzz/found/$name" -type f | wc -l)
    printf '%-14s %12d %14d %10d %9d %8d\n' "$name" "$done" \
        "$(awk -v n="$name" '$1 == n { sum += $2 } END { print sum }' "$total")" \
        $((done / (took > 0 ? took : 1))) "$(last 'cov:' "$log")" "$crashes"
    [ "$code" = 0 ] && [ "$crashes" = 0 ] && continue
    [ "$crashes" -gt 0 ] || failed=1
    grep -m 1 'ERROR\|runtime error\|does not hold\|SUMMARY' "$log" | sed 's/^/    /'
    for file in build/fuzz/found/"$name"/*; do
        [ ! -f "$file" ] || keep "$name" "$file"
    done
done
exit $failed
