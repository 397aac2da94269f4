/// One form of a specification, for help texts.
public struct KnownProvider: Hashable, Sendable {
    /// `openai:MODEL`.
    public var form: String
    /// `openai:gpt-4o-mini`.
    public var example: String
    /// What it asks, a sentence.
    public var explanation: String
    /// The variable that holds its key unless another one is named; nil where none is sent.
    public var keyVariable: String?
}

extension Providers {
    /// Every form of a specification, in the order in which help texts list them.
    public static let knownProviders = [
        KnownProvider(
            form: "NAME or PATH", example: "stories.gguf",
            explanation: "A model in this process: a file, or a name of the registry. local:NAME says so explicitly.",
            keyVariable: nil),
        KnownProvider(
            form: "openai:MODEL", example: "openai:gpt-4o-mini",
            explanation: "OpenAI's chat completions; OPENAI_BASE_URL moves it elsewhere.",
            keyVariable: "OPENAI_API_KEY"),
        KnownProvider(
            form: "anthropic:MODEL", example: "anthropic:claude-sonnet-4-5",
            explanation: "Anthropic's messages; ANTHROPIC_BASE_URL moves it elsewhere.",
            keyVariable: "ANTHROPIC_API_KEY"),
        KnownProvider(
            form: "ollama:MODEL", example: "ollama:llama3.2",
            explanation: "An Ollama on this machine, at port 11434.", keyVariable: nil),
        KnownProvider(
            form: "URL#MODEL", example: "http://127.0.0.1:8080/v1#qwen3",
            explanation: "Any endpoint that speaks OpenAI's interface: llama.cpp, vLLM, LM Studio, a gateway. Without "
                + "#MODEL it is asked for its only one. No key is sent unless one is named.",
            keyVariable: nil),
        KnownProvider(
            form: "...,NAME=VALUE", example: "https://host/v1#name,key=WORK_KEY,timeout=120",
            explanation: "Settings of any endpoint: key=VARIABLE or key=none, auth=bearer|api-key|x-api-key, "
                + "api=openai|anthropic, timeout=SECONDS, retries=COUNT, stream=yes|no, thinking=TOKENS.",
            keyVariable: nil),
        KnownProvider(
            form: "exec:PROGRAM ARGUMENTS", example: "exec:./my-program --flag",
            explanation: "A program of your own: one JSON line in, JSON lines out. No shell expands its words.",
            keyVariable: nil),
        KnownProvider(
            form: "replay:PATH", example: "replay:answers.jsonl",
            explanation: "Answers that were recorded: a request that is not among them is an error.", keyVariable: nil),
        KnownProvider(
            form: "scripted:TEXT", example: "scripted:It turns.",
            explanation: "Always that text, word by word: for trying things out.", keyVariable: nil),
    ]
}
