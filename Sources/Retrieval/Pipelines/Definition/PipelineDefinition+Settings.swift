internal import Configuration
internal import System

extension PipelineDefinition {
    /// One key of a pipeline with its current value, for forms.
    public struct Setting: Sendable {
        /// Name of the key: `dense.k`.
        public var name: String
        /// The value as in a file, without quotes; empty if the corpus, the index, or the model decides.
        public var value: String
        /// Whether the pipeline sets the key; otherwise its default applies.
        public var isSet: Bool
        /// The default in effect, in a few words; never empty.
        public var standard: String
        /// The only valid values; empty if the key takes others.
        public var choices: [String]
        /// The valid range of a number, in a few words.
        public var allowed: String
        public var help: String
    }

    /// Returns all keys of this pipeline's stages, in file order.
    ///
    /// - Parameter corpus: The corpus to search, whose own settings are the defaults of some keys.
    public func settings(for corpus: CorpusSettings?) -> [Setting] {
        PipelineKeys.all.all.filter { $0.section != "pipeline" }.map { key in
            let value = value(key.name) ?? ""
            let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return Setting(
                name: key.name, value: isQuoted ? String(value.dropFirst().dropLast()) : value,
                isSet: said[key.name] != nil, standard: key.standardWords(for: corpus),
                choices: key.kind == .flag ? ["true", "false"] : key.kind.choices,
                allowed: key.kind == .texts ? "strings in brackets" : key.kind.limits, help: key.summary)
        }
    }

    /// Returns what is wrong with a value for a key, or `nil`.
    public func problem(_ key: String, with value: String) -> String? {
        do throws(Problem) {
            _ = try changing(key, to: value.isEmpty ? nil : value)
            return nil
        } catch { return "\(error)" }
    }
}

extension SettingKey {
    /// Returns the default in effect, in a few words.
    fileprivate func standardWords(for corpus: CorpusSettings?) -> String {
        switch name {
        case "filter.expression": "all chunks"
        case "lexical.fields": "all fields"
        case "lexical.k1": corpus.map { "\($0.k1)" } ?? "set by the corpus"
        case "lexical.b": corpus.map { "\($0.b)" } ?? "set by the corpus"
        case "dense.space", "rerank.space": "the active space"
        case "dense.ef", "dense.nprobe", "dense.rescore": "set by the index"
        case "rewrite.model", "rerank.model", "answer.model": "none"
        case "answer.prompt": "the built-in prompt"
        default: standard.map(\.plain) ?? "set by the index"
        }
    }
}
