"""libvdnn by ctypes: its structs, read from its header, and its functions."""
import ctypes
import pathlib
import re

FOLDER = pathlib.Path(__file__).parent
TYPES = {"int": ctypes.c_int, "int32_t": ctypes.c_int32, "int64_t": ctypes.c_int64,
         "uint64_t": ctypes.c_uint64, "size_t": ctypes.c_size_t, "bool": ctypes.c_bool,
         "double": ctypes.c_double}


def read_header():
    """The header's text without comments: in the package, or in the sources."""
    for path in (FOLDER / "vdnn.h", FOLDER.parents[2] / "runtime" / "vdnn.h"):
        if path.exists():
            return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    raise ImportError("vdnn.h is missing from the package")


def members_of(body):
    """Name and type of each member of a struct; of pointers, to functions too, the address alone."""
    for line in body.split(";"):
        line = " ".join(line.split())
        pointer = re.match(r".*\(\*(\w+)\)\(", line)
        if pointer:
            yield pointer.group(1), ctypes.c_void_p
        elif line:
            first, *others = line.split(",")
            base, name = first.rsplit(" ", 1)
            for text in (name, *others):
                is_text = "char" in base and text.count("*") == 1
                plain = TYPES.get(base.replace("const ", ""))
                yield (text.strip(" *"),
                       ctypes.c_char_p if is_text else ctypes.c_void_p if "*" in text or plain is None else plain)


def make_struct(name):
    body = re.search(r"typedef struct " + name + r" \{(.*?)\} " + name + ";", HEADER, re.DOTALL).group(1)
    return type(name, (ctypes.Structure,), {"_fields_": list(members_of(body))})


HEADER = read_header()
Options, Sample, Batch, Input, Parameter = (
    make_struct("vdnn_" + name) for name in ("session_options", "sample", "batch", "input", "parameter"))


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t), ("capacity", ctypes.c_size_t),
                ("failed", ctypes.c_int)]


def load():
    """The package's own library, or the one that was built in the sources, or the system's."""
    for path in (FOLDER / "libvdnn.so.0", FOLDER.parents[2] / "build" / "release" / "libvdnn.so.0"):
        if path.exists():
            return ctypes.CDLL(str(path))
    return ctypes.CDLL("libvdnn.so.0")


LIBRARY = load()
STATUSES = re.findall(r"X\((\w+), \d+, \"", re.search(r"#define VDNN_STATUS_TABLE(.*?)typedef", HEADER,
                                                       re.DOTALL).group(1))
for function, result in (("status_message", ctypes.c_char_p), ("version", ctypes.c_char_p),
                         ("session_plan", ctypes.c_void_p),
                         ("session_step_number", ctypes.c_int64), ("session_step_count", ctypes.c_int64),
                         ("session_batch", ctypes.c_int64)):
    getattr(LIBRARY, "vdnn_" + function).restype = result
