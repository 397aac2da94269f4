"""The jobs that training is compared on: their weights and data as files, and the same jobs done by PyTorch.

    python training_jobs.py make FOLDER                 gpt, mlp, conv, adamw and adamw-10m .safetensors
    python training_jobs.py FILE THREADS [fused]        one job, named by its file

The second form stays. It says a line of JSON when it is ready and one for each line that it reads:
    steps 20            goes on for so many steps: their losses, and the seconds of all of them
    gradients A.safetensors    those of the first batch and the first weights, beside the ones in the file

gpt    four blocks over 65 characters, batches of 16 x 128, AdamW, clipping; the text follows a rule of order two
mlp    784, 256 and 10 units, batches of 128, Adam; labels of a random linear teacher
conv   two convolutions with pools over 28 x 28, batches of 64, Adam; classes are places of a bright bar
adamw  the step of AdamW alone over the parameters of gpt; adamw-10m over one tensor of ten million numbers
"""

import json
import os
import sys
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn

VOCABULARY, WIDTH, LAYERS, HEADS, CONTEXT, SEQUENCES = 65, 128, 4, 4, 128, 16
STEPS = 600


def congruential(count, seed):
    """The upper halves of a linear congruential generator of 64 bits with Knuth's constants."""
    mask = (1 << 64) - 1
    state = (seed * 2862933555777941757 + 3037000493) & mask
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & mask
        yield state >> 32


def text(length):
    """Each character has four successors in each of two tables; the one before it says which table counts."""
    table = [value % VOCABULARY for value in congruential(2 * VOCABULARY * 4, 11)]
    limits = [int(share * 2**32) for share in (0.5, 0.75, 0.9)]
    found = [0, 1]
    for value in congruential(length - 2, 1):
        place = sum(value >= limit for limit in limits)
        found.append(table[((found[-2] & 1) * VOCABULARY + found[-1]) * 4 + place])
    return torch.tensor(found, dtype=torch.int32)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn_norm, self.ffn_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attn_qkv, self.attn_output = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.ffn_up, self.ffn_down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        rows, positions, _ = x.shape
        heads = self.attn_qkv(self.attn_norm(x)).view(rows, positions, 3, HEADS, WIDTH // HEADS)
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        x = x + self.attn_output(mixed.transpose(1, 2).reshape(rows, positions, WIDTH))
        return x + self.ffn_down(F.gelu(self.ffn_up(self.ffn_norm(x)), approximate="tanh"))


class Gpt(nn.Module):
    """Names of parameters are those of GGUF, so that a file of weights is a state of this module."""

    def __init__(self):
        super().__init__()
        self.token_embd, self.position_embd = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blk = nn.ModuleList(Block() for _ in range(LAYERS))
        self.output_norm = nn.LayerNorm(WIDTH)
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                before_sum = name.endswith(("attn_output.weight", "ffn_down.weight"))
                nn.init.normal_(parameter, 0, 0.02 / (2 * LAYERS) ** 0.5 if before_sum else 0.02)
            elif "norm" not in name:
                nn.init.zeros_(parameter)

    def forward(self, ids):
        x = self.token_embd(ids) + self.position_embd.weight[: ids.shape[1]]
        for block in self.blk:
            x = block(x)
        return F.linear(self.output_norm(x), self.token_embd.weight)


def classifier():
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))


def convolutions():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 49, 10),
    )  # fmt: skip


# What our files call the parameters of the sequential ones, in their order.
NAMES = {"mlp": ("w1", "b1", "w2", "b2"), "conv": ("c1", "d1", "c2", "d2", "w", "b")}


def named(job, module):
    if job == "gpt":
        return dict(module.named_parameters())
    return dict(zip(NAMES[job], module.parameters(), strict=True))


class Examples:
    """Batches that go round."""

    def __init__(self, job, tensors):
        self.job, self.index = job, 0
        self.size = {"gpt": SEQUENCES, "mlp": 128, "conv": 64}[job]
        if job == "gpt":
            self.text, self.starts = tensors["text"].long(), tensors["starts"].tolist()
        else:
            self.x, self.y = tensors["x"], tensors["y"].long()

    def next(self):
        first, count = self.index * self.size, self.size
        self.index += 1
        if self.job != "gpt":
            first %= len(self.y)
            return self.x[first : first + count], self.y[first : first + count]
        first %= len(self.starts)
        starts = self.starts[first : first + count]
        inputs = torch.stack([self.text[start : start + CONTEXT] for start in starts])
        return inputs, torch.stack([self.text[start + 1 : start + CONTEXT + 1] for start in starts])


class Learning:
    def __init__(self, job, tensors, fused):
        self.module = {"gpt": Gpt, "mlp": classifier, "conv": convolutions}[job]()
        self.parameters = named(job, self.module)
        with torch.no_grad():
            for name, parameter in self.parameters.items():
                parameter.copy_(tensors[name])
        self.examples, self.clips = Examples(job, tensors), job == "gpt"
        more = {"fused": True} if fused else {}
        if job == "gpt":
            groups = [
                {"params": [p for p in self.module.parameters() if p.dim() >= 2], "weight_decay": 0.1},
                {"params": [p for p in self.module.parameters() if p.dim() < 2], "weight_decay": 0.0},
            ]
            self.optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99), eps=1e-8, **more)
        else:
            self.optimizer = torch.optim.Adam(self.module.parameters(), lr=1e-3, **more)

    def backward(self):
        inputs, targets = self.examples.next()
        loss = F.cross_entropy(self.module(inputs).flatten(0, -2), targets.flatten())
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        return loss

    def step(self):
        loss = self.backward()
        if self.clips:
            nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()

    def gradients(self, path):
        """The largest difference of each gradient, as a share of the largest number in it."""
        self.backward()
        ours, worst = load_file(path), {}
        for name, parameter in self.parameters.items():
            apart = (ours[name].double() - parameter.grad.double()).abs().max() / parameter.grad.double().abs().max()
            worst[name] = float(apart)
        return worst


class Updating:
    """The optimizer alone."""

    def __init__(self, tensors, fused):
        self.parameters = []
        while f"p{len(self.parameters)}" in tensors:
            parameter = nn.Parameter(tensors[f"p{len(self.parameters)}"])
            parameter.grad = tensors[f"g{len(self.parameters)}"]
            self.parameters.append(parameter)
        more = {"fused": True} if fused else {}
        self.optimizer = torch.optim.AdamW(
            self.parameters, lr=1e-3, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.1, **more
        )

    def step(self):
        self.optimizer.step()
        return 0.0


def make(folder):
    os.makedirs(folder, exist_ok=True)

    def write(name, tensors):
        path = os.path.join(folder, name + ".safetensors")
        save_file({key: value.detach().clone().contiguous() for key, value in tensors.items()}, path + ".part")
        os.rename(path + ".part", path)

    torch.manual_seed(0)
    gpt, characters = Gpt(), text(200_000)
    starts = [start % (len(characters) - CONTEXT - 1) for start in congruential(SEQUENCES * STEPS, 7)]
    write("gpt", {"text": characters, "starts": torch.tensor(starts, dtype=torch.int32)} | named("gpt", gpt))

    random = torch.Generator().manual_seed(0)
    x = torch.randn(8192, 784, generator=random)
    labels = (x @ torch.randn(784, 10, generator=random)).argmax(1)
    write("mlp", {"x": x, "y": labels.int()} | named("mlp", classifier()))

    random = torch.Generator().manual_seed(5)
    labels = torch.randint(0, 10, (4096,), generator=random)
    x, rows = 0.3 * torch.randn(4096, 1, 28, 28, generator=random), torch.arange(28)
    bars = (rows >= 2 * labels[:, None] + 2) & (rows < 2 * labels[:, None] + 5)
    write("conv", {"x": x + bars[:, None, :, None].float(), "y": labels.int()} | named("conv", convolutions()))

    sizes = {"adamw": [p.shape for p in gpt.parameters()], "adamw-10m": [torch.Size([10_000_000])]}
    for name, shapes in sizes.items():
        values = {f"p{index}": 0.02 * torch.randn(shape) for index, shape in enumerate(shapes)}
        write(name, values | {f"g{index}": 0.01 * torch.randn(shape) for index, shape in enumerate(shapes)})


def main():
    if sys.argv[1] == "make":
        make(sys.argv[2])
        return print(json.dumps({"made": True}))
    path, threads = sys.argv[1], int(sys.argv[2])
    torch.set_num_threads(threads)
    torch.set_num_interop_threads(1)
    fused, name = "fused" in sys.argv[3:], os.path.basename(path).split(".")[0]
    tensors = load_file(path)
    job = Updating(tensors, fused) if name.startswith("adamw") else Learning(name, tensors, fused)
    print(json.dumps({"ready": torch.__version__}), flush=True)
    for line in sys.stdin:
        word, argument = line.split(maxsplit=1)
        if word == "gradients":
            found = job.gradients(argument.strip())
        else:
            start = time.perf_counter()
            losses = [job.step() for _ in range(int(argument))]
            found = {"losses": losses, "seconds": time.perf_counter() - start}
        print(json.dumps(found), flush=True)


main()
