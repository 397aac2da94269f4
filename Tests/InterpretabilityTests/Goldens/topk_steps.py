#!/usr/bin/env python3
"""Twenty steps of a TopK dictionary in torch: starting weights, rows, losses and final weights.

python topk_steps.py topk_steps.safetensors
"""
import sys

import torch
from safetensors.torch import save_file

WIDTH, FEATURES, ACTIVE, ROWS, STEPS = 24, 80, 5, 96, 20

torch.manual_seed(7)
torch.set_num_threads(1)
directions = torch.nn.functional.normalize(torch.randn(40, WIDTH), dim=1)
strength = torch.rand(STEPS, ROWS, 40)
present = torch.rand(STEPS, ROWS, 40) < 0.1
rows = (strength * present) @ directions + 0.02 * torch.randn(STEPS, ROWS, WIDTH)

decoder = torch.nn.functional.normalize(torch.randn(FEATURES, WIDTH), dim=1).requires_grad_()
encoder = decoder.detach().t().clone().requires_grad_()
encoder_bias = torch.zeros(FEATURES, requires_grad=True)
decoder_bias = torch.zeros(WIDTH, requires_grad=True)
start = decoder.detach().clone()
parameters = [decoder, encoder, encoder_bias, decoder_bias]
adam = torch.optim.Adam(parameters, lr=1e-2, betas=(0.9, 0.999))

losses, norms = [], []
for step in range(STEPS):
    x = rows[step]
    values, places = torch.relu((x - decoder_bias) @ encoder + encoder_bias).topk(ACTIVE, dim=-1)
    codes = torch.zeros(ROWS, FEATURES).scatter(-1, places, values)
    loss = (x - codes @ decoder - decoder_bias).pow(2).sum(-1).mean()
    adam.zero_grad()
    loss.backward()
    with torch.no_grad():
        decoder.grad -= (decoder.grad * decoder).sum(1, keepdim=True) * decoder
    norms.append(torch.nn.utils.clip_grad_norm_(parameters, 1.0).item())
    adam.step()
    with torch.no_grad():
        decoder /= decoder.norm(dim=1, keepdim=True)
    losses.append(loss.item())

save_file(
    {
        "rows": rows.contiguous(), "start": start, "losses": torch.tensor(losses, dtype=torch.float64),
        "norms": torch.tensor(norms, dtype=torch.float64), "decoder": decoder.detach().contiguous(),
        "encoder": encoder.detach().contiguous(), "encoder_bias": encoder_bias.detach(),
        "decoder_bias": decoder_bias.detach(),
    },
    sys.argv[1], metadata={"made_with": f"torch {torch.__version__}"})
print(losses)
