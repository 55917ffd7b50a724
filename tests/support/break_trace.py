#!/usr/bin/env python3
"""Breaks a trace, each time in one way, for the test of tools/check_trace.py.

    tests/support/break_trace.py TRACE FOLDER

Writes FOLDER/NUMBER.json for each way, and prints what the checker says of it, a line each.
"""

import copy
import json
import os
import sys


def spans(events, **keys):
    """Of a step of the plan, in the second training step, with these values in their arguments."""
    return [e for e in events if e["ph"] == "X" and e.get("args", {}).get("step") == 2 and "plan_step" in e["args"]
            and all(e["args"].get(key) == value for key, value in keys.items())]


def first(events, **keys):
    return next(e for e in events if all(e.get(key) == value for key, value in keys.items()))


def drop(events, **keys):
    events.remove(first(events, **keys))


def lose_start(events):
    drop(events, ph="s", name="offloaded")


def lose_finish(events):
    drop(events, ph="f", name="prefetched")


def lose_arrow(events):
    start = first(events, ph="s", name="prefetched")["ts"]
    numbers = {e["id"] for e in events if e["ph"] == "s" and e["name"] == "prefetched" and e["ts"] == start}
    events[:] = [e for e in events if e["name"] != "prefetched" or e["id"] not in numbers]


def unbind(events):
    del first(events, ph="f", name="prefetched")["bp"]


def miss_slice(events):
    first(events, ph="s", name="offloaded")["tid"] = 7777


def arrow_to_the_past(events):
    first(events, ph="f", name="prefetched")["ts"] = 0


def negative_counter(events):
    first(events, ph="C", name="device live bytes")["args"]["bytes"] = -4096


def counter_back_in_time(events):
    [e for e in events if e["ph"] == "C" and e["name"] == "device live bytes"][-1]["ts"] = 0


def higher_counter(events):
    most = max((e for e in events if e["name"] == "device live bytes"), key=lambda e: e["args"]["bytes"])
    same = next(e for e in events if e["name"] == "device bytes by category" and e["ts"] == most["ts"])
    most["args"]["bytes"] += 1
    same["args"]["other"] += 1


def uneven_categories(events):
    first(events, ph="C", name="device bytes by category")["args"]["other"] += 1


def exceed_budget(events):
    for event in events:
        if event["ph"] == "C" and event["name"] == "device budget":
            event["args"]["bytes"] = 1


def overlap(events):
    first_of, second = [e for e in spans(events) if e["tid"] == 1 and e["dur"] > 0][:2]
    first_of["dur"] = round(second["ts"] - first_of["ts"] + second["dur"] / 2, 3)


def nest(events):
    first_of, second = [e for e in spans(events) if e["tid"] == 1 and e["dur"] > 0][:2]
    first_of["dur"] = round(second["ts"] - first_of["ts"] + second["dur"], 3)


def swap_slices(events):
    one, other = [e for e in spans(events) if e["tid"] == 2][:2]
    at, to = events.index(one), events.index(other)
    events[at], events[to] = other, one


def lose_step(events):
    events.remove(spans(events, kind="update")[0])


def lose_step_slice(events):
    drop(events, name="ProfilerStep#2")


def leave_step(events):
    first(events, name="ProfilerStep#2")["dur"] = 0.001


def start_early(events):
    late = next(e for e in spans(events, kind="copy_out") if e["args"]["waits"])
    by_number = {e["args"]["plan_step"]: e for e in spans(events)}
    awaited = by_number[late["args"]["waits"][0]]
    late["args"]["waits"] = [awaited["args"]["plan_step"]]
    awaited["args"]["waits"], late["args"]["waits"] = [late["args"]["plan_step"]], []


def lose_stall(events):
    longest = max((e for e in events if e.get("cat") == "stall"), key=lambda e: e["dur"])
    for event in events:
        if event.get("cat") == "stall":
            event["dur"] = 0
    longest["dur"] = 0


def wrong_bytes(events):
    copy_in = spans(events, kind="copy_in")[0]
    copy_in["args"]["bytes"] -= 1
    del copy_in["args"]["memory bandwidth (GB/s)"]


def wrong_rate(events):
    spans(events, kind="copy_in")[0]["args"]["memory bandwidth (GB/s)"] *= 2


def wrong_stream(events):
    spans(events, kind="run")[0]["args"]["stream"] = 3


def lose_name(events):
    drop(events, ph="M", name="thread_name", tid=1)


def unknown_phase(events):
    events[5]["ph"] = "?"


def no_time(events):
    del first(events, ph="X")["ts"]


WAYS = (
    (lose_start, "has the ends f, expected s, any t, f"),
    (lose_finish, "has the ends s, expected s, any t, f"),
    (lose_arrow, "no arrow leads from Memcpy HtoD: prefetch"),
    (unbind, "ends without a binding"),
    (miss_slice, "where no slice is"),
    (arrow_to_the_past, "goes back in time"),
    (negative_counter, "counter device live bytes of process 1 is negative"),
    (counter_back_in_time, "counter device live bytes of process 1 goes back in time"),
    (higher_counter, "the device counter reaches"),
    (uneven_categories, "bytes by category are not those live in the device tier"),
    (exceed_budget, "exceed its budget"),
    (overlap, "and is not within it"),
    (nest, "runs on the stream"),
    (swap_slices, "above it"),
    (lose_step, "has not all of its plan"),
    (lose_step_slice, "step 2 of process 1 has no slice"),
    (leave_step, "is not within ProfilerStep#2"),
    (start_early, "for which it waits"),
    (lose_stall, "stalls add up to 0.0 s"),
    (wrong_bytes, "copy_in moves"),
    (wrong_rate, "GB/s, where it is"),
    (wrong_stream, "stream 3 on track 1"),
    (lose_name, "track (1, 1) has no name"),
    (unknown_phase, "has the unknown phase '?'"),
    (no_time, "has no ts"),
)


def main():
    source, folder = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        whole = json.load(file)
    for number, (change, words) in enumerate(WAYS):
        broken = copy.deepcopy(whole)
        change(broken["traceEvents"])
        with open(os.path.join(folder, f"{number}.json"), "w", encoding="utf-8") as file:
            json.dump(broken, file)
        print(words)


if __name__ == "__main__":
    main()
