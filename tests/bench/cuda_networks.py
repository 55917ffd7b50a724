"""The parts of a session that train networks: speed beside PyTorch's, what copies are hidden, equal bits, recorded
profiles, budgets, and losses beside PyTorch's.
"""
import glob
import gzip
import hashlib
import json
import math
import os
import re
import statistics
from functools import partial

from cuda_session import Failure, Row

GIB = 1 << 30
CAP_WAYS = ("plain", "checkpoint", "save_on_cpu", "cheap")  # PyTorch's, of training inside of a cap
PAPER = ("--rules", "paper")
# Of each policy what its plan is made with, and the algorithms that are tried in turn; the most valuable first.
POLICIES = {"opt": (("--plan-trials", "4000"), (None,)), "all": (PAPER, ("p", "m")), "conv": (PAPER, ("p", "m")),
            "dyn": (PAPER, (None,)), "base": (PAPER, ("p", "m"))}
TURNS = 2  # of vdnn and PyTorch, one after the other, so that both see the card's clocks alike
PROFILE_WEIGHT = 3  # of the row that also measures the profile, beside those that read it
SMALL_COPY_BYTES = 1 << 22  # below that a copy is latency
TYPE_BYTES = {"f32": 4, "tf32": 4, "bf16": 2, "f16": 2, "i32": 4}
MULTIPLIES = ("conv", "fc", "embedding")  # do more than move bytes, or move others than their maps
MOST_MOVES = 12  # of a profile, in a result

# What is wanted: of PyTorch's images/s, of its best way's in a cap, of the pinned bandwidth; the estimate's error.
SPEED_BAR, CAP_BAR, COPY_BAR, PREDICTION_BAR = 0.9, 1.5, 0.9, 0.10


def network_name(model):
    return os.path.basename(model).replace(".yaml", "")


def case_name(model, batch, dtype):
    return f"{network_name(model)}, {batch}, {dtype}"


def short(run):
    """What is kept of a run's JSON; all of it is in runs/."""
    plan, measured = run["plan"], run["measured"]
    return dict(policy=run["policy"], algo=run["algo"], chosen=plan.get("chosen"),
                budget_bytes=run["device"]["budget_bytes"], taken_bytes=run["device"].get("taken_bytes"),
                planned_seconds=plan["step_seconds"], step_seconds=measured["step_seconds"],
                images_per_second=measured["images_per_second"], stall_seconds=measured["stall_seconds"],
                exposed_copy_seconds=measured.get("exposed_copy_seconds"), overlap=run.get("overlap"),
                offload_bytes=measured["offload_bytes"], planned_offload_bytes=plan["offload_bytes"],
                arena_bytes=plan["arena_bytes"], highest_bytes=measured["device_arena_bytes"],
                host_locked_bytes=run["host_locked_bytes"], host_bytes=plan["host_peak_bytes"],
                last_loss=run["losses"][-1], nondeterministic=run["device"]["nondeterministic"])


def rates_of(profile):
    with open(profile, encoding="utf-8") as file:
        return {name: float(value) for name, value in re.findall(r"^rate (\S+) (\S+)$", file.read(), re.M)}


# ---- speed, beside PyTorch -------------------------------------------------------------------------


def own_speed(session, model, batch, dtype, *arguments):
    return short(session.vdnnrun(model, batch, "--policy", "base", "--algo", "p", "--dtype", dtype, "--profile",
                                 session.profile(model, batch, dtype), *arguments, steps=session.cases["timed_steps"]))


def peer_speed(session, model, batch, dtype, way="plain", cap=None):
    extra = ["--cap-gib", str(cap / GIB)] if cap else []
    return session.ask_peer("speed", session.model(model), "--batch", str(batch), "--device", session.options.peer_device,
                            "--dtype", dtype, "--mode", way, "--steps", str(session.cases["timed_steps"]), *extra)


def take_turn(session, found, case, who, measure):
    """One turn of one of both; the ratio is of the medians until now."""
    found[who].append(measure())
    speeds = {name: [row["images_per_second"] for row in found[name] if "images_per_second" in row]
              for name in ("vdnn", "torch")}
    if all(speeds.values()):
        found["ratio"] = statistics.median(speeds["vdnn"]) / statistics.median(speeds["torch"])
        session.bar(f"{case}: images/s of PyTorch's", SPEED_BAR, found["ratio"], True)


def rows_of_speed(dtypes, networks, session, found):
    rows = []
    for dtype in dtypes:
        for model, batch in session.cases[networks].items():
            case = case_name(model, batch, dtype)
            own = found.setdefault(case, {"vdnn": [], "torch": []})
            both = (("vdnn", partial(own_speed, session, model, batch, dtype)),
                    ("torch", partial(peer_speed, session, model, batch, dtype)))
            for turn in range(TURNS):
                rows += [Row(f"{case}: {who}, turn {turn + 1}", partial(take_turn, session, own, case, who, measure),
                             PROFILE_WEIGHT if who == "vdnn" and turn == 0 else 1) for who, measure in both]
    return rows


def rows_of_nondeterministic(session, found):
    """One run of each network with --nondeterministic, beside what PyTorch did in the part `types`."""
    rows = []
    for model, batch in session.cases["speed"].items():
        case = case_name(model, batch, "f32")
        torch = session.result["parts"].get("types", {}).get(case, {}).get("torch", [])
        own = found.setdefault(case, {"vdnn": [], "torch": torch})
        measure = partial(own_speed, session, model, batch, "f32", "--nondeterministic")
        rows.append(Row(case, partial(take_turn, session, own, f"{case}, nondeterministic", "vdnn", measure)))
    return rows


# ---- what the copies cost --------------------------------------------------------------------------


def covered(copies, runs):
    """The part of the copies' time in which something ran."""
    total = hidden = 0.0
    for start, end in copies:
        total += end - start
        hidden += sum(max(0.0, min(end, b) - max(start, a)) for a, b in runs if a < end and b > start)
    return hidden / total if total > 0 else 1.0


def read_timeline(path, rates):
    """Of the copies between the tiers: the share of the pinned bandwidth that the large ones reach, and of the time of
    all the part that compute covers."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        events = json.load(file)
    events = [e for e in (events["traceEvents"] if isinstance(events, dict) else events)
              if e.get("ph") == "X" and "plan_step" in e["args"]]
    spans = lambda *kinds: [(e["ts"], e["ts"] + e["dur"]) for e in events if e["args"]["kind"] in kinds]
    result = {"covered_by_compute": covered(spans("copy_out", "copy_in"), spans("run", "recompute", "update", "accumulate"))}
    for kind, rate in (("copy_out", "copy_out_bytes_per_second"), ("copy_in", "copy_in_bytes_per_second")):
        large = [e for e in events if e["args"]["kind"] == kind and e["args"]["bytes"] >= SMALL_COPY_BYTES and e["dur"] > 0]
        if large:
            reached = sum(e["args"]["bytes"] for e in large) / (1e-6 * sum(e["dur"] for e in large))
            result[kind] = dict(bytes_per_second=reached, pinned_bytes_per_second=rates[rate], share=reached / rates[rate])
    return result


def bar_of_copies(session, case, timeline):
    for kind in ("copy_out", "copy_in"):
        if kind in timeline:
            session.bar(f"{case}: {kind} of the pinned bandwidth", COPY_BAR, timeline[kind]["share"], True)


def measure_overlap(session, found, model, batch, dtype):
    """All that can leave leaves, with a timeline: what the copies cost, and how fast they are."""
    profile, trace = session.profile(model, batch, dtype), session.out("traces", f"{network_name(model)}-all.json.gz")
    run = session.vdnnrun(model, batch, "--policy", "all", "--dtype", dtype, "--profile", profile, "--trace", trace)
    found.update(short(run), timeline=read_timeline(trace, rates_of(profile)), rates=rates_of(profile))
    bar_of_copies(session, f"{case_name(model, batch, dtype)}, all", found["timeline"])


def rows_of_overlap(session, found):
    case = session.cases["overlap"]
    name = case_name(*case)
    return [Row(name, partial(measure_overlap, session, found.setdefault(name, {}), *case))]


# ---- equal bits ------------------------------------------------------------------------------------


def digest(path):
    whole = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            whole.update(block)
    os.remove(path)
    return whole.hexdigest()


def train_for_bits(session, found, policy):
    """Three steps; all but base take its algorithms, and dyn half of what base had."""
    model, batch, dtype = session.cases["bits"]
    weights, base = os.path.join(session.work, "bits.safetensors"), session.out("runs", "bits-base.json")
    arguments = ["--policy", policy, "--dtype", dtype, "--profile", session.profile(model, batch, dtype),
                 "--save", weights]
    if policy != "base":
        if "base" not in found:
            raise Failure("there are no weights of base to compare with")
        arguments += ["--algos", base]
    if policy == "dyn":
        least = min(row["arena_bytes"] for row in found.values())
        arguments += ["--device-mem", str((found["base"]["arena_bytes"] + least) // 2)]
    run = session.vdnnrun(model, batch, *arguments, steps=3, name=f"bits-{policy}")
    own = dict(short(run), weights=digest(weights))
    own["equal"] = own["weights"] == found.get("base", own)["weights"]
    found[policy] = own
    session.bar(f"{case_name(model, batch, dtype)}, {policy}: weights of base", 1, int(own["equal"]), True)


def rows_of_bits(session, found):
    return [Row(policy, partial(train_for_bits, session, found, policy)) for policy in ("base", "all", "conv", "dyn")]


# ---- profiles for device models --------------------------------------------------------------------


def record(session, found, model, batch, dtype):
    found[case_name(model, batch, dtype)] = short(
        session.vdnnrun(model, batch, "--dtype", dtype, "--profile", session.profile(model, batch, dtype), steps=2))


def rows_of_profiles(session, found):
    cases = session.cases["profiles"]
    return [Row(case_name(model, batch, dtype), partial(record, session, found, model, batch, dtype))
            for dtype in cases["dtypes"] for batch in cases["batches"] for model in cases["networks"]]


# ---- kernels that only move bytes ------------------------------------------------------------------


def map_bytes(signature):
    """Of the maps that a layer reads and writes, each once: what a kernel that only moves them needs not exceed."""
    return sum(math.prod(map(int, dims.split("x"))) * TYPE_BYTES[dtype]
               for dims, dtype in re.findall(r"[=+]([0-9x]+):(\w+):\w+", signature))


def read_moves(path):
    """Of each kind of kernel in a profile the one that loses the most to the rate of element-wise kernels."""
    rate, worst = rates_of(path)["elementwise_bytes_per_second"], {}
    with open(path, encoding="utf-8") as file:
        rows = re.findall(r"^row (\S+) (\w+) (\S+) \d+ (\S+) \d+$", file.read(), re.M)
    for signature, way, algorithm, text in rows:
        kind, seconds = signature.split("(")[0], float(text)
        if kind in MULTIPLIES:
            continue
        layout = signature.split(";")[0].split(":")[-1]
        row = dict(kernel=f"{kind}, {way}, {layout}, {algorithm}", signature=signature, seconds=seconds,
                   share=map_bytes(signature) / seconds / rate)
        row["lost_seconds"] = seconds * max(1 - row["share"], 0)
        worst[row["kernel"]] = max(worst.get(row["kernel"], row), row, key=lambda one: one["lost_seconds"])
    return sorted(worst.values(), key=lambda row: -row["lost_seconds"])


def measure_moves(session, found):
    for path in sorted(glob.glob(session.out("profiles", "*.profile"))):
        found[os.path.basename(path).replace(".profile", "")] = read_moves(path)[:MOST_MOVES]
    if not found:
        raise Failure("there is no profile")


def rows_of_moves(session, found):
    return [Row("kernels", partial(measure_moves, session, found))]


# ---- every policy in a budget, as the recorded profile predicts it -----------------------------------


def predict(session, model, batch, profile, run, *arguments):
    """The step's seconds of the same plan on a device that is simulated by the recorded profile."""
    path = session.out("runs", "predicted.json")
    session.run([os.path.join(session.options.bin, "vdnnrun"), "--model", session.model(model), "--batch", str(batch),
                 "--quiet", "--device", "sim:" + profile, "--device-mem", str(run["device"]["budget_bytes"]),
                 "--host-mem", str(run["host_budget_bytes"]), "--json", path, "--steps", "1", *arguments])
    with open(path, encoding="utf-8") as file:
        return json.load(file)["measured"]["step_seconds"]


def measure_free(session, found, model, batch):
    profile = session.profile(model, batch, "f32")
    found["free"] = short(session.vdnnrun(model, batch, "--rules", "paper", "--policy", "base", "--algo", "p",
                                          "--profile", profile))
    found["rates"] = rates_of(profile)


def run_policy(session, found, model, batch, policy, arguments):
    """With the fastest algorithms, or the leanest where those do not fit: the run, and its plan's arguments."""
    made_with, algos = POLICIES[policy]
    for algo in algos:
        plan = ["--policy", policy, *made_with, *(["--algo", algo] if algo else [])]
        try:
            return session.vdnnrun(model, batch, *plan, *arguments), plan
        except Failure as failure:
            if "ended with 4" not in str(failure) or algo == algos[-1]:
                raise
            found["policies"].append(dict(policy=policy, algo=algo, does_not_fit=str(failure)))
    raise AssertionError("the last way returns or raises")


def measure_policy(session, found, model, batch, policy):
    profile = session.profile(model, batch, "f32")
    trace = session.out("traces", f"{network_name(model)}-budget-{policy}.json.gz")
    run, plan = run_policy(session, found, model, batch, policy, ["--device-mem", str(session.cases["caps"][0]),
                                                                  "--profile", profile, "--trace", trace])
    row = short(run)
    row["relative"] = found["free"]["step_seconds"] / row["step_seconds"] if "free" in found else None
    row["predicted_seconds"] = predict(session, model, batch, profile, run, *plan)
    row["prediction_error"] = row["predicted_seconds"] / row["step_seconds"] - 1
    row["timeline"] = read_timeline(trace, rates_of(profile))
    found["policies"].append(row)
    name = f"{network_name(model)}, {batch}, {policy}"
    session.bar(f"{name}: highest address over the planned", 0, row["highest_bytes"] - row["arena_bytes"], False)
    session.bar(f"{name}: step predicted within", PREDICTION_BAR, abs(row["prediction_error"]), False)
    bar_of_copies(session, name, row["timeline"])


def rows_of_budget(session, found):
    rows = []
    for model, batch in session.cases["budget"].items():
        own = found.setdefault(network_name(model), {"batch": batch, "policies": []})
        name = f"{network_name(model)}, {batch}"
        rows.append(Row(f"{name}, without one", partial(measure_free, session, own, model, batch), PROFILE_WEIGHT))
        rows += [Row(f"{name}, {policy}", partial(measure_policy, session, own, model, batch, policy))
                 for policy in POLICIES]
    return rows


# ---- a cap, beside PyTorch's ways of living there ----------------------------------------------------


def compare_in_cap(session, found, case):
    best = max((row.get("images_per_second", 0) for row in found["torch"].values()), default=0)
    if "vdnn" in found and best > 0:
        found["ratio"] = found["vdnn"]["images_per_second"] / best
        session.bar(f"{case}: images/s of PyTorch's best way", CAP_BAR, found["ratio"], True)


def train_in_cap(session, found, case, model, batch, dtype, cap):
    found["vdnn"] = short(session.vdnnrun(model, batch, "--policy", "opt", "--dtype", dtype, "--device-mem", str(cap),
                                          "--profile", session.profile(model, batch, dtype)))
    compare_in_cap(session, found, case)


def ask_peer_in_cap(session, found, case, model, batch, dtype, cap, way):
    found["torch"][way] = peer_speed(session, model, batch, dtype, way, cap)
    compare_in_cap(session, found, case)


def rows_of_cap(session, found):
    rows = []
    for dtype in ("bf16", "f32"):
        for cap in session.cases["caps"]:
            for model, batch in session.cases["speed"].items():
                case = f"{case_name(model, batch, dtype)}, capped at {cap / GIB:.3g} GiB"
                own = found.setdefault(case, {"torch": {}})
                rows.append(Row(f"{case}: vdnn", partial(train_in_cap, session, own, case, model, batch, dtype, cap)))
                rows += [Row(f"{case}: PyTorch, {way}",
                             partial(ask_peer_in_cap, session, own, case, model, batch, dtype, cap, way))
                         for way in CAP_WAYS]
    return rows


# ---- losses, beside PyTorch's ----------------------------------------------------------------------


def export_losses(session, found):
    model, batch, steps = session.cases["losses"]
    folder = os.path.join(session.work, "losses")
    os.makedirs(folder, exist_ok=True)
    found["exported"] = session.ask_peer("export", session.model(model), folder, "--batch", str(batch),
                                         "--steps", str(steps))


def compare_losses(session, found, policy):
    if "exported" not in found:
        raise Failure("PyTorch exported none")
    model, batch, steps = session.cases["losses"]
    folder = os.path.join(session.work, "losses")
    run = session.vdnnrun(model, batch, "--init", folder + "/init.safetensors", "--data", "npy:" + folder, "--no-shuffle",
                          "--policy", policy, "--dtype", "f32", steps=steps)
    path = os.path.join(folder, "run.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(run, file)
    found[policy] = session.ask_peer("compare", folder, path)
    share = found[policy]["worst_relative"] / found[policy]["allowed"]
    session.bar(f"losses against PyTorch's under {policy}, of what is allowed", 1.0, share, False)


def rows_of_losses(session, found):
    return [Row("PyTorch's", partial(export_losses, session, found))] + [
        Row(policy, partial(compare_losses, session, found, policy)) for policy in ("base", "all")]
