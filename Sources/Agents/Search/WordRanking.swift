internal import Glibc

/// Which documents share the most telling words with a query: BM25 with k1 = 1.2 and b = 0.75 (Robertson and Zaragoza,
/// "The Probabilistic Relevance Framework: BM25 and Beyond", 2009), idf `ln(1 + (N - n + 0.5) / (n + 0.5))`.
///
/// Words are runs of letters and digits in lower case; there are no stems, no synonyms and no stop words. Memory is
/// proportional to the words of all documents.
struct WordRanking: Sendable {
    private static let k1 = 1.2
    private static let b = 0.75

    /// By word: the documents with it, ascending, and how often each has it.
    private var postings: [String: [(document: Int, count: Int)]] = [:]
    private var lengths: [Int] = []
    private var words = 0

    init(_ documents: [String]) {
        for (document, text) in documents.enumerated() {
            var counts: [String: Int] = [:]
            var length = 0
            for word in Self.words(of: text) {
                counts[word, default: 0] += 1
                length += 1
            }
            for (word, count) in counts { postings[word, default: []].append((document, count)) }
            lengths.append(length)
            words += length
        }
    }

    /// The documents that share a word with the query, best first, ties by their order.
    func ranked(_ query: String) -> [(document: Int, score: Double)] {
        var scores: [Int: Double] = [:]
        let mean = max(1, Double(words) / Double(max(1, lengths.count)))
        // In a fixed order, so that sums have the same bits every time.
        for word in Set(Self.words(of: query)).sorted() {
            guard let documents = postings[word] else { continue }
            let n = Double(documents.count)
            let idf = log(1 + (Double(lengths.count) - n + 0.5) / (n + 0.5))
            for (document, count) in documents {
                let frequency = Double(count)
                let length = 1 - Self.b + Self.b * Double(lengths[document]) / mean
                scores[document, default: 0] += idf * frequency * (Self.k1 + 1) / (frequency + Self.k1 * length)
            }
        }
        return scores.map { (document: $0.key, score: $0.value) }.sorted {
            $0.score != $1.score ? $0.score > $1.score : $0.document < $1.document
        }
    }

    static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
