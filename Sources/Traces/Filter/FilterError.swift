/// What is wrong with a filter, and where.
public struct FilterError: Error, Hashable, Sendable {
    /// The filter as it was typed.
    public var text: String
    /// Characters before the wrong place.
    public var position: Int
    /// Characters of the wrong place, at least 1.
    public var length: Int
    /// What is wrong there, without a full stop.
    public var problem: String
    /// What to write instead.
    public var suggestion: String?

    init(text: String, bytes: Range<Int>, problem: String, suggestion: String? = nil) {
        self.text = text
        position = Self.characters(of: text, before: bytes.lowerBound)
        length = max(1, Self.characters(of: text, before: bytes.upperBound) - position)
        self.problem = problem
        self.suggestion = suggestion
    }

    /// One line: the place, what is wrong, what to write.
    public var sentence: String {
        let place = "Filter, column \(position + 1): \(problem)."
        return if let suggestion { "\(place) \(suggestion)" } else { place }
    }

    /// The filter, a caret under the wrong place, and the sentence; three lines.
    ///
    /// Characters that are not one column wide move the caret: terminals place their own by `position`.
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

extension FilterError: CustomStringConvertible {
    public var description: String { sentence }
}
