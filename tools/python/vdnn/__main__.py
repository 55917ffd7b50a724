"""The programs: python -m vdnn run --model lenet ..., and report, scale."""
from __future__ import annotations

import os
import shutil
import sys
from typing import NoReturn

from vdnn.library import FOLDER

PROGRAMS = ("run", "report", "scale")


def find(name: str) -> str | None:
    """In the package, in the sources, or on the path."""
    for folder in (FOLDER / "bin", FOLDER.parents[2] / "build" / "bin"):
        if os.access(folder / name, os.X_OK):
            return str(folder / name)
    return shutil.which(name)


def fail(message: str, code: int) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(code)


def main() -> None:
    name = sys.argv[1].removeprefix("vdnn") if len(sys.argv) > 1 else ""
    if name not in PROGRAMS:
        fail(f"usage: python -m vdnn {'|'.join(PROGRAMS)} [options]; --help lists them", 2)
    program = find(f"vdnn{name}")
    if program is None:
        fail(f"vdnn{name} is missing from the package, and not on the path", 6)
    os.execv(program, [program, *sys.argv[2:]])


main()
