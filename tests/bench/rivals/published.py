"""What opt reaches in the budgets of published results, for bench.py: MONeT's losses, Capuchin's and TSPLIT's batches.

Those were measured on cards, with the networks as their authors wrote them; here device models are planned on, so that
both columns are losses against an unlimited run of the same system, not times of the same one.
"""
import csv
import json
import os
import subprocess

import search

REFERENCE = "tests/reference/budgets.csv"
GB = 10**9  # MONeT says GB; these are the smaller ones
HOSTS = ((), ("--host-mem", "256GiB"))  # that of device models, 64 GiB, unless it takes more
BATCH_SECONDS = 900  # of a search for the largest batch

NETWORKS = {"ResNet-50": "resnet50", "GoogLeNet": "googlenet", "VGG-16": "vgg16", "Inception-v3": "inception_v3",
            "MobileNetV2": "mobilenet_v2", "U-Net": "unet"}
# MONeT's U-Net has other pictures than models/; of these 11 take about what its README says of plain PyTorch.
SHAPES = {"unet": ("height: 256, width: 256", "height: 416, width: 608")}
LOSS_DEVICE = ("--device", "sim:p100")
TRIALS = ("--plan-trials", "20000")  # some 1 to 6 s on a quiet machine; the same plans on a busy one
BATCH_DEVICES = {"P100 16 GB": "p100", "Titan RTX 24 GB": "titan-rtx"}
SLOW = "largest"  # that fits at all; TSPLIT's are compared at 90 % of the speed
AT_SPEED = {"TSPLIT (2022)": "at_speed"}


def published(metric):
    """Rows of the reference for networks that are in models/."""
    with open(REFERENCE, encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["metric"] == metric and row["network"] in NETWORKS]


# ---- losses ----------------------------------------------------------------------------------------


def reshaped(options, network):
    """The path of a network's file, with the shape that was published."""
    path = f"models/{network}.yaml"
    if network not in SHAPES:
        return path
    with open(path, encoding="utf-8") as file:
        text = file.read()
    path = os.path.join(options.out, f"{network}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(*SHAPES[network]))
    return path


def plan(options, failure, network, batch, *words):
    record, seconds = search.plan(options, failure, network, batch, *LOSS_DEVICE, "--model", reshaped(options, network),
                                  *words)
    if record is None:
        raise failure(f"{network}: vdnnrun {' '.join(words)} took more than {search.LIMIT_SECONDS} s")
    return record, seconds


def loss_row(options, failure, theirs, budget_bytes, why):
    own, seconds = plan(options, failure, NETWORKS[theirs["network"]], int(theirs["batch"]), "--policy", "opt", *TRIALS,
                        "--device-mem", str(budget_bytes))
    aim = max(0.0, float(theirs["value"]) / 2)
    row = dict(network=theirs["network"], batch=int(theirs["batch"]), their_gb=float(theirs["budget_gb"]),
               their_loss=float(theirs["value"]), budget_bytes=budget_bytes, budget=why, aim=aim, fits=own["fits"],
               program_seconds=seconds, smallest_bytes=own.get("smallest_bytes"), host_bytes=own["host_peak_bytes"])
    if own["fits"]:
        row["loss"] = 100 * (own["step_seconds"] / own["oracle_step_seconds"] - 1)
    row["holds"] = own["fits"] and row["loss"] <= aim
    return row


def losses(options, failure, say):
    """Each of MONeT's budgets, and where base fits in it, the same part of what base takes here."""
    plain_gb, base_bytes = {}, {}
    for theirs in published("loss_percent"):
        network, batch, budget_gb = theirs["network"], int(theirs["batch"]), float(theirs["budget_gb"])
        if float(theirs["value"]) == 0:  # plain PyTorch, which comes first
            plain_gb[network] = budget_gb
            own = plan(options, failure, NETWORKS[network], batch, "--policy", "base", "--algo", "p")[0]
            base_bytes[network] = own["arena_bytes"]
            continue
        say(f"published: {network}, batch {batch}, {budget_gb:g} GB")
        budget_bytes, fits = int(budget_gb * GB), base_bytes[network] <= budget_gb * GB
        yield dict(loss_row(options, failure, theirs, budget_bytes, "theirs"), base_fits=fits)
        if fits:
            part = int(base_bytes[network] * budget_gb / plain_gb[network])
            yield dict(loss_row(options, failure, theirs, part, "same part of base's"), base_fits=False)


# ---- batches ---------------------------------------------------------------------------------------


def batch_row(options, failure, theirs, host):
    network, device = NETWORKS[theirs["network"]], BATCH_DEVICES[theirs["hardware"]]
    path = os.path.join(options.out, "batch.json")
    command = [os.path.join(options.bin, "vdnnrun"), "--model", f"models/{network}.yaml", "--device", f"sim:{device}",
               "--policy", "opt", "--max-batch", "--quiet", "--json", path, *host]
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=BATCH_SECONDS)
    except subprocess.TimeoutExpired as late:
        raise failure(f"{network}: vdnnrun --max-batch took more than {BATCH_SECONDS} s") from late
    if done.returncode != 0:
        raise failure(f"vdnnrun ended with {done.returncode}: {done.stderr.strip()}")
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    compared = AT_SPEED.get(theirs["source"], SLOW)
    found = record["max_batch"]
    return dict(source=theirs["source"], network=theirs["network"], device=device, their_batch=int(theirs["value"]),
                budget_bytes=record["device"]["budget_bytes"], host_bytes=record["host_budget_bytes"], compared=compared,
                largest=found["largest"], at_speed=found["at_speed"], fastest=found["fastest"],
                holds=found[compared] is not None and found[compared]["batch"] > int(theirs["value"]))


def batches(options, failure, say):
    for theirs in published("largest_batch"):
        say(f"published: {theirs['network']}, largest batch on {theirs['hardware']}")
        row = {}
        for host in HOSTS:
            if not row.get("holds"):
                row = batch_row(options, failure, theirs, host)
        yield row


def measure(options, failure, say):
    return dict(losses=list(losses(options, failure, say)), batches=list(batches(options, failure, say)))


# ---- tables ----------------------------------------------------------------------------------------


def verdict(row):
    return "pass" if row["holds"] else "FALLS SHORT"


def loss_lines(rows):
    yield "| network, batch | MONeT's budget, GB | loss | budget | base fits | loss of opt | at most | | smallest, GiB | host, GiB | s |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        found = f"{round(row['loss'], 2) + 0.0:.2f} %" if row["fits"] else "does not fit"
        smallest = f"{row['smallest_bytes'] / search.GIB:.2f}" if row["smallest_bytes"] else "-"
        yield (f"| {row['network']}, {row['batch']} | {row['their_gb']:g} | {row['their_loss']:.2f} % | "
               f"{row['budget_bytes'] / GB:.2f} GB ({row['budget']}) | {'yes' if row['base_fits'] else 'no'} | {found} | "
               f"{row['aim']:.2f} % | {verdict(row)} | {smallest} | {row['host_bytes'] / search.GIB:.1f} | "
               f"{row['program_seconds']:.1f} |")


def batch_text(found):
    if found is None:
        return "-"
    return f"{found['batch']} ({100 * found['relative_speed']:.0f} % of the speed)"


def batch_lines(rows):
    yield "| network | device | published | by | largest of opt | largest at 90 % of the speed | | host, GiB |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        yield (f"| {row['network']} | {row['device']}, {row['budget_bytes'] / search.GIB:.0f} GiB | {row['their_batch']} | "
               f"{row['source']} | {batch_text(row['largest'])} | {batch_text(row['at_speed'])} | {verdict(row)} | "
               f"{row['host_bytes'] / search.GIB:.0f} |")


def lines(result):
    yield from loss_lines(result["losses"])
    yield ""
    yield from batch_lines(result["batches"])
