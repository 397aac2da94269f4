internal import JSON

extension TaskKey {
    /// Sections written as `[[scorers]]`, which can be repeated.
    static let lists: Set<String> = ["messages", "prompts", "scorers", "metrics"]
    /// Sections with further keys that depend on their kind.
    static let open: Set<String> = ["scorers", "metrics"]

    /// All keys, in the order of the explanation.
    public static let all: [TaskKey] = top + asking + data + judging

    private static let top: [TaskKey] = [
        .init("name", .text, "name of the task (default: the file's name)"),
        .init("version", .text, "version of the task", .string("1")),
        .init("summary", .text, "one-sentence summary, shown in lists of tasks", .string("")),
        .init(
            "kind", .text,
            "request per sample: an answer, a choice, the probability of a target or of a whole text, a conversation, "
                + "a retrieval pipeline, an agent, a program, or none (answers are recorded in the data)",
            .string("generate"),
            words: [
                "generate", "choice", "likelihood", "rolling", "turns", "retrieval", "agent", "program", "recorded",
            ]),
        .init("prompt", .text, "template of the question: {{ column }}, with Jinja filters and loops"),
        .init("system", .text, "template of the system prompt"),
        .init(
            "form", .text, "how a prompt is sent: as a chat message, or as text for the model to continue",
            .string("chat"), words: ["chat", "text"]),
        .init("target", .texts, "template of the correct answer, or several templates of which any is correct"),
        .init("targets", .text, "column with a list of correct answers"),
        .init("choices", .texts, "templates of the choices, or the name of a column that holds them"),
        .init(
            "right", .text,
            "template of the correct choice: its index from 0, its letter, or its text (default: the target)"),
        .init("delimiter", .text, "text between the prompt and a choice or target", .string(" ")),
        .init("alone", .flag, "choice: whether to score each choice without the prompt as well", .bool(false)),
        .init("turns", .texts, "turns: templates of the user's messages, or the name of a column that holds them"),
        .init("answer", .text, "recorded: template of the answer"),
        .init("confidence", .text, "recorded: template of the confidence in the answer, from 0 to 1"),
        .init("id", .text, "template of a sample's name (default: the column id, or the row number)"),
        .init("cluster", .text, "template of the cluster name that related samples share"),
        .init("slices", .texts, "columns to group samples by"),
        .init("epochs", .integer, "number of epochs: requests per sample", .integer(1)),
        .init(
            "reducer", .text,
            "how the scores of epochs are combined: mean, median, mode, max, at_least_K, pass_at_K, pass_all_K",
            .string("mean")),
    ]

    private static let asking: [TaskKey] = [
        .init("messages.role", .text, "role of the message", words: ["system", "user", "assistant"]),
        .init("messages.text", .text, "template of the message; messages precede the prompt"),
        .init("prompts.name", .text, "name of a variant; without --prompt, each variant is a run"),
        .init("prompts.prompt", .text, "prompt of the variant, instead of the task's"),
        .init("prompts.system", .text, "system prompt of the variant, instead of the task's"),
        .init("sampling.temperature", .number, "0 selects the most probable token", .integer(0)),
        .init("sampling.top_p", .number, "cumulative probability of the tokens to sample from"),
        .init("sampling.max_tokens", .integer, "maximum number of tokens in the answer", .integer(256)),
        .init("sampling.stop", .texts, "texts that end the answer"),
        .init("sampling.seed", .integer, "seed for sampling (default: the run's)"),
        .init("few_shot.count", .integer, "number of examples before the question", .integer(0)),
        .init("few_shot.file", .text, "file of examples (default: the task's own data, without the sample itself)"),
        .init("few_shot.sampler", .text, "how examples are selected", .string("first"), words: ["first", "random"]),
        .init("few_shot.seed", .integer, "seed for random examples", .integer(0)),
        .init("few_shot.separator", .text, "text between examples if form is text", .string("\n\n")),
        .init("retrieval.corpus", .text, "corpus to search"),
        .init("retrieval.pipeline", .text, "pipeline (default: the corpus's default)"),
        .init("retrieval.depth", .integer, "number of passages to retrieve", .integer(10)),
        .init(
            "retrieval.answer", .text,
            "template of the model request, with {context} and {question} (default: no model request)"),
        .init("agent.tools", .texts, "calculator, lookup, search", .array([.string("calculator")])),
        .init("agent.documents", .texts, "templates of the documents to search, or the name of a column with a list"),
        .init("agent.facts", .text, "column with the facts for lookup: an object, or a list of {key, value}"),
        .init("agent.max_steps", .integer, "maximum number of steps", .integer(8)),
        .init(
            "program.timeout", .number, "time limit of a program (--model exec:...) per sample, in seconds",
            .integer(60)),
        .init("matrix.prompts", .texts, "variants of [[prompts]], one run each"),
        .init("matrix.temperature", .numbers, "temperatures, one run each"),
        .init("matrix.max_tokens", .numbers, "maximum token counts, one run each"),
    ]

    private static let data: [TaskKey] = [
        .init("data.file", .text, "JSON Lines, a JSON list, or CSV, optionally with .gz; relative to the task's file"),
        .init("data.member", .text, "key of the list in a JSON object (default: examples, data, rows, or instances)"),
        .init("data.rows", .rows, "rows in the task file"),
        .init(
            "data.spans", .text,
            "filter of runs in the workspace (\"*\": all); each model call with a note is a row with id, prompt, messages, target, note, and trace"
        ),
        .init(
            "data.questions", .text, "question set in the workspace: rows with id, question, gold, and documents"),
        .init("data.limit", .integer, "maximum number of rows"),
        .init("data.shuffle", .flag, "whether to shuffle the rows, using data.seed", .bool(false)),
        .init("data.seed", .integer, "seed for shuffling", .integer(0)),
    ]

    private static let judging: [TaskKey] = [
        .init("scorers.kind", .text, "kind of scorer; its settings are further keys: eval explain KIND"),
        .init("scorers.name", .text, "name of its score (default: its kind)"),
        .init("scorers.weight", .number, "weight in a weighted sum", .integer(1)),
        .init("scorers.threshold", .number, "minimum passing score (default: the scorer's own)"),
        .init("scorers.negate", .flag, "whether to swap passing and failing", .bool(false)),
        .init("scorers.settings", .table, "settings whose names match one of these keys"),
        .init("metrics.kind", .text, "kind of metric; its settings are further keys"),
        .init("metrics.of", .text, "score to compute the metric for (default: every score)"),
    ]
}
