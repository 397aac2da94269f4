#!/usr/bin/env python3
"""Random graphs of differentiable operations, with what torch says about them.

Every graph begins with three inputs of shape [4, 4] (inputs 0 and 1) and [4, 1] (input 2). Each step names an operation
and the earlier values that it takes; its result is a value of shape [4, 4], [4, 1] or [1, 4]. The result of the graph is
the sum of the squares of the last three values and of 0.1 times the cubes of the last, so that gradients meet.

    python3 composite_graphs.py > composite_graphs.json
"""
import json
import random

import torch

SQUARE = {
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "gelu": torch.nn.functional.gelu,
    "silu": torch.nn.functional.silu,
    "softplus": torch.nn.functional.softplus,
    "softmax": lambda x: torch.softmax(x, -1),
    "sin": torch.sin,
    "root": lambda x: torch.sqrt(x * x + 1),
    "transposed": lambda x: x.transpose(0, 1),
    "cumulativeSum": lambda x: torch.cumsum(x, 0) * 0.5,
    "rolled": lambda x: torch.roll(x, 1, 1),
    "halves": lambda x: torch.cat([x[:, 2:], x[:, :2]], 1),
    "reshaped": lambda x: x.reshape(2, 8).transpose(0, 1).reshape(4, 4),
    "rows": lambda x: x[[3, 0, 3, 1]],
    "triangle": lambda x: torch.tril(x),
}
REDUCED = {
    "sum": lambda x: x.sum(1, keepdim=True) * 0.5,
    "mean": lambda x: x.mean(0, keepdim=True),
    "maximum": lambda x: x.amax(1, keepdim=True),
    "logSumExp": lambda x: x.logsumexp(0, keepdim=True),
    "deviation": lambda x: (x.var(1, keepdim=True, unbiased=False) + 1e-3).sqrt(),
}
PAIR = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / (b * b + 1),
    "larger": torch.maximum,
    "matmul": lambda a, b: (a @ b) * 0.5,
}


def main() -> None:
    choose = random.Random(7)
    torch.manual_seed(7)
    graphs = []
    for _ in range(24):
        inputs = [torch.randn(4, 4), torch.randn(4, 4), torch.randn(4, 1)]
        for value in inputs:
            value.requires_grad_()
        values, steps = list(inputs), []
        while len(steps) < 14:
            squares = [i for i, v in enumerate(values) if v.shape == (4, 4)]
            # Recent values are taken more often, so that graphs grow deep.
            kind = choose.choice(["square", "square", "reduced", "pair", "pair", "pair"])
            if kind == "pair":
                name = choose.choice(list(PAIR))
                a = choose.choice(squares[-4:])
                b = choose.choice(squares) if name == "matmul" else choose.randrange(len(values))
                taken, result = [a, b], PAIR[name](values[a], values[b])
            else:
                table = SQUARE if kind == "square" else REDUCED
                name = choose.choice(list(table))
                a = choose.choice(squares[-4:])
                taken, result = [a], table[name](values[a])
            values.append(result)
            steps.append([name, *taken])
        loss = sum((v * v).sum() for v in values[-3:]) + 0.1 * (values[-1] ** 3).sum()
        loss.backward()
        flat = lambda t: [float(x) for x in t.detach().flatten()]
        graphs.append({
            "inputs": [flat(v) for v in inputs],
            "steps": steps,
            "last": flat(values[-1]),
            "loss": float(loss.detach()),
            "gradients": [flat(v.grad if v.grad is not None else torch.zeros_like(v)) for v in inputs],
        })
    print(json.dumps({"torch": torch.__version__, "graphs": graphs}))


if __name__ == "__main__":
    main()
