"""What DTR's traces of training steps allow, for bench.py.

A trace (a JSON instruction a line) is what PyTorch ran in one step: CALL makes tensors, MUTATE writes some of its arguments,
MEMORY says the bytes of a tensor's storage, ALIAS whose storage it shares (the number of an argument, -1: its own), COPY is
one more reference to a tensor, RELEASE one less, CONSTANT is what was there before. Times are in ns.

Printed: the peak, and from below what recomputing alone costs within a part of it. At any call, what was computed before it
and is used after it is there or is computed once more; so much must not be there that the rest fits, and what takes the
least time per byte costs the least. No way of recomputing, DTR's or ours, is below that; none needs to reach it.

Then opt's plans of the traced steps as networks (trace_network.py): recomputing alone, on a device whose link is too slow to
be of use, and with the link. Parts are of the smaller one of the trace's peak and that of our plan that keeps everything.
"""
import csv
import json
import lzma
import os
import subprocess

from rivals import trace_network

TRACES = os.environ.get("VDNN_BENCH_TRACES", "../shared/reference/dtr")
REFERENCE = "tests/reference/budgets.csv"
CASES = (("transformer", "Transformer(10)"), ("resnet32", "ResNet-32(56)"), ("tv_densenet121", "DenseNet-121(84)"),
         ("unet", "U-Net(6)"))
PARTS = (0.8, 0.7, 0.6, 0.5, 0.4)  # of the peak
LINK = 12.8e9  # bytes per second each way, of a card in 16 lanes of PCIe 3
RATES = {"recompute": 1e6, "link": LINK}  # the least that a device model may have: no copy of it pays
TRIALS = 6000
MOST, HOST = "56GiB", "60GiB"


class BadTrace(Exception):
    """The file and the line, and what is wrong there."""


class Step:
    """The storages of a trace's step and the calls that write and read them.

    calls: (seconds, storages written, storages read); storages: bytes, is_constant, references; live_bytes: of all
    that are referred to, at each call.
    """

    def __init__(self):
        self.calls, self.bytes, self.constant, self.references = [], [], [], []
        self.names = []  # of the calls
        self.storage, self.args, self.live, self.live_bytes, self.backward = {}, (), 0, [], None

    def new_storage(self, name, is_constant):
        self.storage[name] = len(self.bytes)
        self.bytes.append(0)
        self.constant.append(is_constant)
        self.references.append(1)

    def refer(self, name, storage):
        self.storage[name] = storage
        if self.references[storage] == 0:
            self.live += self.bytes[storage]
        self.references[storage] += 1

    def release(self, name):
        storage = self.storage.pop(name)
        self.references[storage] -= 1
        if self.references[storage] == 0:
            self.live -= self.bytes[storage]

    def call(self, words, written):
        self.args = [self.storage[name] for name in words["ARGS"]]
        for name in words.get("RESULT", ()):
            self.new_storage(name, False)  # until its ALIAS says whose
        self.calls.append((int(words["TIME"]) * 1e-9, [self.storage[name] for name in written], sorted(set(self.args))))
        self.names.append(words["NAME"])
        self.live_bytes.append(self.live)

    def alias(self, name, of):
        if of < 0:
            return
        own = self.storage[name]
        self.references[own] = 0
        self.live -= self.bytes[own]
        self.bytes[own] = 0
        for _, written, _ in self.calls[-1:]:
            written.remove(own)
        self.refer(name, self.args[of])

    def follow(self, words):
        kind = words["INSTRUCTION"]
        if kind == "CALL":
            self.call(words, words["RESULT"])
        elif kind == "MUTATE":
            self.call(words, [words["ARGS"][i] for i in words["MUTATE"]])
        elif kind == "CONSTANT":
            self.new_storage(words["NAME"], True)
        elif kind == "MEMORY":
            self.set_bytes(self.storage[words["NAME"]], int(words["MEMORY"]))
        elif kind == "ALIAS":
            self.alias(words["NAME"], int(words["ALIAS"]))
        elif kind == "COPY":
            self.refer(words["DST"], self.storage[words["SRC"]])
        elif kind == "RELEASE":
            self.release(words["NAME"])
        elif kind == "ANNOTATE":
            self.backward = len(self.calls) if words["ANNOTATION"] == "BACKWARD" else self.backward
        else:
            raise KeyError(kind)

    def set_bytes(self, storage, count):
        self.live += count - self.bytes[storage]
        self.bytes[storage] = count
        if self.live_bytes:
            self.live_bytes[-1] = max(self.live_bytes[-1], self.live)


def read(path):
    step = Step()
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                step.follow(json.loads(line))
            except (KeyError, ValueError, IndexError) as why:
                raise BadTrace(f"{path}, line {number}: not an instruction of DTR's simulator: {why!r}") from why
    return step


# ---- recomputing, from below -----------------------------------------------------------------------


def last_uses(step):
    """The last call that reads each storage; -1: none."""
    last = [-1] * len(step.bytes)
    for number, (_, _, read_storages) in enumerate(step.calls):
        for storage in read_storages:
            last[storage] = number
    return last


def least_cost(items, excess):
    """The least seconds for which so many bytes are not there; of (bytes, seconds), the last one in part."""
    seconds = 0.0
    for count, cost in sorted(items, key=lambda item: item[1] / item[0]):
        if excess <= 0:
            break
        seconds += cost * min(1.0, excess / count)
        excess -= count
    return seconds if excess <= 0 else None


def recompute_bound(step, budget):
    """Seconds that no way of recomputing is below; None: what cannot be computed once more does not fit."""
    last, writer, most = last_uses(step), {}, 0.0
    held = [storage for storage, constant in enumerate(step.constant) if constant]
    constants = sum(step.bytes[storage] for storage in held)
    for number, (_, written, own) in enumerate(step.calls):
        there, by_call = constants, {}
        for storage, call in writer.items():
            if last[storage] > number and not step.constant[storage]:
                there += step.bytes[storage]
                if storage not in own:
                    by_call[call] = by_call.get(call, 0) + step.bytes[storage]
        items = [(count, step.calls[call][0]) for call, count in by_call.items() if count > 0]
        if there > budget:
            cost = least_cost(items, there - budget)
            if cost is None:
                return None
            most = max(most, cost)
        writer.update((storage, number) for storage in written)
    return most


# ---- our plans -------------------------------------------------------------------------------------


def write_file(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def plan(options, failure, network, device, device_bytes, policy):
    done = subprocess.run([os.path.join(options.bench, "rivals/bench_steps"), network, f"sim:{device}", str(device_bytes), HOST,
                           policy, str(TRIALS)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise failure(f"bench_steps {network}: {done.stderr.strip()}")
    return json.loads(done.stdout)["policies"][0]


def extra(own, seconds):
    return own["step_seconds"] / seconds - 1 if own["fits"] else None


def plan_case(options, failure, trace, step, case):
    """Adds what opt needs to the case."""
    folder = os.path.join(options.out, "dtr")
    os.makedirs(folder, exist_ok=True)
    network = write_file(folder, f"{trace}.yaml", trace_network.network_text(step))
    devices = {name: write_file(folder, f"{name}.yaml", trace_network.device_text(rate)) for name, rate in RATES.items()}
    beside = max(step.live, case["constant_bytes"])
    plain = plan(options, failure, network, devices["link"], MOST, "base")
    case.update(plain_seconds=plain["step_seconds"], plain_peak_bytes=plain["device_peak_bytes"] + beside)
    peak = min(case["peak_bytes"], case["plain_peak_bytes"])
    for row in case["parts"]:
        for name, device in devices.items():
            own = plan(options, failure, network, device, int(row["part"] * peak) - beside, "opt")
            row[name] = extra(own, case["plain_seconds"])
            row[name + "_peak_bytes"] = own["device_peak_bytes"] + beside


def measure_case(trace, network, published):
    step = read(os.path.join(TRACES, trace + ".log.xz"))
    seconds = sum(own[0] for own in step.calls)
    peak = max(step.live_bytes)
    rows = []
    for part in PARTS:
        bound = recompute_bound(step, part * peak)
        rows.append(dict(part=part, bound=None if bound is None else bound / seconds,
                         copies=(1 - part) * peak / LINK / seconds))
    return step, dict(network=network, calls=len(step.calls), forward_calls=step.backward, seconds=seconds,
                      peak_bytes=peak, constant_bytes=sum(step.bytes[i] for i, constant in enumerate(step.constant) if constant),
                      published=published.get(network), parts=rows)


def measure(options, failure, say):
    trace_network.check_by_hand(Step())
    if not os.path.isdir(TRACES):
        raise failure(f"left out: no folder {TRACES} with DTR's traces; VDNN_BENCH_TRACES names another")
    with open(REFERENCE, encoding="utf-8") as file:
        published = {row["network"]: float(row["value"]) for row in csv.DictReader(file)
                     if row["metric"] == "extra_compute_percent"}
    cases = []
    for trace, network in CASES:
        say(f"traces: {network}")
        try:
            step, case = measure_case(trace, network, published)
            plan_case(options, failure, trace, step, case)
            cases.append(case)
        except (OSError, lzma.LZMAError, BadTrace, trace_network.Unmapped) as why:
            raise failure(str(why)) from why
    return cases


def percent(value):
    return "does not fit" if value is None else f"{100 * value:.2f} %"


def lines(cases):
    yield ("| trace | calls, of forward | s | peak, MiB | constants | DTR at 0.5 | " +
           " | ".join(f"{part} of the peak" for part in PARTS) + " | half the peak over the link, each way |")
    yield "| --- | --- | --- | --- | --- | --- |" + " --- |" * (len(PARTS) + 1)
    for case in cases:
        bounds = " | ".join(percent(row["bound"]) for row in case["parts"])
        half = next(row for row in case["parts"] if row["part"] == 0.5)
        yield (f"| {case['network']} | {case['calls']}, {case['forward_calls']} | {case['seconds']:.3f} | "
               f"{case['peak_bytes'] / 2**20:.0f} | {case['constant_bytes'] / 2**20:.0f} | {case['published']:g} % | {bounds} | "
               f"{percent(half['copies'])} of the step |")
    yield ("\n| trace | as a network: s | peak, MiB | DTR at 0.5 | plans of opt | " +
           " | ".join(f"{part} of the peak" for part in PARTS) + " |")
    yield "| --- | --- | --- | --- | --- |" + " --- |" * len(PARTS)
    for case in cases:
        for name in RATES:
            extras = " | ".join(f"{percent(row[name])}, {row[name + '_peak_bytes'] / 2**20:.0f} MiB" for row in case["parts"])
            yield (f"| {case['network']} | {case['plain_seconds']:.3f} | {case['plain_peak_bytes'] / 2**20:.0f} | "
                   f"{case['published']:g} % | {name} | {extras} |")
