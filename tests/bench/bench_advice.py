#!/usr/bin/env python3
"""Whether what `vdnnrun --explain` advises first is worth following, under loads of the machine.

    tests/bench/bench_advice.py [CALLS]     ten calls if not said, in turns under 0, 1 and 2 busy programs beside it

Each call's advice, and the run it advises against, are then run in turns; of each pair of runs the ratio of images per
second (batch by the median step) is taken, and of these the median. The advice holds if that is not below 1 by more than
the least of the range that was stated is below its median.
"""
import contextlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

RUN = str(pathlib.Path(__file__).resolve().parents[2] / "build/bin/vdnnrun")
CASES = ["--model lenet --device-mem 40MiB", "--model lenet --batch 16 --policy all --algo m --device-mem 16MiB",
         "--model lenet --batch 128 --policy conv --algo m --device-mem 40MiB", "--model cifar_cnn --batch 32 --device-mem 24MiB",
         "--model lenet --dtype bf16 --device-mem 24MiB"]
LOADS, PAIRS, STEPS = (0, 1, 2), 3, 15


@contextlib.contextmanager
def load(count):
    """That many programs that only compute."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for program in busy:
            program.kill()
            program.wait()


def run(command, path):
    subprocess.run([*command, "--quiet", "--json", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(pathlib.Path(path).read_text())


def rate(row, path):
    told = run([*row["command"].split(), "--steps", str(STEPS)], path)
    return told["batch"] / told["measured"]["step_seconds"]


def call(case, path):
    """The first advice: what keeps the bits, else the fastest; None if nothing is faster."""
    explain = run([RUN, *case.split(), "--explain"], path)["explain"]
    best = explain["best_with_same_bits"] or explain["best"]
    return explain["as_it_is"], next((row for row in explain["alternatives"] if row["change"] == best), None)


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/run.json"
        for number in range(calls):
            busy, case = LOADS[number % len(LOADS)], CASES[number % len(CASES)]
            with load(busy):
                asked, advised = call(case, path)
                line = f"{busy} busy  {case:68s}"
                if advised is None:
                    print(f"{line}  none is faster", flush=True)
                    continue
                ratios = sorted(rate(advised, path) / rate(asked, path) for _ in range(PAIRS))
            least, most = advised["speed_range"]
            holds = statistics.median(ratios) >= least / advised["speed_ratio"]
            failed += not holds
            print(f"{line}  {advised['change']:22s} stated {advised['speed_ratio']:.2f} ({least:.2f} to {most:.2f})  "
                  f"followed {' '.join(f'{ratio:.2f}' for ratio in ratios)}  {'holds' if holds else 'SLOWER'}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
