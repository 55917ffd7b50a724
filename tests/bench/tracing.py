"""What a timeline costs, for bench.py: bench_trace trains each network, and every second step is in one."""
import json
import os

# batch, pairs of steps
NETWORKS = {
    "vgg16": (8, 15),
    "googlenet": (8, 60),
    "lenet": (64, 800),
}
ENDS = (".json", ".json.gz")
COST = 0.02  # of a step


def measure(run, options, say, bar):
    rows, bars = [], []
    for name, (batch, pairs) in NETWORKS.items():
        for end in ENDS:
            say(f"trace: {name}, {end}")
            trace, profile = (os.path.join(options.out, part) for part in ("tracing" + end, f"tracing-{name}.profile"))
            command = [os.path.join(options.bench, "bench_trace"), f"models/{name}.yaml", str(batch), profile, trace, str(pairs)]
            row = dict(json.loads(run(command)[0]), network=name, batch=batch, end=end)
            rows.append(row)
            bars.append(bar(f"{name}: cost of a timeline ({end})", row["ratio"] - 1, COST, False))
            bars.append(bar(f"{name}: likewise, in processor time", row["processor_ratio"] - 1, COST, False))
    return dict(rows=rows, bars=bars)


def lines(result):
    for row in result["rows"]:
        yield (f"{row['network']:10} batch {row['batch']:3}, {row['end'][1:]:8} a step of {1e3 * row['step_seconds']:8.2f} ms: "
               f"{100 * (row['ratio'] - 1):+.2f} % with a timeline; {100 * (row['processor_ratio'] - 1):+.2f} % of processor "
               f"time, {1e6 * row['processor_difference_seconds']:.0f} us; {row['trace_bytes'] / 1024:.1f} KiB")
