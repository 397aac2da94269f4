"""Figures of groups as lm-evaluation-harness 0.4.13 aggregates them: python groups.py > groups.golden.json"""

import json

from lm_eval.api.group import Group
from lm_eval.api.task import Task


class Leaf(Task):
    def __init__(self, name):
        self.leaf = name

    @property
    def task_name(self):
        return self.leaf


Leaf.__abstractmethods__ = frozenset()

TASKS = {
    "one": {"sample_len": 40, "acc,none": 0.525, "acc_stderr,none": 0.0799639, "acc_norm,none": 0.4,
            "acc_norm_stderr,none": 0.0784465, "em,strict": 0.25, "em_stderr,strict": 0.0693375},
    "two": {"sample_len": 7, "acc,none": 0.714285714, "acc_stderr,none": 0.184434, "em,strict": 0.5,
            "em_stderr,strict": "N/A", "em,loose": 0.75, "em_stderr,loose": 0.2},
    "three": {"sample_len": 113, "acc,none": 0.3451327, "acc_stderr,none": 0.0449244, "acc_norm,none": 0.38,
              "acc_norm_stderr,none": 0.0458645},
}
LISTS = [
    [{"metric": "acc"}],
    [{"metric": "acc", "weight_by_size": False}, {"metric": "acc_norm"}],
    [{"metric": "em"}],
    [{"metric": "em", "filter_list": "strict", "aggregation": "mean"}, {"metric": "none_such"}],
]

found = []
for metrics in LISTS:
    group = Group.from_config({"group": "all", "group_alias": "All", "aggregate_metric_list": metrics,
                               "metadata": {"version": 2.5}})
    for name in TASKS:
        group.add(Leaf(name))
    found.append({"aggregate_metric_list": metrics, "figures": group.aggregate(TASKS), "version": group.version})
print(json.dumps({"tasks": TASKS, "groups": found}, indent=1, default=float))
