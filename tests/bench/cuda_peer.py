"""PyTorch, in a process of its own that keeps it loaded: torch_driver.py is run in it again and again.

    cuda_peer.py TORCH_DRIVER.py    serves: a line of JSON in, the arguments; a line out, what the script printed, or why
                                  it failed

Invariant: an answer that is late, or none, ends the process; the next question begins another.
Threads: one.

    peer = Peer("torch_driver.py", "peer.log")
    row = peer.ask(["speed", "vgg16.yaml", "--device", "cuda"], 60)
    peer.close()
"""
import contextlib
import gc
import importlib
import io
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import time
import traceback

import cuda_children


class PeerFailure(Exception):
    """There is no answer; the message says why."""


class Peer:
    """One that answers, started with the first question, or before it by `start`."""

    def __init__(self, script, log):
        self.script, self.log, self.process = script, log, None

    def pids(self):
        return () if self.process is None else (self.process.pid,)

    def start(self):
        """It loads PyTorch, which takes longer than many an answer, while its caller does something else."""
        if self.process is None and self.script and os.path.exists(self.script):
            with open(self.log, "ab") as file:
                self.process = cuda_children.start([sys.executable, os.path.abspath(__file__), self.script],
                                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file)

    def ask(self, arguments, seconds):
        self.start()
        if self.process is None:
            raise PeerFailure("torch_driver.py is not there")
        answer = self.exchange(json.dumps(arguments) + "\n", seconds)
        if answer is None:
            self.close()
            raise PeerFailure(f"PyTorch did not answer in {seconds:.0f} s, or crashed")
        if "failure" in answer:
            raise PeerFailure(answer["failure"])
        return answer

    def exchange(self, question, seconds):
        end, text = time.monotonic() + seconds, b""
        try:
            self.process.stdin.write(question.encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        while not text.endswith(b"\n"):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            if not part:
                return None
            text += part
        return json.loads(text)

    def close(self):
        """Ends the process, and what is below it."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None
            cuda_children.end_others()


def release(torch):
    """What one run leaves behind must not be the next one's."""
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        torch.cuda.set_per_process_memory_fraction(1.0)


def load():
    with contextlib.suppress(ImportError):  # the script will say what is missing
        importlib.import_module("torch")


def serve(script):
    load()
    for line in sys.stdin:
        sys.argv, out, failure = [script] + json.loads(line), io.StringIO(), None
        try:
            with contextlib.redirect_stdout(out):
                runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            failure = None if end.code in (None, 0) else f"torch_driver.py ended with {end.code}"
        except BaseException as error:  # pylint: disable=broad-except
            traceback.print_exc()
            failure = f"{type(error).__name__}: {error}".splitlines()[0]
        gc.collect()
        release(sys.modules.get("torch"))
        lines = [text for text in out.getvalue().splitlines() if text.startswith("{")]
        # What it printed counts: losses that differ are an answer, with an exit code of their own.
        print(lines[-1] if lines else json.dumps({"failure": failure or "no answer"}), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
