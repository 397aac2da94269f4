/// chrF: F-score over character n-grams (1 to 6, without whitespace), and optionally over word n-grams.
///
/// P and R are means over the orders that both sides have; chrF = (1 + β²) P R / (β² P + R), β = 2. Word order 2 is
/// chrF++. Punctuation at the end of a word, or else at its start, is split off. Source: Popović, WMT 2015 and WMT
/// 2017; as in sacrebleu without epsilon smoothing.
public struct ChrF: Hashable, Sendable {
    static let characterOrders = 6
    /// Word order: 0 for chrF, 2 for chrF++.
    public var wordOrders: Int

    public init(wordOrders: Int = 0) { self.wordOrders = max(0, min(wordOrders, 6)) }

    /// Number of n-grams of the answer, of the reference, and of both, for each order.
    public struct Statistics: Hashable, Sendable {
        public var counts: [Int]

        static func += (sum: inout Statistics, one: Statistics) {
            for place in sum.counts.indices where place < one.counts.count { sum.counts[place] += one.counts[place] }
        }

        /// Score, 0 to 100.
        public var score: Double {
            var precision = 0.0
            var recall = 0.0
            var orders = 0
            for place in stride(from: 0, to: counts.count - 2, by: 3) where counts[place] > 0 && counts[place + 1] > 0 {
                precision += Double(counts[place + 2]) / Double(counts[place])
                recall += Double(counts[place + 2]) / Double(counts[place + 1])
                orders += 1
            }
            guard orders > 0, precision + recall > 0 else { return 0 }
            precision /= Double(orders)
            recall /= Double(orders)
            return 100 * (5 * precision * recall / (4 * precision + recall))
        }
    }

    private var orders: Int { Self.characterOrders + wordOrders }

    /// Returns statistics of one answer against its best-matching reference; `nil` if there is none.
    public func statistics(_ answer: String, references: [String]) -> Statistics? {
        let own = grams(answer)
        var best: Statistics?
        for reference in references {
            let other = grams(reference)
            var counts: [Int] = []
            for place in 0..<Self.characterOrders {
                counts += Self.count(own.characters[place], other.characters[place])
            }
            for place in 0..<wordOrders { counts += Self.count(own.words[place], other.words[place]) }
            let one = Statistics(counts: counts)
            if best.map({ one.score > $0.score }) ?? true { best = one }
        }
        return best
    }

    func statistics(parts: [Double]) -> Statistics? {
        let counts = parts.compactMap { Int(exactly: $0) }
        return counts.count == 3 * orders && counts.count == parts.count ? Statistics(counts: counts) : nil
    }

    var nothing: Statistics { Statistics(counts: [Int](repeating: 0, count: 3 * orders)) }

    /// Returns the score of all answers together, 0 to 100.
    public func corpus(_ answers: [String], references: [[String]]) -> Double {
        var sum = nothing
        for (answer, references) in zip(answers, references) {
            if let one = statistics(answer, references: references) { sum += one }
        }
        return sum.score
    }

    private static func count<Element>(_ own: NGramCounts<Element>, _ other: NGramCounts<Element>) -> [Int] {
        [other.counts.isEmpty ? 0 : own.total, other.total, own.matches(other)]
    }

    private func grams(
        _ text: String
    ) -> (characters: [NGramCounts<Unicode.Scalar>], words: [NGramCounts<String>]) {
        let scalars = text.unicodeScalars.filter { !TextWords.isSpace($0) }
        let characters = (1...Self.characterOrders).map { NGramCounts(Array(scalars), order: $0) }
        guard wordOrders > 0 else { return (characters, []) }
        let words = Self.words(text)
        return (characters, (1...wordOrders).map { NGramCounts(words, order: $0) })
    }

    private static func words(_ text: String) -> [String] {
        TextWords.split(text).flatMap { word -> [String] in
            let scalars = Array(word.unicodeScalars)
            guard scalars.count > 1 else { return [word] }
            func part(_ range: Range<Int>) -> String {
                var view = String.UnicodeScalarView()
                view.append(contentsOf: scalars[range])
                return String(view)
            }
            let end = scalars.count
            if AnswerNormalization.isPunctuation(scalars[end - 1]) { return [part(0..<end - 1), part(end - 1..<end)] }
            if AnswerNormalization.isPunctuation(scalars[0]) { return [part(0..<1), part(1..<end)] }
            return [word]
        }
    }
}
