/// ROUGE: n-grams (ROUGE-N) or longest common subsequences (ROUGE-L, ROUGE-Lsum) that answer and reference share.
///
/// Tokens are runs of a-z and 0-9 of the lowercase text; tokens of more than three letters are optionally stemmed by
/// ``PorterStemmer``. Lsum treats lines as sentences, and unites the subsequences of each reference sentence with all
/// sentences of the answer. Source: Lin, ACL workshop 2004; as in the rouge-score package.
public struct ROUGE: Hashable, Sendable {
    /// Units of matching.
    public enum Kind: Hashable, Sendable {
        case grams(Int)
        case subsequence
        case summary
    }

    /// Precision and recall of an answer against a reference, each from 0 to 1.
    public struct Score: Hashable, Sendable {
        /// Share of the answer that the reference has.
        public var precision = 0.0
        /// Share of the reference that the answer has.
        public var recall = 0.0

        /// Harmonic mean of precision and recall; 0 if both are 0.
        public var f: Double { precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0 }
    }

    public var kind: Kind
    /// Whether to stem words first.
    public var stems: Bool

    public init(_ kind: Kind, stems: Bool = true) {
        self.kind = kind
        self.stems = stems
    }

    /// Creates a measure from `rouge1` to `rouge9`, `rougeL`, or `rougeLsum`.
    public init?(name: String, stems: Bool = true) {
        switch name {
        case "rougeL": self.init(.subsequence, stems: stems)
        case "rougeLsum": self.init(.summary, stems: stems)
        default:
            guard name.hasPrefix("rouge"), name.utf8.count == 6, let order = Int(name.dropFirst(5)), order > 0 else {
                return nil
            }
            self.init(.grams(order), stems: stems)
        }
    }

    /// Maximum cells of a table of two texts; larger tables are not computed.
    private static let mostCells = 25_000_000

    /// Returns the score of one answer against one reference; `nil` if the texts are too long.
    public func score(_ answer: String, reference: String) -> Score? {
        switch kind {
        case .grams(let order):
            let own = NGramCounts(tokens(answer), order: order)
            let other = NGramCounts(tokens(reference), order: order)
            let both = Double(other.matches(own))
            return Score(precision: both / Double(max(own.total, 1)), recall: both / Double(max(other.total, 1)))
        case .subsequence:
            let own = tokens(answer)
            let other = tokens(reference)
            guard !own.isEmpty, !other.isEmpty else { return Score() }
            guard own.count * other.count <= Self.mostCells else { return nil }
            let both = Double(CommonSubsequence.length(other, own))
            return Score(precision: both / Double(own.count), recall: both / Double(other.count))
        case .summary:
            let own = sentences(answer)
            let other = sentences(reference)
            let ownCount = own.reduce(0) { $0 + $1.count }
            let otherCount = other.reduce(0) { $0 + $1.count }
            guard ownCount > 0, otherCount > 0 else { return Score() }
            guard ownCount * otherCount <= Self.mostCells else { return nil }
            let both = Double(united(other, own))
            return Score(precision: both / Double(ownCount), recall: both / Double(otherCount))
        }
    }

    /// Returns the number of words of the reference's sentences in a common subsequence with a sentence of the answer,
    /// each counted as often as both texts have it.
    private func united(_ reference: [[String]], _ answer: [[String]]) -> Int {
        var left: [String: Int] = [:]
        var wanted: [String: Int] = [:]
        for word in answer.joined() { left[word, default: 0] += 1 }
        for word in reference.joined() { wanted[word, default: 0] += 1 }
        var hits = 0
        for sentence in reference {
            var places = Set<Int>()
            for other in answer { places.formUnion(CommonSubsequence.places(sentence, other)) }
            for place in places.sorted() {
                let word = sentence[place]
                guard let one = left[word], let two = wanted[word], one > 0, two > 0 else { continue }
                hits += 1
                left[word] = one - 1
                wanted[word] = two - 1
            }
        }
        return hits
    }

    private func sentences(_ text: String) -> [[String]] {
        // A carriage return and a line feed are one character to Swift; lines end at line feeds.
        text.unicodeScalars.split(separator: "\n").map { tokens(String($0)) }
    }

    private func tokens(_ text: String) -> [String] {
        let words = text.lowercased().utf8.split { !(($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39)) }
        return words.map { word in
            let word = String(decoding: word, as: UTF8.self)
            return stems && word.utf8.count > 3 ? PorterStemmer.stem(word) : word
        }
    }
}

/// Longest common subsequences.
enum CommonSubsequence {
    /// Returns the length of the longest common subsequence. O(n·m) time, O(m) memory.
    static func length<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int {
        var row = [Int](repeating: 0, count: other.count + 1)
        for element in one {
            var diagonal = 0
            for place in other.indices {
                let above = row[place + 1]
                row[place + 1] = element == other[place] ? diagonal + 1 : max(above, row[place])
                diagonal = above
            }
        }
        return row[other.count]
    }

    /// Returns the indices in `one` of a longest common subsequence; ties are resolved against the end of `other`.
    static func places<Element: Equatable>(_ one: [Element], _ other: [Element]) -> [Int] {
        let width = other.count + 1
        var table = [Int](repeating: 0, count: (one.count + 1) * width)
        for i in 0..<one.count {
            for j in 0..<other.count {
                table[(i + 1) * width + j + 1] =
                    one[i] == other[j]
                    ? table[i * width + j] + 1 : max(table[i * width + j + 1], table[(i + 1) * width + j])
            }
        }
        var places: [Int] = []
        var i = one.count
        var j = other.count
        while i > 0, j > 0 {
            if one[i - 1] == other[j - 1] {
                places.append(i - 1)
                i -= 1
                j -= 1
            } else if table[i * width + j - 1] > table[(i - 1) * width + j] {
                j -= 1
            } else {
                i -= 1
            }
        }
        return places.reversed()
    }
}
