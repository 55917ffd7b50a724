#!/usr/bin/python3
"""Compares simulated sums over devices, and training on several devices, with published figures.

    models/devices/scaling.py --costs PROGRAM --scale PROGRAM [--data DIR] [--check FILE | --write FILE]

Prints the section that stands in models/devices/TIMINGS.md: how far all-reduces of each device model are from
tests/reference/allreduce-times.csv, and the efficiency of training, simulated and published. PROGRAM of --costs is
build/release/tests/bench/bench_cost, of --scale build/bin/vdnnscale. --check ends with 1 where FILE has another section,
--write puts it there.
"""
import argparse
import json
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing is left behind in this folder

from costs import Costs  # noqa: E402
from fitting import spread  # noqa: E402
from timings import check, grouped, models, others, read, table, write  # noqa: E402

HEADING = "## Several devices against published figures"
# Below it an all-reduce is mostly the start of a kernel.
LEAST_BYTES = 1 << 20


def predict(costs, rows, device):
    """Adds `predicted`, in ms."""
    costs.device(device, "f32")
    asked = [(int(row["devices"]), int(row["bytes"])) for row in rows]
    for row, seconds in zip(rows, costs.reductions(asked)):
        row["predicted"] = 1e3 * seconds
        row["error"] = row["predicted"] / float(row["ms"]) - 1


def within(errors, most):
    return f"{sum(abs(error) <= most for error in errors) / len(errors):.0%}"


def compare_sums(costs, rows):
    """A line for each device, source and number of devices, with the largest of its sums; then of all."""
    rings = [row for row in rows if row["algorithm"] != "nvls" and int(row["bytes"]) > LEAST_BYTES]
    known = [row for row in rings if row["card"] in models()]
    lines, errors = [], []
    groups = grouped(known, "card", "source", "devices", "hosts")
    for (card, source, devices, hosts), group in sorted(groups.items(), key=lambda item: (item[0][:2], int(item[0][2]))):
        predict(costs, group, card)
        largest = max(group, key=lambda row: int(row["bytes"]))
        half, _, _ = spread([row["error"] for row in group])
        errors += [row["error"] for row in group]
        lines.append([card, source, devices, hosts, str(len(group)), f"{half:.0%}",
                      f"{max(abs(row['error']) for row in group):.0%}", f"{int(largest['bytes']) / 2**20:.0f}",
                      f"{float(largest['ms']):.2f}", f"{largest['predicted']:.2f}", f"{largest['error']:+.0%}"])
    heads = ["device", "source", "devices", "hosts", "sums", "half within", "all within", "largest, MiB", "published ms",
             "predicted", "error"]
    left = [row for row in rows if row["algorithm"] == "nvls" and int(row["bytes"]) > LEAST_BYTES]
    half, most, _ = spread(errors)
    return table(heads, lines) + [
        "", f"Of all {len(errors)}: half within {half:.0%}, nine tenths within {most:.0%}, {within(errors, 0.15)} within 15 %.",
        f"Sums by NVSwitches (NVLS), which the models do not have: {len(left)}.", others(rings, models())]


def simulate(program, row):
    """The efficiency of a row."""
    devices = int(row["devices"])
    command = [program, "--model", row["network"], "--device", f"sim:models/devices/{row['card']}.yaml", "--dtype",
               row["precision"], "--devices", str(devices), "--batches",
               str(devices * int(row["batch_per_device"])), "--quiet", "--json", "-"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"scaling: {' '.join(command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)["results"][0]["efficiency"]


def points(name, rows):
    near = [sum(abs(simulated - published) <= most for published, simulated in rows) for most in (0.05, 0.12)]
    return f"{name} {len(rows)}: {near[0]} within 5 points, {near[1]} within 12."


def compare_training(program, rows):
    """`compute_share` of device models was fitted to every second group of rows, from the first one on."""
    lines, errors, fitted, kept = [], [], [], []
    known = [row for row in rows if row["card"] in models()]
    for number, ((card, source, precision, network, batch), group) in enumerate(grouped(
            known, "card", "source", "precision", "network", "batch_per_device").items()):
        alone = next(float(row["images_per_second"]) for row in group if row["devices"] == "1")
        for row in group:
            devices = int(row["devices"])
            if devices == 1:
                continue
            published, simulated = float(row["images_per_second"]) / devices / alone, simulate(program, row)
            errors.append(simulated / published - 1)
            (kept if number % 2 else fitted).append((published, simulated))
            lines.append([card, source, precision, network, batch, str(devices), f"{published:.1%}", f"{simulated:.1%}",
                          f"{errors[-1]:+.0%}"])
    heads = ["device", "source", "precision", "network", "batch a device", "devices", "published efficiency", "simulated",
             "error"]
    half, most, _ = spread(errors) if errors else (0, 0, 0)
    return table(heads, lines) + [
        "", f"Of all {len(errors)}: half within {half:.0%}, nine tenths within {most:.0%}.",
        points("Of those that the share of compute that sums take was fitted to,", fitted),
        points("Of the others,", kept), others(rows, models())]


def section(costs, program, data):
    return "\n".join(["### All-reduces above 1 MiB", ""] + compare_sums(costs, read(data, "allreduce-times.csv")) +
                     ["", "### Training on several devices", ""] +
                     compare_training(program, read(data, "scaling.csv"))) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--costs", required=True)
    parser.add_argument("--scale", required=True)
    parser.add_argument("--data", default="tests/reference")
    parser.add_argument("--check", metavar="FILE", help="fails where FILE has another section")
    parser.add_argument("--write", metavar="FILE", help="puts the section into FILE")
    args = parser.parse_args()
    text = section(Costs(args.costs), args.scale, args.data)
    if args.check:
        return check(text, args.check, HEADING)
    if args.write:
        return write(text, args.write, HEADING)
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
