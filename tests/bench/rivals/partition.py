"""Stages beside PipeDream's partitioner, on its own profiles and under its assumptions, for bench.py.

Its published figures are rounded to two digits after the point; so are ours before they are compared.
"""
import os
import subprocess

PROFILES = os.environ.get("VDNN_BENCH_PARTITIONS", "../shared/reference/partition")
DEVICES = 4
# Published: the speed-up of stages and of data parallelism on four devices; the last two are not.
CASES = (("vgg16", "VGG-16", 3.96, 3.35), ("resnet50", "ResNet-50", 3.98, 3.79), ("gnmt", "GNMT", 3.46, 1.32),
         ("alexnet", "AlexNet", None, None), ("inception_v3", "Inception-v3", None, None))


def measure(options, failure, say):
    files = [os.path.join(PROFILES, name + ".graph.txt") for name, *_ in CASES]
    if not all(map(os.path.exists, files)):
        raise failure(f"there are no profiles in {PROFILES}")
    done = subprocess.run([os.path.join(options.bench, "rivals/bench_partition"), str(DEVICES), *files], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise failure(f"bench_partition ended with {done.returncode}: {done.stderr.strip()}")
    rows = []
    for (_, network, stages, replicated), line in zip(CASES, done.stdout.splitlines()):
        layers, ours, ours_replicated, *replicas = line.split()
        rows.append(dict(network=network, layers=int(layers), speedup=float(ours), replicated=float(ours_replicated),
                         replicas=[int(count) for count in replicas], published=stages, published_replicated=replicated))
    return rows


def published(value):
    return "-" if value is None else f"{value:.2f}"


def lines(rows):
    yield "| network | operations | replicas of the stages | speed-up | published | | data parallelism | published |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    for row in rows:
        bar = "-" if row["published"] is None else "pass" if round(row["speedup"], 2) >= row["published"] else "FALLS SHORT"
        yield (f"| {row['network']} | {row['layers']} | {', '.join(map(str, row['replicas']))} | {row['speedup']:.2f} | "
               f"{published(row['published'])} | {bar} | {row['replicated']:.2f} | {published(row['published_replicated'])} |")
