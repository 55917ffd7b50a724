"""A session on a card: its time, its rows, and its results, which are on disk as soon as they are there.

A part is a list of rows, and a row is a call that measures one thing. Each part has its seconds; what it leaves is
the next one's. Within a part each row has its share of what is left, by weight, so that a row which hangs leaves the
others theirs. A row that fails, crashes or runs out of time is written down with the reason, and the next one begins.

Invariant: after every row OUT/result.json holds all that was measured until then, whatever ends the session.
Threads: one.

    session = Session(options, cases)
    session.take_part("device", PARTS["device"])
    session.close()

The out folder: result.json and result.md (those of an earlier session become result-1.json and so on); logs/ what each
row's programs printed, as they ran; runs/ the JSON of every vdnnrun, with the seconds of each layer; profiles/, traces/
and rows/ (of the tests), as their programs write them; work/ until the end.
"""
import collections
import glob
import json
import os
import re
import shutil
import sys
import time
import traceback

import cuda_children
import cuda_peer
import cuda_report

# rows(session, found): the rows of a part, which write what they find to `found`.
Part = collections.namedtuple("Part", "seconds about rows")
Row = collections.namedtuple("Row", "name measure weight")
Row.__new__.__defaults__ = (1,)

FOLDERS = ("logs", "runs", "profiles", "traces", "rows", "work")
TAIL_CHARACTERS = 600  # of a log, in a result
ROW_SECONDS = 20  # what most rows take, with the start of their programs
LEAST_SECONDS = 1  # with less a row is not begun


class Failure(Exception):
    """Something could not be measured; the message says why."""


def say(text):
    print(f"bench-cuda: {text}", file=sys.stderr, flush=True)


def file_name(text):
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-")


class Clock:
    """When the whole, the current part and its current row must have ended. The parts have a timetable, so that a
    part begins when the one before has ended, and may take until its own end in the table."""

    def __init__(self, seconds):
        self.planned = time.monotonic()
        self.end = self.part_end = self.row_end = self.planned + seconds

    def begin_part(self, seconds):
        self.planned += seconds
        self.part_end = self.row_end = min(self.end, self.planned)

    def begin_row(self, share):
        """Its share of what the part has left, but no less than a row takes, so that the first rows come to an end."""
        now = time.monotonic()
        left = self.part_end - now
        self.row_end = now + max(share * left, min(left, ROW_SECONDS))

    def left(self):
        return self.row_end - time.monotonic()


class Session:
    """The options, where things are, and what has been found."""

    def __init__(self, options, cases):
        self.options, self.cases, self.clock = options, cases, Clock(options.seconds)
        self.work = self.out("work")
        self.result = {"schema_version": 2, "quick": options.quick, "parts": {}, "tests": {}, "rows": [],
                       "bars": [], "seconds": {}}
        self.failed_rows = []
        self.entry = {}  # of result["rows"], the current one
        self.log, self.row_began = os.devnull, 0.0
        for folder in FOLDERS:
            os.makedirs(self.out(folder), exist_ok=True)
        keep_earlier(options.out)
        self.peer = cuda_peer.Peer(options.peer, self.out("logs", "peer.log"))
        cuda_children.adopt_orphans()

    def out(self, *names):
        return os.path.join(self.options.out, *names)

    # ---- parts and rows

    def take_part(self, name, part):
        say(name)
        began = time.monotonic()
        self.clock.begin_part(part.seconds)
        rows = part.rows(self, self.result["parts"].setdefault(name, {}))
        for i, row in enumerate(rows):
            self.clock.begin_row(row.weight / sum(later.weight for later in rows[i:]))
            self.take_row(name, row)
        self.result["seconds"][name] = round(time.monotonic() - began, 1)
        self.write()

    def take_row(self, part, row):
        name = f"{part}: {row.name}"
        self.entry = {"row": name, "result": "measured"}
        self.result["rows"].append(self.entry)
        self.log = self.out("logs", file_name(name) + ".log")
        self.row_began = time.monotonic()
        try:
            if self.clock.left() < LEAST_SECONDS:
                raise Failure("no time left")
            say(name)
            row.measure()
        except Failure as failure:
            self.fail(row, str(failure))
        except Exception as error:  # whatever a card may do to what is read here: the next row is measured
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.fail(row, f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})")
        except SystemExit:
            self.fail(row, "the session was ended")
            self.write()
            raise
        self.entry["seconds"] = round(self.row_seconds(), 2)
        self.write()

    def row_seconds(self):
        return time.monotonic() - self.row_began

    def fail(self, row, why):
        say(f"not measured: {self.entry['row']}: {why}")
        self.entry.update(result="failed", why=why)
        self.failed_rows.append(row)

    def warn(self, text):
        self.entry.setdefault("warnings", []).append(text)

    # ---- programs

    def start(self, command, seconds=None, env=None):
        """The code that a program ended with (None where it was out of time), and what it printed."""
        left = min(self.clock.left(), seconds or self.clock.left())
        if left < 0.05:
            raise Failure("no time left")
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(f"$ {' '.join(command)}\n")
            begin = file.tell()
        try:
            child = cuda_children.run(command, self.log, left, env and dict(os.environ, **env), self.peer.pids())
        except OSError as error:
            raise Failure(f"{command[0]}: {error.strerror}") from None
        if child.outlived_by:
            self.warn(f"ended what it left running: {', '.join(child.outlived_by)}")
        if child.stuck:
            self.warn(f"could not be ended, and may go on using the card: {', '.join(child.stuck)}")
        with open(self.log, encoding="utf-8", errors="replace") as file:
            file.seek(begin)
            text = file.read()
        for warning in re.findall(r"^\S+: warning: (.*)", text, re.M):
            self.warn(warning)
        return child.code, text

    def run(self, command, seconds=None):
        """What a program printed that ends in time and well."""
        code, text = self.start(command, seconds)
        if code != 0:
            raise Failure(f"{os.path.basename(command[0])} {ending(code, self.row_seconds())}: {last_words(text)}")
        return text

    def vdnnrun(self, model, batch, *arguments, steps=None, name=None):
        """The JSON of a training on the card; it stays in runs/."""
        path = self.out("runs", file_name(name or self.entry["row"]) + ".json")
        self.run([os.path.join(self.options.bin, "vdnnrun"), "--model", self.model(model), "--batch", str(batch),
                  "--device", self.options.device, "--log-level", "warn", "--json", path,
                  "--steps", str(steps or self.cases["steps"]), *arguments])
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def ask_peer(self, *arguments):
        """What torch_driver.py prints for these arguments."""
        try:
            return self.peer.ask(arguments, self.clock.left())
        except cuda_peer.PeerFailure as failure:
            raise Failure(str(failure)) from None

    def model(self, name):
        return name if name.endswith(".yaml") else os.path.join(self.options.models, name + ".yaml")

    def profile(self, model, batch, dtype):
        name = os.path.basename(model).replace(".yaml", "")
        return self.out("profiles", f"{name}-{batch}-{dtype}.profile")

    # ---- results

    def bar(self, name, wanted, found, at_least):
        """What was wanted and found, once more where it is measured again."""
        holds = found >= wanted if at_least else found <= wanted
        self.result["bars"] = [bar for bar in self.result["bars"] if bar["bar"] != name]
        self.result["bars"].append(dict(bar=name, wanted=wanted, found=found, at_least=at_least, holds=holds))

    def write(self):
        replace(self.out("result.json"), json.dumps(self.result, indent=1))
        try:
            replace(self.out("result.md"), "\n".join(cuda_report.markdown(self.result)) + "\n")
        except (KeyError, TypeError, ValueError) as error:  # a result of a form that nobody foresaw ends nothing
            say(f"result.md: {type(error).__name__}: {error}")

    def close(self):
        self.peer.close()
        cuda_children.end_others()
        shutil.rmtree(self.work, ignore_errors=True)


def keep_earlier(folder):
    """What an earlier session found in the same folder stays, as result-1.json and so on."""
    number = 1 + len(glob.glob(os.path.join(folder, "result-*.json")))
    for suffix in ("json", "md"):
        path = os.path.join(folder, f"result.{suffix}")
        if os.path.exists(path):
            os.replace(path, os.path.join(folder, f"result-{number}.{suffix}"))


def replace(path, text):
    """The file has all of it, or what it had before."""
    with open(path + ".part", "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)


def ending(code, seconds):
    if code is None:
        return f"did not end in {seconds:.0f} s"
    return f"was ended by signal {-code}" if code < 0 else f"ended with {code}"


def last_words(text):
    """The last line that says what was wrong, else the last one."""
    lines = [line for line in text.splitlines() if line.strip()] or ["no message"]
    return next((line for line in reversed(lines) if "error:" in line), lines[-1])[-TAIL_CHARACTERS:]
