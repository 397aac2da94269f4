/// One form of a specification, for help texts.
public struct KnownProvider: Hashable, Sendable {
    /// `openai:MODEL`.
    public var form: String
    /// `openai:gpt-4o-mini`.
    public var example: String
    /// What it asks, a sentence.
    public var explanation: String
    /// Default environment variable of the key; `nil` if no key is sent.
    public var keyVariable: String?
}

extension Providers {
    /// Every form of a specification, in the order in which help texts list them.
    public static let knownProviders = [
        KnownProvider(
            form: "NAME or PATH", example: "stories.gguf",
            explanation: "A local model: a file, or a name in the registry. The prefix local: is optional.",
            keyVariable: nil),
        KnownProvider(
            form: "openai:MODEL", example: "openai:gpt-4o-mini",
            explanation: "OpenAI's chat completions API. OPENAI_BASE_URL overrides the address.",
            keyVariable: "OPENAI_API_KEY"),
        KnownProvider(
            form: "anthropic:MODEL", example: "anthropic:claude-sonnet-4-5",
            explanation: "Anthropic's messages API. ANTHROPIC_BASE_URL overrides the address.",
            keyVariable: "ANTHROPIC_API_KEY"),
        KnownProvider(
            form: "ollama:MODEL", example: "ollama:llama3.2",
            explanation: "An Ollama server on this machine, on port 11434.", keyVariable: nil),
        KnownProvider(
            form: "URL#MODEL", example: "http://127.0.0.1:8080/v1#qwen3",
            explanation: "Any endpoint with OpenAI's API, such as llama.cpp, vLLM, or LM Studio. Without "
                + "#MODEL, the endpoint must serve exactly one model. No key is sent by default.",
            keyVariable: nil),
        KnownProvider(
            form: "...,NAME=VALUE", example: "https://host/v1#name,key=WORK_KEY,timeout=120",
            explanation: "Settings for any endpoint: key=VARIABLE or key=none, auth=bearer|api-key|x-api-key, "
                + "api=openai|anthropic, timeout=SECONDS, retries=COUNT, stream=yes|no, thinking=TOKENS.",
            keyVariable: nil),
        KnownProvider(
            form: "exec:PROGRAM ARGUMENTS", example: "exec:./my-program --flag",
            explanation: "Your own program, which reads one JSON line and writes JSON Lines. Runs without a shell.",
            keyVariable: nil),
        KnownProvider(
            form: "replay:PATH", example: "replay:answers.jsonl",
            explanation: "Recorded responses. A request without a recording is an error.", keyVariable: nil),
        KnownProvider(
            form: "scripted:TEXT", example: "scripted:It turns.",
            explanation: "A fixed reply, streamed word by word, for testing.", keyVariable: nil),
    ]
}
