"""What the library calls: hooks around steps and passes, and datasets of the program.

What a function of the program raises ends the call of the library, and is raised again when that has ended.
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, NamedTuple

from vdnn import arrays
from vdnn.library import LIBRARY, PASSES, STATUSES, STRUCTS, Error

Inputs = list[tuple[str, str, tuple[int, ...]]]  # name, kind and shape of each; the last are the labels
BAD_INPUT = next(value for value, name in STATUSES.items() if name == "BAD_INPUT")
STEP_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
LAYER_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(STRUCTS["vdnn_layer_run"]))
READ_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(ctypes.c_void_p),
                                 ctypes.c_void_p)


class LayerRun(NamedTuple):
    """A pass of a layer, or of a part of one."""
    step: int
    layer: str
    pass_name: str  # "forward", "backward_data", "backward_filter"
    recomputes: bool
    micro_batch: int
    part: int


def guarded(errors: list[BaseException], call: Callable[..., Any]) -> Callable[..., int]:
    """The call as the library makes it: a status in place of an exception, which is kept."""
    def run(*arguments: Any) -> int:
        try:
            call(*arguments)
            return 0
        except BaseException as error:
            errors.append(error)
            LIBRARY.vdnn_status_record(b"%s", f"{type(error).__name__}: {error}".encode())
            return BAD_INPUT
    return run


def make_hooks(errors: list[BaseException], inside: list[str], given: dict[str, Callable[..., None] | None]) -> Any:
    """The library's struct. `inside` has "step" or "layer" while one of them runs."""
    def step_hook(call: Callable[[int], None]) -> Any:
        def run(_: None, step: int) -> None:
            inside.append("step")
            try:
                call(step)
            finally:
                inside.pop()
        return STEP_FUNCTION(guarded(errors, run))

    def layer_hook(call: Callable[[LayerRun], None]) -> Any:
        def run(_: None, pointer: Any) -> None:
            own = pointer.contents
            inside.append("layer")
            try:
                call(LayerRun(own.step, own.name.decode(), PASSES[getattr(own, "pass")], own.recomputes,
                              own.micro_batch, own.part))
            finally:
                inside.pop()
        return LAYER_FUNCTION(guarded(errors, run))

    made = {name: (step_hook if name.endswith("step") else layer_hook)(call) for name, call in given.items() if call}
    hooks = STRUCTS.new("vdnn_hooks", **{name: ctypes.cast(one, ctypes.c_void_p) for name, one in made.items()})
    hooks.kept = made
    return hooks


def write_sample(sample: Any, inputs: Inputs, outputs: Any, labels: int) -> None:
    x, y = sample
    values = list(x) if isinstance(x, (list, tuple)) else [x]
    if len(values) != len(inputs) - 1:
        raise Error("USAGE", f"a sample of {len(values)} inputs; expected {len(inputs) - 1}")
    made = [arrays.as_input(value, name) for value, (name, _, _) in zip(values, inputs)] + [arrays.as_labels(y, *inputs[-1])]
    for array, (name, kind, shape), place in zip(made, inputs, [*outputs[:len(values)], labels]):
        if array.dtype.kind != kind or array.shape != shape:
            raise Error("USAGE", f"{name}: {array.dtype} of shape {array.shape}; expected "
                                 f"{'float32' if kind == 'f' else 'int32'} of shape {shape}")
        ctypes.memmove(place, array.ctypes.data, array.nbytes)


def make_source(errors: list[BaseException], inputs: Inputs, dataset: Any) -> Any:
    """The library's struct of a dataset: anything with a length whose items are a sample and its label, as those of
    PyTorch. Threads of the library read it, one at a time; `inputs` is filled before they do."""
    def read(_: None, index: int, outputs: Any, labels: int) -> None:
        write_sample(dataset[index], inputs, outputs, labels)
    function = READ_FUNCTION(guarded(errors, read))
    source = STRUCTS.new("vdnn_data_source", samples=len(dataset), read=ctypes.cast(function, ctypes.c_void_p))
    source.kept = function
    return source
