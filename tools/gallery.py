#!/usr/bin/env python3
"""Makes the gallery: a page of every kind of picture that vdnn draws, each with the command that draws it.

    tools/gallery.py                   build/gallery/index.html, as `make gallery` does
    tools/gallery.py --short           LeNet in place of VGG, without the figures of the paper: within seconds
    tools/gallery.py --pictures .      only the pictures of README.md, below that folder: `make pictures`

index.html is one file, which needs no network and none beside it; the reports that it leads to lie in its folder.
All but the losses is of simulated devices: the same programs write the same bytes, but for the dates of reports
(SOURCE_DATE_EPOCH). The losses are of a training on the CPU; its profile is kept in the folder, so that the next
gallery has the same algorithms and the same losses.
"""
import argparse
import base64
import html
import json
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = "runtime/report/page"
FASHION = "/usr/share/datasets/fashion-mnist"

# Threads that spin at barriers take the cores from those they wait for where others work too.
ENVIRONMENT = {"OMP_WAIT_POLICY": "passive", "VDNN_NO_CACHE": "1", **os.environ}

# The pictures that README.md shows: what draws them.
README_PICTURES = {"traces/step.svg": "tools/step_picture.py"}

# What differs between the two lengths: networks, devices, budgets.
LONG = {
    "report": "--model vgg16 --batch 256 --device sim:titan-x-maxwell --device-mem 12GiB",
    "beside": "--model vgg16 --batch 256 --device sim:p100 --device-mem 12GiB",
    "policies": "base,all,conv,dyn,opt",
    "budgets": "2GiB,3GiB,4GiB,6GiB,8GiB,10GiB,12GiB,16GiB",
    "scale": "--model vgg19 --device sim:p100-pcie --devices 1,2,4,8 --batches 64,128,256",
    "cards": "--model vgg16 --batch 256 --device sim:h100,a100,v100,t4",
    "step": "",
    "losses": "--steps 300",
    "trials": 8000,
}
SHORT = {
    "report": "--model lenet --batch 256 --device sim:titan-x-maxwell --device-mem 40MiB",
    "beside": "--model lenet --batch 256 --device sim:p100 --device-mem 40MiB",
    "policies": "base,dyn",
    "budgets": "20MiB,40MiB,80MiB",
    "scale": "--model lenet --device sim:p100 --devices 1,2 --batches 64,128",
    "cards": "--model lenet --batch 256 --device sim:h100,t4",
    "step": "--model lenet --batch 256 --device-mem 40MiB ",
    "losses": "--batch 4 --steps 20",
    "trials": 200,
}


class Failed(Exception):
    """A command that did not do its work; the text says which, and why."""

    def __init__(self, text, code=1):
        super().__init__(text)
        self.code = code


class Gallery:
    """The commands that draw, each run once and shown as it can be typed, and what they wrote."""

    def __init__(self, options):
        self.options, self.out, self.size = options, options.out, SHORT if options.short else LONG

    def path(self, name):
        return os.path.join(self.out, name)

    def run(self, program, words):
        """Runs a program with the words of a line in which @ stands for the folder; returns the line as it is shown."""
        command = [program if os.path.isabs(program) or "/" in program else os.path.join(self.options.bin, program),
                   *(word.replace("@", self.out) for word in shlex.split(words))]
        line = " ".join(shlex.quote(word) for word in command)
        print(f"gallery: {line}", file=sys.stderr)
        try:
            result = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                                    env=ENVIRONMENT)
        except OSError as error:
            raise Failed(f"{command[0]}: {error.strerror} (`make` builds the programs)", 2) from error
        if result.returncode != 0:
            raise Failed(f"{line}: exit code {result.returncode}\n{result.stderr.rstrip()}", result.returncode)
        return line

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def record(self, name):
        return json.loads(self.read(name))


# ---- parts of a page -------------------------------------------------------------------------------------------------


def figure(chart, record, caption, **more):
    data = "".join(f' data-{key}="{value}"' for key, value in {"chart": chart, "report": f"{record}-data", **more}.items())
    return f"<figure{data}><figcaption>{html.escape(caption)}</figcaption></figure>\n"


def picture(svg, words):
    """An SVG as an image: its style reaches nothing else, and it follows the theme of the page."""
    code = base64.b64encode(svg.encode()).decode()
    label = html.escape(words)
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="Picture: {label}">'
            f'<img src="data:image/svg+xml;base64,{code}" alt="{label}"></div>\n')


def command(*lines):
    """Lines that break between options, not within them."""
    words = ("".join(f"<span>{html.escape(word)}</span> " for word in re.split(" (?=-)", line)).rstrip() for line in lines)
    return "<pre><code>" + "\n".join(words) + "</code></pre>\n"


def table(label, head, rows, classes=()):
    cells = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    body = ""
    for i, (first, *others) in enumerate(rows):
        own = f' class="{classes[i]}"' if classes else ""
        body += (f'<tr{own}><th scope="row">{html.escape(first)}</th>'
                 + "".join(f"<td>{html.escape(other)}</td>" for other in others) + "</tr>\n")
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{html.escape(label)}">\n<table>\n'
            f"<thead><tr>{cells}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n")


def gib(count):
    return f"{count / 2**30:.2f} GiB" if count >= 2**28 else f"{count / 2**20:.2f} MiB"


def seconds(value):
    return f"{value:.3f} s" if value >= 1 else f"{1e3 * value:.3f} ms"


def policy_name(row):
    chosen = row["chosen"]
    own = f"{chosen['policy']} ({chosen['algo']})"
    return own if row["policy"] == chosen["policy"] else f"{row['policy']} = {own}"


# ---- sections: each returns what stands below its title --------------------------------------------------------------


def step(gallery, records):
    line = gallery.run("tools/step_picture.py", f"--vdnnrun {gallery.options.bin}/vdnnrun {gallery.size['step']}@/step.svg")
    words = re.search('aria-label="([^"]*)"', gallery.read("step.svg")).group(1)
    return ("<p>What computes and what is copied while one step trains, and the memory that is alive: below the budget, "
            "with the copies hidden behind compute.</p>\n"
            + picture(gallery.read("step.svg"), html.unescape(words)) + command(line))


def thinned(report, whole):
    """A report without what no chart of this page draws: the steps of all policies but one."""
    for i, row in enumerate(report["policies"]):
        row.pop("layers")
        if i != whole:
            for key in ("steps", "point_seconds", "buffers", "lost"):
                row["step"].pop(key)
    for key in ("accumulate", "layers"):
        report.pop(key, None)
    return report


def report_of(gallery, records):
    line = gallery.run("vdnnreport", f"{gallery.size['report']} --host-mem 64GiB --policies {gallery.size['policies']} "
                       f"--plan-trials {gallery.size['trials']} --budgets {gallery.size['budgets']} --json @/report.json "
                       "--html @/report.html")
    report = gallery.record("report.json")
    gallery.dyn = next(i for i, row in enumerate(report["policies"]) if row["policy"] == "dyn")
    records["report"] = thinned(report, gallery.dyn)
    rows = [(policy_name(row), "yes" if row["fits"] else "no", gib(row["arena_bytes"]), gib(row["host_peak_bytes"]),
             gib(row["offload_bytes"]), seconds(row["step_seconds"]), f"{row['relative_speed']:.3f}")
            for row in report["policies"]]
    return ('<p>Every policy side by side: what it takes of the device, and where its time goes. The <a href="report.html">'
            "whole report</a> has every layer under every policy.</p>\n"
            + figure("bars", "report", "Device memory of each policy: what it takes of the device, and in it the average over the step")
            + figure("times", "report", "Time of a step under each policy, as planned", legend="split")
            + table("Policies", ("policy", "fits", "arena", "host", "offloaded", "step", "speed"), rows,
                    ["yes" if row["fits"] else "no" for row in report["policies"]]) + command(line))


def memory_map(gallery, records):
    row = records["report"]["policies"][gallery.dyn]
    return (f"<p>Where each of the {len(row['step']['buffers'])} buffers lives under {html.escape(policy_name(row))}, and "
            "how much is alive. It is part of the report above.</p>\n"
            + figure("memory", "report", "Live bytes by category over the step, and what runs on each stream",
                     row=gallery.dyn, legend="step")
            + figure("map", "report", "Address of each buffer over the step", row=gallery.dyn, legend="categories"))


def budgets(gallery, records):
    report = records["report"]
    titles = [row["policy"] if row["policy"] in ("dyn", "opt") else policy_name(row) for row in report["policies"]]
    rows = [(gib(budget["budget_bytes"]),
             *(seconds(cell["step_seconds"]) if cell["fits"] else "does not fit" for cell in budget["policies"]))
            for budget in report["budgets"]]
    return ("<p>The time of a step under each budget that a policy fits in; dyn and opt plan again for each budget. It is part "
            "of the report above.</p>\n" + figure("budgets", "report", "Time of a step over the device's budget; its axis does not begin at zero, and equal times lie below each other")
            + table("Time of a step under each budget", ("budget", *titles[:len(rows[0]) - 1]), rows))


def losses(gallery, records):
    fashion = os.path.isdir(FASHION) and not gallery.options.short
    data = "idx:" + FASHION if fashion else "synthetic:1"
    runs, lines = {}, []
    for policy in ("base", "all"):
        lines.append(gallery.run("vdnnrun", f"--model lenet --device cpu --policy {policy} --rules paper --data {data} "
                                 f"--lr 0.02 --seed 1 --threads 2 --host-mem 1GiB {gallery.size['losses']} "
                                 f"--profile @/lenet.profile --json @/run-{policy}.json"))
        runs[policy] = gallery.record(f"run-{policy}.json")
    base, moved = runs["base"]["losses"], runs["all"]["measured"]["offload_bytes"]
    if base != runs["all"]["losses"]:
        raise Failed("base and all have other losses, though they train the same network on the same data", 8)
    records["losses"] = {"losses": [float(f"{loss:.4f}") for loss in base]}
    shown = sorted({1, *(round(len(base) * k / 5) for k in range(1, 6))})
    return (f"<p>LeNet on {'Fashion-MNIST' if fashion else 'synthetic data'}, trained twice: under base, which "
            f"keeps all, and under all, which offloads {gib(moved)} a step. There is one curve, since the losses of all "
            f"{len(base)} steps are equal, bit for bit.</p>\n" + figure("losses", "losses", "Loss of each step")
            + table("Loss of some steps", ("step", "base", "all"),
                    [(str(at), *(f"{run['losses'][at - 1]:.4f}" for run in runs.values())) for at in shown])
            + command(*lines))


def scaling(gallery, records):
    line = gallery.run("vdnnscale", f"{gallery.size['scale']} --json @/scale.json --html @/scale.html")
    records["scale"] = gallery.record("scale.json")
    return ('<p>What more devices and larger batches buy, simulated together with the links that they share. The '
            '<a href="scale.html">whole study</a> has the numbers.</p>\n'
            + figure("scaling", "scale", "Images per second by number of devices", of="images_per_second")
            + figure("scaling", "scale", "Efficiency by number of devices", of="efficiency") + command(line))


def cards(gallery, records):
    line = gallery.run("vdnnreport", f"{gallery.size['cards']} --host-mem 64GiB --plan-trials {gallery.size['trials']} "
                       "--json @/cards.json --html @/cards.html")
    study = gallery.record("cards.json")
    shown = ("card", "device", "fits", "images_per_second", "images_per_second_range")
    records["cards"] = {"rate": study["rate"], "cards": [{key: card.get(key) for key in shown} for card in study["cards"]]}
    return ('<p>Which card? Each device model says how it was found, and how far off it may be. The <a href="cards.html">'
            "whole comparison</a> has memory and prices.</p>\n"
            + figure("cards", "cards", "Images per second of each card that the network fits on; the line is the range that "
                     "the error of the card's model leaves") + command(line))


def compared(gallery, records):
    lines = [gallery.run("vdnnreport", f"{gallery.size['beside']} --host-mem 64GiB --policies {gallery.size['policies']} "
                         f"--plan-trials {gallery.size['trials']} --json @/beside.json"),
             gallery.run("vdnnreport", "--compare @/report.json @/beside.json --json @/compare.json --html @/compare.html")]
    records["compare"] = gallery.record("compare.json")
    devices = ", ".join(f"{report['label']} on {report['device']}" for report in records["compare"]["reports"])
    return (f'<p>Two reports, policy by policy: {html.escape(devices)}. The <a href="compare.html">whole comparison</a> has '
            "the numbers.</p>\n"
            + figure("compared", "compare", "Time of a step of each policy in each report",
                     of="step_seconds") + command(*lines))


def paper(gallery, records):
    line = gallery.run("tools/paper.py",
                       f"--report {gallery.options.bin}/vdnnreport --out @/paper")
    pictures = ""
    for name in sorted(os.listdir(gallery.path("paper")), key=lambda name: [int(n) for n in re.findall(r"\d+", name)]):
        if name.endswith(".svg"):
            svg = gallery.read(os.path.join("paper", name))
            pictures += picture(svg, html.unescape(re.search("<title>([^<]*)</title>", svg).group(1)))
    return ("<p>The figures of <em>vDNN</em> (Rhu et al., MICRO 2016) on a simulated Titan X; the marks are the paper's values. "
            '<a href="paper/paper.md">Every value beside the paper\'s</a> says which are predicted, which fitted.</p>\n'
            + pictures + command(line))


SECTIONS = (
    ("step", "One step below its budget", step),
    ("policies", "The report", report_of),
    ("map", "Memory over the step, and the memory map", memory_map),
    ("budgets", "What more memory buys", budgets),
    ("losses", "Losses", losses),
    ("scaling", "Devices and batches", scaling),
    ("cards", "Cards", cards),
    ("compared", "Reports compared", compared),
    ("paper", "The figures of the paper", paper),
)


# ---- the page --------------------------------------------------------------------------------------------------------


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_page(gallery):
    records, sections, contents = {}, "", ""
    for name, title, body in SECTIONS:
        if body is paper and gallery.options.short:
            continue
        contents += f'<li><a href="#{name}">{title}</a></li>\n'
        sections += (f'<section aria-labelledby="{name}">\n<h2 id="{name}">{title}</h2>\n{body(gallery, records)}</section>\n')
    version = subprocess.run([os.path.join(gallery.options.bin, "vdnnrun"), "--version"], check=True,
                             stdout=subprocess.PIPE, text=True).stdout.split()[-1]
    data = "".join(f'<script type="application/json" id="{name}-data">'
                   + json.dumps(record, separators=(",", ":")).replace("</", "<\\/") + "</script>\n"
                   for name, record in records.items())
    parts = {"version": version, "contents": contents, "sections": sections, "reports": data,
             **{name: read(os.path.join(PAGE, name)) for name in ("page.css", "charts.js", "explore.js", "page.js")}}
    page = re.sub(r"\{\{([a-z.]+)\}\}", lambda tag: parts[tag.group(1)], read("tools/gallery.html"))
    with open(gallery.path("index.html.part"), "w", encoding="utf-8") as file:
        file.write(page)
    os.replace(gallery.path("index.html.part"), gallery.path("index.html"))
    print(f"{gallery.path('index.html')}: {page.count('<figure ') + page.count('<img ')} pictures", file=sys.stderr)


def draw_pictures(options):
    for name, program in README_PICTURES.items():
        target = os.path.join(options.pictures, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        subprocess.run([program, "--vdnnrun", os.path.join(options.bin, "vdnnrun"), target], check=True)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", default="build/bin", help="where the programs are")
    parser.add_argument("--out", default="build/gallery", help="the folder that the pages are written in")
    parser.add_argument("--short", action="store_true", help="within seconds, for tests")
    parser.add_argument("--pictures", metavar="DIR", help="draw only the pictures of README.md, below DIR")
    options = parser.parse_args()
    os.chdir(ROOT)
    if options.pictures is not None:
        return draw_pictures(options)
    os.makedirs(options.out, exist_ok=True)
    try:
        write_page(Gallery(options))
    except Failed as failed:
        print(f"gallery: {failed}", file=sys.stderr)
        return failed.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
