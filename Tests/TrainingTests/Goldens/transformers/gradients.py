"""What torch's autograd says of the tiny models of every family.

Run with torch and transformers from the folder of this file:

    python gradients.py

The models are those of `Tests/ModelsTests/Goldens/architectures`. Two sequences of eleven tokens go through each, and
the loss is the mean cross-entropy of the next tokens (of an encoder: the sum of its rows times cosines). Of every
gradient two numbers are kept: its 2-norm, and its product with cos(0.7 i) over its elements in the order of the
checkpoint's shape (of GPT-2's Conv1D: of its transpose, which is what we keep). Of llama's and gpt2's first and last
matrices the whole gradient is kept besides.
"""

import json
import pathlib

import torch
import transformers as t

torch.set_num_threads(1)
HERE = pathlib.Path(__file__).parent
MODELS = HERE.parents[2] / "ModelsTests" / "Goldens" / "architectures"
VOCABULARY = 96


def tokens():
    return torch.randint(0, VOCABULARY, (2, 12), generator=torch.Generator().manual_seed(5))


def waves(count):
    return torch.cos(0.7 * torch.arange(count, dtype=torch.float64))


def run(name):
    auto = t.AutoModel if name == "bert" else t.AutoModelForCausalLM
    arguments = dict(add_pooling_layer=False) if name == "bert" else {}
    model = auto.from_pretrained(
        MODELS / name, attn_implementation="eager", dtype=torch.float64, experts_implementation="eager",
        **arguments).eval()
    ids = tokens()
    inputs, targets = ids[:, :-1], ids[:, 1:]
    if name == "bert":
        rows = model(input_ids=inputs).last_hidden_state
        loss = (rows.flatten() * waves(rows.numel())).sum()
    else:
        logits = model(input_ids=inputs, use_cache=False).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
    loss.backward()
    found = {}
    for key, parameter in model.named_parameters():
        if parameter.grad is None:
            continue
        gradient = parameter.grad
        if name == "gpt2" and any(key.endswith(f"{part}.weight") for part in ("c_attn", "c_proj", "c_fc")):
            gradient = gradient.t()
        if key.endswith("experts.gate_up_proj"):
            inner = gradient.shape[1] // 2
            stem = key.replace("mlp.", "block_sparse_moe.").removesuffix("gate_up_proj")
            for expert in range(gradient.shape[0]):
                found[f"{stem}{expert}.w1.weight"] = gradient[expert, :inner]
                found[f"{stem}{expert}.w3.weight"] = gradient[expert, inner:]
        elif key.endswith("experts.down_proj"):
            stem = key.replace("mlp.", "block_sparse_moe.").removesuffix("down_proj")
            for expert in range(gradient.shape[0]):
                found[f"{stem}{expert}.w2.weight"] = gradient[expert]
        elif name == "mixtral" and key.endswith("mlp.gate.weight"):
            found[key.replace("mlp.gate", "block_sparse_moe.gate")] = gradient
        else:
            found[key] = gradient
    return dict(
        tokens=inputs.flatten().tolist(), targets=targets.flatten().tolist(), loss=loss.item(),
        gradients={
            key: [g.norm().item(), (g.flatten() * waves(g.numel())).sum().item()] for key, g in found.items()
        },
        whole={
            key: [float(f"{x:.8g}") for x in g.flatten().tolist()] for key, g in found.items()
            if name in ("llama", "gpt2") and any(part in key for part in ("0.self_attn.k_proj", "h.0.attn.c_attn.weight"))
        },
    )


NAMES = ["llama", "mistral", "qwen2", "qwen3", "gemma2", "gemma3", "gpt2", "phi3", "mixtral", "bert"]
text = ",\n".join(f' "{name}": {json.dumps(run(name))}' for name in NAMES)
(HERE / "gradients.json").write_text("{\n" + text + "\n}\n")
