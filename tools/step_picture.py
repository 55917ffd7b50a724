#!/usr/bin/env python3
"""Draws one step of a training: what computes, what is copied, and the memory below its budget.

    tools/step_picture.py traces/step.svg      as README.md shows it
    tools/step_picture.py --model resnet50 --batch 128 --device-mem 6GiB step.svg

The step is run by vdnnrun on a simulated device; times and bytes are those of the trace, and what it takes without
a budget is the plan of `dyn` in unlimited memory. The same input draws the same bytes. The colours follow the
reader's preference for light or dark.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left behind in tools/

from palette import themed  # noqa: E402

WIDTH, LEFT, RIGHT = 960, 92, 12
LANE, GAP, MEMORY = 24, 6, 190
STYLE = "\n  :root { color-scheme: light dark }" + themed("""
  text { font: 12px system-ui, sans-serif; fill: var(--ink) }
  .small { font-size: 11px; fill: var(--soft) }
  .lane { fill: var(--raised) } .forward { fill: var(--forward) } .backward { fill: var(--backward) } .other { fill: var(--compute) }
  .copy { fill: var(--copy) }
  .live { fill: var(--total); stroke: var(--soft); stroke-width: 1.5 }
  .whole { fill: none; stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 4 3 }
  .budget { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 6 4 }
  .axis { stroke: var(--soft); stroke-width: 1 }""")
STEP = 2  # the first one begins without copies of the step before it


class Failed(Exception):
    """A run that did not end well: what it said, and its exit code."""


def vdnnrun(options, *more):
    """What it writes with --json."""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "run.json")
        try:
            run = subprocess.run([options.vdnnrun, "--model", options.model, "--batch", str(options.batch), "--quiet",
                                  "--device", options.device, "--host-mem", options.host_mem, "--json", result, *more],
                                 check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise Failed(f"{options.vdnnrun}: {error.strerror} (`make` builds it)", 2) from error
        if run.returncode != 0:
            raise Failed(run.stderr.rstrip(), run.returncode)
        with open(result, encoding="utf-8") as file:
            return json.load(file)


class Step:
    """One step: its spans (track, class, start, seconds, title), its live bytes, its seconds, its budget."""

    def __init__(self, options):
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace.json")
            run = vdnnrun(options, "--policy", options.policy, "--device-mem", options.device_mem, "--steps", "3",
                          "--trace", trace)
            with open(trace, encoding="utf-8") as file:
                events = json.load(file)["traceEvents"]
        self.budget = run["device"]["budget_bytes"]
        spans = [e for e in events if e["ph"] == "X" and "plan_step" in e["args"] and e["args"]["step"] == STEP]
        begin = min(e["ts"] for e in spans if e["args"]["kind"] == "run")
        end = max(e["ts"] + e["dur"] for e in spans)
        self.seconds = (end - begin) / 1e6
        self.spans = [(track_of(e), class_of(e), (e["ts"] - begin) / 1e6, e["dur"] / 1e6, title_of(e)) for e in spans]
        live = [((e["ts"] - begin) / 1e6, e["args"]["bytes"]) for e in events
                if e["ph"] == "C" and e["name"] == "device live bytes" and e["ts"] <= end]
        before = [count for at, count in live if at <= 0]
        inside = [point for point in live if point[0] > 0]
        self.live = [(0.0, before[-1]), *inside, (self.seconds, inside[-1][1])]


def track_of(event):
    return {"copy_out": "out", "store": "out", "copy_in": "in", "load": "in"}.get(event["args"]["kind"], "compute")


def title_of(event):
    """Without what stands before it for other tools: Memcpy DtoH."""
    return event["name"].partition(": ")[2] if event["cat"] == "gpu_memcpy" else event["name"]


def class_of(event):
    track = track_of(event)
    if track != "compute":
        return "copy"
    if event["args"]["kind"] != "run":
        return "other"
    return "forward" if event["args"]["pass"] == "forward" else "backward"


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def gib(count):
    return f"{count / 2**30:.1f} GiB" if count >= 2**28 else f"{count / 2**20:.1f} MiB"


class Picture:
    def __init__(self, seconds, most_bytes, height):
        self.seconds, self.most, self.height, self.lines = seconds, most_bytes, height, []

    def x(self, seconds):
        return LEFT + (WIDTH - LEFT - RIGHT) * seconds / self.seconds

    def text(self, x, y, text, kind="", anchor="start"):
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>')

    def rect(self, kind, x, y, width, height, title=None):
        inner = f"<title>{escape(title)}</title>" if title else ""
        self.lines.append(f'<rect class="{kind}" x="{x:.2f}" y="{y:.1f}" width="{width:.2f}" height="{height:.1f}">'
                          f"{inner}</rect>")

    def lane(self, y, label, spans):
        self.text(LEFT - 8, y + LANE - 7, label, anchor="end")
        self.rect("lane", LEFT, y, WIDTH - LEFT - RIGHT, LANE)
        for _, kind, start, seconds, name in spans:
            first, last = max(self.x(start), LEFT), min(self.x(start + seconds), WIDTH - RIGHT)
            if last - first > 0.05:
                self.rect(kind, first, y, max(last - first - 0.4, 0.3), LANE, f"{name}, {1000 * seconds:.1f} ms")

    def memory(self, y, step, whole):
        bottom = y + MEMORY

        def height(count):
            return bottom - MEMORY * count / self.most

        points = [f"{LEFT},{bottom}"]
        for at, count in step.live:
            level = f"{height(count):.1f}"
            points += [f"{self.x(at):.1f},{points[-1].split(',')[1]}", f"{self.x(at):.1f},{level}"]
        points.append(f"{WIDTH - RIGHT},{bottom}")
        self.text(LEFT - 8, bottom - 8, "memory", anchor="end")
        self.lines.append(f'<polygon class="live" points="{" ".join(points)}"/>')
        for kind, count in (("budget", step.budget), ("whole", whole)):
            at = height(count)
            self.lines.append(f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>')
            self.text(LEFT - 8, at + 4, gib(count), kind="small", anchor="end")
        self.text(LEFT + 8, height(whole) + 14, "without a budget", kind="small")
        self.text(LEFT + 8, height(step.budget) + 14, "budget", kind="small")
        self.lines.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{bottom}" y2="{bottom}"/>')

    def axis(self, y):
        unit = 10.0 ** (len(str(int(self.seconds * 1000))) - 4)
        tick = next(unit * k for k in (1, 2, 5, 10, 20, 50) if self.seconds / (unit * k) <= 8)
        at = 0.0
        while at <= self.seconds * 1.0001:
            self.lines.append(f'<line class="axis" x1="{self.x(at):.1f}" x2="{self.x(at):.1f}" y1="{y}" y2="{y + 4}"/>')
            self.text(self.x(at), y + 17, f"{at:g} s", kind="small", anchor="middle")
            at = round(at + tick, 9)

    def svg(self, title):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" role="img" '
                f'aria-label="{escape(title)}">\n<style>{STYLE}\n</style>\n' + "\n".join(self.lines) + "\n</svg>\n")


def draw(options):
    step = Step(options)
    whole = vdnnrun(options, "--policy", "dyn", "--device-mem", "1TiB", "--dry-run")["plan"]["device_peak_bytes"]
    most = 1.08 * max(step.budget, whole)
    top = 30
    memory = top + 3 * (LANE + GAP) + 8
    picture = Picture(step.seconds, most, memory + MEMORY + 26)
    title = (f"One step of {options.model}, batch {options.batch}, under {options.policy} in {gib(step.budget)} on "
             f"{options.device}")
    picture.text(LEFT, 17, title)
    legend = LEFT + 530
    for kind in ("forward", "backward", "copy"):
        picture.rect(kind, legend, 8, 10, 10)
        picture.text(legend + 14, 17, kind, kind="small")
        legend += 84
    for row, (track, label) in enumerate((("compute", "compute"), ("out", "to the host"), ("in", "from the host"))):
        picture.lane(top + row * (LANE + GAP), label, [s for s in step.spans if s[0] == track])
    picture.memory(memory, step, whole)
    picture.axis(memory + MEMORY)
    return picture.svg(title)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vdnnrun", default="build/bin/vdnnrun")
    parser.add_argument("--model", default="vgg19")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--device", default="sim:titan-x-maxwell")
    parser.add_argument("--device-mem", default="12GiB")
    parser.add_argument("--host-mem", default="64GiB")
    parser.add_argument("--policy", default="dyn")
    parser.add_argument("target", metavar="FILE.svg")
    options = parser.parse_args()
    if not options.device.startswith("sim:"):
        parser.error("--device: a simulated one, whose times are the same each time")
    try:
        text = draw(options)
    except Failed as failed:
        print(f"step_picture: {failed.args[0]}", file=sys.stderr)
        return failed.args[1]
    with open(options.target, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
