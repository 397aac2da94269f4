#!/usr/bin/env python3
"""Steps a second of a TopK autoencoder in PyTorch: 256 wide, 2,048 features, 16 active, 1,024 rows, Adam.

usage: topk_steps.py THREADS SECONDS
"""

import json
import sys
import time

import torch

threads, seconds = int(sys.argv[1]), float(sys.argv[2])
torch.set_num_threads(threads)
WIDTH, FEATURES, ACTIVE, ROWS = 256, 2048, 16, 1024

chance = torch.Generator().manual_seed(3)
truth = torch.nn.functional.normalize(torch.randn(512, WIDTH, generator=chance), dim=1)
places = torch.rand(32768, 512, generator=chance).topk(8, dim=1).indices
codes = torch.zeros(32768, 512).scatter(1, places, torch.rand(32768, 8, generator=chance) + 0.5)
data = codes @ truth + 0.02 * torch.randn(32768, WIDTH, generator=chance)

torch.manual_seed(0)
decoder = torch.nn.Parameter(torch.nn.functional.normalize(torch.randn(FEATURES, WIDTH), dim=1))
encoder = torch.nn.Parameter(decoder.detach().t().clone())
encoder_bias = torch.nn.Parameter(torch.zeros(FEATURES))
decoder_bias = torch.nn.Parameter(torch.zeros(WIDTH))
adam = torch.optim.Adam([decoder, encoder, encoder_bias, decoder_bias], lr=1e-3)


def step(number):
    start = number * ROWS % len(data)
    rows = data[start : start + ROWS]
    before = torch.relu((rows - decoder_bias) @ encoder + encoder_bias)
    values, chosen = before.topk(ACTIVE, dim=-1, sorted=False)
    active = torch.zeros_like(before).scatter(-1, chosen, values)
    loss = (rows - (active @ decoder + decoder_bias)).pow(2).sum(-1).mean()
    adam.zero_grad()
    loss.backward()
    # The part of a row's gradient along the row is taken off, and after the step its length is 1 again.
    with torch.no_grad():
        decoder.grad -= (decoder.grad * decoder).sum(1, keepdim=True) * decoder
    torch.nn.utils.clip_grad_norm_([decoder, encoder, encoder_bias, decoder_bias], 1.0)
    adam.step()
    with torch.no_grad():
        decoder.div_(decoder.norm(dim=1, keepdim=True))
    return loss


for number in range(5):
    step(number)
count, start = 0, time.perf_counter()
while time.perf_counter() - start < seconds:
    step(count)
    count += 1
print(json.dumps({"steps_per_second": count / (time.perf_counter() - start)}))
