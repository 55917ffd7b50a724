"""What opt does with each of many budgets, for bench.py: from the smallest to what it takes without any limit.

Everything is planned on a simulated device, by numbers of trials, so nothing of it depends on this machine. Memory binds
where the step takes longer than the oracle's.
"""
import json
import os
import statistics
import subprocess

import search

DEVICE = ("--device", "sim:titan-x-maxwell")
COUNT = 200
MORE = 10  # times as many trials, where little of a budget is used: whether they find a use for the rest

# network, batch, trials under each budget
NETWORKS = (("lenet", 64, 2000), ("alexnet", 128, 2000), ("overfeat", 128, 2000), ("vgg16", 64, 2000), ("vgg19", 64, 2000),
            ("googlenet", 64, 1000), ("squeezenet", 64, 1000), ("resnet50", 32, 1000), ("inception_v3", 32, 300),
            ("densenet121", 32, 300))
LEAST_SHARE = 0.97
ROUNDING = 1e-6  # of sums of times


def report(options, failure, case, *words):
    network, batch, trials = case
    path = os.path.join(options.out, "budgets.json")
    command = [os.path.join(options.bin, "vdnnreport"), "--model", f"models/{network}.yaml", "--batch", str(batch), *DEVICE,
               "--device-mem", "1024GiB", "--policies", "base,opt", "--plan-trials", str(trials), "--quiet", "--json", path]
    done = subprocess.run([*command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise failure(f"vdnnreport ended with {done.returncode}: {done.stderr.strip()}")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def share(cell):
    return cell["arena_bytes"] / cell["budget_bytes"]


def reason(options, failure, case, cells):
    """Why the least of a budget is used: more trials find a faster plan, or the next faster one takes more."""
    network, batch, trials = case
    own = min(cells, key=share)
    if share(own) >= LEAST_SHARE:
        return None
    more, _ = search.plan(options, failure, network, batch, *DEVICE, "--policy", "opt", "--plan-trials", str(MORE * trials),
                          "--device-mem", str(own["budget_bytes"]))
    saved = 1 - more["step_seconds"] / own["step_seconds"] if more else 0
    faster = [cell["arena_bytes"] for cell in cells if cell["step_seconds"] < own["step_seconds"]]
    return dict(saved=saved, missing_bytes=min(faster) - own["budget_bytes"] if faster else None)


def curve(options, failure, case):
    """What opt takes under each budget; the first is a byte less than its smallest."""
    rows = {row["policy"]: row for row in report(options, failure, case)["policies"]}  # of base the faster row
    least, most = rows["opt"]["smallest_bytes"], max(rows["base"]["smallest_bytes"], rows["opt"]["arena_bytes"])
    counts = [least - 1, *(least + (most - least) * i // (COUNT - 1) for i in range(COUNT))]
    budgets = report(options, failure, case, "--budgets", ",".join(map(str, counts)))["budgets"]
    return [dict(budget["policies"][-1], budget_bytes=budget["budget_bytes"]) for budget in budgets]


def measure_network(options, failure, case):
    network, batch, trials = case
    refused, *cells = curve(options, failure, case)
    growths = [more["step_seconds"] / less["step_seconds"] - 1 for less, more in zip(cells, cells[1:])]
    binding = [cell for cell in cells if cell["relative_speed"] < 1 - ROUNDING]
    enough = [cell for cell in cells if cell["budget_bytes"] >= cells[-1]["arena_bytes"]]
    shares = [share(cell) for cell in binding]
    return dict(network=network, batch=batch, trials=trials, least_bytes=cells[0]["budget_bytes"], most_bytes=cells[-1]["budget_bytes"],
                is_exact=not refused["fits"] and cells[0]["fits"],
                fits=all(cell["fits"] and share(cell) <= 1 for cell in cells), grown=sum(growth > ROUNDING for growth in growths),
                worst_growth=max(0, *growths), binding=len(binding), least_share=min(shares),
                median_share=statistics.median(shares), below=sum(value < LEAST_SHARE for value in shares),
                reason=reason(options, failure, case, binding), enough=len(enough),
                moved_bytes=max(cell["offload_bytes"] for cell in enough),
                recompute_seconds=max(cell["recompute_seconds"] for cell in enough))


def measure(options, failure, say):
    rows = []
    for case in NETWORKS:
        say(f"budgets: {case[0]}, batch {case[1]}")
        rows.append(measure_network(options, failure, case))
    return rows


def reason_text(row):
    why = row["reason"]
    if why is None:
        return "-"
    if why["saved"] > ROUNDING:
        return f"{MORE * row['trials']} trials find a plan faster by {100 * why['saved']:.2f} %"
    if why["missing_bytes"] is None:
        return "no faster plan was found"
    return f"the next faster plan takes {why['missing_bytes'] / 2**20:.1f} MiB more"


def holds(row):
    moved = row["moved_bytes"] > 0 or row["recompute_seconds"] > 0
    return row["is_exact"] and row["fits"] and row["grown"] == 0 and not moved


def lines(rows):
    """A table: of the budgets where memory binds how much is used, and why that is less than 97 % where the least is."""
    yield ("| network, batch | trials | GiB | one byte less | above the budget | time grew | binds in | used: least, median | below 97 % | "
           "the least, as | enough in | moved there | |")
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        grown = f"by up to {100 * row['worst_growth']:.2f} %, {row['grown']} times" if row["grown"] else "never"
        moved = row["moved_bytes"] > 0 or row["recompute_seconds"] > 0
        yield (f"| {row['network']}, {row['batch']} | {row['trials']} | {row['least_bytes'] / 2**30:.2f} to {row['most_bytes'] / 2**30:.2f} | "
               f"{'refused' if row['is_exact'] else 'FITS'} | {'never' if row['fits'] else 'YES'} | {grown} | "
               f"{row['binding']} | {row['least_share']:.3f}, {row['median_share']:.3f} | {row['below']} | {reason_text(row)} | "
               f"{row['enough']} | {'SOMETHING' if moved else 'nothing'} | {'pass' if holds(row) else 'FALLS SHORT'} |")
