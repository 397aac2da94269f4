"""Ids of texts by Hugging Face's tokenizers: one line of ids for each JSON string of a file.

    python hugging_face_ids.py VOCABULARIES NAME LINES.jsonl IDS.txt
"""

import json
import os
import sys

from vocabularies import Vocabulary

folder, name, lines, to = sys.argv[1:]
with open(lines, encoding="utf-8") as texts:
    texts = [json.loads(line) for line in texts]
encodings = Vocabulary(folder, name).hugging_face().encode_batch_fast(texts, add_special_tokens=False)
with open(to + ".part", "w", encoding="ascii") as ids:
    ids.writelines(" ".join(map(str, encoding.ids)) + "\n" for encoding in encodings)
os.rename(to + ".part", to)
print(json.dumps(len(encodings)))
