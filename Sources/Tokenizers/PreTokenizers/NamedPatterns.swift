/// The patterns behind the names of `tokenizer.ggml.pre`, one step after the other.
enum NamedPatterns {
    /// Returns the pre-tokenizer of a named byte-level vocabulary, with its other settings; `nil` for an unknown name.
    static func of(_ name: String) -> (steps: [String], ignoresMerges: Bool, addsBOS: Bool)? {
        switch name {
        case "gpt-2", "gpt2", "phi-2", "jina-es", "jina-de", "jina-v1-en", "jina-v2-es", "jina-v2-de", "jina-v2-code",
            "roberta-bpe", "mpt", "olmo", "jais", "gigachat", "modern-bert", "exaone4":
            ([KnownPattern.gpt2.rawValue], false, false)
        case "llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "lfm2", "midm-2.0":
            ([KnownPattern.llama3.rawValue], true, true)
        case "dbrx", "smaug-bpe":
            ([KnownPattern.llama3.rawValue], false, false)
        case "qwen2", "stablelm2", "deepseek-r1-qwen", "megrez", "hunyuan":
            ([KnownPattern.qwen2.rawValue], false, false)
        case "qwen35": ([KnownPattern.qwen35.rawValue], false, false)
        case "gpt-4o", "llama4", "o200k": ([KnownPattern.o200k.rawValue], false, false)
        case "tekken": ([KnownPattern.tekken.rawValue], true, true)
        case "smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b":
            ([#"\p{N}"#, KnownPattern.gpt2.rawValue], false, false)
        case "falcon": ([#"[\p{P}\$\+<=>\^~\|`]+"#, KnownPattern.gpt2.rawValue, "[0-9][0-9][0-9]"], false, false)
        case "default":
            ([#"[\p{P}\$\+<=>\^~\|]+"#, KnownPattern.gpt2.rawValue, #"\p{N}+"#, "[0-9][0-9][0-9]"], false, false)
        case "deepseek-v3":
            (
                [
                    #"\p{N}{1,3}"#, "[一-龥぀-ゟ゠-ヿ]+",
                    ##"[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"##,
                ], false, false
            )
        case "deepseek-coder":
            ([#"[\r\n]"#, #"\s?\p{L}+"#, #"\s?\p{P}+"#, "[一-龥ࠀ-一가-퟿]+", #"\p{N}"#], false, false)
        case "deepseek-llm":
            ([#"[\r\n]"#, #"\s?\p{L}+"#, #"\s?\p{P}+"#, "[一-龥ࠀ-一가-퟿]+", #"\p{N}+"#], false, false)
        default: nil
        }
    }

    static let names = [
        "gpt-2", "llama-bpe", "qwen2", "qwen35", "gpt-4o", "tekken", "smollm", "starcoder", "command-r", "falcon",
        "deepseek-v3", "deepseek-coder", "deepseek-llm", "default",
    ]
}
