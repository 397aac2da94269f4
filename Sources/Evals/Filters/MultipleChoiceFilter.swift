public import JSON
public import System
internal import Tokenizers

/// Finds the letter of the chosen answer: by a regular expression, by the text of a choice in the row's `choices`, or
/// by a letter after a colon, in this order. The result is `(A)`, `(B)`, and so on.
public struct MultipleChoiceFilter: AnswerFilter {
    public static let name = "multi_choice_regex"
    private let base: RegexFilter
    private let ignoresCase: Bool
    private let ignoresPunctuation: Bool
    private let ignored: [TextPattern]

    public init(_ settings: ScorerSettings) throws(Problem) {
        try settings.allow(
            ["regex_pattern", "group_select", "fallback", "ignore_case", "ignore_punctuation", "regexes_to_ignore"],
            for: Self.name)
        base = try RegexFilter(reading: settings)
        ignoresCase = settings["ignore_case"]?.bool ?? false
        ignoresPunctuation = settings["ignore_punctuation"]?.bool ?? false
        var ignored: [TextPattern] = []
        for source in settings["regexes_to_ignore"]?.elements ?? [] {
            guard let pattern = TextPattern(source.string ?? "") else {
                throw settings.error("`regexes_to_ignore` has an invalid or unsupported regular expression")
            }
            ignored.append(pattern)
        }
        self.ignored = ignored
    }

    private func reduced(_ text: String) throws(Problem) -> String {
        var text = text
        for pattern in ignored { text = try pattern.removed(from: text) }
        if ignoresCase { text = text.lowercased() }
        if ignoresPunctuation { text.unicodeScalars.removeAll { $0.properties.generalCategory.isPunctuation } }
        return text
    }

    public func apply(_ answers: JSONValue, of fields: JSONValue) throws(Problem) -> JSONValue {
        let choices = fields["choices"]?.elements?.map { PythonLiteral.printed($0) } ?? []
        let letters = choices.indices.map { Unicode.Scalar(UInt32(0x41 + $0)).map { String($0) } ?? "?" }
        var texts: [String] = []
        for choice in choices { texts.append(try reduced(PythonLiteral.stripped(choice))) }
        // Longest first, so that a choice does not hide another that begins with it. Equal lengths keep their order.
        let order = texts.indices.sorted {
            (texts[$1].unicodeScalars.count, $0) < (texts[$0].unicodeScalars.count, $1)
        }
        var left: [JSONValue] = []
        for answer in AnswerFilters.elements(answers) {
            left.append(.string(try letter(in: answer.string ?? "", texts, order, letters) ?? base.fallback))
        }
        return .array(left)
    }

    private func letter(
        in text: String, _ choices: [String], _ order: [Int], _ letters: [String]
    ) throws(Problem) -> String? {
        if let found = try RegexFilter.match(base.pattern, base.select, in: text), !found.isEmpty { return found }
        if !choices.isEmpty {
            let alternatives = order.map { Self.escaped(choices[$0]) }.joined(separator: "|")
            if let pattern = TextPattern(alternatives),
                let found = try RegexFilter.match(pattern, base.select, in: try reduced(text)), !found.isEmpty
            {
                return choices.lastIndex(of: found).map { "(\(letters[$0]))" } ?? found
            }
            if let pattern = TextPattern(#":[\s]*("# + letters.joined(separator: "|") + ")"),
                let found = try RegexFilter.match(pattern, base.select, in: text), !found.isEmpty
            {
                return letters.contains(found) ? "(\(found))" : found
            }
        }
        return nil
    }

    /// Returns the text as a regular expression that matches only itself.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII, !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_") {
                result += "\\x{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.GeneralCategory {
    /// Whether the character is in the categories P*.
    fileprivate var isPunctuation: Bool {
        switch self {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            true
        default: false
        }
    }
}
