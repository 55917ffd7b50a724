"""Networks."""
from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Mapping, Sequence

from vdnn.library import LIBRARY, STRUCTS, Options, check, encode

SHORT = {"budget": "device_mem", "host": "host_mem"}


class Model:
    """A network: one that vdnn has, by its name; a file; layers; or the text of a file.

        vdnn.Model("vgg16")
        vdnn.Model("mine.yaml")
        vdnn.Model("mine", [{"name": "fc", "type": "fc", "out": 10}, {"name": "loss", "type": "softmax_loss"}],
                   input={"channels": 1, "height": 28, "width": 28}, classes=10, batch=64, training={"lr": 0.1})

    The keys are those of a network's file. `weights` are initial values by the parameters' names, which a
    session reads when it is made: until then they may change.
    """

    def __init__(self, name: str | os.PathLike | None = None, layers: Sequence[Mapping[str, Any]] | None = None, *,
                 text: str | None = None, weights: Mapping[str, Any] | None = None, **keys: Any) -> None:
        self.handle = ctypes.c_void_p()
        self.weights = weights
        if layers is not None and text is None:
            text = json.dumps({"name": name, **keys, "layers": list(layers)}, indent=1)
        elif keys or (name is None) == (text is None):
            raise TypeError("expected the name or the file of a network, its layers with input, classes and batch, "
                            "or its text")
        if text is not None:
            data = text.encode()
            check(LIBRARY.vdnn_model_parse(data, ctypes.c_size_t(len(data)), encode(name or "text"),
                                           ctypes.byref(self.handle)))
            return
        check(LIBRARY.vdnn_model_load(encode(name), ctypes.byref(self.handle)))

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            LIBRARY.vdnn_model_destroy(self.handle)


def make_options(model: Model, given: Mapping[str, Any]) -> Options:
    options = Options(STRUCTS, "vdnn_session_options")
    options.point("network", model.handle)
    for name, value in given.items():
        if value is not None:
            options.set(SHORT.get(name, name), value)
    return options
