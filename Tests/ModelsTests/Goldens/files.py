"""Writes the goldens under files/: small models of random weights, as the libraries of their formats save them.

    python files.py            # numpy, torch, transformers 5, safetensors, gguf; bitsandbytes for the last two

families/NAME/   a folder as transformers saves it, and expected.json: for each tensor of GGUF its shape and a weighted
                 sum, by gguf's own table of names and the conversions that llama.cpp's converter makes.
values.gguf      every type of metadata; tensors of every type that is multiplied, and one that is not.
split/           a model in three files.
nf4/, int8/      a model that bitsandbytes quantized, nf4 doubly; expected.json as above, of the decoded weights.
"""
import json
import os
import shutil

import gguf
import numpy as np
import torch
import transformers

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")
SMALL = dict(vocab_size=40, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
             max_position_embeddings=64, bos_token_id=1, eos_token_id=2, pad_token_id=0)
DECODER = dict(SMALL, num_key_value_heads=2)
FAMILIES = {
    "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(
        **DECODER, attention_bias=True, tie_word_embeddings=False,
        rope_parameters=dict(rope_type="llama3", rope_theta=500000.0, factor=8.0, low_freq_factor=1.0,
                             high_freq_factor=4.0, original_max_position_embeddings=32))),
    "mistral": lambda: transformers.MistralForCausalLM(transformers.MistralConfig(
        **DECODER, sliding_window=8, tie_word_embeddings=False)),
    "qwen2": lambda: transformers.Qwen2ForCausalLM(transformers.Qwen2Config(**DECODER, tie_word_embeddings=True)),
    "qwen3": lambda: transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**DECODER, head_dim=8)),
    "gemma2": lambda: transformers.Gemma2ForCausalLM(transformers.Gemma2Config(
        **DECODER, head_dim=8, query_pre_attn_scalar=16, sliding_window=8)),
    "gemma3": lambda: transformers.Gemma3ForCausalLM(transformers.Gemma3TextConfig(
        **dict(DECODER, num_hidden_layers=3), head_dim=8, query_pre_attn_scalar=16, sliding_window=8,
        layer_types=["sliding_attention", "sliding_attention", "full_attention"])),
    "gpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=40, n_embd=16, n_layer=2, n_head=4, n_positions=64, n_inner=24, bos_token_id=1, eos_token_id=2)),
    "phi3": lambda: transformers.Phi3ForCausalLM(transformers.Phi3Config(
        **DECODER, original_max_position_embeddings=32, tie_word_embeddings=False, sliding_window=8,
        rope_parameters=dict(rope_type="longrope", rope_theta=10000.0, short_factor=[1.0, 1.5], long_factor=[2.0, 4.0],
                             original_max_position_embeddings=32))),
    "mixtral": lambda: transformers.MixtralForCausalLM(transformers.MixtralConfig(
        **DECODER, num_local_experts=3, num_experts_per_tok=2, tie_word_embeddings=False)),
    "bert": lambda: transformers.BertModel(transformers.BertConfig(**SMALL, type_vocab_size=2)),
    "cross-encoder": lambda: transformers.BertForSequenceClassification(transformers.BertConfig(
        **SMALL, type_vocab_size=2, num_labels=1)),
}
ARCHITECTURES = {"mistral": "llama", "mixtral": "llama", "cross-encoder": "bert"}
# gguf's table knows neither the pooler nor the classifier of BERT by these names.
HEADS = {"bert.pooler.dense": "cls", "pooler.dense": "cls", "classifier": "cls.output"}


def weighted_sum(array):
    values = np.asarray(array, dtype=np.float64).ravel()
    return float((values * ((np.arange(values.size) * 7 + 3) % 11 - 5)).sum())


def described(array):
    return dict(shape=list(array.shape), sum=weighted_sum(array))


def expected(name, tensors):
    """Tensors by GGUF's names, in the form of GGUF but for the order of rows of queries and keys."""
    architecture = ARCHITECTURES.get(name, name)
    number = {text: key for key, text in gguf.MODEL_ARCH_NAMES.items()}[architecture]
    table = gguf.get_tensor_name_map(number, 8)
    result, experts = {}, {}
    for key, tensor in tensors.items():
        array = tensor.float().numpy()
        stem, suffix = key.rsplit(".", 1)
        stem = stem.removeprefix("bert.") if architecture == "bert" else stem
        mapped = HEADS.get(stem) or table.get_name(stem)
        if ".experts." in stem:
            layer, expert, weight = (stem.split(".")[i] for i in (2, 5, 6))
            kind = {"w1": "gate", "w2": "down", "w3": "up"}[weight]
            experts.setdefault(f"blk.{layer}.ffn_{kind}_exps.weight", {})[int(expert)] = array
            continue
        assert mapped, key
        if architecture == "gpt2" and suffix == "weight" and any(p in mapped for p in ("attn_qkv", "attn_output", "ffn_up", "ffn_down")):
            array = array.T
        if architecture.startswith("gemma") and mapped.endswith("norm"):
            array = array + np.float32(1)
        result[f"{mapped}.{suffix}"] = described(np.ascontiguousarray(array))
    for key, parts in experts.items():
        result[key] = described(np.stack([parts[i] for i in sorted(parts)]))
    return result


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file, indent=0, sort_keys=True)
        file.write("\n")


def family(name):
    from safetensors.torch import load_file
    torch.manual_seed(5)
    model = FAMILIES[name]()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    folder = os.path.join(HERE, "families", name)
    shutil.rmtree(folder, ignore_errors=True)
    dtype = {"qwen2": torch.bfloat16, "qwen3": torch.float16, "gpt2": torch.float16}.get(name, torch.float32)
    if name == "gemma2":
        model.to(torch.bfloat16).save_pretrained(folder, max_shard_size="5KB")
    else:
        model.to(dtype).save_pretrained(folder)
    tensors = {}
    for file in sorted(os.listdir(folder)):
        if file.endswith(".safetensors"):
            tensors |= load_file(os.path.join(folder, file))
    write_json(os.path.join(folder, "expected.json"), expected(name, tensors))


def values():
    path = os.path.join(HERE, "values.gguf")
    random = np.random.default_rng(3)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_uint8("v.u8", 200); writer.add_int8("v.i8", -100); writer.add_uint16("v.u16", 60000)
    writer.add_int16("v.i16", -30000); writer.add_uint32("v.u32", 4_000_000_000); writer.add_int32("v.i32", -5)
    writer.add_uint64("v.u64", 2**63 - 1); writer.add_int64("v.i64", -2**63); writer.add_float32("v.f32", 0.1)
    writer.add_float64("v.f64", 0.1); writer.add_bool("v.bool", True); writer.add_string("v.string", "▁wörter\n")
    writer.add_array("v.strings", ["a", "", "▁b"]); writer.add_array("v.ints", [1, -2, 3])
    writer.add_array("v.floats", [0.5, 1.5]); writer.add_array("v.bools", [True, False])
    sizes = dict(context_length=64, embedding_length=32, block_count=1, feed_forward_length=64, head_count=4, head_count_kv=2)
    for key, value in sizes.items():
        getattr(writer, f"add_{key}")(value)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama"); writer.add_token_list(["<unk>", "<s>", "</s>", "a"])
    writer.add_token_scores([0.0, 0.0, 0.0, -1.0]); writer.add_token_types([2, 3, 3, 1])
    writer.add_bos_token_id(1); writer.add_eos_token_id(2); writer.add_chat_template("{{ messages }}")
    kinds = gguf.GGMLQuantizationType
    expected = {}
    for kind in [kinds.F32, kinds.F16, kinds.BF16, kinds.Q8_0, kinds.Q4_0, kinds.Q5_0]:
        array = random.standard_normal((4, 64), dtype=np.float32)
        data = gguf.quants.quantize(array, kind)
        writer.add_tensor(f"t.{kind.name}", data, raw_dtype=kind)
        expected[f"t.{kind.name}"] = described(gguf.quants.dequantize(data, kind))
    for kind in [kinds.Q4_K, kinds.Q5_K, kinds.Q6_K]:
        # gguf only decodes these: random bytes with small scales are as good as any.
        block, size = gguf.GGML_QUANT_SIZES[kind]
        data = random.integers(0, 256, (3, size * 2), dtype=np.uint8)
        for start in range(0, data.shape[1], size):
            places = [size - 2] if kind == kinds.Q6_K else [0, 2]
            for place in places:
                data[:, start + place:start + place + 2] = np.frombuffer(np.float16(0.01).tobytes(), np.uint8)
        writer.add_tensor(f"t.{kind.name}", data, raw_dtype=kind)
        expected[f"t.{kind.name}"] = described(gguf.quants.dequantize(data, kind))
    writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_tensors_to_file(); writer.close()
    write_json(os.path.join(HERE, "values.json"), expected)


def split():
    folder = os.path.join(HERE, "split")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    writer = gguf.GGUFWriter(os.path.join(folder, "tiny.gguf"), "llama", split_max_tensors=4)
    for key, value in dict(context_length=8, embedding_length=8, block_count=1, feed_forward_length=8, head_count=2).items():
        getattr(writer, f"add_{key}")(value)
    writer.add_layer_norm_rms_eps(1e-5)
    random = np.random.default_rng(4)
    names = ["token_embd", "output_norm"] + [f"blk.0.{n}" for n in (
        "attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")]
    for name in names:
        shape = (8,) if "norm" in name else (8, 8)
        writer.add_tensor(f"{name}.weight", random.standard_normal(shape, dtype=np.float32))
    writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_tensors_to_file(); writer.close()


def quantized(name, config):
    import bitsandbytes.functional as functional
    from safetensors.torch import load_file
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    torch.manual_seed(6)
    plain = os.path.join(HERE, "plain")
    # bitsandbytes 0.50 decodes wrongly on processors where rows are no multiple of 64.
    sizes = dict(DECODER, hidden_size=64, intermediate_size=128, num_hidden_layers=1)
    transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes, tie_word_embeddings=True)).save_pretrained(plain)
    model = transformers.AutoModelForCausalLM.from_pretrained(plain, quantization_config=config, device_map="cpu", dtype=torch.float32)
    model.save_pretrained(folder)
    shutil.rmtree(plain)
    result = {}
    table = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, 1)
    for key, module in model.named_modules():
        weight = getattr(module, "weight", None)
        if weight is None or "proj" not in key:
            continue
        if name == "nf4":
            decoded = functional.dequantize_4bit(weight.data, weight.quant_state)
        else:
            stored = load_file(os.path.join(folder, "model.safetensors"))
            decoded = stored[f"{key}.weight"].float() * stored[f"{key}.SCB"][:, None] / 127
        result[table.get_name(key) + ".weight"] = described(decoded.float().numpy())
    write_json(os.path.join(folder, "expected.json"), result)


if __name__ == "__main__":
    os.makedirs(HERE, exist_ok=True)
    for name in FAMILIES:
        family(name)
    values()
    split()
    quantized("nf4", transformers.BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True, bnb_4bit_compute_dtype=torch.float32))
    quantized("int8", transformers.BitsAndBytesConfig(load_in_8bit=True))
