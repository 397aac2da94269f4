"""Opens dictionaries that Orrery wrote with sae-lens, compares what both make of the same inputs, and writes them back.

    python sae_lens_check.py FOLDER [BACK]

FOLDER holds inputs.safetensors with `inputs` and, for each folder beside it, `NAME/features` and `NAME/reconstruction`
as Orrery computed them; every other entry with a cfg.json is opened by `SAE.load_from_disk`. Where BACK is given,
sae-lens saves each there, with a table of what it makes of the inputs itself. Prints JSON on one line: for each dictionary the
architecture that sae-lens read and the largest differences.
"""

import json
import os
import sys
import warnings

import torch
from safetensors.torch import load_file, save_file

warnings.filterwarnings("ignore")
from sae_lens.saes.sae import SAE  # noqa: E402

folder = sys.argv[1]
back = sys.argv[2] if len(sys.argv) > 2 else None
expected = load_file(os.path.join(folder, "inputs.safetensors"))
inputs = expected["inputs"]
result, table = {}, {"inputs": inputs}
for name in sorted(os.listdir(folder)):
    place = os.path.join(folder, name)
    if not os.path.exists(os.path.join(place, "cfg.json")):
        continue
    with torch.no_grad():
        sae = SAE.load_from_disk(place)
        features = sae.encode(inputs)
        output = sae.decode(features)
    table[f"{name}/features"], table[f"{name}/reconstruction"] = features.contiguous(), output.contiguous()
    result[name] = {
        "architecture": sae.cfg.architecture(),
        "hook": sae.cfg.metadata.hook_name,
        "features": (features - expected[f"{name}/features"]).abs().max().item(),
        "reconstruction": (output - expected[f"{name}/reconstruction"]).abs().max().item(),
        "relative": ((output - expected[f"{name}/reconstruction"]).norm() / output.norm()).item(),
    }
    if back:
        sae.save_model(os.path.join(back, name))
if back:
    save_file(table, os.path.join(back, "inputs.safetensors"))
print(json.dumps({
    "dictionaries": len(result), "largest_difference": max(r["reconstruction"] for r in result.values()),
    "largest_relative": max(r["relative"] for r in result.values()), "by_name": result}))
