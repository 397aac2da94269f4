internal import Formatting

/// Quality measures of a text and reasons against it. A report drops nothing.
///
/// ```swift
/// let report = QualityReport(of: text, rules: .gopher)
/// report.reasons.map(\.sentence)          // ["words: 12, at least 50 (Gopher, A.1.1)"]
/// ```
public struct QualityReport: Sendable {
    /// A measure that is outside a rule's bounds.
    public struct Reason: Hashable, Sendable {
        public var rule: QualityRules.Rule
        public var value: Double

        /// `words: 12, at least 50 (Gopher, A.1.1)`.
        public var sentence: String {
            let bound: String
            if let least = rule.least, value < least {
                bound = "at least \(shown(least))"
            } else {
                bound = "at most \(shown(rule.most ?? .infinity))"
            }
            return "\(rule.measure): \(shown(value)), \(bound) (\(rule.source))"
        }

        private func shown(_ number: Double) -> String {
            rule.measure.isShare ? Format.percent(number, digits: 1) : Format.trimmed(number, digits: 2)
        }
    }

    /// Measures that apply: those of words do not to scripts without spaces.
    public let measures: [QualityMeasure: Double]
    public let reasons: [Reason]
    /// Language of the text; `nil` if it is uncertain.
    public let language: LanguageGuess?

    public init(
        of text: String, rules: QualityRules = .chosenDocuments, languages: LanguageIdentifier = .standard
    ) {
        language = languages.identify(text)
        let statistics = TextStatistics(text)
        var measures: [QualityMeasure: Double] = [:]
        for measure in QualityMeasure.all { measures[measure] = statistics.value(of: measure, language?.code) }
        self.measures = measures
        reasons = rules.rules.compactMap { rule in
            guard let value = measures[rule.measure], measures[.words] ?? 0 >= rule.fromWords else { return nil }
            if let least = rule.least, value < least { return Reason(rule: rule, value: value) }
            if let most = rule.most, value > most { return Reason(rule: rule, value: value) }
            return nil
        }
    }

    /// Whether nothing speaks against it.
    public var isGood: Bool { reasons.isEmpty }
}
