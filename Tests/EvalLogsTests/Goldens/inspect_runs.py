"""A small task that Inspect runs with its mock model: a tool, epochs with three reducers, a dictionary of scores, a
sample that fails. `make_logs.py` calls it."""

from inspect_ai import Task, eval as run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, match, mean, scorer, std, stderr
from inspect_ai.solver import generate, solver, use_tools
from inspect_ai.tool import tool


@tool
def wheel():
    async def execute(name: str):
        """Tells how many teeth a wheel has.

        Args:
            name: the wheel
        """
        if name == "moon":
            raise TimeoutError("the wheel of the moon does not answer")
        return f"{name} has 60 teeth, and " + "turns " * 30

    return execute


@scorer(metrics={"length": [mean(), std()], "style": [mean(), stderr()]})
def quality():
    async def score(state, target):
        text = state.output.completion
        return Score(value={"length": len(text) / 7, "style": len(text) % 3 / 2}, answer=text, explanation="by length")

    return score


@solver
def fails_at(number):
    async def solve(state, generate):
        if state.sample_id == number:
            raise ValueError("this sample is made to fail")
        return state

    return solve


def outputs():
    for place in range(400):
        if place % 3 == 0:
            one = ModelOutput.for_tool_call("mockllm/model", "wheel", {"name": ["sun", "moon"][place // 3 % 2]})
        else:
            one = ModelOutput.from_content("mockllm/model", ["gear", "the moon", "sun", "gear!"][place % 4])
        # Told here, for the mock model would fetch a tokenizer to count.
        one.usage = ModelUsage(input_tokens=30, output_tokens=4, total_tokens=34, input_tokens_cache_read=place % 3)
        yield one


def make(folder, log_format):
    names = ["gear", "moon", "sun", "orbit", "gear"]
    task = Task(
        name="wheels",
        dataset=MemoryDataset([
            Sample(input=f"Which wheel is number {n}?", target=names[n], id=n + 1, metadata={"kind": "odd" if n % 2 else "even"})
            for n in range(5)
        ]),
        solver=[fails_at(4), use_tools(wheel()), generate()],
        scorer=[match(location="any"), quality()],
        epochs=None,
    )
    from inspect_ai import Epochs

    task.epochs = 3
    log = run(
        task, model=get_model("mockllm/model", custom_outputs=outputs()), log_dir=folder, log_format=log_format,
        epochs=Epochs(3, ["mean", "mode", "pass_at_2"]), fail_on_error=False, display="none", max_connections=1,
        max_samples=1)[0]
    # Where the machine keeps its files stands in the traces of errors.
    made = read_eval_log(log.location)
    for sample in made.samples:
        for error in [sample.error, *[getattr(event, "error", None) for event in sample.events]]:
            if hasattr(error, "traceback"):
                error.traceback = error.traceback_ansi = ""
        for event in sample.events:
            if getattr(event, "traceback", None):
                event.traceback = event.traceback_ansi = ""
    made.eval.revision = None
    write_eval_log(made, log.location)
