"""Runs PyTorch's knapsack solvers on the maps of a plan, inside the environment that knapsack.py makes.

    knapsack_solvers.py KNAPSACK.py < {"memory": [...], "seconds": [...], "budgets": [...]}

Prints {"solvers": {NAME: [saved, ...] or why not}}: for each budget (a part of all memory), the numbers of the items that
are saved.
"""
import importlib.util
import json
import sys

NAMES = ("greedy_knapsack", "dp_knapsack", "ilp_knapsack")


def load(path):
    spec = importlib.util.spec_from_file_location("knapsack", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solve(solver, given):
    total = sum(given["memory"])
    memory = [count / total for count in given["memory"]]  # as PyTorch does, so that a budget is a part of 1
    try:
        return [sorted(int(item) for item in solver(memory, given["seconds"], budget)[1]) for budget in given["budgets"]]
    except Exception as why:  # pylint: disable=broad-exception-caught
        return f"{type(why).__name__}: {why}"


def main():
    module, given = load(sys.argv[1]), json.load(sys.stdin)
    json.dump({"solvers": {name: solve(getattr(module, name), given) for name in NAMES}}, sys.stdout)


if __name__ == "__main__":
    main()
