"""Makes files-npy/, files-npz/ and files-safetensors/: arrays as NumPy, zipfile and safetensors write them.

Element i of every array of numbers is (i - 7) * step, with the step that its kind allows, so that tests know the values
without a second copy of them. Run it here: python files-make.py (numpy 2.4, ml_dtypes 0.6, safetensors 0.8).
"""

import io
import pathlib
import shutil
import struct
import zipfile
import zlib

import ml_dtypes
import numpy as np
from numpy.lib import format as npy
from safetensors.numpy import save_file

here = pathlib.Path(__file__).parent
folders = {name: here / f"files-{name}" for name in ["npy", "npz", "safetensors"]}
for folder in folders.values():
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()

KINDS = ["f8", "f4", "f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "bf16"]


def array(kind, shape=(2, 3, 4)):
    index = np.arange(int(np.prod(shape))).reshape(shape)
    if kind == "b1":
        return index % 3 == 0
    if kind[0] == "u":
        return index.astype(kind)
    if kind[0] == "i":
        return (index - 7).astype(kind)
    values = (index - 7) * 0.25
    return np.asarray(values, dtype=ml_dtypes.bfloat16 if kind == "bf16" else kind)


def save(name, values, version=None):
    with open(folders["npy"] / f"{name}.npy", "wb") as file:
        npy.write_array(file, values, version=version)


for kind in KINDS:
    save(kind, array(kind))
for kind in ["f8", "f4", "f2", "i2", "i4", "u8"]:
    save(f"big-endian-{kind}", array(kind).astype(array(kind).dtype.newbyteorder(">")))
save("column-major", np.asfortranarray(array("f4")))
save("version-2", array("f4"), version=(2, 0))
save("version-3", array("f4"), version=(3, 0))
save("number", array("f4", ()))
save("vector", array("f4", (5,)))
save("empty", array("f4", (0, 3)))
save("too-large", np.array([1, 2, 2**40], dtype="i8"))
save("too-large-unsigned", np.array([1, 2**31], dtype="u4"))
save("complex", np.zeros(3, dtype="c8"))
save("records", np.zeros(3, dtype=[("a", "f4"), ("b", "i4")]))
save("text", np.array(["a", "bc"]))

# Arrays of .npz: as NumPy writes them, and as other writers of zips may.
arrays = {"weights": array("f4"), "bias": array("f8", (3,)), "mask": array("b1", (5,)), "länge": array("i4", (2,))}
np.savez(folders["npz"] / "stored.npz", **arrays)
np.savez_compressed(folders["npz"] / "deflated.npz", **arrays)
np.savez(folders["npz"] / "none.npz")


def npy_bytes(values):
    memory = io.BytesIO()
    np.save(memory, values)
    return memory.getvalue()


class Pipe(io.RawIOBase):
    """Cannot seek, so that zipfile writes sizes behind the data (a data descriptor)."""

    def __init__(self):
        self.written = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.written += data
        return len(data)


def archive(method=zipfile.ZIP_DEFLATED, comment=b"", members=None, target=None):
    target = target or io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as zipped:
        for name, data in members or [("weights.npy", npy_bytes(arrays["weights"]))]:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            zipped.writestr(info, data)
        zipped.comment = comment
    return target.written if isinstance(target, Pipe) else target.getvalue()


def put(name, data):
    (folders["npz"] / f"{name}.npz").write_bytes(bytes(data))


put("descriptor", archive(target=Pipe()))
put("comment", archive(comment=b"a remark PK\x05\x06 that looks like an end"))
put("other-members", archive(members=[("readme.txt", b"no array"), ("weights.npy", npy_bytes(arrays["weights"]))]))
put("bzip2", archive(zipfile.ZIP_BZIP2))

plain = bytearray(archive(zipfile.ZIP_STORED))
directory = plain.index(b"PK\x01\x02")
encrypted = bytearray(plain)
encrypted[directory + 8] |= 1
put("encrypted", encrypted)
damaged = bytearray(plain)
damaged[directory - 1] ^= 1
put("damaged", damaged)


def large(data, count):
    """The same archive with its end in eight bytes (zip64), the short fields all escaped."""
    end = data.rindex(b"PK\x05\x06")
    size, offset = struct.unpack_from("<II", data, end + 12)
    record = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, end, 1)
    short = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return bytes(data[:end]) + record + locator + short


put("zip64", large(plain, 1))


def entry(name, data, size, packed, method, offset):
    head = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, zlib.crc32(data), packed, size, len(name), 0)
    local = b"PK\x03\x04" + head + name
    central = b"PK\x01\x02" + struct.pack("<H", 20) + head
    central += struct.pack("<HHHII", 0, 0, 0, 0, offset) + name
    return local, central


def end(directory, count, offset):
    return b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), offset, 0)


# Two entries whose packed bytes are the same ones.
data = npy_bytes(arrays["weights"])
first = entry(b"a.npy", data, len(data), len(data) + 35, 0, 0)
second = entry(b"b.npy", data, len(data), len(data), 0, 35)
first = entry(b"a.npy", data, len(data) + 35, len(data) + 35, 0, 0)
body = first[0] + second[0] + data
both = first[1] + second[1]
put("overlap", body + both + end(both, 2, len(body)))

# 100 packed bytes that claim to be 4 GB, and a member whose array claims more than the member.
packed = zlib.compressobj(9, zlib.DEFLATED, -15)
packed = packed.compress(data) + packed.flush()
local, central = entry(b"a.npy", data, 0xFFFFFFF0, len(packed), 8, 0)
put("bomb", local + packed + central + end(central, 1, len(local) + len(packed)))
greedy = data.replace(b"(2, 3, 4), }      ", b"(2000000000, 4), }")
local, central = entry(b"a.npy", greedy, len(greedy), len(greedy), 0, 0)
put("greedy", local + greedy + central + end(central, 1, len(local) + len(greedy)))
local, central = entry(b"a.npy", data, len(data), len(data), 0, 0)
twice = central + central
put("twice", local + data + twice + end(twice, 2, len(local) + len(data)))

# safetensors of every kind that tensors hold; one text of metadata, for the order of several is random there.
kinds = {"f8": "double", "f4": "single", "f2": "half", "i1": "byte", "i4": "integer", "b1": "truth", "bf16": "brain"}
tensors = {name: array(kind) for kind, name in kinds.items()}
tensors |= {"a/" + name: array("f4", shape) for name, shape in {"number": (), "empty": (0, 3), "vector": (5,)}.items()}
tensors['quote " é'] = array("i1", (3,))
save_file(tensors, folders["safetensors"] / "kinds.safetensors", metadata={"format": "np \t\u00e9"})
save_file({}, folders["safetensors"] / "none.safetensors")
save_file({"ids": array("i8", (5,)), "large": np.array([2**40])}, folders["safetensors"] / "wide.safetensors")
