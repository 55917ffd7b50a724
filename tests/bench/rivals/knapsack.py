"""PyTorch's choice of what to recompute, on our clock, beside opt, for bench.py.

torch.compile recomputes within a memory budget by a knapsack: of the maps that backward needs, those are saved that take
longest to recompute, as far as they fit. Its solvers, from the package on PyPI, are given the maps of our plan with their
bytes and times; what they choose is planned and timed by our planner, as opt's plans are. A solver counts no gradients,
workspaces and maps that are recomputed for others, so that its budget is not the device's: of 41 of them the fastest plan
that fits is taken, which no user of theirs could do better. Of a network of blocks there is also full checkpointing, which
keeps what blocks read and recomputes the rest.
"""
import collections
import glob
import json
import os
import re
import subprocess
import zipfile

import search

PARTS = (0.9, 0.75, 0.6, 0.5, 0.4)  # of the arena of a plan that keeps everything
FEWER = (0.9, 0.8, 0.7, 0.61)  # of which weights, gradients and state are half; the last leaves a quarter of the rest
Case = collections.namedtuple("Case", "network batch device dtype parts blocks", defaults=("p100", "f32", PARTS, None))
GPT2 = dict(dtype="bf16", parts=FEWER, blocks=r"wte|block\d+")
CASES = (Case("resnet50", 128), Case("vgg16", 128), Case("googlenet", 256), Case("gpt2_355m", 8, "h200", **GPT2),
         Case("gpt2_355m", 8, "rtx-4090", **GPT2))
STEPS = 40
TRIALS = ("--plan-trials", "6000")  # some 2 to 4 s on a quiet machine; the same plans on a busy one
NO_HOST = ("--host-mem", "1KiB")  # so that opt can only recompute

# The smallest wheel with the solvers, which are plain Python: only this file of it is used.
WHEEL = ("torch==2.9.1", "--no-deps", "--only-binary=:all:", "--platform", "macosx_11_0_arm64", "--python-version", "3.11")
MEMBER = "torch/_functorch/_activation_checkpointing/knapsack.py"


# ---- the solvers -----------------------------------------------------------------------------------


def command(failure, what, *words):
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise failure(f"{what}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")


def prepare(options, failure, say):
    """An environment with scipy (and the system's torch, if there is one), and the file of the solvers; made once."""
    root = os.path.join(options.out, "rivals")
    python, solvers = os.path.join(root, "venv/bin/python"), os.path.join(root, "knapsack.py")
    if not os.path.exists(python):
        say("rivals: an environment for PyTorch's solvers")
        command(failure, "no environment", "/usr/bin/python3", "-m", "venv", "--system-site-packages",
                os.path.join(root, "venv"))
        command(failure, "no scipy", python, "-m", "pip", "install", "--quiet", "scipy")
    if not os.path.exists(solvers):
        say(f"rivals: {WHEEL[0]} from PyPI")
        command(failure, "no wheel of PyTorch", python, "-m", "pip", "download", "--quiet", "--dest", root, *WHEEL)
        for wheel in glob.glob(os.path.join(root, "torch-*.whl")):
            with zipfile.ZipFile(wheel) as archive, open(solvers + ".part", "wb") as file:
                file.write(archive.read(MEMBER))
            os.remove(wheel)
        os.replace(solvers + ".part", solvers)
    return python, solvers


def saved_by_solvers(failure, python, solvers, maps):
    given = dict(memory=[own["bytes"] for own in maps], seconds=[own["recompute_seconds"] for own in maps],
                 budgets=[step / STEPS for step in range(STEPS + 1)])
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "knapsack_solvers.py")
    done = subprocess.run([python, own, solvers], input=json.dumps(given), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise failure(f"knapsack_solvers.py: {done.stderr.strip().splitlines()[-1]}")
    return json.loads(done.stdout)["solvers"]


# ---- their choices as plans ------------------------------------------------------------------------


def bench_recompute(options, failure, what, case, lists=""):
    done = subprocess.run([os.path.join(options.bench, "rivals/bench_recompute"), what, f"models/{case.network}.yaml",
                           str(case.batch), f"sim:models/devices/{case.device}.yaml", case.dtype], input=lists,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise failure(f"bench_recompute {what} {case.network}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def plans_of(options, failure, case, maps, saved):
    """A plan for each list of saved items."""
    lists = "".join(" ".join(str(own["map"]) for i, own in enumerate(maps) if i not in kept) + "\n"
                    for kept in map(set, saved))
    return bench_recompute(options, failure, "plans", case, lists)


def fastest(plans, budget_bytes):
    fitting = [plan["step_seconds"] / plan["oracle_step_seconds"] for plan in plans if plan["arena_bytes"] <= budget_bytes]
    return min(fitting, default=None)


def opt(options, failure, case, budget_bytes, *words):
    own = search.plan(options, failure, case.network, case.batch, "--device", f"sim:{case.device}", "--dtype", case.dtype,
                      "--policy", "opt", *TRIALS, "--device-mem", str(budget_bytes), *words)[0]
    return own["step_seconds"] / own["oracle_step_seconds"] if own is not None and own["fits"] else None


def measure_case(options, failure, tools, case):
    maps = [own for own in bench_recompute(options, failure, "maps", case)
            if own["needed"] and own["recomputable"] and own["recompute_seconds"] > 0]
    found = saved_by_solvers(failure, *tools, maps)
    whys = {name: own for name, own in found.items() if isinstance(own, str)}
    plans = {name: plans_of(options, failure, case, maps, own) for name, own in found.items() if name not in whys}
    plain = plans_of(options, failure, case, maps, [range(len(maps))])[0]
    if case.blocks is not None:
        inputs = [i for i, own in enumerate(maps) if re.fullmatch(case.blocks, own["name"])]
        plans["checkpointing"] = plans_of(options, failure, case, maps, [inputs])
    rows = []
    for part in case.parts:
        budget_bytes = int(plain["arena_bytes"] * part)
        times = {name: fastest(own, budget_bytes) for name, own in plans.items()}
        times["opt, recompute"] = opt(options, failure, case, budget_bytes, *NO_HOST)
        times["opt"] = opt(options, failure, case, budget_bytes)
        rows.append(dict(network=case.network, batch=case.batch, device=case.device, maps=len(maps), part=part,
                         budget_bytes=budget_bytes, times=times))
    smallest = {name: min(plan["arena_bytes"] for plan in own) for name, own in plans.items()}
    return dict(rows=rows, left_out=whys, smallest_bytes=smallest, plain_bytes=plain["arena_bytes"])


def measure(options, failure, say):
    tools = prepare(options, failure, say)
    cases = []
    for case in CASES:
        say(f"rivals: {case.network}, batch {case.batch}, on {case.device}")
        cases.append(measure_case(options, failure, tools, case))
    return cases


def time_text(times, name):
    if name not in times:
        return ""
    return "does not fit" if times[name] is None else f"{times[name]:.3f}"


def lines(cases):
    names = list(dict.fromkeys(name for case in cases for name in case["rows"][0]["times"]))
    yield f"| network, batch | device | budget | of all kept | {' | '.join(names)} |"
    yield "| --- | --- | --- | --- |" + " --- |" * len(names)
    for case in cases:
        for row in case["rows"]:
            times = " | ".join(time_text(row["times"], name) for name in names)
            yield (f"| {row['network']}, {row['batch']} | {row['device']} | {row['budget_bytes'] / search.GIB:.2f} GiB | {100 * row['part']:.0f} % | "
                   f"{times} |")
    for case in cases:
        smallest = ", ".join(f"{name} {own / search.GIB:.2f}" for name, own in case["smallest_bytes"].items())
        yield f"{case['rows'][0]['network']}: the smallest arenas of their plans, GiB: {smallest}"
        yield from (f"    {name} left out: {why}" for name, why in case["left_out"].items())
