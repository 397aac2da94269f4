internal import LanguageModels

/// A line of a prompt document's settings that holds one value.
enum PromptSetting: Hashable {
    case field(SamplingField)
    case seed
    case maximumTokens
    case alternatives

    /// Returns all settings in the order in which they are written.
    ///
    /// - Parameter extras: Fields in addition to the standard ones.
    static func all(with extras: [SamplingField] = []) -> [PromptSetting] {
        (SamplingField.standard + extras).map(PromptSetting.field) + [.seed, .maximumTokens, .alternatives]
    }

    /// Name in prompt files.
    var name: String {
        switch self {
        case .field(let field): field.name
        case .seed: "seed"
        case .maximumTokens: "max_tokens"
        case .alternatives: "alternatives"
        }
    }

    /// Returns the value in a document; `nil` if it is not set.
    func value(in document: PromptDocument) -> String? {
        let sampling = document.sampling
        return switch self {
        case .field(let field): sampling[field]?.text
        case .seed: sampling.seed.map { "\($0)" }
        case .maximumTokens: sampling.maximumTokens.map { "\($0)" }
        case .alternatives:
            document.alternatives == PromptDocument.standardAlternatives ? nil : "\(document.alternatives)"
        }
    }

    /// Sets the value from text; empty text removes the value.
    ///
    /// - Returns: Error message for invalid text, which leaves the document unchanged; `nil` if the text is valid.
    func set(_ text: String, in document: inout PromptDocument) -> String? {
        switch self {
        case .field(let field):
            guard !text.isEmpty else {
                document.sampling[field] = nil
                return nil
            }
            let (value, problem) = field.isInteger ? Self.count(text, field) : Self.number(text, field)
            if let value { document.sampling[field] = value }
            return problem
        case .maximumTokens:
            guard !text.isEmpty else {
                document.sampling.maximumTokens = nil
                return nil
            }
            guard let value = Int(text), Self.counts.contains(value) else { return countProblem(text) }
            document.sampling.maximumTokens = value
            return nil
        case .seed:
            guard let seed = UInt64(text) else {
                document.sampling.seed = nil
                return text.isEmpty ? nil : "seed must be a whole number of 0 or more, not \(text)"
            }
            document.sampling.seed = seed
            return nil
        case .alternatives:
            guard let count = text.isEmpty ? PromptDocument.standardAlternatives : Int(text), (0...200).contains(count)
            else { return "alternatives must be a number from 0 to 200, not \(text)" }
            document.alternatives = count
            return nil
        }
    }

    /// Valid token limits.
    private static let counts = 1...10_000_000

    private func countProblem(_ text: String) -> String {
        "\(name) must be a whole number of 1 or more, not \(text)"
    }

    private static func number(_ text: String, _ field: SamplingField) -> (SamplingValue?, String?) {
        guard let value = Double(text), field.limits.contains(value) else {
            let limits = field.limits
            return (
                nil, "\(field.name) must be a number from \(limits.lowerBound) to \(limits.upperBound), not \(text)"
            )
        }
        return (.number(value), nil)
    }

    private static func count(_ text: String, _ field: SamplingField) -> (SamplingValue?, String?) {
        guard let value = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }), field.limits.contains(Double(value))
        else {
            let least = Int(exactly: field.limits.lowerBound) ?? 0
            return (nil, "\(field.name) must be a whole number of \(least) or more, not \(text)")
        }
        return (.count(value), nil)
    }
}
