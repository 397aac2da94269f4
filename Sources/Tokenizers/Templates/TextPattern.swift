/// A regular expression of a task, matched as Python's `re` does: by code points, leftmost first.
///
/// Matching goes back where it must, and a hostile pair of expression and text could take for ever: steps are counted,
/// and a search that needs more than twenty million of them says so. That it does depends on nothing else.
public struct TextPattern: Sendable {
    public let source: String
    private let program: ExpressionProgram

    /// One match: the whole text, then the groups; nil for groups that took no part.
    public struct Match: Hashable, Sendable {
        public var range: Range<String.Index>
        public var groups: [String?]
    }

    /// A search that was given up.
    public struct TooSlow: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String { "the regular expression takes too long on this text" }
    }

    /// Creates a pattern; `nil` if the expression is invalid, or longer than 64 KiB or 50,000 steps.
    public init?(_ source: String, ignoresCase: Bool = false) {
        self.source = source
        guard source.utf8.count <= 1 << 16, let program = ExpressionProgram(source, ignoresCase: ignoresCase) else {
            return nil
        }
        self.program = program
    }

    /// Returns all matches from left to right, including empty ones, like `re.finditer`; none if the search takes too long.
    public func matches(in text: String) -> [Match] { (try? search(text)) ?? [] }

    /// All matches from left to right, empty ones too, as `re.finditer` gives them.
    public func search(_ text: String) throws(TooSlow) -> [Match] {
        let scalars = Array(text.unicodeScalars)
        var machine = ExpressionMachine(program, scalars)
        var matches: [Match] = []
        var start = 0
        var mustAdvance = false
        // Where the last place is in the text: matches come in order.
        var (index, offset) = (text.startIndex, 0)
        while start <= scalars.count, let found = machine.match(from: start, mustAdvance: mustAdvance) {
            index = text.unicodeScalars.index(index, offsetBy: found[0] - offset)
            let end = text.unicodeScalars.index(index, offsetBy: found[1] - found[0])
            let groups = (1..<found.count / 2).map { number -> String? in
                let (first, last) = (found[2 * number], found[2 * number + 1])
                guard first >= 0, last >= first else { return nil }
                var group = ""
                group.unicodeScalars.append(contentsOf: scalars[first..<last])
                return group
            }
            matches.append(Match(range: index..<end, groups: groups))
            (index, offset) = (end, found[1])
            start = found[1]
            mustAdvance = found[0] == found[1]
        }
        if machine.isTooSlow { throw TooSlow() }
        return matches
    }

    /// Returns the groups of each match, as `re.findall` does; the whole match if the pattern has no groups. A group
    /// that did not take part is empty.
    public func findAll(in text: String) throws(TooSlow) -> [[String]] {
        try search(text).map { match in
            match.groups.isEmpty ? [String(text[match.range])] : match.groups.map { $0 ?? "" }
        }
    }

    /// The text with its matches replaced, as `re.sub` does; `\1` and `\g<1>` in the replacement are groups.
    public func replacing(
        in text: String, with replacement: String = "", count: Int = .max
    ) throws(TooSlow) -> String {
        var result = ""
        var index = text.startIndex
        for match in try search(text).prefix(count) {
            result += text[index..<match.range.lowerBound]
            result += Self.expanded(replacement, match.groups, whole: String(text[match.range]))
            index = match.range.upperBound
        }
        return result + text[index...]
    }

    private static func expanded(_ replacement: String, _ groups: [String?], whole: String) -> String {
        guard replacement.contains("\\") else { return replacement }
        var result = ""
        var rest = replacement[...]
        func group(_ number: Int) -> String {
            number == 0 ? whole : groups.indices.contains(number - 1) ? groups[number - 1] ?? "" : ""
        }
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch next {
            case "n": result += "\n"
            case "t": result += "\t"
            case "\\": result += "\\"
            case "g":
                let name = rest.dropFirst().prefix { $0 != ">" }
                rest = rest.dropFirst(name.count + 2)
                result += Int(name).map { group($0) } ?? ""
            case let digit where digit.isASCII && digit.isNumber:
                var number = String(digit)
                if let second = rest.first, second.isASCII, second.isNumber {
                    number.append(second)
                    rest = rest.dropFirst()
                }
                result += group(Int(number) ?? 0)
            default: result += "\\\(next)"
            }
        }
        return result
    }
}
