"""What a timeline costs, for bench.py: bench_trace trains each network, in turns some steps in a timeline and some in none.
Where the machine is busy the difference of long steps is lost in it: what writing takes is measured alone, too, in steps of
a device that is simulated by the network's profile, which compute nothing (and have no launches and batches to write).
"""
import json
import os

# batch, pairs, steps of a half
NETWORKS = {
    "vgg16": (8, 9, 1),
    "googlenet": (8, 50, 4),
    "lenet": (64, 60, 50),
}
ENDS = (".json", ".json.gz")
COST = 0.02  # of a step
ALONE = 20  # pairs


def measure_row(run, options, name, end):
    batch, pairs, steps = NETWORKS[name]
    trace, profile = (os.path.join(options.out, part) for part in ("tracing" + end, f"tracing-{name}.profile"))
    command = [os.path.join(options.bench, "bench_trace"), f"models/{name}.yaml", str(batch), profile, trace]
    row = dict(json.loads(run([*command, str(pairs), str(steps)])[0]), network=name, batch=batch, end=end)
    alone = json.loads(run([*command, str(ALONE), str(ALONE), "sim:" + profile])[0])
    return dict(row, writing_seconds=alone["processor_difference_seconds"])


def measure(run, options, say, bar):
    rows, bars = [], []
    for name in NETWORKS:
        for end in ENDS:
            say(f"trace: {name}, {end}")
            row = measure_row(run, options, name, end)
            rows.append(row)
            for what, found in (("step", row["ratio"] - 1), ("processor time", row["processor_ratio"] - 1),
                                ("writing alone", row["writing_seconds"] / row["processor_seconds"])):
                bars.append(bar(f"{name}: timeline ({end[1:]}), {what}", found, COST, False))
    return dict(rows=rows, bars=bars)


def lines(result):
    for row in result["rows"]:
        yield (f"{row['network']:10} batch {row['batch']:3}, {row['end'][1:]:8} a step of {1e3 * row['step_seconds']:8.2f} ms: "
               f"{100 * (row['ratio'] - 1):+.2f} % with a timeline; {100 * (row['processor_ratio'] - 1):+.2f} % of its "
               f"{1e3 * row['processor_seconds']:.1f} ms of processor time; writing alone {1e6 * row['writing_seconds']:.0f} us; "
               f"{row['trace_bytes'] / 1024:.1f} KiB")
