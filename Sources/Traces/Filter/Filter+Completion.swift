internal import Configuration

/// A completion at the cursor of a filter.
public struct FilterCompletion: Hashable, Sendable {
    /// Text that replaces `range`.
    public var replacement: String
    /// Range of characters in the filter that the completion replaces.
    public var range: Range<Int>
    /// Short description; empty for values.
    public var summary: String

    /// Creates a completion.
    public init(replacement: String, range: Range<Int>, summary: String) {
        self.replacement = replacement
        self.range = range
        self.summary = summary
    }
}

extension Filter {
    /// Returns the completions at a position of an unfinished filter: fields and keywords, or values after an operator.
    ///
    /// Values that start with the typed text come first, followed by text values that contain it.
    ///
    /// - Parameters:
    ///   - text: Filter as typed so far.
    ///   - cursor: Number of characters before the cursor.
    ///   - values: Returns the known values of a text field, best first; called for text fields only.
    public static func completions(
        for text: String, at cursor: Int, values: (FilterField) -> [String] = { _ in [] }
    ) -> [FilterCompletion] {
        let before = Array(text.prefix(max(0, cursor)))
        do {
            if let (field, start) = try valueStart(String(before)) {
                return completions(of: field, typed: before[start...], range: start..<before.count, values)
            }
        } catch {
            return []
        }
        let start = before.lastIndex { $0.isWhitespace || $0 == "(" }.map { $0 + 1 } ?? 0
        let typed = String(before[start...]).lowercased()
        let range = start..<before.count
        var found = FilterField.allCases.filter { $0.rawValue.hasPrefix(typed) }.map {
            FilterCompletion(replacement: $0.rawValue + $0.usualOperator, range: range, summary: $0.summary)
        }
        if !typed.isEmpty {
            for (word, summary) in [("and", "both match"), ("or", "at least one matches"), ("not", "does not match")]
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

    /// Returns a value as it must be typed, with quotes if it would otherwise end early.
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

    /// Returns the field whose value ends the text, and the number of characters before the value.
    ///
    /// - Throws: `QueryError` if the text ends in quoted free text.
    private static func valueStart(_ text: String) throws(QueryError) -> (FilterField, Int)? {
        var lexer = QueryLexer(text, FilterLanguage.dialect)
        var field: FilterField?
        while true {
            let token = try lexer.next()
            switch token.kind {
            case .end: return nil
            case .word(let word): field = FilterField(rawValue: word.lowercased())
            case .sign:
                guard let known = field, !token.spaced else { continue }
                field = nil
                let start = token.range.upperBound
                let value = try? lexer.next(asValue: true)
                if let value, value.spaced || value.kind == .close || value.range.upperBound < text.utf8.count {
                    continue
                }
                return (known, String(decoding: text.utf8.prefix(start), as: UTF8.self).count)
            default: field = nil
            }
        }
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
