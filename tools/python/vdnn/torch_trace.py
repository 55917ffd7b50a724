"""Which operations a PyTorch module calls on which values, as a graph of torch.fx.

By torch.fx, of PyTorch 1.13 on; what that cannot follow (loops and branches over shapes, modules with their own ways to
be called) by torch.export, of 2.5 on. Each node's `meta` then has `shape`, of what it makes, or `value` if that is no
tensor; `module`, the path of the module that it is a call of; `inside`, the path of the one that it is in; and `given`
if it is a parameter, or computed from parameters alone.
"""
from __future__ import annotations

import contextlib
import logging
import re
import warnings
from typing import Any, Iterator

from vdnn.library import Error


def first_line(error: BaseException) -> str:
    return str(error).split("\n")[0].split(". ")[0]


class Refused(Exception):
    """Where a module cannot be traced, and why."""


def by_fx(module: Any, example: Any) -> Any:
    import torch
    from torch import fx

    class Tracer(fx.Tracer):
        def __init__(self) -> None:
            super().__init__()
            self.inside = [""]  # the modules that are being called, and after a failure those where it was

        def call_module(self, called: Any, *arguments: Any) -> Any:
            self.inside.append(self.path_of_module(called))
            result = super().call_module(called, *arguments)
            self.inside.pop()
            return result

        def create_node(self, *arguments: Any, **more: Any) -> Any:
            node = super().create_node(*arguments, **more)
            node.meta["inside"] = self.inside[-1]
            node.meta["module"] = node.target if node.op == "call_module" else ""
            return node

    class Shapes(fx.Interpreter):
        def run_node(self, node: Any) -> Any:
            result = super().run_node(node)
            node.meta["shape" if isinstance(result, torch.Tensor) else "value"] = (
                tuple(result.shape) if isinstance(result, torch.Tensor) else result)
            return result

    tracer = Tracer()
    try:
        module.train()  # what is traced is a step of training
        graph = tracer.trace(module)
        module.eval()  # running statistics stay as they are
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            Shapes(fx.GraphModule(module, graph)).run(example.detach().clone())
    except Exception as error:
        raise Refused(f"{tracer.inside[-1] or 'the module itself'}: {type(module).__name__} cannot be traced: "
                      f"{first_line(error)}; expected operations that do not depend on values, and a fitting example"
                      ) from error
    return graph


def modules_of(node: Any) -> list[str]:
    """Paths of the modules that are being called, the innermost last; a second call of one is marked by @1."""
    return [re.sub(r"@\d+", "", path) for path, _ in node.meta.get("nn_module_stack", {}).values()]


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """torch.export logs each failure with its stack; its error says it in a line."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def by_export(module: Any, example: Any) -> Any:
    import torch
    export = getattr(getattr(torch, "export", None), "export", None)
    if export is None:
        raise Refused("this PyTorch has no torch.export")
    try:
        module.train()
        with silence():
            program = getattr(torch.export, "export_for_training", export)(
                module, (example.detach().clone(),), strict=False)
    except Exception as error:
        raise Refused(f"torch.export: {first_line(error)}") from error
    signature = program.graph_signature
    given = {*signature.inputs_to_parameters, *signature.inputs_to_buffers}
    for node in program.graph.nodes:
        value, paths = node.meta.get("val"), modules_of(node)
        node.meta["shape" if isinstance(value, torch.Tensor) else "value"] = (
            tuple(value.shape) if isinstance(value, torch.Tensor) else value)
        inputs = node.all_input_nodes
        node.meta["given"] = node.name in given or bool(inputs) and all(one.meta["given"] for one in inputs)
        node.meta["inside"] = paths[-1] if paths else ""
        node.meta["module"] = paths[-1] if paths and any(one.meta["given"] for one in inputs) else ""
        if node.op == "output" and len(node.args[0]) == 1:
            node.args = node.args[0]
    return program.graph


TRACERS = [by_fx, by_export]


def trace(module: Any, example: Any) -> Any:
    """The operations in order, by the first tracer that can follow the module, which stays as it is."""
    reasons: list[str] = []
    modes = {one: one.training for one in module.modules()}
    for tracer in TRACERS:
        try:
            return tracer(module, example)
        except Refused as error:
            reasons.append(str(error))
        finally:
            for one, is_training in modes.items():
                one.training = is_training
    raise Error("BAD_INPUT", "; ".join(reasons))
