internal import Glibc

/// BLEU over tokens of mteval-v13a, with exponential smoothing, as in sacrebleu's signature
/// `nrefs:1|case:mixed|tok:13a|smooth:exp`.
///
/// BLEU = BP · exp(Σ_n ln p_n / N), n from 1 to 4; BP = exp(1 − r/h) if the answer (h tokens) is shorter than the
/// reference nearest in length (r). A precision without a match counts as 1 / (2^k · total), where k counts such
/// orders. Source: Papineni et al., ACL 2002; Post, WMT 2018; smoothing 3 of Chen and Cherry, WMT 2014.
public enum BLEU {
    static let orders = 4

    /// Counts for the score of one text or of many.
    public struct Statistics: Hashable, Sendable {
        /// Number of tokens in the answers.
        public var answered = 0
        /// Number of tokens in the nearest references.
        public var wanted = 0
        /// Number of n-grams found in a reference, and of all n-grams, for each order.
        public var correct = [Int](repeating: 0, count: BLEU.orders)
        public var total = [Int](repeating: 0, count: BLEU.orders)

        public init() {}

        /// Creates statistics of one answer against its references; `nil` if there are none. O(tokens).
        public init?(_ answer: String, references: [String]) {
            guard !references.isEmpty else { return nil }
            let tokens = BLEU.tokens(answer)
            let others = references.map { BLEU.tokens($0) }
            answered = tokens.count
            let lengths = others.map(\.count)
            wanted = lengths.min { (abs(answered - $0), $0) < (abs(answered - $1), $1) } ?? 0
            for order in 1...BLEU.orders {
                let own = NGramCounts(tokens, order: order)
                var most: [ArraySlice<String>: Int] = [:]
                for other in others {
                    for (gram, count) in NGramCounts(other, order: order).counts {
                        most[gram] = max(most[gram] ?? 0, count)
                    }
                }
                total[order - 1] = own.total
                correct[order - 1] = own.counts.reduce(0) { $0 + min($1.value, most[$1.key] ?? 0) }
            }
        }

        /// Creates statistics from the parts of a score; `nil` for anything else.
        init?(parts: [Double]) {
            let numbers = parts.compactMap { Int(exactly: $0) }
            guard numbers.count == 2 + 2 * BLEU.orders, numbers.count == parts.count else { return nil }
            answered = numbers[0]
            wanted = numbers[1]
            correct = Array(numbers[2..<2 + BLEU.orders])
            total = Array(numbers[(2 + BLEU.orders)...])
        }

        var parts: [Double] { ([answered, wanted] + correct + total).map { Double($0) } }

        /// Adds the statistics of another segment: corpus BLEU is computed from the sums.
        public static func += (sum: inout Statistics, one: Statistics) {
            sum.answered += one.answered
            sum.wanted += one.wanted
            for order in 0..<BLEU.orders {
                sum.correct[order] += one.correct[order]
                sum.total[order] += one.total[order]
            }
        }

        /// Returns the score, 0 to 100.
        ///
        /// - Parameter effectiveOrder: Whether to ignore orders that the answer is too short for, as for a single
        ///   sentence.
        public func score(effectiveOrder: Bool = false) -> Double {
            guard correct.contains(where: { $0 > 0 }), answered > 0 else { return 0 }
            let brevity = answered < wanted ? exp(1 - Double(wanted) / Double(answered)) : 1
            var smoothing = 1.0
            var logs = [Double](repeating: -9_999_999_999, count: BLEU.orders)
            var used = BLEU.orders
            for order in 0..<BLEU.orders where total[order] > 0 {
                if effectiveOrder { used = order + 1 }
                if correct[order] == 0 {
                    smoothing *= 2
                    logs[order] = log(100 / (smoothing * Double(total[order])))
                } else {
                    logs[order] = log(100 * Double(correct[order]) / Double(total[order]))
                }
            }
            return brevity * exp(logs[..<used].reduce(0, +) / Double(used))
        }
    }

    /// Returns the score of all answers together, 0 to 100.
    public static func corpus(_ answers: [String], references: [[String]]) -> Double {
        var sum = Statistics()
        for (answer, references) in zip(answers, references) {
            if let one = Statistics(answer, references: references) { sum += one }
        }
        return sum.score()
    }

    /// Returns the tokens of mteval-v13a: punctuation is split off, except periods, commas, and dashes inside numbers.
    static func tokens(_ text: String) -> [String] {
        var line = Array(text.unicodeScalars)
        while let last = line.last, TextWords.isSpace(last) { line.removeLast() }
        line = line.replacing(Array("<skipped>".unicodeScalars), with: [])
        line = line.replacing(Array("-\n".unicodeScalars), with: [])
        line = line.map { $0 == "\n" ? " " : $0 }
        if line.contains("&") {
            for (name, plain) in [("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] {
                line = line.replacing(Array(name.unicodeScalars), with: Array(plain.unicodeScalars))
            }
        }
        line = [" "] + line + [" "]
        line = line.flatMap { isSymbol($0) ? [" ", $0, " "] : [$0] }
        line = replacePairs(line, { !isDigit($0) && isPoint($1) }) { [$0, " ", $1, " "] }
        line = replacePairs(line, { isPoint($0) && !isDigit($1) }) { [" ", $0, " ", $1] }
        line = replacePairs(line, { isDigit($0) && $1 == "-" }) { [$0, " ", $1, " "] }
        return TextWords.split(line)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }
    private static func isPoint(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar == "," }
    private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7B...0x7E, 0x5B...0x60, 0x20...0x26, 0x28...0x2B, 0x3A...0x40, 0x2F: true
        default: false
        }
    }

    /// Replaces pairs of neighbors from left to right; no scalar is part of two pairs.
    private static func replacePairs(
        _ line: [Unicode.Scalar], _ matches: (Unicode.Scalar, Unicode.Scalar) -> Bool,
        _ replacement: (Unicode.Scalar, Unicode.Scalar) -> [Unicode.Scalar]
    ) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(line.count * 2)
        var place = 0
        while place < line.count {
            if place + 1 < line.count, matches(line[place], line[place + 1]) {
                result += replacement(line[place], line[place + 1])
                place += 2
            } else {
                result.append(line[place])
                place += 1
            }
        }
        return result
    }
}
