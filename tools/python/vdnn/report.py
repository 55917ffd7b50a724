"""Reports: every policy side by side for one network."""
from __future__ import annotations

import ctypes
import html
import json
import os
import pathlib
from typing import Any

from vdnn.calls import Calls
from vdnn.library import LIBRARY, REPORT_FORMATS, check, encode, text_of
from vdnn.model import Model, make_options

SUFFIXES = {".json": "json", ".csv": "csv", ".md": "markdown", ".html": "html"}


class Report:
    """A report as text: a table for people, a page in notebooks. `data` is what vdnnreport --json writes."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    @property
    def data(self) -> dict[str, Any]:
        return json.loads(self.texts["json"])

    def save(self, path: str | os.PathLike) -> None:
        """As the path's suffix says: .json, .csv, .md, .html; else the table."""
        pathlib.Path(path).write_text(self.texts[SUFFIXES.get(pathlib.Path(path).suffix, "table")], encoding="utf-8")

    def __str__(self) -> str:
        return self.texts["table"]

    def _repr_html_(self) -> str:
        page = html.escape(self.texts["html"], quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'


def report(model: Model | str | os.PathLike, budget: str | None = None, *, policies: str | None = None,
           **options: Any) -> Report:
    """Plans the network by every policy, or by `policies` ("base,dyn"); options as of a Session."""
    model = model if isinstance(model, Model) else Model(model)
    calls, handle = Calls(), ctypes.c_void_p()
    made = make_options(model, {"budget": budget, **options})
    with calls.held():
        check(LIBRARY.vdnn_report_create(ctypes.byref(made.root), ctypes.byref(calls.messages),
                                         None if policies is None else encode(policies), ctypes.byref(handle)))
        try:
            return Report({name: text_of(LIBRARY.vdnn_report_write, handle, i) for i, name in REPORT_FORMATS.items()})
        finally:
            LIBRARY.vdnn_report_destroy(handle)
