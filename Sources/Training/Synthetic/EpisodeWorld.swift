/// What the tools of an episode know: a table and documents, and what they answer, byte for byte as the tools do.
///
/// The calculator here knows integers with + - * and parentheses: all that generated episodes ask of it, and the errors
/// that they make on purpose.
public struct EpisodeWorld: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    public var table: [Entry] = []
    public var documents: [String] = []

    public init() {}

    /// The value of a key, or the sentence that there is none with the keys that are near.
    public func lookup(_ key: String) -> String {
        let wanted = Self.folded(key)
        if let entry = table.first(where: { Self.folded($0.key) == wanted }) { return entry.value }
        let near = table.enumerated().map {
            (index: $0.offset, key: $0.element.key, distance: editDistance(wanted, Self.folded($0.element.key)))
        }
        .filter { $0.distance <= 2 && $0.distance * 3 <= wanted.count }
        .sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
        .prefix(3).map(\.key)
        let asked = key.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return "no entry for \(asked)" + (near.isEmpty ? "" : "; near: \(near.joined(separator: ", "))")
    }

    /// The best document by BM25 (k1 1.2, b 0.75), ties to the first.
    public func search(_ query: String) -> String {
        let words = Set(Self.words(query))
        let lines = documents.map(Self.words)
        let mean = Double(lines.reduce(0) { $0 + $1.count }) / Double(max(1, lines.count))
        var best: (index: Int, score: Double)?
        for (index, line) in lines.enumerated() {
            var score = 0.0
            var found = false
            for word in words.sorted() {
                let count = Double(line.count { $0 == word })
                guard count > 0 else { continue }
                found = true
                let holders = Double(lines.count { $0.contains(word) })
                let idf = EpisodeWorld.logarithm(1 + (Double(lines.count) - holders + 0.5) / (holders + 0.5))
                score += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * Double(line.count) / mean))
            }
            if found, score > (best?.score ?? -1) { best = (index, score) }
        }
        return best.map { documents[$0.index] } ?? "no document matches \(query)"
    }

    /// The value of an expression of integers; `nil` if it is unsupported.
    public static func calculate(_ expression: String) -> Int? {
        var reader = ExpressionReader(expression)
        return reader.whole()
    }

    private static func folded(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

/// Reads sums, differences and products of integers, with parentheses.
private struct ExpressionReader {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    mutating func whole() -> Int? {
        guard let value = sum() else { return nil }
        skip()
        return rest.isEmpty ? value : nil
    }

    private mutating func sum() -> Int? {
        guard var value = product() else { return nil }
        while let sign = taken("+-") {
            guard let next = product() else { return nil }
            let (result, overflow) =
                sign == "+" ? value.addingReportingOverflow(next) : value.subtractingReportingOverflow(next)
            if overflow { return nil }
            value = result
        }
        return value
    }

    private mutating func product() -> Int? {
        guard var value = atom() else { return nil }
        while taken("*") != nil {
            guard let next = atom() else { return nil }
            let (result, overflow) = value.multipliedReportingOverflow(by: next)
            if overflow { return nil }
            value = result
        }
        return value
    }

    private mutating func atom() -> Int? {
        if taken("(") != nil {
            // Generated expressions have one level; more than a few are refused rather than followed down.
            guard rest.count < 200, let value = sum(), taken(")") != nil else { return nil }
            return value
        }
        skip()
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
    }

    private mutating func taken(_ characters: String) -> Character? {
        skip()
        guard let first = rest.first, characters.contains(first) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    private mutating func skip() { rest = rest.drop { $0 == " " } }
}
