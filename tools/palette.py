"""The colours of all pictures: those that the report's page declares, each with one meaning, for light and dark.

    style = themed(".bar { fill: var(--weights) }")   # rules for light, and for readers who prefer dark
"""
import os
import re

SOURCE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "runtime/report/page/page.css")


def read_palette():
    """{name: (light, dark)}"""
    with open(SOURCE, encoding="utf-8") as file:
        rules = file.read()
    palette = {name: (light, light) for name, light in re.findall(r"--(\w+): (#\w+);", rules)}
    palette.update((name, (light, dark)) for name, light, dark in re.findall(r"--(\w+): light-dark\((#\w+), (#\w+)\);", rules))
    return palette


PALETTE = read_palette()


def themed(rules):
    """Rules with colours for their names: an image of its own knows no variables of the page."""
    light, dark = (re.sub(r"var\(--(\w+)\)", lambda tag, k=k: PALETTE[tag.group(1)][k], rules) for k in (0, 1))
    return f"{light}\n  @media (prefers-color-scheme: dark) {{{dark}\n  }}"
