"""Packs the Python package with the shared library, its header, the programs, networks and devices.

    make wheel            # build/dist/vdnn-VERSION-py3-none-linux_ARCH.whl

In it they lie as in an installation, so that they find each other; oneDNN and the rest they find where
the system has them.
"""
import base64
import hashlib
import pathlib
import platform
import sys
import zipfile

SOURCES = pathlib.Path(__file__).resolve().parents[2]


def list_files(version, library, programs):
    package = SOURCES / "tools" / "python" / "vdnn"
    yield from ((f"vdnn/{path.name}", path) for path in sorted(package.glob("*.py")))
    yield "vdnn/vdnn.h", SOURCES / "runtime" / "vdnn.h"
    yield f"vdnn/lib/libvdnn.so.{version.partition('.')[0]}", library
    yield from ((f"vdnn/bin/{path.name}", path) for path in programs)
    for path in sorted((SOURCES / "models").rglob("*.yaml")):
        yield f"vdnn/share/vdnn/{path.relative_to(SOURCES)}", path


def metadata(version):
    return (f"Metadata-Version: 2.1\nName: vdnn\nVersion: {version}\n"
            "Summary: Trains deep networks inside a memory budget\nRequires-Python: >=3.9\nRequires-Dist: numpy\n")


def main():
    version, (folder, library, *programs) = sys.argv[1], map(pathlib.Path, sys.argv[2:])
    tag = f"py3-none-linux_{platform.machine()}"
    info = f"vdnn-{version}.dist-info"
    contents = [(name, path.read_bytes()) for name, path in list_files(version, library, programs)]
    contents += [(f"{info}/METADATA", metadata(version).encode()),
                 (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: vdnn\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()),
                 (f"{info}/LICENSE", (SOURCES / "LICENSE").read_bytes())]
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},"
                     f"{len(data)}\n" for name, data in contents) + f"{info}/RECORD,,\n"
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"vdnn-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*contents, (f"{info}/RECORD", record.encode())]:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if name.startswith("vdnn/bin/") else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(wheel)


main()
