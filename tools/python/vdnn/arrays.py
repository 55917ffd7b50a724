"""Arrays of NumPy, of any library that exports DLPack, and lists, as the arrays that libvdnn reads.

An array that is float32 (tokens and classes: int32), aligned and contiguous is read where it is. Any other
is copied once: another type of number, strides that are negative, 0 or skip values, bytes in another order.
"""
from __future__ import annotations

import ctypes
from typing import Any

import numpy

CPU, CUDA, CUDA_HOST = 1, 2, 3  # of DLPack's devices
INT, UINT, FLOAT, BFLOAT = 0, 1, 2, 4  # of its types
READ_ONLY = 1  # of its flags
KINDS = {INT: "i", UINT: "u", FLOAT: "f"}


class Tensor(ctypes.Structure):
    """DLTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned, of DLPack 1.0 on; the version comes first in every version."""
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


capsule_is = ctypes.pythonapi.PyCapsule_IsValid
capsule_is.argtypes = [ctypes.py_object, ctypes.c_char_p]
capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.argtypes, capsule_pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p


class Exported:
    """A tensor's memory as NumPy's array interface has it. The capsule, which is never consumed, holds it."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule
        read_only = False
        if capsule_is(capsule, b"dltensor_versioned"):
            managed = Versioned.from_address(capsule_pointer(capsule, b"dltensor_versioned"))
            if managed.major != 1:
                raise TypeError(f"a tensor of DLPack {managed.major}.{managed.minor}; expected 1.x")
            tensor, read_only = managed.tensor, bool(managed.flags & READ_ONLY)
        else:
            tensor = Tensor.from_address(capsule_pointer(capsule, b"dltensor"))
        if tensor.device_type not in (CPU, CUDA_HOST):
            raise TypeError(f"a tensor on device {tensor.device_type} of DLPack, which is not the host's memory; "
                            "expected one of the CPU: copy it there first")
        size = tensor.bits // 8
        self.is_bfloat = (tensor.code, tensor.bits) == (BFLOAT, 16)
        kind = "u" if self.is_bfloat else KINDS.get(tensor.code)
        if tensor.lanes != 1 or tensor.bits % 8 or size not in (1, 2, 4, 8) or kind is None:
            raise TypeError(f"a tensor of DLPack's type {tensor.code} of {tensor.bits} bits; "
                            "expected floats of 16, 32 or 64 bits, or integers")
        shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        if not tensor.data and 0 not in shape:
            raise ValueError(f"a tensor of shape {shape} whose memory has been freed")
        if 0 in shape:  # such a tensor may have no address
            self.__array_interface__ = numpy.empty(shape, f"{kind}{size}").__array_interface__
            return
        strides = tuple(tensor.strides[i] * size for i in range(tensor.ndim)) if tensor.strides else None
        self.__array_interface__ = {
            "version": 3, "shape": shape, "strides": strides, "typestr": f"{'|' if size == 1 else '='}{kind}{size}",
            "data": ((tensor.data or 0) + tensor.byte_offset, read_only)}

    def as_array(self) -> numpy.ndarray:
        array = numpy.asarray(self)
        return (array.astype(numpy.uint32) << 16).view(numpy.float32) if self.is_bfloat else array


def from_dlpack(value: Any) -> numpy.ndarray:
    try:
        capsule = value.__dlpack__(max_version=(1, 0))
    except TypeError:  # a library from before DLPack 1.0
        capsule = value.__dlpack__()
    return Exported(capsule).as_array()


def as_array(value: Any) -> numpy.ndarray:
    """The same memory as an array, where it has an address and strides."""
    if isinstance(value, numpy.ndarray) or not hasattr(value, "__dlpack__"):
        return numpy.asarray(value)
    try:
        return from_dlpack(value)
    except (BufferError, RuntimeError) as error:
        raise TypeError(f"{type(value).__name__} cannot be exported by DLPack: {error}") from error


def as_integers(value: Any, what: str = "labels") -> numpy.ndarray:
    array = as_array(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} of type {array.dtype}; expected integers")
    if array.dtype != numpy.int32 and array.size and (array.min() < -2**31 or array.max() >= 2**31):
        raise ValueError(f"an integer of the {what} does not fit 32 bits")
    return numpy.require(array, numpy.int32, "CA")


def as_floats(value: Any, what: str = "values") -> numpy.ndarray:
    array = as_array(value)
    if array.dtype.kind != "f":
        raise TypeError(f"{what} of type {array.dtype}; expected floats")
    with numpy.errstate(over="ignore"):  # what float32 has no number for is an infinity, which a step refuses
        return numpy.require(array, numpy.float32, "CA")


def as_labels(value: Any, name: str, kind: str, shape: tuple[int, ...]) -> numpy.ndarray:
    """Classes, or, of kind "f", numbers of the shape, but for dimensions of 1."""
    if kind == "i":
        return as_integers(value, name)
    array = as_array(value)
    array = as_floats(array.astype(numpy.float32) if array.dtype.kind in "iub" else array, name)
    is_alike = [side for side in array.shape if side != 1] == [side for side in shape if side != 1]
    return array.reshape(shape) if is_alike else array


def as_input(value: Any, name: str = "input") -> numpy.ndarray:
    """Floats, or integers, which are tokens."""
    array = as_array(value)
    if array.dtype.kind == "f":
        return as_floats(array, name)
    if array.dtype.kind in "iu":
        return as_integers(array, name)
    raise TypeError(f"{name} of type {array.dtype}; expected floats, or integers for tokens")
