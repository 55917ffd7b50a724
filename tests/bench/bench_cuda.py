#!/usr/bin/env python3
"""What the CUDA device does on this machine's card, in one command of bounded time.

    tests/bench/bench_cuda.py [--bin DIR] [--out DIR] [--seconds N] [--quick] [first|next|all|bench] [PART...]

first: the first ten minutes on a card, which end with a message unless driver, cuBLAS and cuDNN are found, and with
what time is left the next ten; next: those alone; bench (the default): what is measured beside PyTorch; all: the tests
before it. Parts that are named are those that are taken. What comes first is the most valuable.
Results are in the out folder as they come (cuda_session.py says where). A bar that is missed does not fail the run; a
part that could not be measured says why. --quick takes little networks, for machines without a card that have the
programs with the emulation of CUDA (build/release/cuda_host-bin).

Exit codes: 0; 1 where a test failed, crashed or did not end; 2 usage; 5 what first needs is missing; 130, 143 ended.

Parts, each with the seconds that it may take, beside what those before it left:
"""
import argparse
import collections
import os
import signal
import sys
from functools import partial

import cuda_networks as networks
import cuda_report
import cuda_tests as tests
from cuda_session import Part, Session, say

PARTS = {
    "facts": Part(15, "memory, card, driver, libraries, versions, date", tests.rows_of_facts),
    "device": Part(60, "tests of streams, events, pinned memory and faults", partial(tests.rows_of_tests, "device")),
    "elementwise": Part(20, "tests of element-wise kernels and batch norm", partial(tests.rows_of_tests, "elementwise")),
    "layers": Part(150, "every layer and algorithm against its reference", partial(tests.rows_of_tests, "layers")),
    "sanitizer": Part(60, "compute-sanitizer: memcheck, racecheck and synccheck on a few layers, initcheck on a training",
                      tests.rows_of_sanitizer),
    "speed": Part(150, "ResNet-50 and VGG-16 in bf16 beside PyTorch, in turns",
                  partial(networks.rows_of_speed, ("bf16",), "speed")),
    "overlap": Part(50, "--policy all with a timeline: overlap, bandwidth reached, stalls", networks.rows_of_overlap),
    "bits": Part(40, "the weights of base, all, conv and dyn after three steps", networks.rows_of_bits),
    "profiles": Part(45, "recorded profiles, for device models", networks.rows_of_profiles),
    "moves": Part(5, "of kernels that only move bytes, what share of the card's bandwidth they reach", networks.rows_of_moves),
    "budget": Part(110, "every policy in 12 GiB: step, addresses, copies, and what the recorded profile predicts",
                   networks.rows_of_budget),
    "cap": Part(200, "in 12, 6 and 4 GiB, beside PyTorch's ways of living there", networks.rows_of_cap),
    "types": Part(110, "speed in f32 and tf32", partial(networks.rows_of_speed, ("f32", "tf32"), "speed")),
    "training": Part(60, "tests of trainings in every data type", partial(tests.rows_of_tests, "training")),
    "nvtx": Part(20, "tests of the recorder of NVTX ranges", partial(tests.rows_of_tests, "nvtx")),
    "again": Part(100, "what failed before, once more", lambda session, found: list(session.failed_rows)),
    "others": Part(60, "the tests that no other part has", partial(tests.rows_of_tests, "others")),
    "more": Part(60, "speed of GoogLeNet", partial(networks.rows_of_speed, ("bf16", "f32", "tf32"), "more")),
    "nondeterministic": Part(40, "speed in f32 with --nondeterministic", networks.rows_of_nondeterministic),
    "losses": Part(15, "losses beside PyTorch's on the same images and weights", networks.rows_of_losses),
}

# Its parts, after the facts; the seconds of all; whether every library is needed.
Order = collections.namedtuple("Order", "parts seconds needs_libraries")
FIRST = ("device", "elementwise", "layers", "sanitizer", "speed", "overlap", "bits", "profiles", "moves")
NEXT = ("budget", "cap", "types", "training", "nvtx", "again")
BENCH = ("speed", "overlap", "budget", "types", "cap", "more", "nondeterministic", "losses", "sanitizer")
TESTS = ("device", "elementwise", "layers", "training", "nvtx", "others")
ORDERS = {
    "first": Order(FIRST + NEXT, 590, True),
    "next": Order(NEXT, 590, True),
    "bench": Order(BENCH, 450, False),
    "all": Order(TESTS + BENCH, 900, False),
}

FULL = {
    "speed": {"resnet50": 192, "vgg16": 256},
    "more": {"googlenet": 512},
    "overlap": ("vgg16", 256, "bf16"),
    "bits": ("resnet50", 192, "bf16"),
    "profiles": dict(networks=("vgg16", "resnet50", "googlenet", "alexnet"), batches=(64, 128, 256), dtypes=("bf16", "f32")),
    "budget": {"vgg16": 256},
    "caps": [gib * networks.GIB for gib in (12, 6, 4)],
    "losses": ("lenet", 64, 20),
    "sanitizer": ("lenet", 2),
    "steps": 5,
    "timed_steps": 30,
}


def quick_cases(options):
    """Every case with a network so small that the emulation trains it in a moment."""
    one = {options.quick_model: 6}
    return {"speed": one, "more": one, "overlap": (options.quick_model, 6, "bf16"), "bits": (options.quick_model, 6, "bf16"),
            "profiles": dict(networks=(options.quick_model,), batches=(4,), dtypes=("bf16",)), "budget": one,
            "caps": [options.quick_bytes], "losses": (options.quick_model, 6, 2), "sanitizer": (options.quick_model, 1),
            "steps": 2, "timed_steps": 2}


def part_and_seconds(text):
    part, _, seconds = text.partition("=")
    if part not in PARTS:
        raise argparse.ArgumentTypeError(f"there is no part '{part}'")
    return part, float(seconds)


def make_parser():
    here = os.path.dirname(os.path.abspath(__file__))
    parts = "\n".join(f"    {name:17}{part.seconds:4} s  {part.about}" for name, part in PARTS.items())
    orders = "\n".join(f"    {name:7}{' '.join(order.parts)}" for name, order in ORDERS.items())
    parser = argparse.ArgumentParser(description=f"{__doc__}{parts}\n\nOrders:\n{orders}",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="first|next|all|bench, PART")
    parser.add_argument("--kit", help="the folder of an unpacked kit; sets all places")
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--tests", default="build/release/card/tests")
    parser.add_argument("--models", default="models")
    parser.add_argument("--out", default=None, help="where the results go (default: build/bench-cuda, or results of a kit)")
    parser.add_argument("--peer", default=os.path.join(here, "..", "support", "torch_driver.py"))
    parser.add_argument("--peer-device", default="cuda")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--sanitizer", help="compute-sanitizer's path")
    parser.add_argument("--seconds", type=float, help="of everything together (default: the order's)")
    parser.add_argument("--limit", type=part_and_seconds, metavar="PART=SECONDS", action="append", default=[],
                        help="other seconds of a part")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--quick-model", default="models/lenet.yaml")
    parser.add_argument("--quick-bytes", type=int, default=1 << 26, help="the cap of --quick")
    return parser


def read_options():
    parser = make_parser()
    options = parser.parse_intermixed_args()
    if options.kit:
        kit = options.kit
        options.bin, options.tests = kit + "/bin", kit + "/tests"
        options.models, options.peer = kit + "/share/vdnn/models", kit + "/bench/torch_driver.py"
    options.out = options.out or (options.kit + "/results" if options.kit else "build/bench-cuda")
    words = options.what
    options.order = ORDERS[words.pop(0) if words and words[0] in ORDERS else "bench"]
    for word in words:
        if word not in PARTS:
            parser.error(f"there is no part '{word}'; one of {', '.join(PARTS)}")
    options.parts = dict.fromkeys(["facts", *(words or options.order.parts)])
    options.seconds = options.seconds or options.order.seconds
    return options


def stop(session, why):
    session.result["stopped"] = why
    session.write()
    say(f"stopped: {why}")
    say(f"looked in the system's folders and in LD_LIBRARY_PATH ({os.environ.get('LD_LIBRARY_PATH') or 'not set'}); "
        "PYTHON=... ./run.sh names the Python whose PyTorch brings the libraries; bench measures without cuDNN too")


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_with_signal(number, _):
    """Once: what is below this process is ended whatever comes meanwhile."""
    for other in SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)


def run_parts(session, options):
    limits = dict(options.limit)
    for name in options.parts:
        part = PARTS[name]
        session.take_part(name, part._replace(seconds=limits.get(name, part.seconds)))
        missing = tests.what_is_missing(session.result["parts"]["facts"]) if options.order.needs_libraries else None
        if missing:
            stop(session, missing)
            return 5
        session.peer.start()
    return 1 if session.result.get("tests_failed") else 0


def main():
    options = read_options()
    for number in SIGNALS:
        signal.signal(number, end_with_signal)
    session = Session(options, quick_cases(options) if options.quick else FULL)
    try:
        code = run_parts(session, options)
    finally:
        session.close()
    for line in cuda_report.markdown(session.result):
        print(line)
    return code


if __name__ == "__main__":
    sys.exit(main())
