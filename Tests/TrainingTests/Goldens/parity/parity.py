"""Writes parity.json: what torch makes of three small training jobs and of a gradient penalty.

    python parity.py            (torch on one thread, float32; a few seconds)

Nothing but results is stored. Weights, texts and images come from `numbers`, which Parity/ParityNumbers.swift computes
too, bit for bit: a 64-bit LCG (Knuth's MMIX constants) that begins at the FNV-1a hash of a name, of whose states the
upper 24 bits are a number of [0, 1).

For each job: the loss of every step, and of the first step the gradient of every parameter as its norm and as its
product with a fixed vector of [-1, 1). The text is that of the char GPT that the benchmark trains, with 33 symbols.
"""
import json
import math
from pathlib import Path

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
MASK = 2**64 - 1


class Numbers:
    def __init__(self, name):
        state = 0xCBF29CE484222325
        for byte in name.encode():
            state = ((state ^ byte) * 0x100000001B3) & MASK
        self.state = state

    def word(self):
        """32 bits."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK
        return self.state >> 32

    def unit(self):
        """24 bits: a number of [0, 1) that float32 holds."""
        return (self.word() >> 8) / 2**24


def tensor(name, shape, low, high):
    numbers = Numbers(name)
    values = [low + (high - low) * numbers.unit() for _ in range(math.prod(shape))]
    return torch.tensor(values, dtype=torch.float64).to(torch.float32).reshape(shape)


def parameters(job, shapes):
    """Matrices and kernels even within 0.1, or within sqrt(3 / fan-in) of a classifier; gains about 1."""
    made = {}
    for name, shape in shapes.items():
        if name.endswith("norm.weight"):
            low, high = 0.9, 1.1
        elif len(shape) == 1:
            low, high = -0.05, 0.05
        elif job == "gpt":
            low, high = -0.1, 0.1
        else:
            high = math.sqrt(3 / math.prod(shape[1:]))
            low = -high
        made[name] = tensor(f"{job}/{name}", shape, low, high).requires_grad_()
    return made


def text(length, vocabulary):
    """Two tables of four successors for each symbol; the parity of the symbol two back picks the table."""
    table = Numbers("text/table")
    successors = [table.word() % vocabulary for _ in range(8 * vocabulary)]
    limits = [int(p * 2**32) for p in (0.5, 0.75, 0.9)]
    draws = Numbers("text/draws")
    symbols = [0, 1]
    while len(symbols) < length:
        draw = draws.word()
        place = sum(draw >= limit for limit in limits)
        symbols.append(successors[((symbols[-2] & 1) * vocabulary + symbols[-1]) * 4 + place])
    return symbols


def examples(job, count, shape):
    """Labels from the generator; noise of [-0.5, 0.5), and 1 more where the place is the label's, modulo 10."""
    draws = Numbers(f"{job}/labels")
    labels = torch.tensor([draws.word() % 10 for _ in range(count)])
    noise = tensor(f"{job}/examples", [count, math.prod(shape)], -0.5, 0.5).double()
    places = torch.arange(math.prod(shape)) // shape[-1] if len(shape) > 1 else torch.arange(shape[0])
    noise += (places[None] % 10 == labels[:, None]).double()
    return noise.float().reshape([count] + shape), labels


def projection(name, gradient):
    return (gradient.double() * tensor(f"projection/{name}", list(gradient.shape), -1, 1).double()).sum().item()


def train(weights, optimizer, loss, steps, clip=None):
    result = {"losses": [], "norms": {}, "projections": {}}
    for step in range(steps):
        value = loss(step)
        optimizer.zero_grad(set_to_none=True)
        value.backward()
        if step == 0:
            for name, weight in weights.items():
                result["norms"][name] = weight.grad.double().norm().item()
                result["projections"][name] = projection(name, weight.grad)
        if clip:
            torch.nn.utils.clip_grad_norm_(list(weights.values()), clip)
        optimizer.step()
        result["losses"].append(value.item())
    return result


def gpt():
    vocabulary, width, layers, heads, context, batch = 33, 64, 2, 4, 32, 4
    shapes = {"token_embd.weight": [vocabulary, width], "position_embd.weight": [context, width]}
    for layer in range(layers):
        shapes |= {
            f"blk.{layer}.{name}": shape
            for name, shape in {
                "attn_norm.weight": [width], "attn_norm.bias": [width],
                "attn_qkv.weight": [3 * width, width], "attn_qkv.bias": [3 * width],
                "attn_output.weight": [width, width], "attn_output.bias": [width],
                "ffn_norm.weight": [width], "ffn_norm.bias": [width],
                "ffn_up.weight": [4 * width, width], "ffn_up.bias": [4 * width],
                "ffn_down.weight": [width, 4 * width], "ffn_down.bias": [width],
            }.items()
        }
    shapes |= {"output_norm.weight": [width], "output_norm.bias": [width]}
    w = parameters("gpt", shapes)
    symbols = torch.tensor(text(4000, vocabulary))
    starts = Numbers("gpt/starts")

    def norm(x, name):
        return F.layer_norm(x, [width], w[f"{name}.weight"], w[f"{name}.bias"], 1e-5)

    def linear(x, name):
        return F.linear(x, w[f"{name}.weight"], w[f"{name}.bias"])

    def logits(tokens):
        b, t = tokens.shape
        x = w["token_embd.weight"][tokens] + w["position_embd.weight"][:t]
        for layer in range(layers):
            block = f"blk.{layer}."
            q, k, v = linear(norm(x, block + "attn_norm"), block + "attn_qkv").view(b, t, 3, heads, -1).permute(2, 0, 3, 1, 4)
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + linear(y.transpose(1, 2).reshape(b, t, width), block + "attn_output")
            inner = F.gelu(linear(norm(x, block + "ffn_norm"), block + "ffn_up"), approximate="tanh")
            x = x + linear(inner, block + "ffn_down")
        return norm(x, "output_norm") @ w["token_embd.weight"].T

    first = []

    def loss(step):
        places = [starts.word() % (len(symbols) - context - 1) for _ in range(batch)]
        x = torch.stack([symbols[i : i + context] for i in places])
        y = torch.stack([symbols[i + 1 : i + context + 1] for i in places])
        z = logits(x)
        if step == 0:
            first.extend(z[0, -4:].flatten().tolist())
        return F.cross_entropy(z.flatten(0, 1), y.flatten())

    optimizer = torch.optim.AdamW(
        [{"params": [p for p in w.values() if p.dim() >= 2], "weight_decay": 0.1},
         {"params": [p for p in w.values() if p.dim() < 2], "weight_decay": 0.0}], lr=1e-3, betas=(0.9, 0.99), eps=1e-8)
    return train(w, optimizer, loss, 40, clip=1.0) | {"logits": first}


def mlp():
    w = parameters("mlp", {"w1": [48, 64], "b1": [48], "w2": [10, 48], "b2": [10]})
    x, y = examples("mlp", 256, [64])

    def loss(step):
        rows = slice(step * 32 % 256, step * 32 % 256 + 32)
        hidden = F.relu(F.linear(x[rows], w["w1"], w["b1"]))
        return F.cross_entropy(F.linear(hidden, w["w2"], w["b2"]), y[rows])

    return train(w, torch.optim.Adam(w.values(), lr=1e-3), loss, 100)


def conv():
    shapes = {"c1": [6, 1, 3, 3], "d1": [6], "c2": [12, 6, 3, 3], "d2": [12], "w": [10, 108], "b": [10]}
    w = parameters("conv", shapes)
    x, y = examples("conv", 64, [1, 12, 12])

    def loss(step):
        rows = slice(step * 16 % 64, step * 16 % 64 + 16)
        first = F.max_pool2d(F.relu(F.conv2d(x[rows], w["c1"], w["d1"], padding=1)), 2)
        second = F.max_pool2d(F.relu(F.conv2d(first, w["c2"], w["d2"], padding=1)), 2)
        return F.cross_entropy(F.linear(second.flatten(1), w["w"], w["b"]), y[rows])

    return train(w, torch.optim.Adam(w.values(), lr=1e-3), loss, 40)


def penalty():
    """The critic's loss of WGAN-GP: D(fake) - D(real) + 10 (|grad D| - 1)^2, differentiated by the weights."""
    shapes = {"w1": [16, 2], "b1": [16], "norm.weight": [16], "norm.bias": [16], "w2": [16, 16], "b2": [16], "w3": [1, 16]}
    w = parameters("critic", shapes)
    real = tensor("critic/real", [8, 2], -1, 1)
    fake = tensor("critic/fake", [8, 2], -1, 1)
    mix = tensor("critic/mix", [8, 1], 0, 1)

    def critic(x, curve):
        x = F.layer_norm(F.linear(x, w["w1"], w["b1"]), [16], w["norm.weight"], w["norm.bias"], 1e-5)
        return F.linear(curve(F.linear(curve(x), w["w2"], w["b2"])), w["w3"])

    curves = {
        "tanh": torch.tanh, "silu": F.silu, "gelu": F.gelu, "geluTanh": lambda x: F.gelu(x, approximate="tanh"),
        "relu": torch.relu,
    }
    result = {}
    for name, curve in curves.items():
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        slope = torch.autograd.grad(critic(between, curve).sum(), between, create_graph=True)[0]
        loss = critic(fake, curve).mean() - critic(real, curve).mean() + 10 * ((slope.norm(dim=1) - 1) ** 2).mean()
        gradients = torch.autograd.grad(loss, list(w.values()))
        result[name] = {
            "losses": [loss.item()],
            "norms": {n: g.double().norm().item() for n, g in zip(w, gradients)},
            "projections": {n: projection(n, g) for n, g in zip(w, gradients)},
        }
    return result


golden = {"torch": torch.__version__, "gpt": gpt(), "mlp": mlp(), "conv": conv(), "penalty": penalty()}
Path(__file__).with_name("parity.json").write_text(json.dumps(golden, indent=1) + "\n")
for job in ("gpt", "mlp", "conv"):
    print(job, golden[job]["losses"][0], golden[job]["losses"][-1])
print({name: found["losses"][0] for name, found in golden["penalty"].items()})
