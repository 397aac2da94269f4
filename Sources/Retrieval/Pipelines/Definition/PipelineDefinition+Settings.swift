extension PipelineDefinition {
    /// One key of a pipeline with its current value, for forms.
    public struct Setting: Sendable {
        /// Name of the key: `dense.k`.
        public var name: String
        /// The value as in a file, without quotes; empty if the index or the model decides.
        public var value: String
        /// The only valid values; empty if the key takes others.
        public var choices: [String]
        /// The valid range of a number, in a few words.
        public var allowed: String
        public var help: String
    }

    /// All keys of this pipeline's stages, in file order.
    public var settings: [Setting] {
        PipelineKey.all.filter { $0.section != "pipeline" }.map { key in
            let value = value(key.name) ?? ""
            let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return Setting(
                name: key.name, value: isQuoted ? String(value.dropFirst().dropLast()) : value,
                choices: key.kind.choices, allowed: key.kind.allowed, help: key.summary)
        }
    }

    /// Returns what is wrong with a value for a key, or nil.
    public func problem(_ key: String, with value: String) -> String? {
        do throws(RetrievalError) {
            _ = try changing(key, to: value.isEmpty ? nil : value)
            return nil
        } catch { return "\(error)" }
    }
}

extension PipelineKey.Kind {
    fileprivate var choices: [String] {
        switch self {
        case .flag: ["true", "false"]
        case .choice(let names): names
        case .integer, .number, .text, .texts: []
        }
    }

    fileprivate var allowed: String {
        switch self {
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .texts: "texts in brackets"
        case .flag, .choice, .text: ""
        }
    }
}
