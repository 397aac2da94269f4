/// A regular expression of the kind that tokenizers are published with.
///
/// It knows classes, properties, groups, alternation, greedy, lazy and possessive repetition, atomic groups, looking
/// ahead, and behind by one character. What it does not know it refuses by name. Matching is by backtracking with a
/// budget of steps that grows with the text: where a hostile pattern uses it up, no more matches are found.
package struct Pattern: Sendable {
    private let program: PatternProgram
    package let source: String

    package init(_ source: String) throws(TokenizerError) {
        self.source = source
        program = try PatternProgram(PatternParser.parse(source))
    }

    /// The matches from left to right, none of them empty.
    package func matches(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard let base = text.baseAddress else { return [] }
        var matches: [Range<Int>] = []
        var matcher = PatternMatcher(program, base, text.count)
        var index = 0
        while index < text.count, matcher.budget >= 0 {
            if let end = matcher.match(at: index), end > index {
                matches.append(index..<end)
                index = end
            } else {
                index += scalar(base, at: index, end: text.count).length
            }
        }
        return matches
    }

    package func matches(in bytes: [UInt8]) -> [Range<Int>] {
        bytes.withUnsafeBufferPointer { matches(in: $0) }
    }
}
