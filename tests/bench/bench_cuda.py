#!/usr/bin/env python3
"""What the CUDA device does on this machine's card, in one command of bounded time.

    tests/bench/bench_cuda.py [--bin DIR] [--out DIR] [--seconds N] [--check] [--quick] [PART...]

Parts, the most valuable first; each has a share of the time, and what does not come to its turn is named:

    facts       card, driver, libraries, versions, date
    check       the tests that want a card (with --check, or by name)
    budget      VGG-16 and VGG-19 at batch 256 inside of 11.5 GiB: under every policy the step's time relative to
                the run without a budget, the highest address against the planned one, the copies' share of the
                bandwidth that pinned copies have, and what the recorded profile predicts
    speed       images/s of vgg16, resnet50 and googlenet in f32, tf32 and bf16 beside PyTorch's; in f32 also with
                --nondeterministic
    cap         the same inside of 11.5 GiB, beside PyTorch's ways of living there
    losses      those of PyTorch on the same images and weights
    sanitizer   memcheck and initcheck of compute-sanitizer on test networks

Writes, as they come, result.json and result.md to the out folder, and profiles.tar.gz with the recorded profiles and
a timeline. A bar that is missed does not fail the run; a part that could not be measured says why. --quick takes
little networks, for machines without a card that have the stand-in's programs (build/release/cuda_host-bin).
"""
import argparse
import datetime
import glob
import gzip
import json
import os
import platform
import re
import runpy
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

GIB = 1 << 30
CAP_GIB = 11.5  # what a card of 12 GiB leaves
DTYPES = ("f32", "tf32", "bf16")
POLICIES = ("all", "conv", "dyn", "base")  # the most valuable first
PEER_WAYS = ("plain", "cheap", "checkpoint", "save_on_cpu")  # inside of the cap

# Seconds of the parts, in their order; what one leaves is the next one's.
SHARES = {"facts": 15, "check": 70, "budget": 110, "speed": 130, "cap": 80, "losses": 15, "sanitizer": 30}

FULL = {
    "budget": {"vgg16": 256, "vgg19": 256},
    "speed": {"vgg16": 256, "resnet50": 192, "googlenet": 512},
    "losses": ("lenet", 64, 20),
    "sanitizer": ("lenet", 2),
    "cap_bytes": int(CAP_GIB * GIB),
    "steps": 5,
}

# Bars: name, found, whether it must be at least so much.
SPEED_BAR, COPY_BAR, PREDICTION_BAR = 0.9, 0.9, 0.10


class Failure(Exception):
    """Something could not be measured; the message says why."""


def say(text):
    print(f"bench-cuda: {text}", file=sys.stderr, flush=True)


class Clock:
    """When the whole and when the current part must have ended."""

    def __init__(self, seconds):
        self.end = self.part_end = time.monotonic() + seconds

    def begin_part(self, seconds):
        self.part_end = min(self.end, time.monotonic() + seconds)

    def left(self):
        return self.part_end - time.monotonic()


class Bench:
    """The options, where things are, and what has been found."""

    def __init__(self, options):
        self.options, self.clock = options, Clock(options.seconds)
        self.cases = quick_cases(options) if options.quick else FULL
        self.work = tempfile.mkdtemp(prefix="vdnn-bench-cuda-")
        self.result = {"schema_version": 1, "quick": options.quick, "parts": {}, "bars": [], "not_run": []}
        self.peer = None
        os.makedirs(options.out, exist_ok=True)

    # ---- programs

    def run(self, command, seconds=None, env=None):
        """Standard output of a program that ends in time and well."""
        left = min(self.clock.left(), seconds or self.clock.left())
        if left < 1:
            raise Failure("no time left")
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=left,
                                  env=env, check=False)
        except subprocess.TimeoutExpired:
            raise Failure(f"{os.path.basename(command[0])} did not end in {left:.0f} s") from None
        except OSError as error:
            raise Failure(f"{command[0]}: {error.strerror}") from None
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise Failure(f"{os.path.basename(command[0])} ended with {done.returncode}: {last}")
        return done.stdout

    def vdnnrun(self, model, batch, *arguments, steps=None):
        """The JSON of a training on the card."""
        path = os.path.join(self.work, "run.json")
        self.run([os.path.join(self.options.bin, "vdnnrun"), "--model", self.model(model), "--batch", str(batch),
                  "--device", self.options.device, "--quiet", "--json", path,
                  "--steps", str(steps or self.cases["steps"]), *arguments])
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def model(self, name):
        return name if name.endswith(".yaml") else os.path.join(self.options.models, name + ".yaml")

    def profile(self, model, batch, dtype):
        name = os.path.basename(model).replace(".yaml", "")
        return os.path.join(self.work, f"{name}-{batch}-{dtype}.profile")

    def speak_to_peer(self, *arguments):
        """What torch_peer.py prints for these arguments; one process keeps PyTorch loaded for all of them."""
        if self.peer is None:
            self.peer = Peer(self.options)
        return self.peer.ask(arguments, self.clock.left())

    # ---- results

    def bar(self, name, wanted, found, at_least):
        holds = found >= wanted if at_least else found <= wanted
        self.result["bars"].append(dict(bar=name, wanted=wanted, found=found, at_least=at_least, holds=holds))

    def skip(self, what, why):
        say(f"not measured: {what}: {why}")
        self.result["not_run"].append(dict(what=what, why=str(why)))

    def write(self):
        out = self.options.out
        path = os.path.join(out, "result.json")
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(self.result, file, indent=1)
        os.replace(path + ".part", path)
        with open(os.path.join(out, "result.md"), "w", encoding="utf-8") as file:
            file.write("\n".join(markdown(self.result)) + "\n")
        keep = sorted(glob.glob(os.path.join(self.work, "*.profile")) + glob.glob(os.path.join(self.work, "*.json.gz")))
        if keep:
            with tarfile.open(os.path.join(out, "profiles.tar.gz"), "w:gz") as archive:
                for file in keep:
                    archive.add(file, os.path.basename(file))

    def close(self):
        if self.peer is not None:
            self.peer.close()
        shutil.rmtree(self.work, ignore_errors=True)


def quick_cases(options):
    """Every case with a network so small that the stand-in trains it in a moment."""
    network = options.quick_model
    return {"budget": {network: 6}, "speed": {network: 6}, "losses": (network, 6, 2), "sanitizer": (network, 1),
            "cap_bytes": options.quick_bytes, "steps": 2}


# ---- PyTorch, in a process of its own --------------------------------------------------------------


class Peer:
    """Runs torch_peer.py again and again in one process, so that PyTorch is loaded once."""

    def __init__(self, options):
        if not options.peer or not os.path.exists(options.peer):
            raise Failure("torch_peer.py is not there")
        self.process = None
        self.command = [sys.executable, os.path.abspath(__file__), "--serve-peer", options.peer]

    def ask(self, arguments, seconds):
        if seconds < 1:
            raise Failure("no time left")
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(json.dumps(arguments) + "\n")
        self.process.stdin.flush()
        timer = subprocess.Popen([sys.executable, "-c", f"import time, os, signal; time.sleep({seconds}); "
                                  f"os.kill({self.process.pid}, signal.SIGKILL)"])
        line = self.process.stdout.readline()
        timer.kill()
        timer.wait()
        if not line:
            self.process.wait()
            self.process = None
            raise Failure("PyTorch did not end in time, or crashed")
        answer = json.loads(line)
        if "failure" in answer:
            raise Failure(answer["failure"])
        return answer

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()


def forget(torch):
    """What one run leaves behind must not be the next one's."""
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        torch.cuda.set_per_process_memory_fraction(1.0)


def serve_peer(path):
    """A line of JSON in: arguments; a line out: what the script printed, or why it failed."""
    import contextlib
    import gc
    import io
    for line in sys.stdin:
        sys.argv, out, failure = [path] + json.loads(line), io.StringIO(), None
        try:
            with contextlib.redirect_stdout(out):
                runpy.run_path(path, run_name="__main__")
        except SystemExit as end:
            failure = None if end.code in (None, 0) else f"torch_peer.py ended with {end.code}"
        except BaseException as error:  # pylint: disable=broad-except
            failure = f"{type(error).__name__}: {error}".splitlines()[0]
        gc.collect()
        forget(sys.modules.get("torch"))
        lines = [text for text in out.getvalue().splitlines() if text.startswith("{")]
        # What it printed counts: losses that differ are an answer, with an exit code of their own.
        print(lines[-1] if lines else json.dumps({"failure": failure or "no answer"}), flush=True)


# ---- the parts -------------------------------------------------------------------------------------


def text_of(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=10,
                              check=False).stdout.strip() or None
    except (OSError, subprocess.TimeoutExpired):
        return None


def measure_facts(bench, found):
    found["date"] = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    found["system"] = platform.platform()
    found["glibc"] = " ".join(platform.libc_ver())
    found["card"] = text_of(["nvidia-smi", "--format=csv,noheader", "--query-gpu=name,memory.total,driver_version,"
                             "clocks.max.sm,clocks.max.mem,pcie.link.gen.max,pcie.link.width.max,ecc.mode.current"])
    version = bench.run([os.path.join(bench.options.bin, "vdnnrun"), "--version"]).strip()
    found["vdnn"] = version
    doctor = json.loads(bench.run([os.path.join(bench.options.bin, "vdnnrun"), "--doctor", "--json", "-"]))
    found["doctor"] = doctor


def measure_check(bench, found):
    """The tests' own output goes to check.log, their counts into the result."""
    tests = bench.options.tests
    names = sorted(path for path in glob.glob(os.path.join(tests, "**", "test_*"), recursive=True)
                   if os.access(path, os.X_OK) and os.path.isfile(path) and not path.endswith(".log"))
    if not names:
        raise Failure(f"there are no tests in {tests}")
    env = dict(os.environ, VDNN_TEST_JOBS="1", VDNN_BIN=os.path.abspath(bench.options.bin))
    log = os.path.join(bench.options.out, "check.log")
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen([bench.options.run_tests, *names], stdout=file, stderr=subprocess.STDOUT, env=env,
                                   start_new_session=True)
        try:
            process.wait(max(1, bench.clock.left()))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 15)
            process.wait()
            bench.skip("check: some of the tests", "no time left")
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found["tests"] = re.findall(r"^(\S+) +(\d+) passed, (\d+) failed, (\d+) skipped", text, re.M)
    found["skips"] = re.findall(r"skip: (.*)", text)
    found["failed"] = sum(int(row[2]) for row in found["tests"])
    found["passed"] = sum(int(row[1]) for row in found["tests"])
    bench.bar("tests that fail", 0, found["failed"], False)


def short(run):
    """What is kept of a run's JSON."""
    plan, measured = run["plan"], run["measured"]
    return dict(policy=run["policy"], algo=run["algo"], chosen=plan.get("chosen"), budget_bytes=run["device"]["budget_bytes"],
                taken_bytes=run["device"].get("taken_bytes"), planned_seconds=plan["step_seconds"],
                step_seconds=measured["step_seconds"], images_per_second=measured["images_per_second"],
                stall_seconds=measured["stall_seconds"], offload_bytes=measured["offload_bytes"],
                planned_offload_bytes=plan["offload_bytes"], arena_bytes=plan["arena_bytes"],
                highest_bytes=measured["device_arena_bytes"], host_locked_bytes=run["host_locked_bytes"],
                host_bytes=plan["host_peak_bytes"], last_loss=run["losses"][-1],
                nondeterministic=run["device"]["nondeterministic"])


def rates_of(profile):
    with open(profile, encoding="utf-8") as file:
        return {name: float(value) for name, value in re.findall(r"^rate (\S+) (\S+)$", file.read(), re.M)}


def covered(copies, runs):
    """The part of the copies' time in which something ran."""
    total = hidden = 0.0
    for start, end in copies:
        total += end - start
        hidden += sum(max(0.0, min(end, b) - max(start, a)) for a, b in runs if a < end and b > start)
    return hidden / total if total > 0 else 1.0


def read_timeline(path, rates):
    """Of the copies between the tiers: the share of the pinned bandwidth that they reach, and of their time the part
    that compute covers. Small ones are latency, so they do not count."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        events = json.load(file)
    events = [e for e in (events["traceEvents"] if isinstance(events, dict) else events) if e.get("ph") == "X"]
    spans = lambda kinds: [(e["ts"], e["ts"] + e["dur"]) for e in events if e["cat"] in kinds]
    result = {"covered_by_compute": covered(spans(("copy_out", "copy_in")), spans(("run", "recompute", "update", "accumulate")))}
    for kind, rate in (("copy_out", "copy_out_bytes_per_second"), ("copy_in", "copy_in_bytes_per_second")):
        large = [e for e in events if e["cat"] == kind and e["args"]["bytes"] >= 1 << 22 and e["dur"] > 0]
        if large:
            reached = sum(e["args"]["bytes"] for e in large) / (1e-6 * sum(e["dur"] for e in large))
            result[kind] = dict(bytes_per_second=reached, pinned_bytes_per_second=rates[rate], share=reached / rates[rate])
    return result


def predict(bench, model, batch, profile, run, *arguments):
    """The same plan on a device that is simulated by the recorded profile."""
    path = os.path.join(bench.work, "clock.json")
    bench.run([os.path.join(bench.options.bin, "vdnnrun"), "--model", bench.model(model), "--batch", str(batch), "--quiet",
               "--device", "sim:" + profile, "--device-mem", str(run["device"]["budget_bytes"]),
               "--host-mem", str(run["host_budget_bytes"]), "--json", path, "--steps", "1", *arguments])
    with open(path, encoding="utf-8") as file:
        return json.load(file)["measured"]["step_seconds"]


def measure_policy(bench, model, batch, policy, free, found):
    profile, rows = bench.profile(model, batch, "f32"), found["policies"]
    arguments = ["--stash", "classic", "--policy", policy]
    trace = os.path.join(bench.work, f"{os.path.basename(model)}-{policy}.json.gz")
    budget = ["--device-mem", str(bench.cases["cap_bytes"])]
    for algo in (["--algo", "p"], ["--algo", "m"]) if policy in ("base", "all", "conv") else ([],):
        try:
            run = bench.vdnnrun(model, batch, *arguments, *algo, *budget, "--profile", profile, "--trace", trace)
            break
        except Failure as failure:
            if "ended with 4" not in str(failure) or algo[1:] != ["p"]:
                raise
            rows.append(dict(policy=policy, algo="p", does_not_fit=str(failure)))
    row = short(run)
    row["relative"] = free / row["step_seconds"]
    row["predicted_seconds"] = predict(bench, model, batch, profile, run, *arguments, *algo)
    row["prediction_error"] = row["predicted_seconds"] / row["step_seconds"] - 1
    row["timeline"] = read_timeline(trace, rates_of(profile))
    if policy != "all":
        os.remove(trace)
    rows.append(row)
    name = f"{os.path.basename(model)}, {batch}, {policy}"
    bench.bar(f"{name}: highest address over the planned", 0, row["highest_bytes"] - row["arena_bytes"], False)
    bench.bar(f"{name}: step predicted within", PREDICTION_BAR, abs(row["prediction_error"]), False)
    for kind in ("copy_out", "copy_in"):
        if kind in row["timeline"]:
            bench.bar(f"{name}: {kind} of the pinned bandwidth", COPY_BAR, row["timeline"][kind]["share"], True)


def measure_network(bench, model, batch, own):
    profile = bench.profile(model, batch, "f32")
    say(f"budget: {model}, {batch}, without one")
    own["free"] = short(bench.vdnnrun(model, batch, "--stash", "classic", "--policy", "base", "--algo", "p",
                                      "--profile", profile))
    own["rates"] = rates_of(profile)
    bench.write()
    for policy in POLICIES:
        say(f"budget: {model}, {batch}, {policy}")
        try:
            measure_policy(bench, model, batch, policy, own["free"]["step_seconds"], own)
        except Failure as failure:
            bench.skip(f"budget: {model}, {policy}", failure)
        bench.write()


def measure_budget(bench, found):
    for model, batch in bench.cases["budget"].items():
        own = found[model] = {"batch": batch, "policies": []}
        try:
            measure_network(bench, model, batch, own)
        except Failure as failure:
            bench.skip(f"budget: {model}", failure)


def peer_speed(bench, model, batch, dtype, way="plain", cap=None):
    extra = ["--cap-gib", str(cap / GIB)] if cap else []
    return bench.speak_to_peer("speed", bench.model(model), "--batch", str(batch), "--device", bench.options.peer_device,
                               "--dtype", dtype, "--mode", way, "--steps", str(bench.cases["steps"]), *extra)


def own_speed(bench, model, batch, dtype, *arguments):
    return short(bench.vdnnrun(model, batch, "--policy", "base", "--algo", "p", "--dtype", dtype,
                               "--profile", bench.profile(model, batch, dtype), *arguments))


def compare_speed(bench, name, row):
    if "vdnn" in row and "images_per_second" in row.get("torch", {}):
        row["ratio"] = row["vdnn"]["images_per_second"] / row["torch"]["images_per_second"]
        bench.bar(f"{name}: images/s of PyTorch's", SPEED_BAR, row["ratio"], True)
    bench.write()


def measure_nondeterministic(bench, found, dtype):
    """One more run of each network, beside what PyTorch did there already."""
    for model, batch in bench.cases["speed"].items():
        case = f"{os.path.basename(model)}, {batch}, {dtype}"
        name = f"{case}, nondeterministic"
        row = found[name] = {}
        say(f"speed: {name}")
        try:
            row["vdnn"] = own_speed(bench, model, batch, dtype, "--nondeterministic")
            row["torch"] = found[case].get("torch", {})
        except Failure as failure:
            bench.skip(f"speed: {name}: vdnn", failure)
        compare_speed(bench, name, row)


def measure_speed(bench, found):
    for dtype in DTYPES:
        for model, batch in bench.cases["speed"].items():
            name = f"{os.path.basename(model)}, {batch}, {dtype}"
            row = found[name] = {}
            say(f"speed: {name}")
            try:
                row["vdnn"] = own_speed(bench, model, batch, dtype)
            except Failure as failure:
                bench.skip(f"speed: {name}: vdnn", failure)
            try:
                row["torch"] = peer_speed(bench, model, batch, dtype)
            except Failure as failure:
                bench.skip(f"speed: {name}: PyTorch", failure)
            compare_speed(bench, name, row)
    measure_nondeterministic(bench, found, DTYPES[0])


def measure_cap(bench, found):
    cap = bench.cases["cap_bytes"]
    for model, batch in bench.cases["speed"].items():
        for dtype in ("f32", "bf16"):
            name = f"{os.path.basename(model)}, {batch}, {dtype}"
            row = found[name] = {"torch": {}}
            say(f"cap: {name}")
            try:
                row["vdnn"] = short(bench.vdnnrun(model, batch, "--policy", "dyn", "--dtype", dtype, "--device-mem", str(cap),
                                                  "--profile", bench.profile(model, batch, dtype)))
            except Failure as failure:
                bench.skip(f"cap: {name}: vdnn", failure)
            for way in PEER_WAYS:
                try:
                    row["torch"][way] = peer_speed(bench, model, batch, dtype, way, cap)
                except Failure as failure:
                    bench.skip(f"cap: {name}: PyTorch, {way}", failure)
            best = max((r.get("images_per_second", 0) for r in row["torch"].values()), default=0)
            if "vdnn" in row and best > 0:
                row["ratio"] = row["vdnn"]["images_per_second"] / best
                bench.bar(f"{name}, capped: images/s of PyTorch's best way", 1.0, row["ratio"], True)
            bench.write()


def measure_losses(bench, found):
    model, batch, steps = bench.cases["losses"]
    folder = os.path.join(bench.work, "losses")
    os.makedirs(folder, exist_ok=True)
    found["exported"] = bench.speak_to_peer("export", bench.model(model), folder, "--batch", str(batch), "--steps", str(steps))
    for dtype in ("f32",):
        for policy in ("base", "all"):
            run = bench.vdnnrun(model, batch, "--init", folder + "/init.safetensors", "--data", "npy:" + folder,
                                "--no-shuffle", "--policy", policy, "--dtype", dtype, steps=steps)
            path = os.path.join(folder, "run.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(run, file)
            found[f"{dtype}, {policy}"] = bench.speak_to_peer("compare", folder, path)
    worst = max(row["worst_relative"] / row["allowed"] for key, row in found.items() if key != "exported")
    bench.bar("losses against PyTorch's, of what is allowed", 1.0, worst, False)


def measure_sanitizer(bench, found):
    tool = bench.options.sanitizer or shutil.which("compute-sanitizer") or shutil.which(
        "compute-sanitizer", path=os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin"))
    if not tool:
        raise Failure("there is no compute-sanitizer in PATH or CUDA_HOME")
    model, steps = bench.cases["sanitizer"]
    profile = bench.profile(model, 4, "f32")  # measured without the tool, which would take minutes
    bench.vdnnrun(model, 4, "--policy", "all", "--stash", "classic", "--profile", profile, steps=1)
    for check in ("memcheck", "initcheck"):
        command = [tool, "--tool", check, "--error-exitcode", "99", os.path.join(bench.options.bin, "vdnnrun"), "--model",
                   bench.model(model), "--batch", "4", "--device", bench.options.device, "--policy", "all", "--steps",
                   str(steps), "--quiet", "--stash", "classic", "--profile", profile]
        try:
            bench.run(command, seconds=bench.clock.left() / 2 if check == "memcheck" else None)
            found[check] = "clean"
        except Failure as failure:
            found[check] = str(failure)
            bench.skip(f"sanitizer: {check} was not clean", failure)


PARTS = {"facts": measure_facts, "check": measure_check, "budget": measure_budget, "speed": measure_speed,
         "cap": measure_cap, "losses": measure_losses, "sanitizer": measure_sanitizer}


# ---- for people ------------------------------------------------------------------------------------


def markdown(result):
    facts = result["parts"].get("facts", {})
    yield f"# {facts.get('card') or 'no card'}"
    yield ""
    yield f"{facts.get('vdnn', '')}, {facts.get('date', '')}, {facts.get('system', '')}"
    for model, own in result["parts"].get("budget", {}).items():
        if not isinstance(own, dict) or "free" not in own:
            continue
        yield ""
        yield f"## {model}, batch {own['batch']}: {1e3 * own['free']['step_seconds']:.1f} ms without a budget"
        yield ""
        yield "| policy | step | speed | predicted | arena | highest | offloaded | out | in | covered |"
        yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        for row in own["policies"]:
            if "does_not_fit" in row:
                yield f"| {row['policy']} ({row['algo']}) | does not fit |"
                continue
            line = row["timeline"]
            share = lambda kind, line=line: f"{100 * line[kind]['share']:.0f} %" if kind in line else ""
            yield (f"| {row['policy']} ({row['algo']}) | {1e3 * row['step_seconds']:.1f} ms | {row['relative']:.3f} | "
                   f"{100 * row['prediction_error']:+.1f} % | {row['arena_bytes']} | {row['highest_bytes']} | "
                   f"{row['offload_bytes']} | {share('copy_out')} | {share('copy_in')} | {100 * line['covered_by_compute']:.0f} % |")
    for part in ("speed", "cap"):
        rows = result["parts"].get(part, {})
        if rows:
            yield ""
            yield f"## {part}"
            yield ""
            yield "| network, batch, type | vdnn | PyTorch | ratio |"
            yield "| --- | --- | --- | --- |"
        for name, row in rows.items():
            own = row.get("vdnn", {}).get("images_per_second")
            peers = row.get("torch", {})
            if part == "cap":
                peers = {way: r.get("images_per_second", r.get("error")) for way, r in peers.items()}
            else:
                peers = peers.get("images_per_second", peers.get("error"))
            yield f"| {name} | {own} | {peers} | {row.get('ratio', '')} |"
    yield ""
    yield "## bars"
    yield ""
    for bar in result["bars"]:
        yield f"- {'holds' if bar['holds'] else 'MISSED'}: {bar['bar']}: {bar['found']:.4g} ({'at least' if bar['at_least'] else 'at most'} {bar['wanted']})"
    for item in result["not_run"]:
        yield f"- not measured: {item['what']}: {item['why']}"


def read_options():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--kit", help="the folder of an unpacked kit; sets all places")
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--tests", default="build/release/card/tests")
    parser.add_argument("--run-tests", default=os.path.join(here, "..", "run.sh"))
    parser.add_argument("--models", default="models")
    parser.add_argument("--out", default="build/bench-cuda")
    parser.add_argument("--peer", default="../shared/peers/torch_peer.py")
    parser.add_argument("--peer-device", default="cuda")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--sanitizer", help="compute-sanitizer's path")
    parser.add_argument("--seconds", type=float, default=450, help="of everything together")
    parser.add_argument("--check", action="store_true", help="the tests too")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--quick-model", default="models/lenet.yaml")
    parser.add_argument("--quick-bytes", type=int, default=1 << 26, help="the cap of --quick")
    parser.add_argument("--serve-peer", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.kit:
        kit = options.kit
        options.bin, options.tests, options.run_tests = kit + "/bin", kit + "/tests", kit + "/tests/run.sh"
        options.models, options.peer = kit + "/share/vdnn/models", kit + "/bench/torch_peer.py"
        options.out = kit + "/results" if options.out == "build/bench-cuda" else options.out
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part '{unknown[0]}'; one of {', '.join(PARTS)}")
    return options


def main():
    options = read_options()
    if options.serve_peer:
        serve_peer(options.serve_peer)
        return 0
    wanted = options.parts or [part for part in PARTS if part != "check" or options.check]
    bench = Bench(options)
    try:
        for part in wanted:
            bench.clock.begin_part(SHARES[part])
            found = bench.result["parts"][part] = {}
            began = time.monotonic()
            say(part)
            try:
                PARTS[part](bench, found)
            except Failure as failure:
                bench.skip(part, failure)
            bench.result.setdefault("seconds", {})[part] = round(time.monotonic() - began, 1)
            bench.write()
    finally:
        bench.close()
    for line in markdown(bench.result):
        print(line)
    return 1 if bench.result["parts"].get("check", {}).get("failed") else 0


if __name__ == "__main__":
    sys.exit(main())
