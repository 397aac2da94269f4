internal import JSON

extension TaskKey {
    /// Sections that are written `[[scorers]]`, as often as there are such.
    static let lists: Set<String> = ["messages", "prompts", "scorers", "metrics"]
    /// Sections whose further keys belong to what they choose.
    static let open: Set<String> = ["scorers", "metrics"]

    /// Every key, in the order in which they are explained.
    public static let all: [TaskKey] = top + asking + data + judging

    private static let top: [TaskKey] = [
        .init("name", .text, "what the task is called; else the file's name"),
        .init("version", .text, "the task's own version", .string("1")),
        .init("summary", .text, "one sentence for lists", .string("")),
        .init(
            "kind", .text,
            "what a sample asks: an answer, one of some choices, how probable a target or a whole text is, a "
                + "conversation, a retrieval pipeline, an agent, a program, or nothing: the answer is recorded in the data",
            .string("generate"),
            words: [
                "generate", "choice", "likelihood", "rolling", "turns", "retrieval", "agent", "program", "recorded",
            ]),
        .init("prompt", .text, "template of the question: {{ column }}, with Jinja's filters and loops"),
        .init("system", .text, "template of the system text"),
        .init(
            "form", .text, "how a prompt is sent: as a message of a chat, or as a text that is gone on with",
            .string("chat"), words: ["chat", "text"]),
        .init("target", .texts, "template of the right answer; several are all right"),
        .init("targets", .text, "column that holds a list of right answers"),
        .init("choices", .texts, "templates of the choices, or the name of a column that holds them"),
        .init(
            "right", .text, "template of the right choice: its place from 0, its letter or its text; else the target"),
        .init("delimiter", .text, "what stands between the prompt and a choice or target", .string(" ")),
        .init("alone", .flag, "choice: whether each choice is asked for without the prompt too", .bool(false)),
        .init("turns", .texts, "turns: templates of what the user says, or the name of a column that holds them"),
        .init("answer", .text, "recorded: template of the answer"),
        .init("confidence", .text, "recorded: template of how sure the answer is, from 0 to 1"),
        .init("id", .text, "template of a sample's name; else its column id, else its place from 1"),
        .init("cluster", .text, "template of what samples have in common that hang together, such as a document"),
        .init("slices", .texts, "columns by which samples can be grouped"),
        .init("epochs", .integer, "how often each sample is asked", .integer(1)),
        .init(
            "reducer", .text,
            "how the epochs' scores become one: mean, median, mode, max, at_least_K, pass_at_K, pass_all_K",
            .string("mean")),
    ]

    private static let asking: [TaskKey] = [
        .init("messages.role", .text, "who speaks", words: ["system", "user", "assistant"]),
        .init("messages.text", .text, "template of what is said; the messages stand before the prompt"),
        .init("prompts.name", .text, "name of a variant; without --prompt each variant is a run"),
        .init("prompts.prompt", .text, "its prompt, instead of the task's"),
        .init("prompts.system", .text, "its system text, instead of the task's"),
        .init("sampling.temperature", .number, "0 takes the most probable token", .integer(0)),
        .init("sampling.top_p", .number, "the smallest set of tokens of this share stays"),
        .init("sampling.max_tokens", .integer, "the answer ends after so many tokens", .integer(256)),
        .init("sampling.stop", .texts, "texts that end the answer"),
        .init("sampling.seed", .integer, "of the sampling; else the run's"),
        .init("few_shot.count", .integer, "examples before the question", .integer(0)),
        .init("few_shot.file", .text, "where they come from; else the task's own data, never the sample itself"),
        .init("few_shot.sampler", .text, "which examples are taken", .string("first"), words: ["first", "random"]),
        .init("few_shot.seed", .integer, "of the random ones", .integer(0)),
        .init("few_shot.separator", .text, "what stands between examples where the form is text", .string("\n\n")),
        .init("retrieval.corpus", .text, "the corpus that is searched"),
        .init("retrieval.pipeline", .text, "the pipeline; else the corpus's usual one"),
        .init("retrieval.depth", .integer, "how many passages are looked at", .integer(10)),
        .init(
            "retrieval.answer", .text,
            "what a model is asked with what was found, with {context} and {question}; else none is"),
        .init("agent.tools", .texts, "calculator, lookup, search", .array([.string("calculator")])),
        .init("agent.documents", .texts, "templates of what it can search, or the name of a column that holds a list"),
        .init("agent.facts", .text, "column with what lookup knows: an object, or a list of {key, value}"),
        .init("agent.max_steps", .integer, "the most steps", .integer(8)),
        .init(
            "program.timeout", .number, "seconds that a program (--model exec:...) may take for a sample", .integer(60)),
        .init("matrix.prompts", .texts, "variants of [[prompts]], a run each"),
        .init("matrix.temperature", .numbers, "temperatures, a run each"),
        .init("matrix.max_tokens", .numbers, "lengths of answers, a run each"),
    ]

    private static let data: [TaskKey] = [
        .init("data.file", .text, "JSON lines, a JSON list, or CSV; .gz too; beside the task's file"),
        .init("data.member", .text, "where a JSON object holds the list; else examples, data, rows or instances"),
        .init("data.rows", .rows, "rows written here"),
        .init(
            "data.spans", .text,
            "a filter of runs in the workspace (\"*\" is all): each model call with a note is a row with id, prompt, messages, target, note and trace"
        ),
        .init(
            "data.questions", .text, "a set of questions in the workspace: rows with id, question, gold and documents"),
        .init("data.limit", .integer, "only the first so many rows"),
        .init("data.shuffle", .flag, "whether rows are put into another order, by the seed", .bool(false)),
        .init("data.seed", .integer, "of that order", .integer(0)),
    ]

    private static let judging: [TaskKey] = [
        .init("scorers.kind", .text, "what judges; its further keys are its settings: eval explain KIND"),
        .init("scorers.name", .text, "what its score is called; else as its kind"),
        .init("scorers.weight", .number, "its part in a weighted sum", .integer(1)),
        .init("scorers.threshold", .number, "the value from which on a sample passes; else the scorer's own"),
        .init("scorers.negate", .flag, "whether passing and failing change places", .bool(false)),
        .init("scorers.settings", .table, "its settings where they are called like one of these keys"),
        .init("metrics.kind", .text, "what is computed of scores; its further keys are its settings"),
        .init("metrics.of", .text, "the score that it is made of; else every one"),
    ]
}
