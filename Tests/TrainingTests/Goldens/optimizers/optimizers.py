"""Writes optimizers.safetensors: ten steps of every optimizer, and the rates of every schedule.

    python optimizers.py

SGD, Adam and AdamW are torch's. Lion and Muon are written here from the formulas of their papers, in NumPy. Everything
is float64. The schedules are made of torch's own, with a warm-up of linear steps before them.
"""

import os

import numpy as np
import torch
from safetensors.numpy import save_file
from torch.optim import lr_scheduler

rng = np.random.default_rng(20261122)
SHAPES = {"hidden.weight": (6, 4), "wide.weight": (3, 5, 2), "token_embd.weight": (5, 3), "hidden.bias": (7,)}
STEPS = 10
start = {name: rng.standard_normal(shape) for name, shape in SHAPES.items()}
# The size changes from step to step, and one element never gets a gradient.
gradients = []
for t in range(STEPS):
    step = {name: rng.standard_normal(shape) * 10 ** (-t / 4) for name, shape in SHAPES.items()}
    step["hidden.bias"][3] = 0
    gradients.append(step)

tensors = {f"start/{name}": value for name, value in start.items()}
for t, step in enumerate(gradients):
    tensors |= {f"gradient/{t}/{name}": value for name, value in step.items()}


def of_torch(variant, make):
    parameters = {name: torch.nn.Parameter(torch.tensor(value)) for name, value in start.items()}
    optimizer = make(parameters)
    for step in gradients:
        for name, value in step.items():
            parameters[name].grad = torch.tensor(value)
        optimizer.step()
    for name, value in parameters.items():
        tensors[f"result/{variant}/{name}"] = value.detach().numpy()


def of_formula(variant, update):
    weights = {name: value.copy() for name, value in start.items()}
    memory = {}
    for t, step in enumerate(gradients):
        for name, value in step.items():
            weights[name] = update(name, weights[name], value, memory, t + 1)
    for name, value in weights.items():
        tensors[f"result/{variant}/{name}"] = value


def groups(p):
    return [
        {"params": [x for x in p.values() if x.dim() >= 2], "weight_decay": 0.1},
        {"params": [x for x in p.values() if x.dim() < 2], "weight_decay": 0.0},
    ]


of_torch("sgd", lambda p: torch.optim.SGD(p.values(), lr=0.05))
of_torch("sgd-momentum", lambda p: torch.optim.SGD(p.values(), lr=0.05, momentum=0.9, weight_decay=0.02))
of_torch("sgd-dampening", lambda p: torch.optim.SGD(p.values(), lr=0.05, momentum=0.9, dampening=0.3))
of_torch("sgd-nesterov", lambda p: torch.optim.SGD(p.values(), lr=0.05, momentum=0.8, nesterov=True, weight_decay=0.02))
of_torch("adam", lambda p: torch.optim.Adam(p.values(), lr=0.01))
of_torch("adam-decay", lambda p: torch.optim.Adam(p.values(), lr=0.01, betas=(0.8, 0.95), weight_decay=0.1))
of_torch("adamw", lambda p: torch.optim.AdamW(p.values(), lr=0.01))
of_torch("adamw-matrices", lambda p: torch.optim.AdamW(groups(p), lr=0.01, betas=(0.9, 0.99), eps=1e-6))


def lion(name, w, g, memory, t, rate=0.003, beta1=0.9, beta2=0.99, decay=0.1):
    m = memory.get(name, np.zeros_like(w))
    w = w - rate * (np.sign(beta1 * m + (1 - beta1) * g) + decay * w)
    memory[name] = beta2 * m + (1 - beta2) * g
    return w


def adamw(name, w, g, memory, t, rate, beta1=0.9, beta2=0.999, epsilon=1e-8, decay=0.01):
    m, v = memory.get(name, (np.zeros_like(w), np.zeros_like(w)))
    m, v = beta1 * m + (1 - beta1) * g, beta2 * v + (1 - beta2) * g * g
    memory[name] = (m, v)
    step = (m / (1 - beta1**t)) / (np.sqrt(v / (1 - beta2**t)) + epsilon)
    return w * (1 - rate * decay) - rate * step


def orthogonal(u, steps=5):
    x = u / (np.sqrt((u * u).sum()) + 1e-7)
    is_tall = x.shape[0] > x.shape[1]
    x = x.T if is_tall else x
    for _ in range(steps):
        a = x @ x.T
        x = 3.4445 * x + (-4.7750 * a + 2.0315 * a @ a) @ x
    return x.T if is_tall else x


def muon(scale, decay=0.0, rate=0.02, beta=0.95):
    def update(name, w, g, memory, t):
        if w.ndim < 2 or "embd" in name:
            return adamw(name, w, g, memory, t, rate * 0.5)
        m = memory.get(name, np.zeros_like(w))
        m = beta * m + (1 - beta) * g
        memory[name] = m
        u = ((1 - beta) * g + beta * m).reshape(w.shape[0], -1)
        return w * (1 - rate * decay) - rate * scale(*u.shape) * orthogonal(u).reshape(w.shape)

    return update


of_formula("lion", lion)
of_formula("muon", muon(lambda rows, columns: max(1, rows / columns) ** 0.5))
of_formula("muon-adam-scale", muon(lambda rows, columns: 0.2 * max(rows, columns) ** 0.5, decay=0.1))


def rates(name, make, count):
    parameter = torch.nn.Parameter(torch.zeros(1, dtype=torch.float64))
    optimizer = torch.optim.SGD([parameter], lr=0.3)
    schedule = make(optimizer)
    values = []
    for _ in range(count):
        values.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    tensors[f"schedule/{name}"] = np.array(values)


def warm(optimizer, steps, then):
    up = lr_scheduler.LinearLR(optimizer, start_factor=1 / steps, total_iters=steps - 1)
    return lr_scheduler.SequentialLR(optimizer, [up, *[x for x, _ in then]], [steps, *[m for _, m in then[1:]]])


rates("constant", lambda o: warm(o, 5, [(lr_scheduler.ConstantLR(o, factor=1), None)]), 12)
rates("cosine", lambda o: warm(o, 10, [(lr_scheduler.CosineAnnealingLR(o, T_max=30, eta_min=0.03), None)]), 41)
rates("stable-decay", lambda o: warm(o, 8, [
    (lr_scheduler.ConstantLR(o, factor=1), None),
    (lr_scheduler.LinearLR(o, start_factor=1, end_factor=0.1, total_iters=10), 30)]), 41)
rates("stable-root", lambda o: lr_scheduler.LambdaLR(o, lambda t: 1 if t <= 30 else 1 - ((t - 30) / 10) ** 0.5), 41)
rates("one-cycle", lambda o: lr_scheduler.OneCycleLR(o, max_lr=0.3, total_steps=40), 40)
rates("one-cycle-linear", lambda o: lr_scheduler.OneCycleLR(
    o, max_lr=0.3, total_steps=40, pct_start=0.25, anneal_strategy="linear", div_factor=10, final_div_factor=100), 40)
rates("one-cycle-three", lambda o: lr_scheduler.OneCycleLR(o, max_lr=0.3, total_steps=40, three_phase=True), 40)
rates("inverse-root", lambda o: lr_scheduler.LambdaLR(
    o, lambda t: 128**-0.5 * min((t + 1) ** -0.5, (t + 1) * 12**-1.5) / 0.3), 40)

save_file(
    {name: np.ascontiguousarray(value, np.float64) for name, value in tensors.items()},
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "optimizers.safetensors"))
