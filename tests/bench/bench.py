#!/usr/bin/python3
"""Measures the networks against PyTorch and against this machine's matrix product.

    tests/bench/bench.py [--bin DIR] [--bench DIR] [--out DIR] [--python FILE] [CASE...]

A CASE is a network of the table below, or one of `planning`, `opt`, `budgets`, `packing`, `published`, `rivals`, `dtr`,
`partition`, `loader`, `prediction`, `roofline`, `trace` and `verify`; without one all are measured. For each network, in
one run: the profile of its layers, training steps of vdnnrun and of PyTorch in turns, and what the processes take. Medians
over the turns are compared with the bars. Writes bench.json, and layers-NETWORK.txt with a row for every layer, pass and
algorithm, to the out folder. A bar that is missed does not fail the run: times are the machine's.
"""
import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

import budgets
import prediction
import roofline
import search
import tracing
from rivals import dtr, knapsack, packing, partition, published

DRIVER = "tests/support/torch_driver.py"
DATASETS = os.environ.get("VDNN_TEST_DATASETS", "../shared/data")
CELLS = os.path.join(DATASETS, "bccd/4class")
CIFAR10 = os.path.join(DATASETS, "cifar10")
OTHERS = ("planning", "roofline", "opt", "budgets", "packing", "published", "rivals", "dtr", "partition", "loader",
          "prediction", "trace", "verify")
# How PyTorch runs a network of pictures, and one of sequences; the faster one counts.
FORMATS, FORMS = ("nchw", "nhwc"), ("nchw", "compile")

# steps and peer_steps are those of one turn (the peer runs two more to warm up). Without a speed only
# the growth of the processes is compared.
NETWORKS = {
    "lenet": dict(batch=64, speed=2.0, steps=200, peer_steps=50, turns=3),
    "alexnet": dict(batch=128, speed=2.0, steps=5, peer_steps=2, turns=4),
    "googlenet": dict(batch=32, speed=1.5, steps=8, peer_steps=4, turns=3),
    "resnet50": dict(batch=16, speed=1.3, steps=5, peer_steps=3, turns=4, budget=0.95),
    "vgg16": dict(batch=16, speed=2.5, steps=3, peer_steps=1, turns=3, budget=0.95, gemm=1.2, bf16=1.5),
    "vgg19": dict(batch=16, speed=2.5, steps=3, peer_steps=1, turns=4),
    "cifar_cnn": dict(batch=64, steps=5, peer_steps=2),
    "densenet121": dict(batch=16, steps=1, peer_steps=1),
    "inception_v3": dict(batch=16, steps=1, peer_steps=1),
    "overfeat": dict(batch=32, steps=1, peer_steps=1),
    "gpt2_256": dict(of="gpt2_124m", edits={"tokens: 1024": "tokens: 256"}, batch=4, speed=1.3, steps=3, peer_steps=2, turns=3,
                     bf16=1.3),
    "gpt2_64": dict(of="gpt2_124m", edits={"tokens: 1024": "tokens: 64"}, batch=4, speed=1.3, steps=4, peer_steps=3, turns=3,
                    bf16=1.3),
    "gpt_char": dict(batch=32, speed=1.3, steps=20, peer_steps=10, turns=3),
    "lstm_char": dict(batch=32, speed=1.3, steps=20, peer_steps=10, turns=3),
    "mobilenet": dict(batch=16, speed=2.0, steps=5, peer_steps=3, turns=3, bf16=1.6),
    "mobilenet_v2": dict(batch=16, speed=2.0, steps=5, peer_steps=3, turns=3, bf16=1.6),
    "resnext50": dict(batch=8, speed=2.0, steps=3, peer_steps=2, turns=3, bf16=1.6),
    "vit_b16": dict(batch=4, speed=1.3, steps=3, peer_steps=2, turns=3),
    "bert_base": dict(batch=4, speed=1.3, steps=3, peer_steps=2, turns=3,
                      edits={"tokens: 512": "tokens: 128", "vocabulary: 513": "vocabulary: 129"}),
    "unet": dict(batch=2, speed=1.3, steps=2, peer_steps=1, turns=3),
    "unet3d": dict(batch=1, speed=1.3, steps=2, peer_steps=1, turns=3, edits={": 128": ": 64"}),
}

MEMORY = 0.75  # of the growth of PyTorch's process
ALONE = 1.15  # times the sum of the layers' fastest times measured alone
BASE = ("--policy", "base", "--algo", "p", "--rules", "lean")


class Failure(Exception):
    """A program ended with an error; the message is its last line."""


def say(text):
    print("bench: " + text, file=sys.stderr, flush=True)


def run(command):
    """Standard output and the peak of resident bytes of a program."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # The programs write little to standard error, so it cannot fill its pipe meanwhile.
        out = process.stdout.read()
        err = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        last = (err.strip().splitlines() or ["no message"])[-1]
        raise Failure(f"{os.path.basename(command[0])} ended with {process.returncode}: {last}")
    return out, usage.ru_maxrss * 1024


# ---- peers -----------------------------------------------------------------------------------------


def find_peers(pythons):
    """(version, interpreter) of every PyTorch that an interpreter imports, and why there is none."""
    peers = {}
    for python in pythons or ("/usr/bin/python3", shutil.which("python3")):
        if python is None:
            continue
        try:
            version = run([python, "-c", "import torch, numpy, yaml; print(torch.__version__)"])[0].strip()
            peers.setdefault(version, python)
        except (Failure, OSError):
            pass
    why = "python3 does not import torch, numpy and yaml (Debian: python3-torch python3-numpy python3-yaml)"
    return [(version, python) for version, python in peers.items()], why


def peer_turn(python, case, form, dtype, threads):
    batch, steps = str(case["batch"]), str(case["peer_steps"])
    how = ("--mode", form) if form == "compile" else ("--format", form)
    command = [python, DRIVER, "speed", case["model"], "--batch", batch, "--dtype", dtype, *how]
    result = json.loads(run(command + ["--threads", str(threads), "--steps", steps])[0])
    if "error" in result:
        raise Failure(f"PyTorch, {form}: {result['error']}")
    return dict(seconds=result["step_seconds"], growth=result["peak_bytes"] - result["imported_bytes"])


class Peer:
    """One PyTorch at one data type: both formats in the first turn, the faster one from then on."""

    def __init__(self, version, python, dtype):
        self.version, self.python, self.dtype, self.turns = version, python, dtype, {}

    def turn(self, case, threads):
        forms = [self.best()] if self.turns else FORMS if case["is_sequence"] else FORMATS
        for form in forms:
            say(f"{case['name']}: PyTorch {self.version}, {self.dtype}, {form}")
            try:
                self.turns.setdefault(form, []).append(peer_turn(self.python, case, form, self.dtype, threads))
            except Failure as failure:
                if form != "compile":
                    raise
                del self.turns[form]
                say(f"{case['name']}: PyTorch cannot compile it: {failure}")

    def seconds(self, form):
        return statistics.median(turn["seconds"] for turn in self.turns[form])

    def best(self):
        return min(self.turns, key=self.seconds)

    def result(self):
        formats = {form: dict(step_seconds=self.seconds(form), growth_bytes=statistics.median(t["growth"] for t in turns),
                              turns=[t["seconds"] for t in turns]) for form, turns in self.turns.items()}
        return dict(version=self.version, dtype=self.dtype, best=self.best(), formats=formats,
                    step_seconds=self.seconds(self.best()),
                    growth_bytes=formats[self.best()]["growth_bytes"])


# ---- our own programs ------------------------------------------------------------------------------


class Own:
    """Runs of vdnnrun with the same options; one JSON a turn."""

    def __init__(self, options, case, threads, *flags):
        self.what, self.case, self.turns, self.peaks = " ".join(flags), case, [], []
        self.json = os.path.join(options.out, case["name"] + ".json")
        self.command = [os.path.join(options.bin, "vdnnrun"), "--model", case["model"], "--batch",
                        str(case["batch"]), "--threads", str(threads), "--quiet", "--json", self.json, *flags]

    def turn(self, *flags):
        say(f"{self.case['name']}: vdnnrun {self.what}")
        _, peak = run(self.command + list(flags) + ["--steps", str(self.case["steps"])])
        with open(self.json, encoding="utf-8") as file:
            self.turns.append(json.load(file))
        self.peaks.append(peak)

    def plan(self):
        run(self.command + ["--dry-run"])
        with open(self.json, encoding="utf-8") as file:
            return json.load(file)["plan"]

    def median(self, key):
        return statistics.median(turn["measured"][key] for turn in self.turns)

    def result(self):
        plan = self.turns[-1]["plan"]
        return dict(options=self.what, images_per_second=self.median("images_per_second"),
                    step_seconds=self.median("step_seconds"), predicted_seconds=plan["step_seconds"],
                    stall_seconds=self.median("stall_seconds"), arena_bytes=plan["arena_bytes"],
                    by_category_at_peak=plan.get("by_category_at_peak"), offload_bytes=plan["offload_bytes"],
                    chosen=plan.get("chosen"), turns=[t["measured"]["step_seconds"] for t in self.turns])


def measure_layers(options, case, profile):
    command = [os.path.join(options.bench, "bench_layers"), case["model"], str(case["batch"]), profile]
    layers = json.loads(run(command)[0])
    layers["gemm_flops_per_second"] = layers["product_flops_per_second"]["f32"]
    passes = [entry for layer in layers["layers"] for entry in layer["passes"].values()]
    layers["flops"] = sum(entry["flops"] for entry in passes)
    layers["alone_seconds"] = sum(min(row["seconds"] for row in entry["algorithms"]) for entry in passes)
    layers["algorithms"] = by_algorithm(layers)
    return layers


class Alone:
    """The layers measured alone: rows of the first turn, which make the profile; of each turn their sum and the
    rate of the matrix product, since the machine's speed of one minute is not that of the next."""

    def __init__(self, options, case, profile):
        self.options, self.case, self.scratch = options, case, profile + ".again"
        self.layers = measure_layers(options, case, profile)
        self.turns = []

    def turn(self):
        say(f"{self.case['name']}: layers alone")
        if os.path.exists(self.scratch):
            os.remove(self.scratch)
        self.turns.append(measure_layers(self.options, self.case, self.scratch))

    def result(self):
        alone, gemm = ([turn[key] for turn in self.turns] for key in ("alone_seconds", "gemm_flops_per_second"))
        return dict(self.layers, alone_seconds=statistics.median(alone), alone_turns=alone,
                    gemm_flops_per_second=statistics.median(gemm), gemm_turns=gemm)


def by_algorithm(layers):
    """Of each layer type's algorithms: all the passes that they apply to, together."""
    totals = {}
    for layer in layers["layers"]:
        for entry in layer["passes"].values():
            for row in entry["algorithms"]:
                total = totals.setdefault(f"{layer['type']} {row['algorithm']}",
                                          dict(passes=0, fastest=0, seconds=0.0, flops=0.0, bytes=0.0, workspace_bytes=0))
                total["passes"] += 1
                total["fastest"] += row is min(entry["algorithms"], key=lambda other: other["seconds"])
                total["seconds"] += row["seconds"]
                total["flops"] += entry["flops"]
                total["bytes"] += entry["bytes"]
                total["workspace_bytes"] = max(total["workspace_bytes"], row["workspace_bytes"])
    return totals


# ---- one network -----------------------------------------------------------------------------------


def bar(name, found, wanted, at_least, unit="x"):
    holds = found >= wanted if at_least else found <= wanted
    return dict(bar=name, found=found, wanted=wanted, at_least=at_least, unit=unit, holds=holds)


def budget_run(options, case, threads, profile):
    """dyn halfway between the least that it needs and what base takes by the paper's rule."""
    keep = ("--profile", profile)
    base = Own(options, case, threads, "--policy", "base", "--algo", "p", "--rules", "paper", *keep).plan()
    least = Own(options, case, threads, "--policy", "dyn", *keep).plan()["smallest_bytes"]
    budget = (least + base["device_peak_bytes"]) // 2
    return Own(options, case, threads, "--policy", "dyn", "--device-mem", str(budget), *keep), least, budget


def take_turns(case, threads, base, others, peers):
    for turn in range(case["turns"]):
        if turn > 0:  # the first one was the run that measured the profile
            base.turn()
        for own in others:
            own.turn()
        for peer in peers:
            peer.turn(case, threads)


def dtype_works(options, case, threads, profile):
    try:
        Own(options, case, threads, *BASE, "--dtype", "bf16", "--profile", profile).plan()
        return True
    except Failure as failure:
        say(f"{case['name']}: bf16 left out: {failure}")
        return False


def compare(case, result, base, dyn, wide):
    """The bars of one network."""
    bars, layers, own = [], result["layers"], result["base"]
    images = case["batch"] / own["images_per_second"]
    for peer in result["peers"]:
        name = f"{peer['dtype']} throughput / PyTorch {peer['version']}"
        if peer["dtype"] == "f32":
            bars.append(bar(name, peer["step_seconds"] / images, case["speed"], True))
            bars.append(compare_memory(result, peer))
        else:
            seconds = case["batch"] / wide.median("images_per_second")
            bars.append(bar(name, peer["step_seconds"] / seconds, case["bf16"], True))
    bars.append(bar("step / layers alone", own["step_seconds"] / layers["alone_seconds"], ALONE, False))
    if dyn is not None:
        bars.append(bar("dyn at half budget / base", dyn.median("images_per_second") / base.median("images_per_second"),
                        case["budget"], True))
    if "gemm" in case:
        bars.append(bar("FLOP/s / matrix product", layers["flops"] / own["step_seconds"] / layers["gemm_flops_per_second"],
                        case["gemm"], True))
    return bars


def compare_memory(result, peer):
    return bar(f"growth of the process / PyTorch {peer['version']}", result["growth_bytes"] / peer["growth_bytes"],
               MEMORY, False)


def measure_memory(case, threads, base, result, contenders):
    for peer in contenders:
        peer.turn(case, threads)
    result["peers"] = [peer.result() for peer in contenders]
    result["bars"] = [compare_memory(result, peer) for peer in result["peers"]]
    result["base"] = base.result()
    return result


def file_of(options, case):
    """The network's file, with the case's edits of its inputs; and whether it reads sequences."""
    path = f"models/{case.get('of', case['name'])}.yaml"
    with open(path, encoding="utf-8") as file:
        inputs, layers = file.read().split("layers:", 1)
    is_sequence = "tokens: " in inputs
    if "edits" in case:
        path = os.path.join(options.out, case["name"] + ".yaml")
        for old, new in case["edits"].items():
            inputs = inputs.replace(old, new)
        with open(path, "w", encoding="utf-8") as file:
            file.write(inputs + "layers:" + layers)
    return path, is_sequence


def measure_network(options, name, peers, threads, start_bytes):
    case = dict(NETWORKS[name], name=name)
    case["model"], case["is_sequence"] = file_of(options, case)
    profile = os.path.join(options.out, name + ".profile")
    if os.path.exists(profile):
        os.remove(profile)
    base = Own(options, case, threads, *BASE, "--profile", profile)
    base.turn()
    result = dict(batch=case["batch"], growth_bytes=base.peaks[0] - start_bytes)
    contenders = [Peer(version, python, "f32") for version, python in peers]
    if "speed" not in case:
        return measure_memory(case, threads, base, result, contenders)
    alone = Alone(options, case, profile)
    dyn = wide = None
    if "budget" in case:
        dyn, result["dyn_least_bytes"], result["dyn_budget_bytes"] = budget_run(options, case, threads, profile)
    if "bf16" in case and dtype_works(options, case, threads, profile):
        wide = Own(options, case, threads, *BASE, "--dtype", "bf16", "--profile", profile)
        contenders += [Peer(version, python, "bf16") for version, python in peers]
    take_turns(case, threads, base, [alone] + [own for own in (dyn, wide) if own is not None], contenders)
    result["layers"] = alone.result()
    result["growth_profiled_bytes"] = base.peaks[-1] - start_bytes
    result["base"] = base.result()
    result["dyn"] = dyn.result() if dyn is not None else None
    result["bf16"] = wide.result() if wide is not None else None
    result["peers"] = [peer.result() for peer in contenders]
    result["bars"] = compare(case, result, base, dyn, wide)
    return result


# ---- output ----------------------------------------------------------------------------------------


def mib(count):
    return f"{count / 2**20:.1f} MiB"


def layer_table(layers):
    gemm = layers["gemm_flops_per_second"]
    yield f"{layers['model']}, batch {layers['batch']}, {layers['threads']} threads, {layers['library']}"
    yield f"matrix product: {gemm / 1e9:.1f} GFLOP/s"
    yield ""
    yield f"{'layer':24} {'pass':16} {'algorithm':12} {'ms':>9} {'GFLOP':>8} {'GFLOP/s':>8} {'of gemm':>7} {'MB':>8} {'GB/s':>6} {'workspace':>13}"
    for layer in layers["layers"]:
        for name, entry in layer["passes"].items():
            fastest = min(entry["algorithms"], key=lambda row: row["seconds"])
            for row in entry["algorithms"]:
                rate = entry["flops"] / row["seconds"]
                yield (f"{layer['name']:24} {name:16} {row['algorithm'] + ('*' if row is fastest else ''):12} "
                       f"{row['seconds'] * 1e3:9.3f} {entry['flops'] / 1e9:8.3f} {rate / 1e9:8.1f} {rate / gemm:7.2f} "
                       f"{entry['bytes'] / 1e6:8.1f} {entry['bytes'] / row['seconds'] / 1e9:6.1f} {mib(row['workspace_bytes']):>13}")
    yield ""
    yield f"{'algorithm':24} {'passes':>6} {'fastest':>7} {'ms':>9} {'GFLOP/s':>8} {'of gemm':>7} {'workspace':>13}"
    for name, total in sorted(layers["algorithms"].items()):
        rate = total["flops"] / total["seconds"]
        yield (f"{name:24} {total['passes']:6} {total['fastest']:7} {total['seconds'] * 1e3:9.2f} {rate / 1e9:8.1f} "
               f"{rate / gemm:7.2f} {mib(total['workspace_bytes']):>13}")


def speed_lines(result):
    base, layers = result["base"], result["layers"]
    rate = layers["flops"] / base["step_seconds"]
    yield (f"    layers alone {layers['alone_seconds']:.4f} s, {rate / 1e9:.1f} GFLOP/s = "
           f"{rate / layers['gemm_flops_per_second']:.2f} of the matrix product; with a measured profile the process "
           f"grows by {mib(result['growth_profiled_bytes'])}")


def network_lines(name, result):
    base = result["base"]
    yield (f"{name} batch {result['batch']}: {base['images_per_second']:.1f} images/s, step {base['step_seconds']:.4f} s "
           f"(predicted {base['predicted_seconds']:.4f}); process grows by {mib(result['growth_bytes'])}, "
           f"arena {mib(base['arena_bytes'])}")
    if "layers" in result:
        yield from speed_lines(result)
    for key in ("dyn", "bf16"):
        if result.get(key) is not None:
            own = result[key]
            yield (f"    {key}: {own['images_per_second']:.1f} images/s, step {own['step_seconds']:.4f} s (predicted "
                   f"{own['predicted_seconds']:.4f}), arena {mib(own['arena_bytes'])}, offloads {mib(own['offload_bytes'])}")
    for peer in result["peers"]:
        yield (f"    PyTorch {peer['version']} {peer['dtype']}: {result['batch'] / peer['step_seconds']:.1f} images/s "
               f"({peer['best']}), grows by {mib(peer['growth_bytes'])}")


def bar_table(results):
    yield f"{'network':10} {'bar':44} {'wanted':>9} {'found':>7}"
    for name, result in results.items():
        for entry in result.get("bars", []):
            sign = ">=" if entry["at_least"] else "<="
            yield (f"{name:10} {entry['bar']:44} {sign} {entry['wanted']:6.2f} {entry['found']:7.2f}  "
                   f"{'pass' if entry['holds'] else 'FALLS SHORT'}")


def save(options, everything):
    with open(os.path.join(options.out, "bench.json"), "w", encoding="utf-8") as file:
        json.dump(everything, file, indent=1)
        file.write("\n")


def pillow_seconds(paths, side):
    """Seconds that Pillow, in one thread, takes to read a picture as floats of that size; None: it is not there."""
    try:
        from PIL import Image
        import numpy
    except ImportError:
        return None
    begun = time.monotonic()
    for path in paths:
        with Image.open(path) as picture:
            small = picture.convert("RGB").resize((side, side), Image.BILINEAR)
        numpy.ascontiguousarray(numpy.asarray(small, dtype=numpy.float32).transpose(2, 0, 1) / 255)
    return (time.monotonic() - begun) / len(paths)


def network_for_cells(name, out):
    """A network of the table with the four classes of the pictures."""
    path = os.path.join(out, name + "-4.yaml")
    with open(f"models/{name}.yaml", encoding="utf-8") as source, open(path, "w", encoding="utf-8") as file:
        file.write(source.read().replace("classes: 1000", "classes: 4").replace("out: 1000}", "out: 4}"))
    return path


def measure_loader(options):
    if not os.path.isdir(CELLS):
        raise Failure(f"{CELLS} is not there")
    program, side, result = os.path.join(options.bench, "bench_loader"), 224, dict(read=[], steps=[])
    for spec in (f"images:{CELLS}", f"cifar10:{CIFAR10}", "synthetic"):
        result["read"].append(json.loads(run([program, "read", spec, str(side)])[0]))
    paths = sorted(glob.glob(f"{CELLS}/train/*/*.jpeg"))[::3]
    result["pillow_seconds"] = pillow_seconds(paths, side)
    for model in (network_for_cells("alexnet", options.out), "models/blood_cells.yaml"):
        result["steps"].append(json.loads(run([program, "steps", model, f"images:{CELLS}", "20"])[0]))
    return result


def loader_lines(result):
    for entry in result["read"]:
        yield f"{entry['spec']:42} {1e3 * entry['image_seconds']:7.3f} ms an image, one thread"
    if result["pillow_seconds"] is not None:
        yield f"{'the pictures, by Pillow':42} {1e3 * result['pillow_seconds']:7.3f} ms an image, one thread"
    for entry in result["steps"]:
        yield (f"{os.path.basename(entry['model']):20} a step takes {entry['step_seconds']:.3f} s and waits "
               f"{1e3 * entry['wait_seconds']:.2f} ms for its pictures, at most {1e3 * entry['longest_wait_seconds']:.2f} ms")


def measure_verify(options):
    """Steps that offload all they can, with and without hashing what they move, in turns."""
    threads, rows = int(os.environ["OMP_NUM_THREADS"]), []
    for name, batch, steps in (("vgg16", 8, 4), ("alexnet", 64, 8)):
        case = dict(name=name, model=f"models/{name}.yaml", batch=batch, steps=steps)
        profile = os.path.join(options.out, f"verify-{name}.profile")
        runs = [Own(options, case, threads, "--policy", "all", "--profile", profile, *more) for more in ((), ("--verify",))]
        for _ in range(3):
            for own in runs:
                own.turn()
        plain, verified = (own.median("step_seconds") for own in runs)
        rows.append(dict(network=name, batch=batch, step_seconds=plain, verified_seconds=verified,
                         offload_bytes=runs[0].turns[0]["plan"]["offload_bytes"]))
    return rows


def verify_lines(rows):
    for row in rows:
        more = row["verified_seconds"] - row["step_seconds"]
        yield (f"{row['network']:12} a step of {row['step_seconds']:.3f} s takes {1e3 * more:+.1f} ms "
               f"({100 * more / row['step_seconds']:+.1f} %) with --verify, for {mib(row['offload_bytes'])} out and back")


# What is no network: its measurement and the lines of it.
PARTS = {
    "loader": (measure_loader, loader_lines),
    "opt": (lambda options: search.measure(options, Failure, say), search.lines),
    "budgets": (lambda options: budgets.measure(options, Failure, say), budgets.lines),
    "packing": (lambda options: packing.measure(options, Failure, say), packing.lines),
    "published": (lambda options: published.measure(options, Failure, say), published.lines),
    "rivals": (lambda options: knapsack.measure(options, Failure, say), knapsack.lines),
    "dtr": (lambda options: dtr.measure(options, Failure, say), dtr.lines),
    "partition": (lambda options: partition.measure(options, Failure, say), partition.lines),
    "prediction": (lambda options: prediction.measure(run, options, say), prediction.lines),
    "roofline": (lambda options: roofline.measure(run, options, say), roofline.lines),
    "trace": (lambda options: tracing.measure(run, options, say, bar), tracing.lines),
    "verify": (measure_verify, verify_lines),
}


def measure_part(options, part, everything):
    measure, lines = PARTS[part]
    try:
        everything[part] = measure(options)
        print("\n".join(lines(everything[part])), flush=True)
        save(options, everything)
    except Failure as failure:
        say(f"{part}: {failure}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin", help="folder of vdnnrun")
    parser.add_argument("--bench", default="build/release/tests/bench", help="folder of bench_*")
    parser.add_argument("--out", default="build/bench")
    parser.add_argument("--python", action="append", metavar="FILE",
                        help="an interpreter that imports PyTorch; several by turns; default: Debian's, and python3 of the PATH")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(OTHERS) + ", " + ", ".join(NETWORKS))
    options = parser.parse_args()
    options.cases = options.cases or [*OTHERS, *NETWORKS]
    for case in options.cases:
        if case not in OTHERS and case not in NETWORKS:
            parser.error(f"there is no case '{case}'; known: {', '.join(OTHERS)}, {', '.join(NETWORKS)}")
    return options


def main():
    options = parse()
    os.makedirs(options.out, exist_ok=True)
    threads = int(os.environ.get("OMP_NUM_THREADS", "0").split(",")[0]) or len(os.sched_getaffinity(0))
    os.environ["OMP_NUM_THREADS"] = str(threads)
    # Where others use the cores too, threads that spin at barriers measure the others; the same for all.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    peers, why = find_peers(options.python)
    if not peers:
        say(f"PyTorch is not compared with: {why}")
    start_bytes = run([os.path.join(options.bin, "vdnnrun"), "--version"])[1]
    everything = dict(threads=threads, wait_policy=os.environ["OMP_WAIT_POLICY"], start_bytes=start_bytes, peers=[version for version, _ in peers],
                      load_average=os.getloadavg()[0], processors=os.cpu_count(), networks={})
    if os.getloadavg()[0] > 0.5:
        say(f"the machine is busy (load average {os.getloadavg()[0]:.1f}): times are those of a busy machine")
    begun = time.monotonic()
    for case in options.cases:
        if case == "planning":
            print(run([os.path.join(options.bench, "bench_planning")])[0], flush=True)
            continue
        if case in PARTS:
            measure_part(options, case, everything)
            continue
        try:
            result = measure_network(options, case, peers, threads, start_bytes)
        except Failure as failure:
            say(f"{case}: {failure}")
            result = dict(error=str(failure))
        everything["networks"][case] = result
        save(options, everything)
        if "error" not in result:
            if "layers" in result:
                with open(os.path.join(options.out, f"layers-{case}.txt"), "w", encoding="utf-8") as file:
                    file.writelines(line + "\n" for line in layer_table(result["layers"]))
            print("\n".join(network_lines(case, result)), flush=True)
    barred = {name: everything[name] for name in OTHERS if name in everything} | everything["networks"]
    if any("bars" in result for result in barred.values()):
        print("\n" + "\n".join(bar_table(barred)))
    say(f"took {time.monotonic() - begun:.0f} s; all figures are in {options.out}/bench.json, those of the "
        f"layers also in {options.out}/layers-*.txt")
    return 1 if any("error" in result for result in everything["networks"].values()) else 0


if __name__ == "__main__":
    sys.exit(main())
