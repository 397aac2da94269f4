internal import LanguageModels

/// A line of a prompt document's settings that holds one value.
enum PromptSetting: String, CaseIterable {
    case temperature
    case topK = "top_k"
    case topP = "top_p"
    case minP = "min_p"
    case typicalP = "typical_p"
    case repetitionPenalty = "repetition_penalty"
    case presencePenalty = "presence_penalty"
    case frequencyPenalty = "frequency_penalty"
    case seed
    case maximumTokens = "max_tokens"
    case alternatives

    /// Returns the value in a document; `nil` if it is not set.
    func value(in document: PromptDocument) -> String? {
        let sampling = document.sampling
        return switch self {
        case .temperature: sampling.temperature.map { "\($0)" }
        case .topK: sampling.topK.map { "\($0)" }
        case .topP: sampling.topP.map { "\($0)" }
        case .minP: sampling.minP.map { "\($0)" }
        case .typicalP: sampling.typicalP.map { "\($0)" }
        case .repetitionPenalty: sampling.repetitionPenalty.map { "\($0)" }
        case .presencePenalty: sampling.presencePenalty.map { "\($0)" }
        case .frequencyPenalty: sampling.frequencyPenalty.map { "\($0)" }
        case .seed: sampling.seed.map { "\($0)" }
        case .maximumTokens: sampling.maximumTokens.map { "\($0)" }
        case .alternatives:
            document.alternatives == PromptDocument.standardAlternatives ? nil : "\(document.alternatives)"
        }
    }

    /// Sets it from text; empty text unsets it. The returned sentence says what is wrong.
    func set(_ text: String, in document: inout PromptDocument) -> String? {
        switch self {
        case .temperature: return number(text, in: 0...100, \.temperature, &document)
        case .topP: return number(text, in: 0...1, \.topP, &document)
        case .minP: return number(text, in: 0...1, \.minP, &document)
        case .typicalP: return number(text, in: 0...1, \.typicalP, &document)
        case .repetitionPenalty: return number(text, in: 0.01...100, \.repetitionPenalty, &document)
        case .presencePenalty: return number(text, in: -100...100, \.presencePenalty, &document)
        case .frequencyPenalty: return number(text, in: -100...100, \.frequencyPenalty, &document)
        case .topK: return count(text, \.topK, &document)
        case .maximumTokens: return count(text, \.maximumTokens, &document)
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

    private func number(
        _ text: String, in range: ClosedRange<Double>, _ path: WritableKeyPath<Sampling, Double?>,
        _ document: inout PromptDocument
    ) -> String? {
        guard !text.isEmpty else {
            document.sampling[keyPath: path] = nil
            return nil
        }
        guard let value = Double(text), range.contains(value) else {
            return "\(rawValue) must be a number from \(range.lowerBound) to \(range.upperBound), not \(text)"
        }
        document.sampling[keyPath: path] = value
        return nil
    }

    private func count(
        _ text: String, _ path: WritableKeyPath<Sampling, Int?>, _ document: inout PromptDocument
    ) -> String? {
        guard !text.isEmpty else {
            document.sampling[keyPath: path] = nil
            return nil
        }
        guard let value = Int(text), (1...10_000_000).contains(value) else {
            return "\(rawValue) must be a whole number of 1 or more, not \(text)"
        }
        document.sampling[keyPath: path] = value
        return nil
    }
}
