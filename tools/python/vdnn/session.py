"""Sessions."""
from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import threading
import weakref
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple

import numpy

from vdnn import arrays
from vdnn.callbacks import LayerRun, make_hooks, make_source
from vdnn.calls import Calls
from vdnn.library import EXPECT, LIBRARY, STRUCTS, Error, check, encode, text_of
from vdnn.model import Model, make_options
from vdnn.report import Report, report

# What torchvision's files have and no network here: counters, and heads that are of use in training alone.
LEFT_OUT = re.compile(r".*\.num_batches_tracked|AuxLogits\..*|aux\d\..*")
DIFFERENCES = {"googlenet": "torchvision's has batch norm in place of the biases, and convolutions of 3 x 3 in place "
                            "of those of 5 x 5: vdnn.from_torch takes it as it is"}


class Parameter(NamedTuple):
    index: int
    name: str  # PyTorch's, "features.0.weight"
    layer_name: str  # as in the library's files, "conv1_1.weight"
    shape: tuple[int, ...]
    trainable: bool  # else statistics


class Session:
    """A network with its plan, its memory and its weights.

    `budget` and `host` are of the device's and the host's memory ("2GiB", "80%"); further options are
    those of vdnn_session_options by name: dtype, algo, disk, seed, accumulate, lr, ...
    `predictions` and `gradients`: it will be asked for them, which may take more memory. `samples` is a dataset
    for `run`: anything with a length whose items are a sample and its label, as those of PyTorch.
    One thread at a time may use it; others do not wait for a step, and run meanwhile.
    """

    def __init__(self, model: Model | str | os.PathLike, budget: str | None = None, *, batch: int = 0,
                 policy: str | None = None, host: str | None = None, device: str | None = None,
                 predictions: bool = False, gradients: bool = False, samples: Any = None, **options: Any) -> None:
        self.handle = ctypes.c_void_p()
        self.inputs: list[tuple[str, str, tuple[int, ...]]] = []
        self.errors: list[BaseException] = []  # of the program's functions, during a call
        self.inside: list[str] = []  # the kind of hook that runs
        self.user: int | None = None  # the thread that has the lock
        self.lock, self.calls = threading.Lock(), Calls()
        self.model = model if isinstance(model, Model) else Model(model)
        self.given = {"budget": budget, "batch": batch, "policy": policy, "host": host, "device": device, **options}
        made = make_options(self.model, {"feeds": "data" not in options and samples is None, **self.given})
        if samples is not None:
            self.source = make_source(self.errors, self.inputs, samples)
            made.point("source", ctypes.addressof(self.source))
        try:
            with self.calls.held():
                check(LIBRARY.vdnn_session_create(ctypes.byref(made.root), ctypes.byref(self.calls.messages),
                                                  ctypes.byref(self.handle)))
                self.inputs += map(self.input_at, range(LIBRARY.vdnn_session_input_count(self.handle)))
                if predictions or gradients:
                    check(LIBRARY.vdnn_session_expect(self.handle, (EXPECT["PREDICTIONS"] if predictions else 0)
                                                      | (EXPECT["GRADIENTS"] if gradients else 0)))
                check(LIBRARY.vdnn_session_prepare(self.handle))
                if not options.get("dry_run"):
                    check(LIBRARY.vdnn_session_begin(self.handle))
            self.batch: int = LIBRARY.vdnn_session_batch(self.handle)
            self.network: str = self.record()["model"]
            self.parameters = self.list_parameters()
            if self.model.weights is not None and not options.get("dry_run"):
                self.load_state_dict(self.model.weights)
        except BaseException:
            self.close()
            raise

    def input_at(self, i: int) -> tuple[str, str, tuple[int, ...]]:
        """Name, kind ("f": floats, "i": integers) and shape of a sample; the last are the labels."""
        found = STRUCTS.new("vdnn_input")
        check(LIBRARY.vdnn_session_input_at(self.handle, i, ctypes.byref(found)))
        self.below: int = found.below  # of the labels, which are last: the classes
        if found.channels > 0:
            depth = (found.depth,) if found.depth > 0 else ()
            return found.name.decode(), "f", (found.channels, *depth, found.height, found.width)
        return found.name.decode(), "i", (found.positions,) if found.positions > 0 else ()

    def list_parameters(self) -> list[Parameter]:
        found = []
        for i in range(LIBRARY.vdnn_session_parameter_count(self.handle)):
            one = STRUCTS.new("vdnn_parameter")
            check(LIBRARY.vdnn_session_parameter_at(self.handle, i, ctypes.byref(one)))
            dims = ctypes.cast(one.dims, ctypes.POINTER(ctypes.c_int64))
            layer, module, name = one.layer.decode(), one.module.decode(), one.name.decode()
            found.append(Parameter(i, f"{module}.{name}", f"{layer}.{name}", tuple(dims[: one.rank]), one.trainable))
        return found

    @contextlib.contextmanager
    def entered(self, in_hooks: bool = False) -> Iterator[ctypes.c_void_p]:
        """The handle, for one thread at a time; `in_hooks`: also for a hook of a step, in its thread."""
        with self.calls.held():
            is_hook = self.user == threading.get_ident()
            if is_hook and not (in_hooks and self.inside[-1:] == ["step"]):
                raise Error("USAGE", "the session is in use: hooks of steps may ask for values and set them, no more")
            if not is_hook and not self.lock.acquire(blocking=False):
                raise Error("USAGE", "the session is in use by another thread")
            try:
                if not self.handle:
                    raise Error("USAGE", "the session is closed")
                if not is_hook:
                    self.user = threading.get_ident()
                yield self.handle
            except Error:
                if is_hook or not self.errors:
                    raise
                raise self.errors[0]
            finally:
                if not is_hook:
                    self.errors.clear()
                    self.user = None
                    self.lock.release()

    def close(self) -> None:
        """Frees its memory; nothing else may be asked of it then."""
        if self.handle:
            with self.entered() as handle:
                LIBRARY.vdnn_session_destroy(handle)
                self.handle = ctypes.c_void_p()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            LIBRARY.vdnn_session_destroy(self.handle)

    def step(self, x: Any, y: Any) -> float:
        """One step on a batch; its mean loss. `x`: an array, or one for each input of the network.

        Arrays are NumPy's, or of any library that exports DLPack. Those that are float32 (tokens and
        classes: int32), aligned and contiguous are read where they are. Nothing may write them meanwhile.
        """
        name, kind, shape = self.inputs[-1]
        given, batch = self.make_batch(x, arrays.as_labels(y, name, kind, (self.batch, *shape)))
        sample = STRUCTS.new("vdnn_sample")
        held = [weakref.ref(array) for array in given]  # NumPy resizes no array that has a reference
        with self.entered() as handle:
            check(LIBRARY.vdnn_session_step_on(handle, ctypes.byref(batch), ctypes.byref(sample)))
        del held
        return sample.loss

    def train(self, batches: Iterable[tuple[Any, Any]]) -> list[float]:
        """A step on each of them, which a DataLoader or a generator makes; their losses. One that is smaller than
        the session's, which comes last, is left out."""
        losses = []
        for x, y in batches:
            if len(y) >= self.batch:
                losses.append(self.step(x, y))
        return losses

    def set_hooks(self, *, before_step: Callable[[int], None] | None = None,
                  after_step: Callable[[int], None] | None = None,
                  before_layer: Callable[[LayerRun], None] | None = None,
                  after_layer: Callable[[LayerRun], None] | None = None) -> None:
        """Functions that are called around steps, with their number from 1, and around passes of layers, in place of
        those before. Those of steps may ask for parameters, set them, and predict; what one raises ends the step.
        With those of layers passes run one at a time; no bit of a result changes."""
        hooks = make_hooks(self.errors, self.inside, {"before_step": before_step, "after_step": after_step,
                                                      "before_layer": before_layer, "after_layer": after_layer})
        with self.entered() as handle:
            check(LIBRARY.vdnn_session_set_hooks(handle, ctypes.byref(hooks)))
            self.hooks = hooks

    def make_batch(self, x: Any, labels: numpy.ndarray | None) -> tuple[list[numpy.ndarray], ctypes.Structure]:
        """The arrays that are read, which must stay, and the batch that points to them. Without labels it has any
        number of samples."""
        values = list(x) if isinstance(x, (list, tuple)) else [x]
        if len(values) != len(self.inputs) - 1:
            raise Error("USAGE", f"{len(values)} inputs; expected {len(self.inputs) - 1}")
        given = [arrays.as_input(value, name) for value, (name, _, _) in zip(values, self.inputs)]
        pointers = (ctypes.c_void_p * len(values))(*(array.ctypes.data for array in given))
        given.extend([] if labels is None else [labels])
        samples = self.batch if labels is not None or given[0].ndim == 0 else len(given[0])
        self.check_shapes(given, samples)
        batch = STRUCTS.new("vdnn_batch", samples=samples, inputs=ctypes.addressof(pointers),
                            labels=None if labels is None else labels.ctypes.data)
        batch.pointers = pointers
        return given, batch

    def check_shapes(self, given: list[numpy.ndarray], samples: int) -> None:
        """The library reads as many values as the network has, whatever the arrays have."""
        for array, (name, kind, shape) in zip(given, self.inputs):
            if array.dtype.kind != kind or array.shape != (samples, *shape):
                raise Error("USAGE", f"{name}: {array.dtype} of shape {array.shape}; expected "
                                     f"{'float32' if kind == 'f' else 'int32'} of shape {(samples, *shape)}")

    @property
    def steps(self) -> int:
        """Steps that were completed, also when the last call was interrupted."""
        with self.entered() as handle:
            return LIBRARY.vdnn_session_step_number(handle)

    def run(self) -> None:
        """All steps of a session that has `data`."""
        with self.entered() as handle:
            for _ in range(LIBRARY.vdnn_session_step_count(handle) - LIBRARY.vdnn_session_step_number(handle)):
                if self.calls.noted:
                    break
                check(LIBRARY.vdnn_session_step(handle, None))

    def predict(self, x: Any, *, logits: bool = False) -> numpy.ndarray:
        """The probabilities of each class, or the logits, of any number of samples: (samples, classes), or for
        each position (samples, positions, classes); where the loss is over numbers, these, in their shape, or their
        probabilities. Of a session with test data or `predictions`."""
        given, batch = self.make_batch(x, None)
        _, kind, shape = self.inputs[-1]
        row = (*shape, self.below) if kind == "i" else shape[:1] if shape[1:] == (1, 1) else shape
        scores = numpy.empty((batch.samples, *row), dtype=numpy.float32)
        logits = logits or self.below == 0
        wanted = ctypes.c_void_p(scores.ctypes.data)
        held = [weakref.ref(array) for array in given]
        with self.entered(in_hooks=True) as handle:
            check(LIBRARY.vdnn_session_predict(handle, ctypes.byref(batch), wanted if logits else None,
                                               None if logits else wanted, ctypes.c_int64(scores.size)))
        del held
        return scores

    def evaluate(self, x: Any = None, y: Any = None) -> float:
        """The share of samples that are classified correctly: of these, by `predict`, or of the test data,
        negative: there is none. Labels that are no class are not counted. Of a loss over numbers there is the test
        loss alone, `record()["test_loss"]`."""
        if x is not None:
            if self.inputs[-1][1] == "f":
                raise Error("USAGE", "the labels are numbers: there is no accuracy")
            labels = arrays.as_integers(y)
            found = self.predict(x, logits=True).argmax(-1)
            if labels.shape != found.shape:
                raise Error("USAGE", f"labels of shape {labels.shape}; expected {found.shape}")
            counted = (labels >= 0) & (labels < self.below)
            return float((found == labels)[counted].mean()) if counted.any() else -1.0
        accuracy = ctypes.c_double()
        with self.entered() as handle:
            check(LIBRARY.vdnn_session_evaluate(handle, ctypes.byref(accuracy)))
        return accuracy.value

    def generate(self, prompt: Any, count: int, *, temperature: float = 1.0, top: int = 0,
                 seed: int = 0) -> numpy.ndarray:
        """`count` tokens that follow those of `prompt`, each drawn by the probabilities after the one before it, of
        the `top` most probable ones (0: all). Of a session with test data or `predictions`."""
        given, found = arrays.as_integers(prompt, "prompt").ravel(), numpy.empty(max(count, 0), dtype=numpy.int32)
        places = iter(range(count))

        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int32)
        def take(_: Any, token: int) -> int:
            found[next(places)] = token
            return 0

        ask = STRUCTS.new("vdnn_generation", tokens=count, prompt=given.ctypes.data, prompt_tokens=given.size,
                          temperature=temperature, top=top, seed=seed, take=ctypes.cast(take, ctypes.c_void_p).value)
        with self.entered(in_hooks=True) as handle:
            check(LIBRARY.vdnn_session_generate(handle, ctypes.byref(ask)))
        return found

    def encode(self, text: str | bytes) -> numpy.ndarray:
        """The tokens of a text, by the tokenizer of the network's input, or its bytes."""
        data, count = text.encode() if isinstance(text, str) else bytes(text), ctypes.c_int64()
        tokens = numpy.empty(0, dtype=numpy.int32)
        with self.entered(in_hooks=True) as handle:
            for _ in range(2):  # how many, then which
                tokens = numpy.empty(count.value, dtype=numpy.int32)
                check(LIBRARY.vdnn_session_encode(handle, data, ctypes.c_size_t(len(data)), ctypes.c_void_p(tokens.ctypes.data),
                                                  ctypes.c_int64(tokens.size), ctypes.byref(count)))
        return tokens

    def decode(self, tokens: Any) -> bytes:
        """The bytes of tokens, which may begin or end within a character."""
        given, text = arrays.as_integers(tokens, "tokens").ravel(), STRUCTS.new("vdnn_text")
        with self.entered(in_hooks=True) as handle:
            try:
                check(LIBRARY.vdnn_session_decode(handle, ctypes.c_void_p(given.ctypes.data), ctypes.c_int64(given.size),
                                                  ctypes.byref(text)))
                address = ctypes.c_void_p.from_buffer(text, type(text).data.offset)  # text.data would end at a NUL
                return ctypes.string_at(address, text.length) if text.length else b""
            finally:
                LIBRARY.vdnn_text_fini(ctypes.byref(text))

    def set_learning_rate(self, rate: float) -> None:
        with self.entered(in_hooks=True) as handle:
            check(LIBRARY.vdnn_session_set_learning_rate(handle, ctypes.c_double(rate)))

    def copies(self, get: Callable[..., int], wanted: list[Parameter]) -> dict[str, numpy.ndarray]:
        values = {one.name: numpy.empty(one.shape, dtype=numpy.float32) for one in wanted}
        with self.entered(in_hooks=True) as handle:
            for one in wanted:
                check(get(handle, one.index, ctypes.c_void_p(values[one.name].ctypes.data),
                          ctypes.c_int64(values[one.name].size)))
        return values

    def state_dict(self) -> dict[str, numpy.ndarray]:
        """A copy of all parameters, by torchvision's names where it has the network, else by the layers'."""
        return self.copies(LIBRARY.vdnn_session_get_parameter, self.parameters)

    def gradients(self) -> dict[str, numpy.ndarray]:
        """A copy of the last step's gradients, by the names of state_dict: of the mean loss over the batch,
        before they are clipped and without weight decay. Of a session with `gradients`."""
        return self.copies(LIBRARY.vdnn_session_get_gradient, [one for one in self.parameters if one.trainable])

    def optimizer_state(self) -> dict[str, dict[str, numpy.ndarray]]:
        """A copy of what the optimizer keeps: {"momentum": {"fc.weight": ...}}, named as in PyTorch."""
        trained = [one for one in self.parameters if one.trainable]
        slots = range(LIBRARY.vdnn_session_state_count(self.handle)) if self.handle else ()
        return {self.slot_name(slot): self.copies(
            lambda handle, i, values, count, slot=slot: LIBRARY.vdnn_session_get_state(handle, i, slot, values, count),
            trained) for slot in slots}

    def slot_name(self, slot: int) -> str:
        return LIBRARY.vdnn_session_state_name(self.handle, slot).decode()

    def load_optimizer_state(self, state: Mapping[str, Mapping[str, Any]]) -> None:
        """Sets all of it; nothing is set if something is missing, or has another shape."""
        with self.entered(in_hooks=True) as handle:
            slots = {self.slot_name(slot): slot for slot in range(LIBRARY.vdnn_session_state_count(handle))}
            trained = {one.name: one for one in self.parameters if one.trainable}
            for slot in sorted(slots.keys() ^ state.keys()):
                raise Error("BAD_INPUT", f"the optimizer keeps {', '.join(slots) or 'nothing'}; {slot!r} differs")
            checked = {slot: self.checked(values, trained) for slot, values in state.items()}
            for slot, floats in checked.items():
                for name, one in trained.items():
                    check(LIBRARY.vdnn_session_set_state(handle, one.index, slots[slot],
                                                         ctypes.c_void_p(floats[name].ctypes.data),
                                                         ctypes.c_int64(floats[name].size)))

    def checked(self, given: Mapping[str, Any], names: Mapping[str, Parameter]) -> dict[str, numpy.ndarray]:
        """The values as floats, each of the parameter that it is named after, and finite."""
        differ = sorted(given.keys() ^ names.keys())
        if differ:
            notes = [DIFFERENCES[self.network]] if self.network in DIFFERENCES else []
            raise Error("BAD_INPUT", "; ".join([f"{len(differ)} names differ: {', '.join(differ[:8])}", *notes]))
        floats = {name: arrays.as_floats(value, name) for name, value in given.items()}
        for name, one in names.items():
            if floats[name].shape != one.shape:
                raise Error("BAD_INPUT", f"{name} of shape {floats[name].shape}; expected {one.shape}")
            if not numpy.isfinite(floats[name]).all():
                raise Error("BAD_INPUT", f"{name} has a value that is not finite")
        return floats

    def load_state_dict(self, values: Mapping[str, Any]) -> None:
        """Sets all parameters; nothing is set if one is missing, or has another shape.

        By the names of state_dict, or those of the layers. What torchvision counts beyond them
        (num_batches_tracked), and its auxiliary heads, are left out.
        """
        given = {name: value for name, value in values.items() if not LEFT_OUT.fullmatch(name)}
        by_layers = given.keys() == {one.layer_name for one in self.parameters}
        names = {one.layer_name if by_layers else one.name: one for one in self.parameters}
        floats = self.checked(given, names)
        with self.entered(in_hooks=True) as handle:
            for name, one in names.items():
                check(LIBRARY.vdnn_session_set_parameter(handle, one.index, ctypes.c_void_p(floats[name].ctypes.data),
                                                         ctypes.c_int64(floats[name].size)))

    def save(self, path: str | os.PathLike) -> None:
        """The weights as safetensors, or as .npz or .onnx by the path's end; by the layers' names, or, of a session
        with names="torchvision", by those."""
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

    def max_batch(self) -> int:
        """The largest batch that fits the budget; `record()["max_batch"]` has more of them, with times."""
        with self.entered() as handle:
            text_of(LIBRARY.vdnn_session_max_batch, handle)
        return self.record()["max_batch"]["largest"]["batch"]

    def plan(self) -> str:
        """The plan as text: each step with its addresses."""
        with self.entered() as handle:
            return text_of(LIBRARY.vdnn_plan_print, ctypes.c_void_p(LIBRARY.vdnn_session_plan(handle)))

    def report(self, policies: str | None = None) -> Report:
        """Every policy side by side, for this network and these options."""
        return report(self.model, policies=policies, **self.given)

    def __str__(self) -> str:
        with self.entered() as handle:
            return text_of(LIBRARY.vdnn_session_footprint, handle)
