"""What transformers computes in float32: logits of every position, for models that exist and for tiny random ones
made here.

    python reference_logits.py FOLDER NAME=PATH_OF_A_MODEL=IDS.json ...

Tiny models of each family (seeded, sizes all different, windows and scalings short enough to matter) are written
below FOLDER as transformers writes them. Beside each reference.npy lie the ids. Prints one object a model.
"""

import json
import os
import sys

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

VOCABULARY = 211
COMMON = {
    "vocab_size": VOCABULARY,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "tie_word_embeddings": False,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
TIED = {**COMMON, "tie_word_embeddings": True}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 10000.0,
    "factor": 4.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
LONG = {
    "rope_type": "longrope",
    "rope_theta": 10000.0,
    "short_factor": [1.0 + 0.05 * index for index in range(8)],
    "long_factor": [1.0 + 0.4 * index for index in range(8)],
    "original_max_position_embeddings": 32,
}
GEMMA3 = {
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
    "full_attention": {"rope_type": "linear", "rope_theta": 1000000.0, "factor": 8.0},
}
WORDS = "the orrery turns slowly and every wheel keeps its own count of days a moon is late again".split()
QUERY = "which moon is late"
TEXTS = [" ".join(WORDS[first : first + 3 + first % 6]) for first in range(10)]


def families():
    """Name, class and configuration of each tiny model."""
    t = transformers
    yield "qwen3", t.Qwen3ForCausalLM, t.Qwen3Config(**COMMON, head_dim=24)
    yield (
        "gemma3",
        t.Gemma3ForCausalLM,
        t.Gemma3TextConfig(
            **TIED, head_dim=24, query_pre_attn_scalar=20, sliding_window=16, rope_parameters=GEMMA3,
            layer_types=["sliding_attention", "sliding_attention", "full_attention"],
        ),
    )  # fmt: skip
    yield (
        "gpt2",
        t.GPT2LMHeadModel,
        t.GPT2Config(
            vocab_size=VOCABULARY, n_embd=64, n_layer=3, n_head=4, n_positions=128, bos_token_id=1, eos_token_id=2
        ),
    )
    yield (
        "phi3",
        t.Phi3ForCausalLM,
        t.Phi3Config(**COMMON, original_max_position_embeddings=32, rope_parameters=LONG),
    )
    mixture = {**COMMON, "intermediate_size": 48}
    yield "mixtral", t.MixtralForCausalLM, t.MixtralConfig(**mixture, num_local_experts=5, num_experts_per_tok=2)
    yield "llama", t.LlamaForCausalLM, t.LlamaConfig(**COMMON, rope_parameters=LLAMA3)
    yield "mistral", t.MistralForCausalLM, t.MistralConfig(**COMMON, sliding_window=16)
    yield "qwen2", t.Qwen2ForCausalLM, t.Qwen2Config(**TIED)
    yield (
        "gemma2",
        t.Gemma2ForCausalLM,
        t.Gemma2Config(
            **TIED, head_dim=24, query_pre_attn_scalar=20, sliding_window=16, attn_logit_softcapping=20.0,
            final_logit_softcapping=15.0,
        ),
    )  # fmt: skip


def randomized(model, seed):
    """Weights wide enough that attention chooses and logits differ."""
    random = torch.Generator().manual_seed(seed)
    is_gemma = "gemma" in type(model).__name__.lower()
    with torch.no_grad():
        for name, weights in model.named_parameters():
            noise = torch.randn(weights.shape, generator=random)
            if weights.dim() == 1:
                is_gain = name.endswith("weight") and not is_gemma
                weights.copy_(float(is_gain) + 0.1 * noise)
            elif "embed" in name or "wte" in name or "wpe" in name:
                weights.copy_(0.7 * noise)
            else:
                weights.copy_(noise / weights.shape[-1] ** 0.5)
    return model.float().eval()


def save(folder, model):
    """Only what belongs to a published model."""
    model.save_pretrained(folder)
    generation = os.path.join(folder, "generation_config.json")
    if os.path.exists(generation):
        os.remove(generation)


def logits(model, ids):
    with torch.no_grad():
        return model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float().numpy()


def record(name, path, folder, ids, compute):
    """The reference of one model, computed unless it is there."""
    os.makedirs(folder, exist_ok=True)
    reference, tokens = os.path.join(folder, "reference.npy"), os.path.join(folder, "ids.json")
    if not os.path.exists(reference):
        with open(tokens, "w", encoding="utf-8") as file:
            json.dump(ids, file)
        np.save(reference, compute())
    return {"name": name, "path": path, "ids": tokens, "reference": reference}


def tiny(folder):
    found = []
    for seed, (name, kind, configuration) in enumerate(families()):
        path = os.path.join(folder, name)
        if not os.path.exists(os.path.join(path, "reference.npy")):
            save(path, randomized(kind(configuration), seed))
        ids = np.random.default_rng(seed).integers(3, VOCABULARY, 96).tolist()
        loaded = lambda kind=kind, path=path: kind.from_pretrained(path, dtype=torch.float32).eval()  # noqa: E731
        found.append(record(name, path, path, ids, lambda ids=ids, loaded=loaded: logits(loaded(), ids)))
    return found


def word_pieces():
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = "abcdefghijklmnopqrstuvwxyz"
    vocabulary = special + WORDS[::2] + list(letters) + ["##" + letter for letter in letters]
    vocabulary = {piece: index for index, piece in enumerate(dict.fromkeys(vocabulary))}
    tokenizer = Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def encoder(folder, name, kind, labels):
    """An encoder's vectors of texts, or a cross-encoder's scores of texts for a query."""
    path = os.path.join(folder, name)
    if os.path.exists(os.path.join(path, "reference.npy")):
        return {"name": name, "path": path, "texts": TEXTS, "query": QUERY, "reference": path + "/reference.npy"}
    configuration = transformers.BertConfig(
        vocab_size=VOCABULARY, hidden_size=64, intermediate_size=96, num_hidden_layers=3, num_attention_heads=4,
        max_position_embeddings=64, type_vocab_size=2, pad_token_id=0, num_labels=labels,
    )  # fmt: skip
    model = randomized(kind(configuration), 20 + labels)
    save(path, model)
    tokenizer = word_pieces()
    tokenizer.save(os.path.join(path, "tokenizer.json"))
    rows = []
    for text in TEXTS:
        encoding = tokenizer.encode(QUERY, text) if name == "cross-encoder" else tokenizer.encode(text)
        ids, types = torch.tensor([encoding.ids]), torch.tensor([encoding.type_ids])
        with torch.no_grad():
            output = model(input_ids=ids, token_type_ids=types)
        if name == "cross-encoder":
            rows.append(output.logits[0])
        else:
            rows.append(torch.nn.functional.normalize(output.last_hidden_state[0].mean(0), dim=0))
    np.save(os.path.join(path, "reference.npy"), torch.stack(rows).numpy())
    return {"name": name, "path": path, "texts": TEXTS, "query": QUERY, "reference": path + "/reference.npy"}


def main():
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(os.cpu_count())
    folder = sys.argv[1]
    found = tiny(folder)
    for argument in sys.argv[2:]:
        name, path, tokens = argument.split("=")
        with open(tokens, encoding="utf-8") as file:
            ids = json.load(file)

        def compute(path=path, ids=ids):
            loaded = transformers.AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32)
            return logits(loaded.eval(), ids)

        found.append(record(name, path, os.path.join(folder, name), ids, compute))
    found.append(encoder(folder, "bert", transformers.BertModel, 2))
    found.append(encoder(folder, "cross-encoder", transformers.BertForSequenceClassification, 3))
    print(json.dumps(found))


main()
