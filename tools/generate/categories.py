#!/usr/bin/env python3
"""Writes runtime/data/text/categories.inc: the ranges of Unicode's letters (L) and numbers (N).

    python3 tools/generate/categories.py >runtime/data/text/categories.inc
"""
import sys
import unicodedata

PER_LINE = 3


def ranges(category: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in range(sys.maxunicode + 1):
        if unicodedata.category(chr(number))[0] != category:
            continue
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


print(f"/* Written by tools/generate/categories.py: letters and numbers of Unicode {unicodedata.unidata_version}. */")
for name, category in (("LETTERS", "L"), ("NUMBERS", "N")):
    all_of_it = [f"{name}({first:#x}, {last:#x})" for first, last in ranges(category)]
    for i in range(0, len(all_of_it), PER_LINE):
        print(" ".join(all_of_it[i:i + PER_LINE]))
