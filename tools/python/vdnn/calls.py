"""Calls of the library that take long: how they are interrupted, and where their messages go."""
from __future__ import annotations

import contextlib
import ctypes
import functools
import logging
import signal
import threading
from typing import Iterator

from vdnn.library import LOG_LEVELS, STATUSES, STRUCTS

LOG = logging.getLogger("vdnn")
LOG_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)
INTERRUPTED_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


@functools.lru_cache(maxsize=1024)
def log_once(_: None, level: int, text: bytes) -> None:
    """What is said of a machine is said of each session."""
    LOG.log(getattr(logging, LOG_LEVELS[level]), "%s", text.decode(errors="replace"))


class Calls:
    """Ctrl-C during a call is noted, and raised as KeyboardInterrupt when the call has ended.

    The library asks between steps and while it plans, and ends the call in good order; a single step is
    completed. Messages go to the logger "vdnn". ctypes holds no lock of Python's during a call.
    """

    def __init__(self) -> None:
        # Functions that hold no reference to `self`, or it would live until the next collection.
        noted: list[int] = []
        self.noted = noted
        status = next(value for value, name in STATUSES.items() if name == "INTERRUPTED")
        self.functions = (LOG_FUNCTION(log_once),
                          INTERRUPTED_FUNCTION(lambda _: status if noted else 0))
        log, interrupted = (ctypes.cast(function, ctypes.c_void_p) for function in self.functions)
        self.messages = STRUCTS.new("vdnn_messages", log=log, interrupted=interrupted)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Signals reach Python in the main thread alone; a program's handler for them stays."""
        if threading.current_thread() is not threading.main_thread() or (
                signal.getsignal(signal.SIGINT) is not signal.default_int_handler):
            yield
            return
        signal.signal(signal.SIGINT, lambda number, frame: self.noted.append(number))
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if self.noted:
                self.noted.clear()
                raise KeyboardInterrupt
