"""What packing loses, for bench.py: minimalloc's instances, and the arenas of every network's plans.

No packing is smaller than what is alive at one time. A plan's loss is its arena over that; the aim holds where memory is
short: a policy that has memory to spare need not pack it.
"""
import glob
import json
import os
import subprocess

import search

REFERENCE = "tests/reference/packing.csv"
DEVICE = ("--device", "sim:titan-x-maxwell")
TRIALS = ("--plan-trials", "2000")
AIM = 1.02  # a plan's arena over what is alive at one time

# Of a network: label, words of the run; the plans of these do not depend on the budget.
STATIC = tuple((f"{policy} ({algo})", ("--policy", policy, "--algo", algo))
               for policy in ("base", "all", "conv") for algo in ("m", "p"))
SEARCHING = (("dyn", ("--policy", "dyn")), ("opt", ("--policy", "opt", *TRIALS)))


def instances(options, failure):
    """The record of bench_packing over minimalloc's instances."""
    with open(REFERENCE, encoding="utf-8") as file:
        done = subprocess.run([os.path.join(options.bench, "rivals/bench_packing")], stdin=file, capture_output=True,
                              text=True, check=False)
    if done.returncode != 0:
        raise failure(f"bench_packing ended with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)["instances"]


def entry(network, policy, budget, record):
    live = record["device_peak_bytes"]
    return dict(network=network, policy=policy, budget=budget, fits=record["fits"], live_bytes=live,
                arena_bytes=record["arena_bytes"], loss=record["arena_bytes"] / live)


def plans_of(options, failure, network):
    """An entry for every policy: of those that search, in the smallest budget and halfway from it to base's peak.

    Plans that a busy machine did not make in the time that one has are left out.
    """
    def plan(*words):
        return search.plan(options, failure, network, None, *DEVICE, *words)[0]

    own = {label: plan(*words) for label, words in STATIC}
    yield from (entry(network, label, None, record) for label, record in own.items() if record)
    base = own["base (p)"]["device_peak_bytes"] if own["base (p)"] else 0
    for label, words in SEARCHING:
        smallest = (plan(*words) or {}).get("smallest_bytes")
        budgets = dict(smallest=smallest, halfway=(smallest + base) // 2 if smallest and smallest < base else None)
        for budget, count in budgets.items():
            record = plan(*words, "--device-mem", str(count)) if count else None
            if record:
                yield entry(network, label, budget, record)


def measure(options, failure, say):
    networks = []
    for path in sorted(glob.glob("models/*.yaml")):
        network = os.path.basename(path).removesuffix(".yaml")
        say(f"packing: {network}")
        networks += plans_of(options, failure, network)
    return dict(instances=instances(options, failure), networks=networks)


def instance_lines(rows):
    yield "| instance | buffers | capacity | alive | span | over what is alive | | s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        fits = "pass" if row["span_bytes"] <= row["capacity_bytes"] else "FALLS SHORT"
        yield (f"| {row['instance']} | {row['buffers']} | {row['capacity_bytes']} | {row['live_bytes']} | "
               f"{row['span_bytes']} | {row['span_bytes'] / row['live_bytes']:.3f} | {fits} | {row['seconds']:.3f} |")


def lines(result):
    yield from instance_lines(result["instances"])
    rows = result["networks"]
    columns = [label for label, _ in STATIC] + [f"{label}, {budget}" for label, _ in SEARCHING
                                                for budget in ("smallest", "halfway")]
    found = {(row["network"], row["policy"] + (f", {row['budget']}" if row["budget"] else "")): row for row in rows}
    yield ""
    yield f"| network | {' | '.join(columns)} |"
    yield "| --- |" + " --- |" * len(columns)
    for network in sorted({row["network"] for row in rows}):
        own = [found.get((network, column)) for column in columns]
        yield f"| {network} | {' | '.join('-' if row is None else loss_text(row) for row in own)} |"
    above = [row for row in rows if row["loss"] > AIM]
    yield f"Above {AIM}: {len(above)} of {len(rows)} plans"
    for row in sorted(above, key=lambda row: -row["loss"]):
        yield (f"    {row['network']}, {row['policy']}{', ' + row['budget'] if row['budget'] else ''}: "
               f"{row['loss']:.3f}, {(row['arena_bytes'] - row['live_bytes']) / 2**20:.1f} MiB")


def loss_text(row):
    return f"{row['loss']:.3f}" + ("" if row["fits"] else "*")
