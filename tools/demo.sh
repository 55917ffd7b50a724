#!/bin/sh
# The demo: LeNet learns Fashion-MNIST in less memory than it needs, then the report of VGG-16
# at batch 256, on a device of 12 GiB beside a host of 64 GiB.
#
#   tools/demo.sh [--short]    --short: the same within seconds, a few steps and the report of LeNet
#
# The budget lies halfway between the smallest that dyn can work in and what base needs; the policy
# is the first one that offloads there (dyn does not where it gets by without), with the fastest
# algorithms where they fit.
set -eu
cd "$(dirname "$0")/.."

# Threads that spin at barriers take the cores from those they wait for where others work too.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY-passive}"

bin=build/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
profile=$work/profile

data=idx:/usr/share/datasets/fashion-mnist
length='--epochs 3' least_accuracy=0.88
reported='--model vgg16 --batch 256'
case ${1-} in
'') ;;
--short)
    length='--steps 20' least_accuracy=0.5
    reported="--model lenet --batch 64 --profile $profile"
    ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac

# The first value of a key in the object NAME of a JSON file as vdnnrun prints it.
value() { # FILE NAME KEY
    sed -n '/^  "'"$2"'": {/,/^  }/s/^    "'"$3"'": \([^,]*\),\{0,1\}$/\1/p' "$1" | head -n 1
}

plan() { # POLICY OPTIONS...
    policy=$1
    shift
    "$bin/vdnnrun" --model lenet --device cpu --policy "$policy" --profile "$profile" --dry-run \
        --quiet --json "$work/plan.json" "$@" >"$work/messages" 2>&1 || [ $? = 4 ] || {
        cat "$work/messages" >&2
        exit 1
    }
}

stop() {
    echo "demo: $*" >&2
    exit 1
}

plan base --algo p --rules paper
base=$(value "$work/plan.json" plan device_peak_bytes)
plan dyn --rules paper --device-mem 4096
smallest=$(value "$work/plan.json" plan smallest_bytes)
[ "${base:-0}" -gt "${smallest:-0}" ] || stop "base needs '$base' bytes, dyn '$smallest'"
budget=$(((smallest + base) / 2))
echo "base needs $base bytes, dyn at least $smallest; the budget is $budget, halfway between them"

for algo in p m; do
    for policy in dyn all; do
        plan "$policy" --algo "$algo" --rules paper --device-mem "$budget"
        [ "$(value "$work/plan.json" plan fits)" = true ] || continue
        offload=$(value "$work/plan.json" plan offload_bytes)
        echo "$policy: plans to offload $offload bytes a step"
        [ "$offload" = 0 ] || break 2
    done
done

"$bin/vdnnrun" --model lenet --device cpu --policy "$policy" --algo "$algo" --rules paper --device-mem "$budget" \
    --profile "$profile" --data "$data" --test-data "$data" $length --lr 0.02 --seed 1 \
    --json "$work/run.json"

offloaded=$(value "$work/run.json" measured offload_bytes)
peak=$(value "$work/run.json" measured device_peak_bytes)
accuracy=$(sed -n 's/^  "test_accuracy": \([0-9.]*\),\{0,1\}$/\1/p' "$work/run.json")
awk -v out="$offloaded" -v peak="$peak" -v budget="$budget" -v accuracy="$accuracy" 'BEGIN {
    printf "measured: %.2f MiB offloaded a step, %.2f of %.2f MiB used, test accuracy %.4f\n",
        out / 1048576, peak / 1048576, budget / 1048576, accuracy }'
[ "$offloaded" -gt 0 ] || stop 'nothing was offloaded'
[ "$peak" -le "$budget" ] || stop 'the budget was exceeded'
awk -v got="$accuracy" -v least="$least_accuracy" 'BEGIN { exit !(got >= least) }' ||
    stop "the test accuracy is below $least_accuracy"

echo
"$bin/vdnnreport" $reported --device-mem 12GiB --host-mem 64GiB
