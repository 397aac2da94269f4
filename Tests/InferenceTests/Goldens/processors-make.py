"""Makes processors.txt: what the logit processors of transformers leave of seeded logits, stage by stage.

    python processors-make.py > processors.txt        # transformers 5.23.0, torch 2.15.0

Logits are made from SplitMix64 in whole numbers and doubles, so that the test makes the very same. A case is a line
"case SIZE SEED SPREAD", lines of settings in the order in which they work, each followed by what it left ("kept ENTROPY
COUNT SUM-OF-IDS"), and a line of the most probable tokens at the end ("top ID:PROBABILITY ...").
"""

import itertools

import torch
import transformers.generation.logits_process as hf

MASK = (1 << 64) - 1


class SplitMix:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)


def logits(size, seed, spread):
    random = SplitMix(seed)
    rows = []
    for _ in range(size):
        total = sum((random.next() >> 40) * 2.0**-24 for _ in range(4))
        rows.append((total - 2) * spread)
    return torch.tensor([rows], dtype=torch.float32)


def counted(answer, amount, once):
    def process(_, scores):
        scores = scores.clone()
        for token in set(answer):
            scores[0, token] -= amount * (1 if once else answer.count(token))
        return scores

    return process


def steps(settings, prompt, answer):
    ids = torch.tensor([prompt + answer])
    for name, value in settings.items():
        if name == "bias":
            yield f"bias {' '.join(f'{t}={v}' for t, v in value.items())}", ids, hf.SequenceBiasLogitsProcessor(
                {(t,): v for t, v in value.items()}
            )
        elif name == "repetition":
            yield f"repetition {value}", ids, hf.RepetitionPenaltyLogitsProcessor(value)
        elif name in ("presence", "frequency"):
            yield f"{name} {value}", ids, counted(answer, value, name == "presence")
        elif name == "temperature":
            yield f"temperature {value}", ids, hf.TemperatureLogitsWarper(value)
        elif name == "top-k":
            yield f"top-k {value}", ids, hf.TopKLogitsWarper(value)
        elif name == "top-p":
            yield f"top-p {value}", ids, hf.TopPLogitsWarper(value)
        elif name == "min-p":
            yield f"min-p {value}", ids, hf.MinPLogitsWarper(value)
        elif name == "typical":
            yield f"typical {value}", ids, hf.TypicalLogitsWarper(value)


def show(size, seed, spread, settings):
    random = SplitMix(seed ^ 0xABCDEF)
    prompt = [random.next() % size for _ in range(5)]
    answer = [random.next() % size for _ in range(4)]
    answer += answer[:2]
    scores = logits(size, seed, spread)
    print(f"case {size} {seed} {spread}")
    print("prompt", *prompt)
    print("answer", *answer)
    for line, ids, processor in steps(settings, prompt, answer):
        scores = processor(ids, scores)
        print(line)
        p = torch.softmax(scores[0].double(), 0)
        kept = torch.isfinite(scores[0]).nonzero()[:, 0]
        entropy = -(p[kept] * torch.log(p[kept])).sum().item()
        print(f"kept {entropy:.7f} {len(kept)} {kept.sum().item()}")
    p = torch.softmax(scores[0].double(), 0)
    most = torch.argsort(p, descending=True, stable=True)[: min(12, len(kept))]
    print("top", *(f"{token.item()}:{p[token].item():.8f}" for token in most))


single = [
    {"bias": {3: 2.5, 17: -4.0}},
    {"repetition": 1.3},
    {"presence": 0.7},
    {"frequency": 0.4},
    {"temperature": 0.6},
    {"temperature": 1.7},
    {"top-k": 1},
    {"top-k": 7},
    {"top-k": 50},
    {"top-p": 0.05},
    {"top-p": 0.5},
    {"top-p": 0.93},
    {"min-p": 0.02},
    {"min-p": 0.4},
    {"typical": 0.2},
    {"typical": 0.9},
]
together = [
    {"temperature": 0.8, "top-k": 40, "top-p": 0.95, "min-p": 0.05},
    {"bias": {1: 1.5}, "repetition": 1.1, "presence": 0.3, "frequency": 0.2, "temperature": 0.7, "top-p": 0.9},
    {"temperature": 1.3, "min-p": 0.05, "typical": 0.8},
    {"repetition": 0.8, "top-k": 20, "typical": 0.5},
    {"temperature": 2.5, "top-p": 0.99, "typical": 0.95},
]
seed = 1
for (size, spread), settings in itertools.product([(60, 6.0), (1000, 8.0), (5003, 20.0)], single + together):
    show(size, seed, spread, settings)
    seed += 1
show(40000, seed, 30.0, together[0])
show(40000, seed + 1, 3.0, {"top-p": 0.9})
show(40000, seed + 2, 3.0, {"typical": 0.7})
