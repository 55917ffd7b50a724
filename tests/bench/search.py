"""What opt finds in given budgets, against what was set as its aim, for bench.py.

Everything is planned on simulated devices, so nothing of it depends on this machine but how many plans the search tries.
"""
import json
import os
import subprocess
import time

DEVICE = "sim:titan-x-maxwell"
GIB = 2**30
ALL_M = "all (m)"  # the budget is the arena of this policy
NO_FIT = 4  # the exit code of a budget that is too small
LIMIT_SECONDS = 60  # of one program; --plan-seconds is 2

# network, batch, budget, the aim: step's time over the oracle's; None: to fit is enough
CASES = (
    ("vgg19", 256, 12.0, 1.005),
    ("vgg19", 256, 9.6, 1.01),
    ("vgg19", 256, 6.0, 1.04),
    ("vgg19", 256, 4.0, 1.12),
    ("vgg19", 256, 2.0, None),
    ("alexnet", 128, ALL_M, 1 / 0.93),
    ("overfeat", 128, ALL_M, 1 / 0.93),
    ("vgg19", 64, ALL_M, 1 / 0.93),
    ("googlenet", 128, ALL_M, 1 / 0.98),
    ("resnet50", 128, ALL_M, 1 / 0.87),
    ("vgg416", 32, 8.0, 1.01),
)


def plan(options, failure, network, batch, *arguments):
    """The plan's record, also of one that does not fit, and the seconds that the program took; None: it was stopped."""
    path = os.path.join(options.out, "search.json")
    command = [os.path.join(options.bin, "vdnnrun"), "--model", f"models/{network}.yaml", "--batch", str(batch),
               "--device", DEVICE, "--dry-run", "--quiet", "--json", path, *arguments]
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


def measure_case(options, failure, case):
    network, batch, budget, aim = case
    if budget == ALL_M:
        device_bytes = plan(options, failure, network, batch, "--policy", "all", "--algo", "m")[0]["arena_bytes"]
    else:
        device_bytes = int(budget * GIB)
    own, seconds = plan(options, failure, network, batch, "--policy", "opt", "--device-mem", str(device_bytes))
    row = dict(network=network, batch=batch, budget_bytes=device_bytes, of_all_m=budget == ALL_M, aim=aim, program_seconds=seconds)
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
        say(f"opt: {case[0]}, batch {case[1]}, {case[2]}")
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
    yield "| network, batch | budget | time | aim | | bound | gap | smallest budget | plans tried | s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        bound, smallest = row.get("bound"), row.get("smallest_bytes")
        gap = "-" if bound is None else f"{round(100 * (row['time'] / bound - 1), 1) + 0.0} %"  # no -0.0
        smallest = "-" if not smallest else f"{smallest / GIB:.2f} GiB"
        budget = f"{row['budget_bytes'] / GIB:.2f} GiB" + (" (all (m))" if row["of_all_m"] else "")
        yield (f"| {row['network']}, {row['batch']} | {budget} | {found_text(row)} | "
               f"{'fits' if row['aim'] is None else ratio(row['aim'])} | {'pass' if row['holds'] else 'FALLS SHORT'} | "
               f"{ratio(bound)} | {gap} | {smallest} | {row.get('trials', '-')} | {row['program_seconds']:.1f} |")
