/// A syntax error in a filter, with its position.
public struct QueryError: Error, Hashable, Sendable {
    /// Filter as typed.
    public var text: String
    /// Number of characters before the error.
    public var position: Int
    /// Number of characters to mark, at least 1.
    public var length: Int
    /// Problem, without a final period.
    public var problem: String
    /// Remedy, as a sentence; `nil` if unknown.
    public var suggestion: String?

    init(text: String, bytes: Range<Int>, problem: String, suggestion: String? = nil) {
        self.text = text
        position = Self.characters(of: text, before: bytes.lowerBound)
        length = max(1, Self.characters(of: text, before: bytes.upperBound) - position)
        self.problem = problem
        self.suggestion = suggestion
    }

    /// The error as one line: place, problem, and remedy.
    public var sentence: String {
        let place = "Filter, column \(position + 1): \(problem)."
        return if let suggestion { "\(place) \(suggestion)" } else { place }
    }

    /// The error as three lines: the filter, carets under the error, and ``sentence``.
    ///
    /// The carets assume that each character is one column wide. Terminals place carets by ``position`` instead.
    public var rendering: String {
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        let caret = String(repeating: " ", count: position) + String(repeating: "^", count: length)
        return "\(line)\n\(caret)\n\(sentence)"
    }

    private static func characters(of text: String, before byte: Int) -> Int {
        let utf8 = text.utf8
        guard let index = utf8.index(utf8.startIndex, offsetBy: byte, limitedBy: utf8.endIndex) else {
            return text.count
        }
        return text[..<index].count
    }
}

extension QueryError: CustomStringConvertible {
    public var description: String { sentence }
}
