"""The parts of a session that say whether the device is right: the machine's facts, the test programs, and the tools of
compute-sanitizer on a few layers.

Every test program may write a line of JSON for each of its rows, as that ends, to the file that VDNN_TEST_ROWS names;
what is there counts, also of a program that was ended.
"""
import collections
import datetime
import functools
import glob
import json
import os
import platform
import re
import shutil

from cuda_session import Failure, Row, TAIL_CHARACTERS, ending, file_name

# The test programs of the parts; every other one is of the part that has None.
PROGRAMS = {
    "device": ("gpu/test_device",),
    "elementwise": ("gpu/test_elementwise", "unit/layers/test_batchnorm"),
    "layers": ("contract/test_layers",),
    "training": ("gpu/test_training",),
    "nvtx": ("contract/test_nvtx",),
    "others": None,
}

# How a test program ended (None: it was out of time), what it printed, its rows, and what the result holds of all that.
TestRun = collections.namedtuple("TestRun", "code text rows found")

LIBRARIES = ("driver", "cuBLAS", "cuDNN")  # what a session begins with, by the names that the doctor gives them

CARD_FACTS = ("name", "memory.total", "driver_version", "clocks.max.sm", "clocks.max.mem", "pcie.link.gen.max",
              "pcie.link.width.max", "ecc.mode.current", "compute_mode", "persistence_mode")

# The tools, and what they run: one test of the layers on these cases, and a training in memory that holds nothing yet.
LAYER_TOOLS = ("memcheck", "racecheck", "synccheck")
LAYER_TEST = "every_row_agrees_with_the_reference"
LAYER_CASES = ("conv out=5 kernel=3 pad=1 on 2x3x8x8", "conv out=4 kernel=1 on 3x6x5x5", "fc out=17 bias=false on 5x3x4x3",
               "maxpool kernel=3 stride=2 on 2x2x11x9", "batchnorm on 2x3x4x5", "lrn size=5 on 2x7x3x4",
               "concat on 2x3x4x5 2x1x4x5 2x7x4x5", "softmax_loss on 4x10x1x1")
TRAINING_TOOL = "initcheck"
# Its caller asks for all memory that is said to be free, then for less where the tool itself has taken some.
TOOL_OPTIONS = {"memcheck": ("--report-api-errors", "no")}


# ---- the machine -----------------------------------------------------------------------------------


def read_memory(session, found):
    with open("/proc/meminfo", encoding="utf-8") as file:
        text = file.read()
    with open(session.out("meminfo.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    found["memory_kib"] = {key: int(value) for key, value in
                           re.findall(r"^(MemTotal|MemAvailable|SwapTotal|HugePages_Total): +(\d+)", text, re.M)}
    found["processors"] = len(os.sched_getaffinity(0))
    found["system"] = platform.platform()
    found["glibc"] = " ".join(platform.libc_ver())


def ask_driver(session, found):
    session.run(["nvidia-smi"], seconds=10)
    line = session.run(["nvidia-smi", "--format=csv,noheader", "--query-gpu=" + ",".join(CARD_FACTS)], seconds=10)
    found["card"] = [dict(zip(CARD_FACTS, row.split(", "))) for row in line.strip().splitlines()]


def ask_doctor(session, found):
    path = session.out("doctor.json")
    session.run([os.path.join(session.options.bin, "vdnnrun"), "--doctor", "--json", path])
    with open(path, encoding="utf-8") as file:
        found["doctor"] = json.load(file)


def rows_of_facts(session, found):
    found["date"] = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
    return [Row(name, functools.partial(measure, session, found)) for name, measure in
            (("memory", read_memory), ("nvidia-smi", ask_driver), ("doctor", ask_doctor))]


def what_is_missing(facts):
    """Of driver, cuBLAS and cuDNN, by the doctor's findings; None where all are there."""
    doctor = facts.get("doctor")
    if doctor is None:
        return "vdnnrun --doctor did not say what is here"
    libraries = doctor["card"]["libraries"] or ""
    missing = [name for name in LIBRARIES if not re.search(rf"\b{name} [1-9]", libraries)]
    usable = doctor["devices"].get("cuda", "this build has no CUDA device")
    if usable != "usable":
        return usable
    return f"there is no {' and no '.join(missing)} (found: {libraries})" if missing else None


# ---- test programs ---------------------------------------------------------------------------------


def programs_of(session, part):
    """Paths below the folder of the tests."""
    if PROGRAMS[part] is not None:
        return PROGRAMS[part]
    named = {name for names in PROGRAMS.values() for name in names or ()}
    folder = session.options.tests
    paths = [path for path in glob.glob(os.path.join(folder, "**", "test_*"), recursive=True)
             if os.path.isfile(path) and os.access(path, os.X_OK)]
    return sorted(os.path.relpath(path, folder) for path in paths if os.path.relpath(path, folder) not in named)


def count_tests(text):
    """Of cmocka's output: how each test ended. One that began and did not end took the program with it."""
    hows = {"RUN": "did not end", "OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}
    return {name: hows[word] for word, name in re.findall(r"^\[ +(RUN|OK|FAILED|SKIPPED) +\] (\S+)$", text, re.M)}


def read_rows(path):
    """What the program wrote of its rows until it ended; the last line may be cut off."""
    rows = []
    if os.path.exists(path):
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    rows.append(json.loads(line))
                except ValueError:
                    rows.append({"result": "failed", "why": f"not a row: {line.strip()[:TAIL_CHARACTERS]}"})
    return rows


def run_tests(session, program, under=(), env=None):
    """Runs a test program, maybe under a tool."""
    path = os.path.join(session.options.tests, program)
    if not os.path.exists(path):
        raise Failure(f"there is no {program} in {session.options.tests}")
    rows_path = session.out("rows", file_name(session.entry["row"]) + ".jsonl")
    if os.path.exists(rows_path):
        os.remove(rows_path)
    code, text = session.start([*under, path], env=dict(env or {}, VDNN_TEST_ROWS=os.path.abspath(rows_path),
                                                        VDNN_BIN=os.path.abspath(session.options.bin)))
    rows, ends = read_rows(rows_path), count_tests(text)
    found = session.result["tests"][session.entry["row"]] = dict(
        code=code, tests=dict(collections.Counter(ends.values())),
        not_passed=[f"{name}: {how}" for name, how in ends.items() if how not in ("passed", "skipped")],
        skips=re.findall(r"^skip: (.*)", text, re.M),
        rows=dict(collections.Counter(row.get("result") for row in rows)),
        rows_failed=[row for row in rows if row.get("result") == "failed"])
    return TestRun(code, text, rows, found)


def test(session, program):
    """A test program that did not pass is a failed row."""
    run = run_tests(session, program)
    wrong = run.found["not_passed"] + [f"{len(rows)} of its rows failed" for rows in [run.found["rows_failed"]] if rows]
    if run.code != 0 or wrong:
        run.found["end_of_log"] = run.text[-TAIL_CHARACTERS:]
        session.result["tests_failed"] = session.result.get("tests_failed", 0) + 1
        raise Failure("; ".join([ending(run.code, session.row_seconds())] + wrong))


def rows_of_tests(part, session, _):
    return [Row(program, functools.partial(test, session, program)) for program in programs_of(session, part)]


# ---- compute-sanitizer -----------------------------------------------------------------------------


def sanitizer(session):
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    folders = os.pathsep.join([os.environ.get("PATH", ""), f"{home}/bin", f"{home}/compute-sanitizer"])
    tool = session.options.sanitizer or shutil.which("compute-sanitizer", path=folders)
    if not tool:
        raise Failure(f"there is no compute-sanitizer in PATH, {home}/bin and {home}/compute-sanitizer")
    return tool


def own_kernels():
    """An environment in which the libraries of PyTorch's packages are not found: their kernels are not to be checked
    here, and to instrument them takes minutes."""
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    return {"LD_LIBRARY_PATH": ":".join(folder for folder in folders if "/nvidia/" not in folder)}


def conclude(session, found, tool, code, text):
    """What the tool said at its end, or how much it had found until it was ended."""
    lines = [line.strip("= ") for line in text.splitlines() if " SUMMARY: " in line]
    count = len(re.findall(r"^=+ (?:Invalid|Error|Race|Barrier|Uninitialized|Program hit)", text, re.M))
    found.update(code=code, summary=lines[-1] if lines else f"no summary; {count} findings until its end")
    if code != 0:
        raise Failure(f"{tool} {ending(code, session.row_seconds())}: {found['summary']}")


def pattern_of_layers():
    return f"@({'|'.join(LAYER_CASES)})"


def check_layers(session, found, tool):
    command = [sanitizer(session), "--tool", tool, "--error-exitcode", "99", *TOOL_OPTIONS.get(tool, ())]
    env = dict(own_kernels(), VDNN_TEST_ONLY=LAYER_TEST, VDNN_TEST_CASES=pattern_of_layers())
    run = run_tests(session, PROGRAMS["layers"][0], command, env)
    conclude(session, found, tool, run.code, run.text)
    seen = {f"{row.get('layer')} on {row.get('shape')}" for row in run.rows}
    missing = [case for case in LAYER_CASES if case not in seen]
    if missing:
        raise Failure(f"not run: {', '.join(missing)}")


def check_training(session, found, tool):
    model, steps = session.cases["sanitizer"]
    profile = session.profile(model, 4, "f32")  # measured without the tool, which would take minutes
    session.vdnnrun(model, 4, "--policy", "all", "--rules", "paper", "--profile", profile, steps=1)
    command = [sanitizer(session), "--tool", tool, "--error-exitcode", "99", os.path.join(session.options.bin, "vdnnrun"),
               "--model", session.model(model), "--batch", "4", "--device", session.options.device, "--policy", "all",
               "--steps", str(steps), "--quiet", "--rules", "paper", "--profile", profile]
    conclude(session, found, tool, *session.start(command, env=own_kernels()))


def rows_of_sanitizer(session, found):
    rows = [(tool, check_layers) for tool in LAYER_TOOLS] + [(TRAINING_TOOL, check_training)]
    return [Row(tool, functools.partial(measure, session, found.setdefault(tool, {}), tool)) for tool, measure in rows]
