"""Writes a tiny BERT cross-encoder with seeded random weights, and what transformers scores with it.

    python3 cross_encoder_golden.py          # needs torch and transformers; writes ./cross-encoder
"""

import json
import pathlib

import torch
from tokenizers import BertWordPieceTokenizer
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

FOLDER = pathlib.Path(__file__).parent / "cross-encoder"

WORDS = """what torque do the dome bolts need turn open shutter motor cable snow ice night star mirror clean
telescope guide camera filter wheel cool pump water wind stop rain never always and not of in on to a is are for
""".split()

QUERIES = [
    "what torque do the dome bolts need?",
    "Is the mirror clean",
    "snow, ice & rain: stop?",
    "",
]

PASSAGES = [
    "The dome bolts need a torque of 90 N·m.",
    "the shutter motor",
    "Never open the dome in rain; stop the telescope.",
    "mirror mirror mirror",
    "Unseen wörds ARE cut into pieces: re-cooling 12.5 °C",
    "",
    " ".join(["guide the camera and cool the pump"] * 12),
    "water in the filter wheel is not clean",
]


def main():
    FOLDER.mkdir(exist_ok=True)
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)] + list("0123456789")
    pieces = letters + ["##" + letter for letter in letters] + list(".,:;?!&-·°") + ["##s", "##ing", "re", "##or"]
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + list(dict.fromkeys(WORDS + pieces))
    (FOLDER / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    pieces = BertWordPieceTokenizer(str(FOLDER / "vocab.txt"), lowercase=True)
    pieces.save(str(FOLDER / "tokenizer.json"))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(FOLDER / "tokenizer.json"), unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        pad_token="[PAD]", mask_token="[MASK]", model_max_length=64,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"])
    assert len(tokenizer) == len(vocabulary)
    torch.manual_seed(7)
    configuration = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
        max_position_embeddings=64, type_vocab_size=2, num_labels=1, initializer_range=0.3)
    model = BertForSequenceClassification(configuration).eval()
    for name, value in model.named_parameters():
        if "bias" in name or "LayerNorm" in name:
            value.data += 0.1 * torch.randn_like(value)
    model.save_pretrained(FOLDER, safe_serialization=True)
    cases = []
    for query in QUERIES:
        batch = tokenizer([query] * len(PASSAGES), PASSAGES, padding=True, truncation="longest_first", max_length=64,
                          return_tensors="pt")
        with torch.no_grad():
            scores = model(**batch).logits[:, 0].double().tolist()
        cases.append({"query": query, "scores": [round(score, 7) for score in scores]})
    golden = {"passages": PASSAGES, "cases": cases}
    (FOLDER / "scores.json").write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
