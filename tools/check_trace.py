#!/usr/bin/env python3
"""Checks timelines of vdnnrun (--trace) as Perfetto reads them, and against what the run says (--json).

    tools/check_trace.py step.json.gz                  the file alone
    tools/check_trace.py step.json=run.json ...        and its peaks, stalls and bytes against the run's

A file is JSON in Chrome's trace-event format, from which Perfetto takes: metadata (M) that name tracks; slices (X),
which on one track lie apart or within one another; counters (C); flows (s, t, f), whose ends bind to the slice that is
open then on their track. On top of that this checks what such a file of vdnn promises: the spans of a stream follow
each other; every step of the plan is there once in each training step, within its slice, and starts after what it waits
for; arrows lead from a copy to what reads it; live bytes are those of all categories, and within the budget.

Prints what is wrong, one line each, and ends with 1; with 2 where a file cannot be read.
"""

import argparse
import collections
import gzip
import json
import statistics
import sys

MOST_LINES = 20  # shown of one file
GPU = ("kernel", "gpu_memcpy")
COPIES = {"offloaded": "copy_out", "spilled": "spill", "filled": "fill", "prefetched": "copy_in"}
KEYS = {"M": ("args",), "X": ("ts", "dur", "cat"), "C": ("ts", "args"), "s": ("ts", "cat", "id"), "t": ("ts", "cat", "id"),
        "f": ("ts", "cat", "id")}

Slice = collections.namedtuple("Slice", "start end track name cat args")


class Broken(Exception):
    """The file is not JSON of this form."""


def unique_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise Broken("an object has a key twice: " + ", ".join(keys))
    return dict(pairs)


def read(path):
    opener = gzip.open if path.endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            return json.load(file, object_pairs_hook=unique_keys)
    except (OSError, EOFError, ValueError, Broken) as error:
        raise Broken(str(error)) from error


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def nanoseconds(microseconds):
    """Times are written with three digits behind the point."""
    return round(microseconds * 1000)


class Checker:
    """One file: what is wrong with it is in self.wrong."""

    def __init__(self, path, run=None, reaches=False):
        self.path, self.run, self.reaches, self.wrong = path, run, reaches, []
        self.slices = collections.defaultdict(list)  # by (pid, tid), in the file's order
        self.counters = collections.defaultdict(list)  # (time, values), by (pid, name)
        self.flows = collections.defaultdict(list)  # (phase, time, track, binding), by (cat, name, id)
        self.names = collections.Counter()  # of tracks and processes
        self.steps = collections.defaultdict(dict)  # by pid: number -> its slice
        self.parts = collections.defaultdict(dict)  # by (pid, number): plan_step -> slice

    def fail(self, text):
        self.wrong.append(text)

    def expect(self, holds, text):
        if not holds:
            self.fail(text)

    def check(self):
        root = read(self.path)
        events = root.get("traceEvents") if isinstance(root, dict) else None
        if not isinstance(events, list):
            raise Broken("expected an object with an array of traceEvents")
        for number, event in enumerate(events):
            problem = self.take(event)
            if problem:
                self.fail(f"event {number}: {problem}")
        if self.wrong:  # the rest relies on the form
            return self.wrong
        self.check_names()
        self.check_slices()
        self.check_flows()
        self.check_counters()
        self.check_steps()
        if self.run is not None:
            self.check_run()
        return self.wrong

    # ---- the form of events --------------------------------------------------------------------

    def take(self, event):
        """Files an event by its kind; what is wrong with its form, or None."""
        if not isinstance(event, dict):
            return "is no object"
        phase = event.get("ph")
        if phase not in KEYS:
            return f"has the unknown phase {phase!r}"
        for key in ("pid", "tid"):
            if not is_count(event.get(key)):
                return f"{key} is no number of a track"
        if not isinstance(event.get("name"), str) or not event["name"]:
            return "has no name"
        missing = [key for key in KEYS[phase] if key not in event]
        if missing:
            return f"{event['name']} has no {missing[0]}"
        for key in ("ts", "dur"):
            value = event.get(key, 0)
            if not is_number(value) or not 0 <= value < 1e15:
                return f"{event['name']}: {key} is {value!r}"
        if not isinstance(event.get("args", {}), dict):
            return f"{event['name']}: args is no object"
        return self.file(event)

    def file(self, event):
        phase, track, name = event["ph"], (event["pid"], event["tid"]), event["name"]
        if phase == "M":
            self.names[(name, *((track[0],) if name == "process_name" else track))] += 1
        elif phase == "X":
            start = nanoseconds(event["ts"])
            self.slices[track].append(
                Slice(start, start + nanoseconds(event["dur"]), track, name, event["cat"], event.get("args", {})))
        elif phase == "C":
            if not event["args"] or not all(is_number(value) for value in event["args"].values()):
                return f"counter {name} has values that are no numbers"
            self.counters[(track[0], name)].append((nanoseconds(event["ts"]), event["args"]))
        else:
            if not is_count(event["id"]):
                return f"flow {name}: id is {event['id']!r}"
            self.flows[(event["cat"], name, event["id"])].append(
                (phase, nanoseconds(event["ts"]), track, event.get("bp")))
        return None

    # ---- tracks and slices ---------------------------------------------------------------------

    def check_names(self):
        for what, count in self.names.items():
            self.expect(count == 1, f"{what[0]} of {what[1:]} is given {count} times")
        for track in self.slices:
            self.expect(("thread_name", *track) in self.names, f"track {track} has no name")
            self.expect(("process_name", track[0]) in self.names, f"process {track[0]} has no name")

    def check_slices(self):
        for track, slices in self.slices.items():
            for one, other in zip(slices, slices[1:]):
                self.expect(one.start <= other.start, f"{other.name} of track {track} starts before {one.name}, above it")
            self.check_nesting(track, slices)
            for one in slices:
                self.check_gpu(one)
                if one.cat == "user_annotation":
                    self.add_step(one)
                elif "plan_step" in one.args:
                    self.add_part(one)

    def check_nesting(self, track, slices):
        """Slices are apart or within one another; those of a stream are apart."""
        is_stream = any("plan_step" in one.args for one in slices)
        open_slices = []
        for one in sorted(slices, key=lambda one: (one.start, -one.end)):
            while open_slices and open_slices[-1].end <= one.start:
                open_slices.pop()
            if open_slices and one.end > one.start:
                outer = open_slices[-1]
                self.expect(one.end <= outer.end, f"track {track}: {one.name} overlaps {outer.name} and is not within it")
                self.expect(not is_stream, f"track {track}: {one.name} begins while {outer.name} runs on the stream")
            open_slices.append(one)

    def check_gpu(self, one):
        if one.cat not in GPU:
            return
        pid, tid = one.track
        self.expect(one.args.get("device") == pid - 1, f"{one.name}: device {one.args.get('device')} in process {pid}")
        self.expect(one.args.get("stream") == tid, f"{one.name}: stream {one.args.get('stream')} on track {tid}")
        self.expect(is_count(one.args.get("correlation")), f"{one.name} has no correlation")
        if one.cat == "gpu_memcpy":
            self.expect(one.name[:11] in ("Memcpy DtoH", "Memcpy HtoD", "Memcpy DtoD"), f"{one.name} is called no Memcpy")
            self.expect(is_count(one.args.get("bytes")), f"{one.name} has no bytes")
        rate, seconds = one.args.get("memory bandwidth (GB/s)"), one.end - one.start
        if rate is not None:
            right = one.args["bytes"] / seconds if seconds else 0
            self.expect(abs(rate - right) <= 1e-4 * right, f"{one.name}: {rate} GB/s, where it is {right}")

    # ---- steps ---------------------------------------------------------------------------------

    def add_step(self, one):
        number = one.args.get("step")
        self.expect(one.name == f"ProfilerStep#{number}", f"{one.name} is called step {number}")
        self.expect(number not in self.steps[one.track[0]], f"step {number} of process {one.track[0]} is there twice")
        self.steps[one.track[0]][number] = one

    def add_part(self, one):
        parts = self.parts[(one.track[0], one.args.get("step"))]
        self.expect(one.args["plan_step"] not in parts, f"{one.name} is in step {one.args.get('step')} twice")
        parts[one.args["plan_step"]] = one

    def check_steps(self):
        for pid, steps in self.steps.items():
            numbers = list(steps)
            self.expect(numbers == sorted(numbers), f"process {pid}: steps are in the order {numbers}")
            counts = {number: len(self.parts.get((pid, number), ())) for number in numbers}
            self.expect(len(set(counts.values())) <= 1, f"process {pid}: steps have different parts: {counts}")
        for (pid, number), parts in self.parts.items():
            step = self.steps.get(pid, {}).get(number)
            if step is None:
                self.fail(f"step {number} of process {pid} has no slice")
                continue
            self.expect(sorted(parts) == list(range(len(parts))), f"step {number} of process {pid} has not all of its plan")
            for one in parts.values():
                self.check_part(one, step, parts)

    def check_part(self, one, step, parts):
        self.expect(step.start <= one.start and one.end <= step.end, f"{one.name} is not within {step.name}")
        for awaited in one.args.get("waits", ()):
            other = parts.get(awaited)
            self.expect(other is not None and other.end <= one.start,
                        f"{step.name}: {one.name} starts before {other.name if other else awaited}, for which it waits")

    # ---- flows ---------------------------------------------------------------------------------

    def bound(self, time, track):
        """The slice of the track that is open then: the one that began last. None: there is none."""
        begun = self.index[track][time] if track in self.index else ()
        return begun[-1] if begun else next(
            (one for one in reversed(self.slices.get(track, ())) if one.start <= time < one.end), None)

    def check_flows(self):
        self.index = {}
        for track, slices in self.slices.items():
            by_start = self.index.setdefault(track, collections.defaultdict(list))
            for one in slices:
                by_start[one.start].append(one)
        leaving = set()
        for (cat, name, number), ends in self.flows.items():
            what = f"flow {name} {number}"
            phases = "".join(end[0] for end in ends)
            if phases[0] != "s" or phases[-1] != "f" or phases[1:-1].strip("t"):
                self.fail(f"{what} has the ends {phases}, expected s, any t, f")
                continue
            times = [end[1] for end in ends]
            self.expect(times == sorted(times), f"{what} goes back in time")
            self.expect(all(end[3] == "e" for end in ends[1:]), f"{what} ends without a binding to the slice around it")
            slices = [self.bound(end[1], end[2]) for end in ends]
            if None in slices:
                self.fail(f"{what} has an end on track {ends[slices.index(None)][2]} where no slice is")
                continue
            self.check_arrow(what, cat, name, slices)
            leaving.update((one.track, one.start, one.name) for one in slices[:1])
        for parts in self.parts.values():
            for one in parts.values():
                if one.args.get("kind") == "copy_in":
                    self.expect((one.track, one.start, one.name) in leaving, f"no arrow leads from {one.name} to a reader")

    def check_arrow(self, what, cat, name, slices):
        first, last = slices[0], slices[-1]
        if name in COPIES:
            self.expect(first.args.get("kind") == COPIES[name], f"{what} begins at {first.name}")
            self.expect(first.end <= last.start, f"{what}: {last.name} starts before the end of {first.name}")
        if cat == "ac2g":
            self.expect(first.args.get("correlation") == last.args.get("correlation") and first.cat == "cuda_runtime",
                        f"{what} leads from {first.name} to {last.name}")
        if name == "summed":
            self.expect(len({one.track[0] for one in slices}) == len(slices), f"{what} visits a device twice")

    # ---- counters ------------------------------------------------------------------------------

    def check_counters(self):
        for (pid, name), points in self.counters.items():
            what = f"counter {name} of process {pid}"
            for time, values in points:
                self.expect(min(values.values()) >= 0, f"{what} is negative at {time} ns: {values}")
            times = [time for time, _ in points]
            self.expect(times == sorted(times), f"{what} goes back in time")
            self.expect(len({tuple(values) for _, values in points}) == 1, f"{what} has different values at times")
        for (pid, name), points in list(self.counters.items()):
            tier, _, kind = name.partition(" ")
            if kind == "bytes by category":
                self.check_categories(pid, tier, points)
            if kind == "budget":
                most = max(values["bytes"] for _, values in self.counters.get((pid, f"{tier} live bytes"), [(0, {"bytes": 0})]))
                self.expect(len({values["bytes"] for _, values in points}) == 1, f"the {tier} budget changes")
                self.expect(most <= points[0][1]["bytes"], f"{most} bytes live in the {tier} tier exceed its budget")

    def check_categories(self, pid, tier, points):
        whole = [(time, values["bytes"]) for time, values in self.counters.get((pid, f"{tier} live bytes"), ())]
        parts = [(time, sum(values.values())) for time, values in points]
        self.expect(whole == parts, f"process {pid}: bytes by category are not those live in the {tier} tier")

    # ---- the run -------------------------------------------------------------------------------

    def peak(self, pid, tier):
        return max((values["bytes"] for _, values in self.counters.get((pid, f"{tier} live bytes"), ())), default=0)

    def check_run(self):
        """Only of a run all of whose steps are in the file: medians and peaks are over them."""
        run = self.run
        traced = min((len(steps) for steps in self.steps.values()), default=0)
        made = len(run.get("losses", ()))
        if "measured" not in run or traced != made:
            self.fail(f"the file has {traced} steps, the run {made}: the two cannot be compared")
            return
        rows = [(row, row["measured"]) for row in run.get("per_device", ())] or [(run["plan"], run["measured"])]
        self.expect(len(rows) == len(self.steps), f"the file has {len(self.steps)} devices, the run {len(rows)}")
        for (plan, measured), pid in zip(rows, sorted(self.steps)):
            self.check_device(plan, measured, pid)

    def check_device(self, plan, measured, pid):
        for tier in ("device", "host"):
            peak = self.peak(pid, tier)
            key = f"{tier}_peak_bytes"
            self.expect(peak == measured[key], f"the {tier} counter reaches {peak} bytes, measured are {measured[key]}")
            self.expect(peak <= plan[key], f"the {tier} counter reaches {peak} bytes, planned are at most {plan[key]}")
            if self.reaches:
                self.expect(peak == plan[key], f"the {tier} counter reaches {peak} bytes, not the {plan[key]} planned")
        for category, most in plan["by_category"].items():
            reached = max(values[category] for _, values in self.counters[(pid, "device bytes by category")])
            self.expect(reached <= most, f"{category} reach {reached} bytes, planned are {most}")
        stalls, moved = self.sums(pid)
        self.expect(abs(statistics.median(stalls) - 1e9 * measured["stall_seconds"]) <= 1 + 1e-6 * max(stalls) +
                    sum(one.cat == "stall" for track, all_of in self.slices.items() if track[0] == pid for one in all_of),
                    f"stalls add up to {1e-9 * statistics.median(stalls)} s, measured are {measured['stall_seconds']}")
        for kind, key in (("copy_out", "offload_bytes"), ("copy_in", "prefetch_bytes")):
            self.expect(moved[kind] == {measured[key]}, f"{kind} moves {moved[kind]} bytes, measured are {measured[key]}")

    def sums(self, pid):
        """Of each step: nanoseconds of stalls, and bytes copied."""
        stalls = dict.fromkeys(self.steps[pid], 0)
        for track, slices in self.slices.items():
            for one in slices if track[0] == pid else ():
                if one.cat == "stall":
                    stalls[one.args["step"]] += one.end - one.start
        moved = {kind: {sum(one.args["bytes"] for one in self.parts[(pid, number)].values() if one.args["kind"] == kind)
                        for number in self.steps[pid]} for kind in ("copy_out", "copy_in")}
        return list(stalls.values()), moved


def check_file(argument, reaches):
    path, _, run = argument.partition("=")
    try:
        checker = Checker(path, read(run) if run else None, reaches)
        wrong = checker.check()
    except Broken as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    for line in wrong[:MOST_LINES]:
        print(f"{path}: {line}")
    if len(wrong) > MOST_LINES:
        print(f"{path}: and {len(wrong) - MOST_LINES} more")
    if not wrong:
        slices = sum(len(of_track) for of_track in checker.slices.values())
        print(f"{path}: good: {slices} slices on {len(checker.slices)} tracks, {len(checker.flows)} flows, "
              f"{len(checker.counters)} counters")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="TRACE[=RUN.json]")
    parser.add_argument("--reaches", action="store_true", help="the peaks are the planned ones, not below them: a copy "
                        "that starts late leaves them lower, where copies fill all the time")
    options = parser.parse_args()
    return max([check_file(argument, options.reaches) for argument in options.files])


if __name__ == "__main__":
    sys.exit(main())
