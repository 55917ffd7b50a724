"""What plans predict against what steps take, for bench.py.

In every turn each network's layers are measured anew, into a profile. Then under every policy the same
plan runs twice: on a device that is simulated by that profile, and on the one that it was recorded on.
Medians over the turns are compared, since the machine's speed of one minute is not that of the next.
"""
import json
import os
import statistics

# batch, steps of a run
NETWORKS = {
    "lenet": (64, 200),
    "cifar_cnn": (64, 40),
    "alexnet": (32, 8),
    "googlenet": (16, 8),
    "vgg16": (4, 6),
}
POLICIES = ("base", "all", "conv", "dyn")
TURNS = 3
ERROR = 0.10  # of the step's time, in the median over all
EQUAL = ("device_peak_bytes", "offload_bytes", "prefetch_bytes")


def run_for_json(run, options, *arguments):
    path = os.path.join(options.out, "prediction.run.json")
    run([os.path.join(options.bin, "vdnnrun"), "--quiet", "--rules", "paper", "--json", path, *arguments])
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def measure_policy(run, options, network, profile, policy):
    model, batch, steps = network
    case = ("--model", model, "--batch", str(batch), "--policy", policy)
    own = run_for_json(run, options, *case, "--profile", profile, "--steps", str(steps))
    plan, measured = own["plan"], own["measured"]
    budgets = ("--device-mem", str(own["device"]["budget_bytes"]), "--host-mem", str(own["host_budget_bytes"]))
    clock = run_for_json(run, options, *case, *budgets, "--device", "sim:" + profile, "--steps", "1")["measured"]
    wrong = [key for key in EQUAL if plan[key] != measured[key]]
    if plan["arena_bytes"] != measured["device_arena_bytes"]:
        wrong.append("arena_bytes")
    if abs(clock["step_seconds"] - plan["step_seconds"]) > 1e-9 * plan["step_seconds"]:
        wrong.append("the recording's step_seconds")
    return dict(policy=policy, predicted_seconds=clock["step_seconds"], measured_seconds=measured["step_seconds"],
                predicted_stall_seconds=clock["stall_seconds"], measured_stall_seconds=measured["stall_seconds"],
                not_equal=wrong)


def take_turn(run, options, say, name):
    """A row for each policy."""
    batch, steps = NETWORKS[name]
    profile = os.path.join(options.out, f"prediction-{name}.profile")
    if os.path.exists(profile):
        os.remove(profile)
    say(f"prediction: {name}")
    return [measure_policy(run, options, (f"models/{name}.yaml", batch, steps), profile, policy) for policy in POLICIES]


def combine(turns):
    """Of one policy's rows: medians, and all that was not equal in any."""
    row = {key: statistics.median(turn[key] for turn in turns) for key in turns[0] if key.endswith("_seconds")}
    row.update(policy=turns[0]["policy"], not_equal=sorted({key for turn in turns for key in turn["not_equal"]}),
               error=row["predicted_seconds"] / row["measured_seconds"] - 1, turns=turns)
    return row


def measure(run, options, say):
    """Every network under every policy; `run` starts a program, `say` tells what is going on."""
    turns = [{name: take_turn(run, options, say, name) for name in NETWORKS} for _ in range(TURNS)]
    results = {name: [combine(rows) for rows in zip(*(turn[name] for turn in turns))] for name in NETWORKS}
    entries = [entry for rows in results.values() for entry in rows]
    median = statistics.median(abs(entry["error"]) for entry in entries)
    equal = not any(entry["not_equal"] for entry in entries)
    bars = [dict(bar="step predicted within, median", wanted=ERROR, found=median, at_least=False, holds=median <= ERROR),
            dict(bar="plans whose memory is as predicted", wanted=1.0, at_least=True, holds=equal,
                 found=sum(not entry["not_equal"] for entry in entries) / len(entries))]
    return dict(networks=results, bars=bars)


def lines(result):
    yield f"{'network':10} {'policy':6} {'step predicted':>15} {'measured':>10} {'error':>7} {'stall predicted':>16} {'measured':>10}"
    for name, rows in result["networks"].items():
        for row in rows:
            yield (f"{name:10} {row['policy']:6} {1e3 * row['predicted_seconds']:12.2f} ms {1e3 * row['measured_seconds']:7.2f} ms "
                   f"{100 * row['error']:+6.1f}% {1e3 * row['predicted_stall_seconds']:13.2f} ms "
                   f"{1e3 * row['measured_stall_seconds']:7.2f} ms{'  NOT EQUAL: ' + ', '.join(row['not_equal']) if row['not_equal'] else ''}")
