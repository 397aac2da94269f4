"""Adapters of ours in PEFT, and one of PEFT's own for us.

    python adapter_logits.py BASE IDS.json OURS FOLDER

Loads the adapter OURS on the model BASE with PEFT, and writes FOLDER/ours.npy, the logits of these ids, and
FOLDER/ours-merged.npy, those after merging. Then makes an adapter of its own with random numbers, FOLDER/theirs, and
its logits FOLDER/theirs.npy. Everything in float32. FOLDER/base.npy are the logits without an adapter.
"""

import json
import os
import sys

import numpy as np
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM

base, ids, ours, folder = sys.argv[1:]
with open(ids, encoding="utf-8") as file:
    tokens = torch.tensor([json.load(file)])


def model():
    return AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32).eval()


def write(name, network):
    with torch.no_grad():
        np.save(os.path.join(folder, name + ".npy"), network(tokens).logits[0].numpy())


write("base", model())
changed = PeftModel.from_pretrained(model(), ours).eval()
write("ours", changed)
write("ours-merged", changed.merge_and_unload())

torch.manual_seed(2)
settings = LoraConfig(
    r=6, lora_alpha=9, use_rslora=True, target_modules=["q_proj", "v_proj", "o_proj", "up_proj", "down_proj"],
    task_type="CAUSAL_LM",
)  # fmt: skip
theirs = get_peft_model(model(), settings).eval()
for name, parameter in theirs.named_parameters():
    if "lora_B" in name:
        torch.nn.init.normal_(parameter, 0, 0.2)
write("theirs", theirs)
theirs.save_pretrained(os.path.join(folder, "theirs"))
print(json.dumps({"modules": sum("lora_B" in name for name, _ in theirs.named_parameters())}))
