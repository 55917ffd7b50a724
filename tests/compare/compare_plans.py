"""Compares the plans of this build with those of another revision, byte for byte.

    make compare-plans BASE=REVISION [COUNT=5000] [EVERY=1]

Plans of random decisions (print_plans.c), and those that every policy chooses for every shipped
network in several budgets. Prints each case that differs, with the first lines that do; exits with
1 where any does. The other revision is built in build/compare, in a worktree.
"""
import argparse
import difflib
import pathlib
import subprocess
import sys

POLICIES = [("base", "m"), ("base", "p"), ("all", "m"), ("all", "p"), ("conv", "m"), ("conv", "p"),
            ("dyn", None), ("opt", None)]
SHARES = ["100%", "45%", "25%"]  # of the simulated card's memory
CASES = [("titan-x-maxwell", []), ("titan-x-maxwell", ["--devices", "2"]),
         ("h100", ["--dtype", "bf16"])]
BATCH = {"vgg116": 16, "vgg216": 16, "vgg316": 16, "vgg416": 16, "inception_v3": 64,
         "densenet121": 64}
JSON = "build/compared.json"


def output_of(command, folder):
    json = pathlib.Path(folder, JSON)
    json.unlink(missing_ok=True)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr + (json.read_text() if json.exists() else "")


def first_differences(a, b, most=12):
    lines = difflib.unified_diff(a.splitlines(), b.splitlines(), "base", "here", n=1, lineterm="")
    return "\n".join("    " + line[:160] for line in list(lines)[:most])


def programs(arguments):
    for model in sorted(pathlib.Path("models").glob("*.yaml")):
        batch = BATCH.get(model.stem, 128)
        for device, options in CASES:
            for policy, algo in POLICIES:
                for share in SHARES:
                    for rules in ["lean", "paper"]:
                        yield (["build/bin/vdnnrun", "--model", model.stem, "--batch", str(batch),
                                "--device", f"sim:{device}", "--device-mem", share, "--policy",
                                policy, "--rules", rules, "--plan-trials", str(arguments.trials),
                                "--dry-run", "--print-plan", "--quiet", "--json", JSON] + options
                               + (["--algo", algo] if algo else []))


def compare(what, commands, folders):
    texts = [output_of(command, folder) for command, folder in zip(commands, folders)]
    if texts[0] == texts[1]:
        return True
    print(f"{what} differs:\n{first_differences(*texts)}", flush=True)
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", required=True, help="the folder of the other build")
    parser.add_argument("--count", type=int, default=5000, help="cases of random decisions")
    parser.add_argument("--trials", type=int, default=300, help="plans that opt tries")
    parser.add_argument("--every", type=int, default=1, help="of the policies' plans every N-th")
    arguments = parser.parse_args()
    folders = [arguments.base, "."]
    printer = "build/release/tests/compare/print_plans"
    lines = [output_of([printer, str(arguments.count)], folder).splitlines() for folder in folders]
    differ = compared = 0
    for a, b in zip(*lines):
        compared += 1
        if a != b:
            command = [printer, str(arguments.count), b.split()[0]]
            differ += not compare(f"case {b.split()[0]}", [command] * 2, folders)
    if len(lines[0]) != len(lines[1]):
        print(f"{len(lines[0])} cases there, {len(lines[1])} here")
        differ += 1
    for number, command in enumerate(programs(arguments)):
        if number % arguments.every:
            continue
        compared += 1
        differ += not compare(" ".join(command[1:]), [command] * 2, folders)
    print(f"{compared} compared, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
