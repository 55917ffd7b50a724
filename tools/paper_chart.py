"""Bar charts as SVG, for tools/paper.py: stacked bars in groups, marks beside them, an axis on the right.

A chart is panels side by side, each with axes of its own; a panel is groups of bars. A bar has parts
that are stacked, marks (lines across it: what another source says), and maybe a point on the right axis
with a mark of its own.

    svg = Chart("title", "MiB", panels=[[Group("AlexNet", [Bar("all", [("maps", 350)], marks=[351])])]],
                right="ms").draw()
"""
import html
import math
from dataclasses import dataclass, field

from palette import themed

# Of the series their colour in the palette; of all others that of a sum.
MEANINGS = {"weights": "weights", "feature maps": "feature_maps", "feature maps (X and Y)": "feature_maps",
            "gradient maps": "gradient_maps", "workspace": "workspace", "forward": "forward", "backward": "backward",
            "average": "average", "offloaded in a step": "copy", "on the host": "host"}
STYLE = themed("".join(f"\n  .{name} {{ fill: var(--{name}) }}" for name in ("total", *dict.fromkeys(MEANINGS.values()))) + """
  text { fill: var(--ink) } .paper { fill: var(--paper) } .grid { stroke: var(--rule) } .ink { stroke: var(--ink) }
  .mark { stroke: var(--published) } .side { fill: var(--soft) } .full { fill: var(--ink); stroke: var(--ink); stroke-width: 1.5 }
  .hollow { fill: var(--paper); stroke: var(--published); stroke-width: 1.5 }""")
TOP, HEIGHT, LINE = 64, 260, 16
LETTER = 7.4  # of the widest usual font, in 12 px
LEFT, RIGHT = 74, 68  # room for the numbers and the title of an axis


@dataclass
class Bar:
    label: str
    parts: list  # (series, value), from below
    marks: list = field(default_factory=list)
    point: float = None
    point_mark: float = None


@dataclass
class Group:
    label: str
    bars: list


def nice_step(most, count=5):
    """A step of 1, 2 or 5 times a power of ten, so that about `count` of them reach `most`."""
    raw = max(most, 1e-12) / count
    power = 10 ** math.floor(math.log10(raw))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= raw * 0.999)


def number(value):
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:g}"


class Axis:
    def __init__(self, most):
        self.step = nice_step(most)
        self.most = self.step * math.ceil(most / self.step * 0.999)

    def y(self, value):
        return TOP + HEIGHT * (1 - min(value, self.most) / self.most)

    def ticks(self):
        return [self.step * i for i in range(int(round(self.most / self.step)) + 1)]


class Chart:
    """`width`: of a bar; `right`: the right axis' title, None: there is none; `names`: of bars, below them."""

    def __init__(self, title, unit, panels, right=None, width=20, names=True, mark="the paper", point=None):
        self.title, self.unit, self.panels, self.right = title, unit, panels, right
        self.width, self.names, self.mark, self.point = width, names, mark, point
        self.series = []
        for bar in self.bars():
            for name, _ in bar.parts:
                if name not in self.series:
                    self.series.append(name)
        self.out = []

    def bars(self, panel=None):
        panels = self.panels if panel is None else [panel]
        return [bar for groups in panels for group in groups for bar in group.bars]

    def text(self, x, y, words, anchor="middle", extra=""):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{html.escape(words)}</text>')

    def line(self, x1, y1, x2, y2, kind, width=1):
        self.out.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}" '
                        f'stroke-width="{width}"/>')

    def diamond(self, x, y, filled):
        kind = "full" if filled else "hollow"
        self.out.append(f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" class="{kind}"/>')

    def group_width(self, group):
        own = self.width * len(group.bars) + self.width * 0.8
        return max(own, LETTER * len(group.label) + 10)

    def name_height(self):
        if not self.names:
            return 8
        return 12 + 6.8 * max((len(bar.label) for bar in self.bars()), default=0)

    def draw(self):
        places, x = [], 0
        for panel in self.panels:
            inner = sum(self.group_width(group) for group in panel)
            places.append(x + LEFT)
            x += LEFT + inner + (RIGHT if self.right else 12)
        rows, room = self.legend_rows(max(x, 460))
        self.offset = LINE * (len(rows) - 1)
        width, height = max(x, 460), TOP + HEIGHT + self.name_height() + 26 + self.offset
        for panel, left in zip(self.panels, places):
            self.draw_panel(panel, left)
        body, self.out = self.out, []
        self.draw_legend(rows)
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
                f'height="{height:.0f}" role="img" font-family="system-ui,Helvetica,Arial,sans-serif" font-size="12" '
                f'><title>{html.escape(self.title)}</title>\n<style>{STYLE}</style>\n<rect width="100%" height="100%" class="paper"/>')
        self.text(8, 18, self.title, "start", ' font-size="14" font-weight="bold"')
        return "\n".join([head, *self.out, f'<g transform="translate(0 {self.offset})">', *body, "</g></svg>\n"])

    def legend_items(self):
        items = [("box", name, MEANINGS.get(name, "total")) for name in self.series]
        if any(bar.marks for bar in self.bars()):
            items.append(("mark", self.mark, "mark"))
        if any(bar.point is not None for bar in self.bars()):
            items.append(("point", self.point or self.right, None))
        if any(bar.point_mark is not None for bar in self.bars()):
            items.append(("hollow", f"{self.point or self.right}, {self.mark}", None))
        return items

    def legend_rows(self, width):
        rows, x = [[]], 8
        for item in self.legend_items():
            length = 32 + LETTER * len(item[1])
            if x + length > width and rows[-1]:
                rows.append([])
                x = 8
            rows[-1].append((x, item))
            x += length
        return rows, width

    def draw_legend(self, rows):
        for i, row in enumerate(rows):
            y = 36 + LINE * i
            for x, (kind, name, tone) in row:
                if kind == "box":
                    self.out.append(f'<rect x="{x:.1f}" y="{y - 9}" width="11" height="11" class="{tone}"/>')
                elif kind == "mark":
                    self.line(x, y - 4, x + 12, y - 4, tone, 2.5)
                else:
                    self.diamond(x + 6, y - 4, kind == "point")
                self.text(x + 17, y + 1, name, "start")

    def draw_panel(self, panel, left):
        bars = self.bars(panel)
        tops = [sum(value for _, value in bar.parts) for bar in bars] + [m for bar in bars for m in bar.marks]
        points = [p for bar in bars for p in (bar.point, bar.point_mark) if p is not None]
        axis, right = Axis(max(tops)), Axis(max(points)) if points else None
        end = left + sum(self.group_width(group) for group in panel)
        for tick in axis.ticks():
            self.line(left, axis.y(tick), end, axis.y(tick), "grid")
            self.text(left - 5, axis.y(tick) + 4, number(tick), "end")
        for tick in right.ticks() if right else ():
            self.text(end + 5, right.y(tick) + 4, number(tick), "start", ' class="side"')
        middle = TOP + HEIGHT / 2
        self.text(left - 60, middle, self.unit, extra=f' transform="rotate(-90 {left - 60:.1f} {middle:.1f})"')
        if right:
            self.text(end + 48, middle, self.right,
                      extra=f' class="side" transform="rotate(90 {end + 48:.1f} {middle:.1f})"')
        x = left
        for group in panel:
            self.draw_group(group, x, axis, right)
            x += self.group_width(group)
        self.line(left, axis.y(0), end, axis.y(0), "ink")

    def draw_group(self, group, left, axis, right):
        width = self.group_width(group)
        x = left + (width - self.width * len(group.bars)) / 2
        for bar in group.bars:
            self.draw_bar(bar, x, axis, right)
            x += self.width
        self.text(left + width / 2, TOP + HEIGHT + self.name_height() + 12, group.label)

    def draw_bar(self, bar, x, axis, right):
        below, center = 0, x + self.width / 2
        for name, value in bar.parts:
            y = axis.y(below + value)
            self.out.append(f'<rect x="{x + 1.5:.1f}" y="{y:.1f}" width="{self.width - 3:.1f}" '
                            f'height="{axis.y(below) - y:.1f}" class="{MEANINGS.get(name, "total")}"><title>'
                            f'{html.escape(f"{bar.label} {name}: {value:,.4g}")}</title></rect>')
            below += value
        for mark in bar.marks:
            self.line(x, axis.y(mark), x + self.width, axis.y(mark), "mark", 2.5)
        if bar.point_mark is not None:
            self.diamond(center, right.y(bar.point_mark), False)
        if bar.point is not None:
            self.diamond(center, right.y(bar.point), True)
        if self.names and bar.label:
            y = TOP + HEIGHT + 7
            self.text(center + 4, y, bar.label, "end", f' font-size="11" transform="rotate(-90 {center + 4:.1f} {y:.1f})"')
