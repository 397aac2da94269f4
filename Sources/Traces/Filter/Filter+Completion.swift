/// Something that may stand at the cursor of a filter.
public struct FilterCompletion: Hashable, Sendable {
    /// What to put in place of `range`.
    public var replacement: String
    /// Characters of the filter that it replaces.
    public var range: Range<Int>
    /// One phrase about it.
    public var summary: String

    public init(replacement: String, range: Range<Int>, summary: String) {
        self.replacement = replacement
        self.range = range
        self.summary = summary
    }
}

extension Filter {
    /// What may be written at a place of an unfinished filter: fields and keywords, and after an operator the values
    /// that begin with, or else hold, what is typed.
    ///
    /// - Parameters:
    ///   - cursor: characters before the cursor.
    ///   - values: known values of a text field, best first; asked for text fields only.
    public static func completions(
        for text: String, at cursor: Int, values: (FilterField) -> [String] = { _ in [] }
    ) -> [FilterCompletion] {
        let before = Array(text.prefix(max(0, cursor)))
        guard !isInsideQuotes(before) || valueStart(before) != nil else { return [] }
        if let (field, start) = valueStart(before) {
            return completions(of: field, typed: before[start...], range: start..<before.count, values)
        }
        let start = before.lastIndex { $0.isWhitespace || $0 == "(" }.map { $0 + 1 } ?? 0
        let typed = String(before[start...]).lowercased()
        let range = start..<before.count
        var found = FilterField.allCases.filter { $0.rawValue.hasPrefix(typed) }.map {
            FilterCompletion(replacement: $0.rawValue + $0.usualOperator, range: range, summary: $0.summary)
        }
        if !typed.isEmpty {
            for (word, summary) in [("and", "both hold"), ("or", "one of them holds"), ("not", "does not hold")]
            where word.hasPrefix(typed) {
                found.append(FilterCompletion(replacement: word + " ", range: range, summary: summary))
            }
        }
        return found
    }

    private static func completions(
        of field: FilterField, typed: ArraySlice<Character>, range: Range<Int>, _ values: (FilterField) -> [String]
    ) -> [FilterCompletion] {
        let candidates: [String]
        switch field.shape {
        case .choice(let choices): candidates = choices
        case .text: candidates = values(field)
        case .count: candidates = ["100", "1k", "10k", "100k", "1M"]
        case .dollars: candidates = ["0.01", "0.1", "1", "10"]
        case .duration: candidates = ["100ms", "1s", "10s", "1m", "10m", "1h"]
        case .moment: candidates = []
        }
        let plain = Folding.folded(String(typed.drop { $0 == "\"" || $0 == "'" }))
        let beginning = candidates.filter { Folding.folded($0).starts(with: plain) }
        let holding =
            field.shape == .text
            ? candidates.filter { !beginning.contains($0) && Folding.contains($0, plain) } : []
        return (beginning + holding).map {
            FilterCompletion(replacement: quoted($0) + " ", range: range, summary: "")
        }
    }

    /// A value as it must be typed: in quotes where it would otherwise end early.
    static func quoted(_ value: String) -> String {
        let plain = value.utf8.allSatisfy { byte in
            byte > 0x20 && byte != UInt8(ascii: "(") && byte != UInt8(ascii: ")") && byte != UInt8(ascii: "\"")
                && byte != UInt8(ascii: "'")
        }
        if plain, !value.isEmpty { return value }
        var quoted = "\""
        for character in value {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }

    /// The field whose value is being typed, and where the value starts.
    private static func valueStart(_ before: [Character]) -> (FilterField, Int)? {
        var inside: Character?
        var wordStart = 0
        var found: (FilterField, Int)?
        for (place, character) in before.enumerated() {
            if let quote = inside {
                if character == quote, place > 0, before[place - 1] != "\\" { inside = nil }
            } else if character == "\"" || character == "'" {
                inside = character
            } else if character.isWhitespace || character == "(" || character == ")" {
                wordStart = place + 1
                found = nil
            } else if ":=<>".contains(character) {
                if let (field, start) = found {
                    // The second half of `>=`, or part of the value.
                    if start == place { found = (field, place + 1) }
                } else {
                    let word = String(before[wordStart..<place].filter { $0 != "!" }).lowercased()
                    if let field = FilterField(rawValue: word) { found = (field, place + 1) }
                }
            }
        }
        return found
    }

    private static func isInsideQuotes(_ before: [Character]) -> Bool {
        var inside: Character?
        for (place, character) in before.enumerated() {
            if let quote = inside {
                if character == quote, before[place - 1] != "\\" { inside = nil }
            } else if character == "\"" || character == "'" {
                inside = character
            }
        }
        return inside != nil
    }
}

extension FilterField {
    fileprivate var usualOperator: String {
        switch shape {
        case .choice, .text, .moment: ":"
        case .count, .dollars, .duration: ">"
        }
    }
}
