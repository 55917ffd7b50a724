"""Programs that are ended with everything they started.

A program may start others in process groups and sessions of their own (timeout and setsid do) and may leave them
behind. So this process adopts every orphan below it (PR_SET_CHILD_SUBREAPER), and finds by /proc what is below it.

Invariant: when `run` or `end_others` returns, nothing that this process started is alive, but for the trees of the
processes that are spared and for what the kernel cannot end, which is named.
Threads: one.

    adopt_orphans()
    child = run(["tests/gpu/test_device"], "device.log", 60)
    if child.code is None:
        ...  # it was ended after 60 s
    end_others()
"""
import collections
import ctypes
import os
import signal
import subprocess
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
GRACE_SECONDS = 1.0  # from SIGTERM to SIGKILL
LIMIT_SECONDS = 5.0  # from SIGKILL until a process is given up: one that hangs in the driver cannot be ended

# code: None where it ran out of time; outlived_by: what it left running; stuck: what could not be ended.
Child = collections.namedtuple("Child", "code outlived_by stuck")

libc = ctypes.CDLL(None, use_errno=True)


def adopt_orphans():
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent():
    """In a child, before its program starts: it ends too where this process is killed."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def read_processes():
    """Parent, state and name of every process."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                text = file.read()
        except OSError:
            continue  # it has ended meanwhile
        first, last = text.index("("), text.rindex(")")
        state, parent = text[last + 2:].split()[:2]
        found[int(name)] = (int(parent), state, text[first + 1:last])
    return found


def below(top, spared=()):
    """Process numbers and names of all that live below `top`, but for the spared and what is below them."""
    processes, children = read_processes(), collections.defaultdict(list)
    for pid, (parent, _, _) in processes.items():
        children[parent].append(pid)
    alive, left = {}, [pid for pid in children[top] if pid not in spared]
    while left:
        pid = left.pop()
        _, state, name = processes[pid]
        if state != "Z":
            alive[pid] = name
        left.extend(child for child in children[pid] if child not in spared)
    return alive


def reap(spared):
    for pid, (parent, state, _) in read_processes().items():
        if parent == os.getpid() and state == "Z" and pid not in spared:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def end_others(spared=()):
    """Ends all that is below this process, and returns the names of what could not be ended. Looks again after each
    signal, since what is to be ended may start others meanwhile."""
    begin, asked = time.monotonic(), set()
    while True:
        alive = below(os.getpid(), spared)
        passed = time.monotonic() - begin
        if not alive or passed > GRACE_SECONDS + LIMIT_SECONDS:
            reap(spared)
            return sorted(alive.values())
        if passed > GRACE_SECONDS:
            send(alive, signal.SIGKILL)
        else:
            send(alive.keys() - asked, signal.SIGTERM)
            asked |= alive.keys()
        reap(spared)
        time.sleep(0.01)


def start(command, **streams):
    return subprocess.Popen(command, start_new_session=True, preexec_fn=end_with_parent, **streams)


def run(command, log, seconds, env=None, spared=()):
    """Appends what the program prints to the file `log` while it runs, and ends it with all it started."""
    with open(log, "ab") as file:
        process = start(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, env=env)
    try:
        code = process.wait(max(seconds, 0))
    except subprocess.TimeoutExpired:
        code = None
    outlived_by = sorted(below(os.getpid(), spared).values()) if code is not None else []
    stuck = end_others(spared)
    process.poll()
    return Child(code, outlived_by, stuck)
