"""Makes the tiny models and what transformers computes with them, in float32 on the CPU.

Run with torch, transformers and peft from the folder of this file:

    python architectures.py

Every model is a folder as Hugging Face writes it: config.json and model.safetensors, its weights random, seeded and
rounded to float16, so that both sides start from the same numbers. `expected.safetensors` beside them holds the tokens
and the logits of every position; where intermediates are compared it holds those too, by TransformerLens's names.
"""

import json
import pathlib
import shutil

import numpy as np
import torch
import transformers as t
from safetensors.torch import save_file

torch.set_num_threads(1)
HERE = pathlib.Path(__file__).parent
VOCABULARY = 96


def randomize(model, seed):
    """Weights wide enough that attention looks somewhere and logits differ; norms about their neutral value."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.dim() == 1:
                is_gain = name.endswith("weight") or name.endswith("gamma")
                neutral = 1.0 if is_gain and "gemma" not in type(model).__name__.lower() else 0.0
                value = neutral + 0.2 * noise
            elif "embed" in name or "wte" in name or "wpe" in name:
                value = 0.7 * noise
            else:
                value = noise * 1.2 / parameter.shape[-1] ** 0.5
            parameter.copy_(value.half().float())
    return model.eval()


def tokens(count, seed):
    return torch.randint(0, VOCABULARY, (1, count), generator=torch.Generator().manual_seed(seed))


def write(folder, model):
    folder = HERE / folder
    shutil.rmtree(folder, ignore_errors=True)
    model.half().save_pretrained(folder)
    model.float()
    for path in folder.iterdir():
        if path.name not in ("config.json", "model.safetensors"):
            path.unlink()


def expected(folder, **arrays):
    dense = {name: array.detach().to(array.dtype).contiguous() for name, array in arrays.items()}
    save_file(dense, HERE / folder / "expected.safetensors")


def causal(folder, model, lengths, seed, extra=None):
    model = randomize(model, seed)
    arrays = {}
    with torch.no_grad():
        for length in lengths:
            ids = tokens(length, seed + length)
            arrays[f"tokens.{length}"] = ids[0].int()
            arrays[f"logits.{length}"] = model(input_ids=ids, use_cache=False).logits[0].float()
        if extra:
            arrays.update(extra(model))
    write(folder, model)
    expected(folder, **arrays)


# Small sizes that are all different, so that no two can be mixed up.
COMMON = dict(
    vocab_size=VOCABULARY,
    hidden_size=32,
    intermediate_size=48,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    tie_word_embeddings=False,
    attn_implementation="eager",
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)


def intermediates(model, layers, kind):
    """What TransformerLens calls by these names, from hooks on the modules of transformers."""
    ids = tokens(9, 77)
    found = {"hooks.tokens": ids[0].int()}
    handles = []

    def keep(name, module, which, shape=None):
        def hook(_, inputs, output):
            value = inputs[0] if which == "in" else output
            value = value[0] if isinstance(value, tuple) else value
            value = value[0].detach()
            found[name] = value.reshape(shape) if shape else value.clone()

        handles.append(module.register_forward_hook(hook))

    for index, layer in enumerate(layers):
        block = f"blocks.{index}."
        if kind == "llama":
            attention, feed = layer.self_attn, layer.mlp
            keep(block + "attn.hook_q", attention.q_proj, "out", (9, 4, 8))
            keep(block + "attn.hook_k", attention.k_proj, "out", (9, 2, 8))
            keep(block + "attn.hook_v", attention.v_proj, "out", (9, 2, 8))
            keep(block + "attn.hook_z", attention.o_proj, "in", (9, 4, 8))
            keep(block + "hook_attn_out", attention.o_proj, "out")
            keep(block + "hook_resid_pre", layer.input_layernorm, "in")
            keep(block + "hook_resid_mid", layer.post_attention_layernorm, "in")
            keep(block + "mlp.hook_pre", feed.gate_proj, "out")
            keep(block + "mlp.hook_pre_linear", feed.up_proj, "out")
            keep(block + "mlp.hook_post", feed.down_proj, "in")
            keep(block + "hook_mlp_out", feed.down_proj, "out")
        else:
            keep(block + "attn.hook_z", layer.attn.c_proj, "in", (9, 4, 8))
            keep(block + "hook_attn_out", layer.attn.c_proj, "out")
            keep(block + "hook_resid_pre", layer.ln_1, "in")
            keep(block + "hook_resid_mid", layer.ln_2, "in")
            keep(block + "mlp.hook_pre", layer.mlp.c_fc, "out")
            keep(block + "mlp.hook_post", layer.mlp.c_proj, "in")
            keep(block + "hook_mlp_out", layer.mlp.c_proj, "out")
        keep(block + "hook_resid_post", layer, "out")
    with torch.no_grad():
        output = model(input_ids=ids, output_attentions=True, use_cache=False)
    for handle in handles:
        handle.remove()
    for index, pattern in enumerate(output.attentions):
        found[f"blocks.{index}.attn.hook_pattern"] = pattern[0]
    found["hook_embed"] = model.get_input_embeddings()(ids)[0]
    found["unembed.hook_out"] = output.logits[0]
    return found


def decoders():
    llama = t.LlamaConfig(
        **COMMON,
        rope_parameters=dict(
            rope_theta=10000.0, rope_type="llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0,
            original_max_position_embeddings=32,
        ),
    )
    causal(
        "llama", t.LlamaForCausalLM(llama), [40], 1, lambda m: intermediates(m, m.model.layers, "llama")
    )
    causal("mistral", t.MistralForCausalLM(t.MistralConfig(**COMMON, sliding_window=8)), [24], 2)
    causal("qwen2", t.Qwen2ForCausalLM(t.Qwen2Config(**{**COMMON, "tie_word_embeddings": True})), [24], 3)
    causal("qwen3", t.Qwen3ForCausalLM(t.Qwen3Config(**COMMON, head_dim=16)), [24], 4)
    causal(
        "gemma2",
        t.Gemma2ForCausalLM(
            t.Gemma2Config(
                **{**COMMON, "tie_word_embeddings": True},
                head_dim=16,
                query_pre_attn_scalar=24,
                sliding_window=8,
                attn_logit_softcapping=5.0,
                final_logit_softcapping=4.0,
            )
        ),
        [24],
        5,
    )
    causal(
        "gemma3",
        t.Gemma3ForCausalLM(
            t.Gemma3TextConfig(
                **{**COMMON, "tie_word_embeddings": True, "num_hidden_layers": 3, "num_key_value_heads": 1},
                head_dim=16,
                query_pre_attn_scalar=24,
                sliding_window=8,
                layer_types=["sliding_attention", "sliding_attention", "full_attention"],
                rope_parameters={
                    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
                    "full_attention": {"rope_type": "linear", "rope_theta": 1000000.0, "factor": 8.0},
                },
            )
        ),
        [24],
        6,
    )
    causal(
        "phi3",
        t.Phi3ForCausalLM(
            t.Phi3Config(
                **COMMON,
                original_max_position_embeddings=16,
                rope_parameters=dict(
                    rope_theta=10000.0, rope_type="longrope", short_factor=[1.0, 1.1, 1.3, 1.6],
                    long_factor=[1.0, 1.5, 2.5, 4.0], original_max_position_embeddings=16,
                ),
            )
        ),
        [12, 40],
        7,
    )
    causal(
        "mixtral",
        t.MixtralForCausalLM(
            t.MixtralConfig(**{**COMMON, "intermediate_size": 24}, num_local_experts=4, num_experts_per_tok=2)
        ),
        [24],
        8,
        lambda m: {
            f"router.{index}": logits
            for index, logits in enumerate(
                m(input_ids=tokens(24, 8 + 24), output_router_logits=True, use_cache=False).router_logits
            )
        },
    )
    gpt2 = t.GPT2Config(
        vocab_size=VOCABULARY, n_embd=32, n_layer=2, n_head=4, n_positions=32, attn_implementation="eager",
        bos_token_id=1, eos_token_id=2,
    )
    causal(
        "gpt2",
        t.GPT2LMHeadModel(gpt2),
        [24],
        9,
        lambda m: {**intermediates(m, m.transformer.h, "gpt2"), **other_positions(m)},
    )


def other_positions(model):
    """The same weights with sinusoidal positions and with ALiBi: the table replaced, or scores with slopes."""
    ids = tokens(20, 123)
    table = model.transformer.wpe.weight
    learned = table.detach().clone()
    position, column = np.arange(32)[:, None], np.arange(32)[None, :]
    angle = position / 10000.0 ** (column // 2 * 2 / 32)
    sinusoids = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    with torch.no_grad():
        table.copy_(torch.tensor(sinusoids))
        sinusoidal = model(input_ids=ids, use_cache=False).logits[0]
        table.zero_()
        none = model(input_ids=ids, use_cache=False).logits[0]
        distance = torch.arange(20)[None, :] - torch.arange(20)[:, None]
        slopes = torch.tensor([2.0 ** (-8 * (head + 1) / 4) for head in range(4)])
        scores = slopes[:, None, None] * distance
        mask = torch.where(distance[None] > 0, torch.finfo(torch.float32).min, scores)[None]
        alibi = model(input_ids=ids, attention_mask=mask, use_cache=False).logits[0]
        table.copy_(learned)
    return {
        "positions.tokens": ids[0].int(), "positions.sinusoidal": sinusoidal, "positions.alibi": alibi,
        "positions.none": none,
    }


def encoders():
    config = t.BertConfig(
        vocab_size=VOCABULARY, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
        max_position_embeddings=32, type_vocab_size=2, attn_implementation="eager", num_labels=2, pad_token_id=0,
    )
    model = randomize(t.BertForSequenceClassification(config), 10)
    ids, types = torch.zeros(2, 14, dtype=torch.long), torch.zeros(2, 14, dtype=torch.long)
    mask = torch.zeros(2, 14, dtype=torch.long)
    for row, length in enumerate((14, 9)):
        ids[row, :length] = tokens(length, 200 + row)[0]
        types[row, length // 2 : length] = 1
        mask[row, :length] = 1
    with torch.no_grad():
        hidden = model.bert(input_ids=ids, token_type_ids=types, attention_mask=mask).last_hidden_state
        scores = model(input_ids=ids, token_type_ids=types, attention_mask=mask).logits
    mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    write("bert", model)
    expected(
        "bert", tokens=ids.int(), types=types.int(), lengths=mask.sum(1).int(),
        mean=torch.nn.functional.normalize(mean), cls=torch.nn.functional.normalize(hidden[:, 0]), scores=scores,
    )


def adapters():
    import peft

    cases = [
        ("llama", t.LlamaForCausalLM, dict(r=4, lora_alpha=8, target_modules=["q_proj", "k_proj", "v_proj", "down_proj"])),
        ("qwen2", t.Qwen2ForCausalLM, dict(r=3, lora_alpha=6, use_rslora=True, target_modules="all-linear")),
        ("gpt2", t.GPT2LMHeadModel, dict(r=2, lora_alpha=5, target_modules=["c_attn"], fan_in_fan_out=True)),
    ]
    for seed, (name, kind, options) in enumerate(cases):
        base = kind.from_pretrained(HERE / name, attn_implementation="eager", dtype=torch.float32)
        model = peft.get_peft_model(base, peft.LoraConfig(task_type="CAUSAL_LM", **options)).eval()
        generator = torch.Generator().manual_seed(300 + seed)
        with torch.no_grad():
            for parameter_name, parameter in model.named_parameters():
                if "lora_" in parameter_name:
                    parameter.copy_((0.2 * torch.randn(parameter.shape, generator=generator)).half().float())
            ids = tokens(16, 400 + seed)
            logits = model(input_ids=ids, use_cache=False).logits[0]
        folder = f"{name}-lora"
        shutil.rmtree(HERE / folder, ignore_errors=True)
        model.save_pretrained(HERE / folder)
        for path in (HERE / folder).iterdir():
            if path.name not in ("adapter_config.json", "adapter_model.safetensors"):
                path.unlink()
        settings = json.loads((HERE / folder / "adapter_config.json").read_text())
        settings["base_model_name_or_path"] = name
        settings["target_modules"] = sorted(settings["target_modules"])
        (HERE / folder / "adapter_config.json").write_text(json.dumps(settings, indent=1) + "\n")
        expected(folder, tokens=ids[0].int(), logits=logits)


def rotary_scalings():
    """Frequencies of every scaling, as transformers computes them."""
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    cases = []
    for parameters, length in [
        (dict(rope_type="linear", factor=4.0), 10),
        (dict(rope_type="dynamic", factor=2.0), 50),
        (dict(rope_type="dynamic", factor=2.0), 200),
        (dict(rope_type="yarn", factor=8.0, original_max_position_embeddings=64), 10),
        (dict(rope_type="yarn", factor=4.0, original_max_position_embeddings=128, beta_fast=16.0, beta_slow=2.0), 10),
        (
            dict(
                rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
                original_max_position_embeddings=64,
            ),
            10,
        ),
        (
            dict(
                rope_type="longrope", factor=4.0, short_factor=[1.0 + 0.1 * i for i in range(16)],
                long_factor=[1.0 + 0.7 * i for i in range(16)], original_max_position_embeddings=64,
            ),
            10,
        ),
        (
            dict(
                rope_type="longrope", factor=4.0, short_factor=[1.0 + 0.1 * i for i in range(16)],
                long_factor=[1.0 + 0.7 * i for i in range(16)], original_max_position_embeddings=64,
            ),
            200,
        ),
    ]:
        config = t.LlamaConfig(
            **{**COMMON, "max_position_embeddings": 64}, head_dim=32,
            rope_parameters=dict(rope_theta=500.0, **parameters),
        )
        frequencies, factor = ROPE_INIT_FUNCTIONS[parameters["rope_type"]](config, "cpu", seq_len=length)
        cases.append(
            dict(
                scaling=parameters, length=length, attention_factor=float(factor),
                frequencies=[float(value) for value in frequencies],
            )
        )
    (HERE / "rotary.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    decoders()
    encoders()
    adapters()
    rotary_scalings()
