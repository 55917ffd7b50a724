"""libvdnn by ctypes: its structs, read from its header, and its functions."""
from __future__ import annotations

import ctypes
import difflib
import os
import pathlib
import re
from typing import Any, Callable, Iterator

FOLDER = pathlib.Path(__file__).parent
TYPES = {"int": ctypes.c_int, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64,
         "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t, "bool": ctypes.c_bool,
         "double": ctypes.c_double}


def read_header() -> str:
    """The header's text without comments: in the package, or in the sources."""
    for path in (FOLDER / "vdnn.h", FOLDER.parents[2] / "runtime" / "vdnn.h"):
        if path.exists():
            return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    raise ImportError("vdnn.h is missing from the package")


def members_of(body: str) -> Iterator[tuple[str, str]]:
    """Name and type of each member of a struct; of a pointer to a function the type is "*"."""
    for line in body.split(";"):
        line = " ".join(line.split())
        pointer = re.match(r".*\(\*(\w+)\)\(", line)
        if pointer:
            yield pointer.group(1), "*"
        elif line:
            first, *others = line.split(",")
            base, name = first.rsplit(" ", 1)
            base = base.replace("const ", "")
            for text in (name, *others):
                text = text.strip()
                yield text.strip("*"), base + "*" * text.count("*")


class Structs:
    """The structs of a header, each made when it is first asked for."""

    def __init__(self, header: str) -> None:
        self.header, self.made = header, {}

    def __getitem__(self, name: str) -> type[ctypes.Structure]:
        if name not in self.made:
            body = re.search(r"typedef struct " + name + r" \{(.*?)\} " + name + ";", self.header, re.DOTALL).group(1)
            members = dict(members_of(body))
            fields = [(member, self.type_of(text)) for member, text in members.items()]
            self.made[name] = type(name, (ctypes.Structure,), {"_fields_": fields, "members": members})
        return self.made[name]

    def type_of(self, text: str) -> Any:
        if text == "char*":
            return ctypes.c_char_p
        if text.endswith("*"):
            return ctypes.c_void_p
        if text in TYPES:
            return TYPES[text]
        return self[text] if f"typedef struct {text} {{" in self.header else ctypes.c_int  # an enum

    def new(self, name: str, **values: Any) -> Any:
        """One of that type, with its size where it has that."""
        struct = self[name]
        if "size" in struct.members:
            values["size"] = ctypes.sizeof(struct)
        return struct(**values)


class Options:
    """A struct of options, and those that it points to, as one list of names.

    A member is found in whichever struct has it; that one is made when one of its members is set.
    """

    def __init__(self, structs: Structs, name: str) -> None:
        self.structs, self.root, self.kept = structs, structs.new(name), []
        self.groups = {member: text[:-1] for member, text in self.root.members.items()
                       if re.fullmatch(r"vdnn_\w+_options\*", text)}

    def owners(self) -> dict[str, tuple[str, str]]:
        """Of each option the member that points to its struct ("": it is in the first), and its type."""
        found = {member: ("", text) for member, text in self.root.members.items() if member not in self.groups}
        for group, name in self.groups.items():
            found.update((member, (group, text)) for member, text in self.structs[name].members.items())
        found.pop("size", None)
        return found

    def names(self) -> list[str]:
        """Those that Python has values for: texts, numbers, true or false."""
        return sorted(name for name, (_, text) in self.owners().items()
                      if (text in TYPES or text == "char*") and not name.startswith("has_"))

    def struct_of(self, group: str) -> ctypes.Structure:
        if not group:
            return self.root
        for name, struct in self.kept:
            if name == group:
                return struct
        struct = self.structs.new(self.groups[group])
        setattr(self.root, group, ctypes.addressof(struct))
        self.kept.append((group, struct))
        return struct

    def point(self, name: str, address: Any) -> None:
        """Sets a member that is a pointer."""
        setattr(self.struct_of(self.owners()[name][0]), name, address)

    def set(self, name: str, value: Any) -> None:
        """Sets an option, and with it the member that says that it is set (has_lr)."""
        if name not in self.names():
            near = difflib.get_close_matches(name, [*self.names(), "budget"], 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise TypeError(f"there is no option {name!r}{hint}; there are {', '.join(self.names())}")
        group, text = self.owners()[name]
        struct = self.struct_of(group)
        setattr(struct, name, option_value(name, text, value))
        if f"has_{name}" in struct.members:
            setattr(struct, f"has_{name}", True)


def option_value(name: str, text: str, value: Any) -> Any:
    """The value as a member's type has it: ctypes itself would cut what is too long."""
    if text == "char*":
        if not isinstance(value, (str, bytes, os.PathLike)):
            raise TypeError(f"{name}={value!r}: expected a text")
        return encode(value)
    kinds = {"bool": bool, "double": (int, float)}.get(text, int)
    if hasattr(value, "item"):  # a number of NumPy's
        value = value.item()
    if not isinstance(value, kinds) or (isinstance(value, bool) and text != "bool"):
        wanted = {"bool": "True or False", "double": "a number"}.get(text, "a whole number")
        raise TypeError(f"{name}={value!r}: expected {wanted}")
    if kinds is int and TYPES[text](value).value != value:
        raise ValueError(f"{name}={value}: expected a number of type {text}")
    return value


def encode(value: str | bytes | os.PathLike) -> bytes:
    data = os.fsencode(value)
    if b"\0" in data:
        raise ValueError(f"{value!r} has a NUL in it")
    return data


def load() -> ctypes.CDLL:
    """The package's library, or the one that was built in the sources, or the system's: that of the header."""
    name = "libvdnn.so." + re.search(r'#define VDNN_VERSION "(\d+)', HEADER)[1]
    for path in (FOLDER / "lib" / name, FOLDER.parents[2] / "build" / "release" / name):
        if path.exists():
            return ctypes.CDLL(str(path))
    return ctypes.CDLL(name)


def rows_of(table: str, header: str | None = None) -> dict[int, dict[str, str]]:
    """Rows of VDNN_<table>_TABLE by their enumerators' values: where the table has none, as C counts."""
    found = re.search(rf"#define VDNN_{table}_TABLE\(X\)(.*?)typedef.*?#define X\((.*?)\)", header or HEADER, re.DOTALL)
    columns = found[2].split(", ")
    rows = [dict(zip(columns, (text.strip(' "') for text in row.split(","))))
            for row in re.findall(r"X\(([^()]*)\)", found[1])]
    return {int(row.get("value", i)): row for i, row in enumerate(rows)}


HEADER = read_header()
STRUCTS = Structs(HEADER)
LIBRARY = load()
STATUSES = {value: row["name"] for value, row in rows_of("STATUS").items()}
REPORT_FORMATS = {value: row["text"] for value, row in rows_of("REPORT_FORMAT").items()}
PASSES = {value: row["text"] for value, row in rows_of("PASS").items()}
LOG_LEVELS = {value: row["name"] for value, row in rows_of("LOG").items()}
EXPECT = {name: int(value) for name, value in re.findall(r"VDNN_EXPECT_(\w+) = (\d+)", HEADER)}
for function, result in (("status_message", ctypes.c_char_p), ("version", ctypes.c_char_p),
                         ("session_plan", ctypes.c_void_p), ("session_state_name", ctypes.c_char_p),
                         ("session_step_number", ctypes.c_int64), ("session_step_count", ctypes.c_int64),
                         ("session_batch", ctypes.c_int64)):
    getattr(LIBRARY, "vdnn_" + function).restype = result


class Error(RuntimeError):
    """What libvdnn refused: `status` is its name ("NO_FIT"), the text its message."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return Error, (self.status, str(self))


def version() -> str:
    return LIBRARY.vdnn_version().decode()


def check(status: int) -> None:
    if status != 0:
        raise Error(STATUSES.get(status, str(status)), LIBRARY.vdnn_status_message().decode(errors="replace"))


def text_of(write: Callable[..., int], *arguments: Any) -> str:
    """What a function adds to a text."""
    text = STRUCTS.new("vdnn_text")
    try:
        check(write(*arguments, ctypes.byref(text)))
        return (text.data or b"").decode()
    finally:
        LIBRARY.vdnn_text_fini(ctypes.byref(text))
