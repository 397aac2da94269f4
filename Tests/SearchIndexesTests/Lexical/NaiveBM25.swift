internal import Glibc
import SearchIndexes

/// BM25 by its definition, over arrays of terms.
struct NaiveBM25 {
    /// By label, of each field the terms.
    var documents: [Int64: [[String]]] = [:]
    var k1 = 0.9
    var b = 0.4
    var boosts = [1.0]

    func scores(_ terms: [String]) -> [LexicalHit] {
        var scores: [Int64: Double] = [:]
        let count = Double(documents.count)
        for field in boosts.indices {
            let average = documents.values.reduce(0.0) { $0 + Double($1[field].count) } / count
            for term in terms {
                let having = documents.filter { $0.value[field].contains(term) }
                let df = Double(having.count)
                let idf = log(1 + (count - df + 0.5) / (df + 0.5))
                for (label, fields) in having {
                    let tf = Double(fields[field].count { $0 == term })
                    let norm = k1 * (1 - b + b * Double(fields[field].count) / average)
                    scores[label, default: 0] += boosts[field] * idf * tf / (tf + norm)
                }
            }
        }
        return scores.map { LexicalHit(label: $0.key, score: $0.value) }.sorted { $0.isBefore($1) }
    }
}

/// Seeded numbers (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// Returns a text of words whose frequencies fall as one over their rank.
    mutating func text(words: Int, of vocabulary: Int = 400) -> String {
        (0..<words).map { _ in
            let rank = pow(Double(vocabulary + 1), Double.random(in: 0..<1, using: &self))
            return "w\(Int(rank))x"
        }.joined(separator: " ")
    }
}
