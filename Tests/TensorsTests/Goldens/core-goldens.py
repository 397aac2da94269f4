"""Writes core-goldens.json: what NumPy makes of seeded inputs, for the tests of the tensor core.

    python core-goldens.py

Layers that NumPy does not have are written here from their definitions, in float64. bfloat16 is rounded here by
integer arithmetic on the bits of float32.
"""

import json
import math
import os

import numpy as np

rng = np.random.default_rng(20261122)
cases = {}


def number(x):
    """JSON has no NaN and no infinities: they are words."""
    x = float(x)
    if math.isnan(x):
        return "nan"
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    return int(x) if x == int(x) and abs(x) < 1e15 and not (x == 0 and math.copysign(1, x) < 0) else x


def tensor(a, type=None):
    a = np.asarray(a)
    # The shortest decimals that read as the same float32.
    values = [str(x) for x in a.ravel()] if a.dtype == np.float32 else a.ravel().tolist()
    return {"type": type or str(a.dtype), "shape": list(a.shape), "values": [number(x) for x in values]}


shared = {}


def input(a):
    """An input by its name: many cases take the same."""
    key = json.dumps(tensor(a))
    return shared.setdefault(key, f"t{len(shared)}")


def case(name, result, type=None, **inputs):
    assert name not in cases, name
    cases[name] = {
        "result": tensor(result, type),
        "inputs": {key: input(value) for key, value in inputs.items()},
    }


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def bfloat16(a):
    bits = np.asarray(a, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32)
    return np.where(np.isnan(a), np.float32(np.nan), rounded.view(np.float32)).astype(np.float32)


# Arithmetic and comparison
a, b = normal(2, 3, 4), normal(3, 1)
case("add stretches both ways", a[:, :1] + b, a=a[:, :1], b=b)
case("subtract", a - b, a=a, b=b)
c = normal(2, 4, 3)
case("multiply a transposed view", a.transpose(0, 2, 1) * c, a=a, b=c)
case("divide", a / b, a=a, b=b)
case("power", np.abs(a) ** b, a=np.abs(a), b=b)
x, y = np.array([1, np.nan, 3, -np.inf, 0], np.float32), np.array([2, 1, np.nan, 0, -0.0], np.float32)
case("minimum keeps NaN", np.minimum(x, y), a=x, b=y)
case("maximum keeps NaN", np.maximum(x, y), a=x, b=y)
case("less", x < y, a=x, b=y)
case("greater or equal", x >= y, a=x, b=y)
case("equal", x == y, a=x, b=y)
i, j = rng.integers(-128, 128, (5, 7)).astype(np.int8), rng.integers(-128, 128, 7).astype(np.int8)
case("int8 addition wraps", i + j, a=i, b=j)
case("int8 multiplication wraps", i * j, a=i, b=j)
h, g = normal(64).astype(np.float16), normal(64).astype(np.float16)
case("float16 multiplication", h * g, a=h, b=g)
case("where", np.where(a > 0, a, b), condition=a > 0, a=a, b=b)

# Functions of one number
f = np.concatenate([normal(40) * 3, np.array([0, 1, -1, 1e-4, -1e-4, 30, -30, 88.5, -88.5, -100], np.float32)])
d = f.astype(np.float64)
p = np.abs(f) + np.float32(1e-3)
erf = np.vectorize(math.erf)
with np.errstate(over="ignore"):
    for name, value in {
        "exp": np.exp(d), "expm1": np.expm1(d), "tanh": np.tanh(d), "sin": np.sin(d), "cos": np.cos(d),
        "erf": erf(d), "sigmoid": 1 / (1 + np.exp(-d)), "silu": d / (1 + np.exp(-d)), "relu": np.maximum(d, 0),
        "gelu": d * 0.5 * (1 + erf(d / np.sqrt(2))),
        "gelu tanh": 0.5 * d * (1 + np.tanh(np.sqrt(2 / np.pi) * (d + 0.044715 * d**3))),
        "softplus": np.logaddexp(0, d), "floor": np.floor(d), "ceil": np.ceil(d), "round": np.round(d),
        "abs": np.abs(d), "sign": np.sign(d),
    }.items():
        case("function " + name, value.astype(np.float32), a=f)
for name, function in {"log": np.log, "log1p": np.log1p, "sqrt": np.sqrt}.items():
    case("function " + name, function(p.astype(np.float64)).astype(np.float32), a=p)

# Conversions
wide = np.concatenate([normal(40) * 50, np.array(
    [0, -0.0, 65504, 65519.996, 65520, -70000, 6e-8, 2.9802322e-8, 2.9802325e-8, 6.1e-5, 1.0009766, 1.0004883, 1.0014648,
     np.inf, -np.inf, np.nan, 3.4e38, 1.00390625, 1.01171875, 1e-40], np.float32)]).astype(np.float32)
with np.errstate(over="ignore"):
    case("float32 to float16", wide.astype(np.float16), a=wide)
    double = np.concatenate([wide.astype(np.float64), [1.00048828125 + 1e-12, 1 + 2**-9 + 2**-40, 1e-300, 5e-8]])
    case("float64 to float16", double.astype(np.float16), a=double)
    case("float64 to float32", double.astype(np.float32), a=double)
case("float32 to bfloat16", bfloat16(wide), "bfloat16", a=wide)
halves = np.arange(0, 65536, 331).astype(np.uint16).view(np.float16)
case("float16 to float32", halves.astype(np.float32), a=halves)
inside = np.array([1.9, -1.9, 127.4, -128.9, 0.5, -0.5, 100], np.float32)
case("float32 to int8 cuts", inside.astype(np.int8), a=inside)
integers = np.array([0, 1, -1, 127, 128, -129, 2147483647, -2147483648, 16777217], np.int32)
case("int32 to int8 wraps", integers.astype(np.int8), a=integers)
case("int32 to float32", integers.astype(np.float32), a=integers)
truths = np.array([0, -0.0, 1, np.nan, 1e-40], np.float32)
case("float32 to bool", truths.astype(bool), a=truths)

# Reductions
r = normal(5, 6, 7)
for axes in [(), (0,), (1,), (2,), (0, 2), (1, 2), (0, 1)]:
    over = axes or None
    tag = " over " + ("all" if not axes else " ".join(map(str, axes)))
    case("sum" + tag, r.astype(np.float64).sum(over).astype(np.float32), a=r)
    case("mean" + tag, r.astype(np.float64).mean(over).astype(np.float32), a=r)
    case("maximum" + tag, r.max(over), a=r)
    case("minimum" + tag, r.min(over), a=r)
    case("variance" + tag, r.astype(np.float64).var(over, ddof=1).astype(np.float32), a=r)
    case("logSumExp" + tag, np.log(np.exp(r.astype(np.float64)).sum(over)).astype(np.float32), a=r)
for axis in range(3):
    q = np.round(r * 2).astype(np.float32)  # with ties
    case(f"argmax over {axis}", q.argmax(axis).astype(np.int32), a=q)
    case(f"argmin over {axis}", q.argmin(axis).astype(np.int32), a=q)
    case(f"cumulative sum over {axis}", r.cumsum(axis), a=r)
n = np.array([[1, np.nan, 5], [np.nan, 2, np.nan], [3, 4, 5]], np.float32)
case("maximum of NaN", n.max(1), a=n)
case("argmax of NaN", n.argmax(1).astype(np.int32), a=n)
case("product", r[:2, :2].prod(1), a=r[:2, :2])
case("int8 sum", i.sum(0).astype(np.int32), a=i)
case("any", (r > 1.5).any(2), a=r > 1.5)
case("all", (r > -1.5).all(0), a=r > -1.5)

# Products
for name, (s, t) in {
    "matrices": ((3, 4), (4, 5)), "vector and matrix": ((4,), (4, 5)), "matrix and vector": ((3, 4), (4,)),
    "two vectors": ((4,), (4,)), "a stack and one matrix": ((2, 3, 4), (4, 5)),
    "one matrix and a stack": ((3, 4), (2, 4, 5)), "stacks that stretch": ((2, 1, 3, 4), (5, 4, 2)),
    "a stack and a vector": ((2, 3, 4), (4,)), "a vector and a stack": ((4,), (2, 4, 3)),
    "an empty inner axis": ((2, 0), (0, 3)), "no rows": ((0, 3), (3, 2)),
}.items():
    s, t = normal(*s), normal(*t)
    case("matmul of " + name, (s.astype(np.float64) @ t.astype(np.float64)).astype(np.float32), a=s, b=t)
m8, n8 = rng.integers(-128, 128, (3, 40)).astype(np.int8), rng.integers(-128, 128, (40, 2)).astype(np.int8)
case("matmul of int8 wraps", m8 @ n8, a=m8, b=n8)
m32, n32 = rng.integers(-9999, 9999, (3, 40)).astype(np.int32), rng.integers(-9999, 9999, (40, 2)).astype(np.int32)
case("matmul of int32", m32 @ n32, a=m32, b=n32)
u, v = normal(2, 3, 4), normal(4, 5, 3)
case("tensordot", np.tensordot(u, v, ([1, 2], [2, 0])), a=u, b=v)
w = normal(3, 3, 4)
for formula, given in {
    "bqhd,bkhd->bhqk": (normal(2, 3, 2, 4), normal(2, 5, 2, 4)), "iij->j": (w,), "iji": (normal(3, 4, 3),),
    "ij,jk,kl->il": (normal(2, 3), normal(3, 4), normal(4, 2)), "ab,cb->": (normal(2, 3), normal(4, 3)),
    "ij,ij->ij": (normal(2, 3), normal(2, 3)), "ij,kl->kijl": (normal(2, 3), normal(4, 2)),
}.items():
    result = np.einsum(formula, *(x.astype(np.float64) for x in given)).astype(np.float32)
    case("einsum " + formula, result, **dict(zip("abc", given)))
case("outer", np.outer(u[0, 0], v[0, 0]), a=u[0, 0], b=v[0, 0])


# Layers
def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


rows = normal(2, 3, 130) * 4
big = rows.astype(np.float64)
case("softmax of rows", softmax(big, -1).astype(np.float32), a=rows)
case("softmax of axis 1", softmax(big, 1).astype(np.float32), a=rows)
case("logSoftmax", np.log(softmax(big, -1)).astype(np.float32), a=rows)
weight, bias = normal(130), normal(130)
norm = (big - big.mean(-1, keepdims=True)) / np.sqrt(big.var(-1, keepdims=True) + 1e-5)
case("layerNorm", (norm * weight + bias).astype(np.float32), a=rows, weight=weight, bias=bias)
case("layerNorm alone", norm.astype(np.float32), a=rows)
rms = big / np.sqrt((big**2).mean(-1, keepdims=True) + 1e-5)
case("rmsNorm", (rms * weight).astype(np.float32), a=rows, weight=weight)
image = normal(2, 4, 5, 6)
w4, b4, mean4, var4 = normal(4), normal(4), normal(4), np.abs(normal(4)) + np.float32(0.1)
column = lambda z: z.reshape(4, 1, 1).astype(np.float64)
case("batchNorm", ((image - column(mean4)) / np.sqrt(column(var4) + 1e-5) * column(w4) + column(b4)).astype(np.float32),
     a=image, mean=mean4, variance=var4, weight=w4, bias=b4)
grouped = image.astype(np.float64).reshape(2, 2, -1)
grouped = (grouped - grouped.mean(-1, keepdims=True)) / np.sqrt(grouped.var(-1, keepdims=True) + 1e-5)
case("groupNorm", (grouped.reshape(image.shape) * column(w4) + column(b4)).astype(np.float32), a=image, weight=w4, bias=b4)


def conv2d(x, w, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1):
    x = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    o, c, kh, kw = w.shape
    rows = (x.shape[2] - (kh - 1) * dilation[0] - 1) // stride[0] + 1
    columns = (x.shape[3] - (kw - 1) * dilation[1] - 1) // stride[1] + 1
    result = np.zeros((x.shape[0], o, rows, columns))
    for out in range(o):
        first = out // (o // groups) * c
        for row in range(rows):
            for column in range(columns):
                top, left = row * stride[0], column * stride[1]
                part = x[:, first:first + c, top:top + (kh - 1) * dilation[0] + 1:dilation[0],
                         left:left + (kw - 1) * dilation[1] + 1:dilation[1]]
                result[:, out, row, column] = (part * w[out]).sum((1, 2, 3))
    return result


k = normal(6, 4, 3, 2)
kb = normal(6)
case("conv2d", (conv2d(image, k) + kb.reshape(6, 1, 1)).astype(np.float32), a=image, weight=k, bias=kb)
case("conv2d with stride, padding and dilation",
     conv2d(image, k, (2, 3), (2, 1), (2, 1)).astype(np.float32), a=image, weight=k)
k2 = normal(6, 2, 3, 2)
case("conv2d in groups", conv2d(image, k2, groups=2).astype(np.float32), a=image, weight=k2)
line, k1 = normal(2, 4, 9), normal(3, 4, 3)
case("conv1d", conv2d(line[:, :, None], k1[:, :, None], (1, 2), (0, 1))[:, :, 0].astype(np.float32), a=line, weight=k1)
windows = np.lib.stride_tricks.sliding_window_view(image, (2, 3), (2, 3))[:, :, ::2, ::3]
case("maxPool2d", windows.max((-1, -2)), a=image)
case("averagePool2d", windows.astype(np.float64).mean((-1, -2)).astype(np.float32), a=image)
edge = np.pad(line, ((0, 0), (0, 0), (1, 1)), constant_values=-np.inf)
case("maxPool1d with padding", np.lib.stride_tricks.sliding_window_view(edge, 3, 2)[:, :, ::2].max(-1), a=line)

# Indexing
table = normal(7, 3)
tokens = np.array([[0, 6, -1], [3, 3, -7]], np.int32)
case("selecting rows", table[tokens], a=table, indices=tokens)
case("selecting columns", table[:, [2, 0]], a=table, indices=np.array([2, 0], np.int32))
places = rng.integers(-3, 3, (7, 5)).astype(np.int32)
case("gathered", np.take_along_axis(table, places % 3, 1), a=table, indices=places)
target = table.copy()
np.put_along_axis(target, np.array([[2], [1], [0], [2], [1], [0], [-1]]), 9, 1)
case("scatter", target, a=table, indices=np.array([[2], [1], [0], [2], [1], [0], [-1]], np.int32))
target = table.astype(np.float64)
np.add.at(target, np.array([1, 1, -1, 0, 1]), normal_rows := normal(5, 3).astype(np.float64))
case("adding slices", target.astype(np.float32), a=table, indices=np.array([1, 1, -1, 0, 1], np.int32),
     values=normal_rows.astype(np.float32))
case("concatenate", np.concatenate([table, table[:2] * 2], 0), a=table)
case("stack", np.stack([table, table * 2], 1), a=table)
case("padded", np.pad(table, ((1, 0), (2, 1)), constant_values=7), a=table)
case("repeated", np.repeat(table, 2, 1), a=table)
case("tiled", np.tile(table, (2, 3)), a=table)
case("rolled", np.roll(table, 10, 0), a=table)
case("rolled back", np.roll(table, -1, 1), a=table)
case("flipped", np.flip(r, (0, 2)), a=r)
for shift in (-2, 0, 1):
    case(f"lower triangle {shift}", np.tril(r, shift), a=r)
    case(f"upper triangle {shift}", np.triu(r, shift), a=r)
    case(f"diagonal {shift}", np.diagonal(r, shift, 1, 2), a=r)
case("arange", np.arange(0.5, 3, 0.25, dtype=np.float32))
case("linspace", np.linspace(-1, 1, 7).astype(np.float32))
case("eye", np.eye(3, 4, 1, dtype=np.float32))

folder = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(folder, "core-goldens.json"), "w") as file:
    lines = [f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}" for name, value in cases.items()]
    tensors = [f'"{name}": {value.replace(" ", "")}' for value, name in shared.items()]
    file.write('{"inputs": {\n' + ",\n".join(tensors) + '\n},\n"cases": {\n' + ",\n".join(lines) + "\n}}\n")
