"""Networks and sessions."""
from __future__ import annotations

import contextlib
import ctypes
import json
import os
import threading
from typing import Any, Iterator, Mapping

import numpy

from vdnn import library
from vdnn.library import LIBRARY


class Error(RuntimeError):
    """What libvdnn refused: `status` is its name ("NO_FIT"), the text its message."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


def version() -> str:
    return LIBRARY.vdnn_version().decode()


def check(status: int) -> None:
    if status != 0:
        raise Error(library.STATUSES[status], LIBRARY.vdnn_status_message().decode(errors="replace"))


def encode(value: Any) -> Any:
    return os.fspath(value).encode() if isinstance(value, (str, os.PathLike)) else value


def text_of(write, *arguments) -> str:
    """What a function adds to a text."""
    text = library.Text()
    try:
        check(write(*arguments, ctypes.byref(text)))
        return (text.data or b"").decode()
    finally:
        LIBRARY.vdnn_text_fini(ctypes.byref(text))


class Model:
    """A network: the name of one that vdnn has, a file, or the text of one."""

    def __init__(self, name: str | os.PathLike | None = None, *, text: str | None = None) -> None:
        self.handle = ctypes.c_void_p()
        if (name is None) == (text is None):
            raise TypeError("expected a name or a file of a network, or its text")
        if text is not None:
            data = text.encode()
            check(LIBRARY.vdnn_model_parse(data, ctypes.c_size_t(len(data)), b"text",
                                           ctypes.byref(self.handle)))
            return
        shipped = library.FOLDER / "models" / f"{name}.yaml"
        found = shipped if not os.path.exists(name) and shipped.exists() else name
        check(LIBRARY.vdnn_model_load(encode(found), ctypes.byref(self.handle)))

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            LIBRARY.vdnn_model_destroy(self.handle)


def as_input(value: Any) -> numpy.ndarray:
    """Floats as they are where that is possible, else a copy; integers are tokens."""
    array = numpy.from_dlpack(value) if hasattr(value, "__dlpack__") and not isinstance(
        value, numpy.ndarray) and not hasattr(value, "__array__") else numpy.asarray(value)
    if array.dtype.kind == "f":
        return numpy.ascontiguousarray(array, dtype=numpy.float32)
    if array.dtype.kind in "iu":
        return as_integers(array)
    raise TypeError(f"inputs of type {array.dtype}; expected floats, or integers for tokens")


def as_integers(value: Any) -> numpy.ndarray:
    array = numpy.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"labels of type {array.dtype}; expected integers")
    if array.size and (array.min() < -2**31 or array.max() >= 2**31):
        raise ValueError("an integer does not fit 32 bits")
    return numpy.ascontiguousarray(array, dtype=numpy.int32)


class Session:
    """A network with its plan, its memory and its weights.

    `budget` and `host` are of the device's and the host's memory ("2GiB", "80%"); further options are
    those of vdnn_session_options by name: dtype, algo, disk, seed, accumulate, lr, ...
    """

    def __init__(self, model: Model | str | os.PathLike, budget: str | None = None, *, batch: int = 0,
                 policy: str | None = None, host: str | None = None, device: str | None = None,
                 **options: Any) -> None:
        self.handle = ctypes.c_void_p()
        self.lock = threading.Lock()
        self.model = model if isinstance(model, Model) else Model(model)
        given = {"batch": batch, "policy": policy, "device_mem": budget, "host_mem": host,
                 "device": device, "feeds": "data" not in options, **options}
        known = dict(library.Options._fields_)
        own = library.Options(size=ctypes.sizeof(library.Options), network=self.model.handle)
        for name, value in given.items():
            if name not in known:
                raise TypeError(f"there is no option {name!r}; there are {', '.join(sorted(known))}")
            if value is not None:
                setattr(own, name, encode(value))
        own.has_lr = "lr" in options
        check(LIBRARY.vdnn_session_create(ctypes.byref(own), None, ctypes.byref(self.handle)))
        try:
            check(LIBRARY.vdnn_session_prepare(self.handle))
            if not own.dry_run:
                check(LIBRARY.vdnn_session_begin(self.handle))
        except BaseException:
            self.close()
            raise
        self.batch = LIBRARY.vdnn_session_batch(self.handle)
        self.inputs = [self.input_at(i) for i in range(LIBRARY.vdnn_session_input_count(self.handle))]

    def input_at(self, i: int) -> tuple[str, str, tuple[int, ...]]:
        """Name, kind ("f": floats, "i": integers) and shape of a sample; the last are the labels."""
        own = library.Input(size=ctypes.sizeof(library.Input))
        check(LIBRARY.vdnn_session_input_at(self.handle, i, ctypes.byref(own)))
        if own.channels > 0:
            return own.name.decode(), "f", (own.channels, own.height, own.width)
        return own.name.decode(), "i", (own.positions,) if own.positions > 0 else ()

    @contextlib.contextmanager
    def entered(self) -> Iterator[ctypes.c_void_p]:
        """The handle, for one thread at a time."""
        if not self.lock.acquire(blocking=False):
            raise Error("USAGE", "the session is in use by another thread")
        try:
            if not self.handle:
                raise Error("USAGE", "the session is closed")
            yield self.handle
        finally:
            self.lock.release()

    def close(self) -> None:
        """Frees its memory; nothing else may be asked of it then."""
        if self.handle:
            LIBRARY.vdnn_session_destroy(self.handle)
            self.handle = ctypes.c_void_p()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.close()

    def step(self, x: Any, y: Any) -> float:
        """One step on a batch; its mean loss. `x`: an array, or one for each input of the network."""
        inputs = [as_input(value) for value in (x if isinstance(x, (list, tuple)) else [x])]
        labels = as_integers(y)
        self.check_shapes([*inputs, labels])
        pointers = (ctypes.c_void_p * len(inputs))(*(array.ctypes.data for array in inputs))
        batch = library.Batch(size=ctypes.sizeof(library.Batch), samples=self.batch,
                              inputs=ctypes.cast(pointers, ctypes.c_void_p),
                              labels=labels.ctypes.data)
        sample = library.Sample(size=ctypes.sizeof(library.Sample))
        with self.entered() as handle:
            check(LIBRARY.vdnn_session_step_on(handle, ctypes.byref(batch), ctypes.byref(sample)))
        return sample.loss

    def check_shapes(self, arrays: list[numpy.ndarray]) -> None:
        """The library reads as many values as the network has, whatever the arrays have."""
        if len(arrays) != len(self.inputs):
            raise Error("USAGE", f"{len(arrays) - 1} inputs; expected {len(self.inputs) - 1}")
        for array, (name, kind, shape) in zip(arrays, self.inputs):
            if array.dtype.kind != kind or array.shape != (self.batch, *shape):
                raise Error("USAGE", f"{name}: {array.dtype} of shape {array.shape}; expected "
                                     f"{'float32' if kind == 'f' else 'int32'} of shape {(self.batch, *shape)}")

    def run(self) -> None:
        """All steps of a session that has `data`."""
        with self.entered() as handle:
            for _ in range(LIBRARY.vdnn_session_step_count(handle) - LIBRARY.vdnn_session_step_number(handle)):
                check(LIBRARY.vdnn_session_step(handle, None))

    def evaluate(self) -> float:
        """The share of the test data that is classified correctly; negative: there is none."""
        accuracy = ctypes.c_double()
        with self.entered() as handle:
            check(LIBRARY.vdnn_session_evaluate(handle, ctypes.byref(accuracy)))
        return accuracy.value

    def set_learning_rate(self, rate: float) -> None:
        with self.entered() as handle:
            check(LIBRARY.vdnn_session_set_learning_rate(handle, ctypes.c_double(rate)))

    def parameters(self, handle: ctypes.c_void_p) -> Iterator[tuple[int, str, tuple[int, ...]]]:
        for i in range(LIBRARY.vdnn_session_parameter_count(handle)):
            own = library.Parameter(size=ctypes.sizeof(library.Parameter))
            check(LIBRARY.vdnn_session_parameter_at(handle, i, ctypes.byref(own)))
            dims = ctypes.cast(own.dims, ctypes.POINTER(ctypes.c_int64))
            yield i, f"{own.layer.decode()}.{own.name.decode()}", tuple(dims[: own.rank])

    def state_dict(self) -> dict[str, numpy.ndarray]:
        """A copy of all parameters."""
        values = {}
        with self.entered() as handle:
            for i, name, shape in self.parameters(handle):
                values[name] = numpy.empty(shape, dtype=numpy.float32)
                check(LIBRARY.vdnn_session_get_parameter(handle, i, ctypes.c_void_p(values[name].ctypes.data),
                                                         ctypes.c_int64(values[name].size)))
        return values

    def load_state_dict(self, values: Mapping[str, Any]) -> None:
        """Sets all parameters; nothing is set if one is missing, or has another shape."""
        with self.entered() as handle:
            own = list(self.parameters(handle))
            if values.keys() != {name for _, name, _ in own}:
                raise Error("BAD_INPUT", f"names differ: {sorted(values.keys() ^ {name for _, name, _ in own})}")
            arrays = [numpy.ascontiguousarray(values[name], dtype=numpy.float32) for _, name, _ in own]
            for array, (_, name, shape) in zip(arrays, own):
                if array.shape != shape:
                    raise Error("BAD_INPUT", f"{name} of shape {array.shape}; expected {shape}")
            for array, (i, _, _) in zip(arrays, own):
                check(LIBRARY.vdnn_session_set_parameter(handle, i, ctypes.c_void_p(array.ctypes.data),
                                                         ctypes.c_int64(array.size)))

    def save(self, path: str | os.PathLike) -> None:
        """The weights as safetensors."""
        with self.entered() as handle:
            check(LIBRARY.vdnn_session_save(handle, encode(path)))

    def record(self) -> dict[str, Any]:
        """What is known of the run: network, device, plan, layers, losses."""
        with self.entered() as handle:
            return json.loads(text_of(LIBRARY.vdnn_session_json, handle))

    def explain(self) -> str:
        """What each change would take and bring."""
        with self.entered() as handle:
            return text_of(LIBRARY.vdnn_session_explain, handle)

    def plan(self) -> str:
        """The plan as text: each step with its addresses."""
        with self.entered() as handle:
            return text_of(LIBRARY.vdnn_plan_print, ctypes.c_void_p(LIBRARY.vdnn_session_plan(handle)))

    def __str__(self) -> str:
        with self.entered() as handle:
            return text_of(LIBRARY.vdnn_session_footprint, handle)
