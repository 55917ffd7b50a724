"""What opt finds in given budgets, against what was set as its aim, for bench.py.

Everything is planned on simulated devices, so nothing of it depends on this machine but how many plans the search tries.
"""
import json
import os
import subprocess
import time

GIB = 2**30
NO_FIT = 4  # the exit code of a budget that is too small
LIMIT_SECONDS = 60  # of one program; --plan-seconds is 2

# Budgets that follow from another plan's record.
ALL_M = ("all (m)", ("--policy", "all", "--algo", "m"), lambda own: own["arena_bytes"])
HALF_MAPS = ("half the maps", ("--policy", "base", "--algo", "p"),
             lambda own: own["arena_bytes"] - own["by_category_at_peak"]["feature_maps"] // 2)
QUARTER = ("25 % of base's", ("--policy", "base", "--algo", "p"), lambda own: own["arena_bytes"] // 4)

TITAN_X = ("--device", "sim:titan-x-maxwell")
H200 = ("--device", "sim:h200")

# network, batch, words of the run, budget in GiB or from a record, the aim: step's time over the oracle's; None: to fit is enough
CASES = (
    ("vgg19", 256, TITAN_X, 12.0, 1.005),
    ("vgg19", 256, TITAN_X, 9.6, 1.01),
    ("vgg19", 256, TITAN_X, 6.0, 1.04),
    ("vgg19", 256, TITAN_X, 4.0, 1.12),
    ("vgg19", 256, TITAN_X, 2.0, None),
    ("alexnet", 128, TITAN_X, ALL_M, 1 / 0.93),
    ("overfeat", 128, TITAN_X, ALL_M, 1 / 0.93),
    ("vgg19", 64, TITAN_X, ALL_M, 1 / 0.93),
    ("googlenet", 128, TITAN_X, ALL_M, 1 / 0.98),
    ("resnet50", 128, TITAN_X, ALL_M, 1 / 0.87),
    ("alexnet", 128, TITAN_X, HALF_MAPS, 1 / 0.99),
    ("overfeat", 128, TITAN_X, HALF_MAPS, 1 / 0.99),
    ("vgg19", 64, TITAN_X, HALF_MAPS, 1 / 0.99),
    ("googlenet", 128, TITAN_X, HALF_MAPS, 1 / 0.99),
    ("resnet50", 128, TITAN_X, HALF_MAPS, 1 / 0.99),
    ("vgg416", 32, TITAN_X, 8.0, 1.01),
    ("vgg19", 256, H200, 6.0, 1.01),
    ("vgg19", 256, (*H200, "--dtype", "tf32"), 6.0, 1.05),
    ("vgg19", 256, (*H200, "--dtype", "bf16"), 6.0, 1.01),
    ("densenet121", 64, TITAN_X, QUARTER, 1 / 0.85),
    ("inception_v3", 64, TITAN_X, QUARTER, 1 / 0.85),
)


def plan(options, failure, network, batch, *arguments):
    """The plan's record, also of one that does not fit, and the seconds that the program took; None: it was stopped.

    Without a batch it is that of the network's file.
    """
    path = os.path.join(options.out, "search.json")
    command = [os.path.join(options.bin, "vdnnrun"), "--model", f"models/{network}.yaml", "--dry-run", "--quiet", "--json",
               path, *(("--batch", str(batch)) if batch else ()), *arguments]
    begun = time.monotonic()
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return None, time.monotonic() - begun
    if done.returncode not in (0, NO_FIT):
        raise failure(f"vdnnrun ended with {done.returncode}: {done.stderr.strip()}")
    with open(path, encoding="utf-8") as file:
        return json.load(file)["plan"], time.monotonic() - begun


def name_of(words):
    """Of a run's device and data type."""
    return " ".join(word.removeprefix("sim:") for word in words if not word.startswith("--"))


def measure_case(options, failure, case):
    network, batch, words, budget, aim = case
    device_bytes, label = budget, None
    if isinstance(budget, tuple):
        label, policy, of_record = budget
        device_bytes = of_record(plan(options, failure, network, batch, *words, *policy)[0]) / GIB
    device_bytes = int(device_bytes * GIB)
    own, seconds = plan(options, failure, network, batch, *words, "--policy", "opt", "--device-mem", str(device_bytes))
    row = dict(network=network, batch=batch, run=name_of(words), budget_bytes=device_bytes, budget=label, aim=aim,
               program_seconds=seconds)
    if own is None:
        return dict(row, holds=False)
    row.update(fits=own["fits"], smallest_bytes=own.get("smallest_bytes"), trials=own["chosen"]["trials"])
    if own["fits"]:
        oracle, bound = own["oracle_step_seconds"], own["bound_step_seconds"]
        row.update(time=own["step_seconds"] / oracle, bound=None if bound is None else bound / oracle)
    row["holds"] = own["fits"] and (aim is None or row["time"] <= aim)
    return row


def measure(options, failure, say):
    """A row for each case; `failure` is raised with a message, `say` tells what is going on."""
    rows = []
    for case in CASES:
        say(f"opt: {case[0]}, batch {case[1]}, {name_of(case[2])}")
        rows.append(measure_case(options, failure, case))
    return rows


def found_text(row):
    if "fits" not in row:
        return f"stopped after {LIMIT_SECONDS} s"
    return ratio(row["time"]) if row["fits"] else "does not fit"


def ratio(value):
    return "-" if value is None else f"{value:.3f}"


def lines(rows):
    """A table: times over the oracle's; the gap from the proven bound, where the plan has one."""
    yield "| network, batch | device | budget | time | aim | | bound | gap | smallest budget | plans tried | s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        bound, smallest = row.get("bound"), row.get("smallest_bytes")
        gap = "-" if bound is None else f"{round(100 * (row['time'] / bound - 1), 1) + 0.0} %"  # no -0.0
        smallest = "-" if not smallest else f"{smallest / GIB:.2f} GiB"
        budget = f"{row['budget_bytes'] / GIB:.2f} GiB" + (f" ({row['budget']})" if row["budget"] else "")
        yield (f"| {row['network']}, {row['batch']} | {row['run']} | {budget} | {found_text(row)} | "
               f"{'fits' if row['aim'] is None else ratio(row['aim'])} | {'pass' if row['holds'] else 'FALLS SHORT'} | "
               f"{ratio(bound)} | {gap} | {smallest} | {row.get('trials', '-')} | {row['program_seconds']:.1f} |")
