#!/usr/bin/python3
"""Says for which cards a program has kernels, as its file tells, and whether that is what was asked for.

    tools/cuda_code.py PROGRAM [sm_90 ... compute_80]

Every file of kernels is a module of the section .nv_fatbin: entries of machine code, sm_90, which runs on cards
of that compute capability and of later ones of the same major number, and of PTX, compute_80, which the driver
translates for any card from 8.0 on. (The toolkit's cuobjdump would tell the same, where it is installed.) Fails
where a module has other entries than the rest or than those named, or where a card newer than the oldest one
finds none that it can run.
"""
import argparse
import struct
import sys

MODULE = struct.Struct("<IHHQ")  # magic number, version, bytes of this header, bytes of the entries
ENTRY = struct.Struct("<HHIQIIHHI")  # kind, -, bytes of this header and of what follows, -, -, -, -, capability
MAGIC = 0xBA55ED50
KINDS = {1: "compute_", 2: "sm_"}
# Of every card there is from 7.5 on, and of one that is still to come.
CARDS = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121, 999)


def section(data, wanted):
    """The bytes of a section of an ELF file of 64 bits; none: empty."""
    (table,), (count, names) = struct.unpack_from("<Q", data, 0x28), struct.unpack_from("<HH", data, 0x3C)
    rows = [struct.unpack_from("<IIQQQQ", data, table + 64 * i) for i in range(count)]
    for name, _, _, _, offset, size in rows:
        begin = rows[names][4] + name
        if data[begin : data.index(b"\0", begin)] == wanted:
            return data[offset : offset + size]
    return b""


def modules(data):
    """The set of entries of each module."""
    at = 0
    while at < len(data):
        magic, _, header, size = MODULE.unpack_from(data, at)
        if magic != MAGIC:  # modules begin at multiples of 8 bytes
            at += 8
            continue
        at, end, found = at + header, at + header + size, set()
        while at < end:
            kind, _, header, size, *_, capability = ENTRY.unpack_from(data, at)
            found.add(f"{KINDS.get(kind, 'unknown_')}{capability}")
            at += header + size
        yield frozenset(found)


def capabilities(code, kind):
    return sorted(int(name[len(kind) :]) for name in code if name.startswith(kind))


def lacking(code):
    """The cards from the oldest on that can run none of it."""
    machine, ptx = capabilities(code, "sm_"), capabilities(code, "compute_")
    oldest = min(machine + ptx)
    return [
        card
        for card in CARDS
        if card >= oldest
        and not any(own // 10 == card // 10 and own <= card for own in machine)
        and not any(own <= card for own in ptx)
    ]


def text(all_of_them):
    return ", ".join(f"{own // 10}.{own % 10}" for own in all_of_them) or "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("asked", nargs="*")
    own = parser.parse_args()
    with open(own.program, "rb") as file:
        all_modules = list(modules(section(file.read(), b".nv_fatbin")))
    if not all_modules:
        return f"{own.program} has no kernels for cards"
    code = all_modules[0]
    print(f"machine code for {text(capabilities(code, 'sm_'))}; PTX for {text(capabilities(code, 'compute_'))}")
    if len(set(all_modules)) > 1:
        return f"{own.program}: not every file of kernels was compiled for the same: {set(all_modules)}"
    if own.asked and set(own.asked) != code:
        return f"{own.program}: asked for {' '.join(own.asked)}, found {' '.join(sorted(code))}"
    if lacking(code):
        return f"{own.program}: nothing in it runs on cards of {text(lacking(code))}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
