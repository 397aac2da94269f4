internal import Glibc

/// Texts as unit vectors of their words, weighted by rarity.
///
/// Weights are (1 + ln tf) · ln(n / df); words of all texts, or of a single text, have no weight (Salton and Buckley,
/// 1988).
struct WordSpace {
    /// Words of each text by number, ascending, with their weights.
    private let vectors: [[(word: Int, weight: Double)]]
    private let names: [String]

    init(_ texts: [String]) {
        var numbers: [String: Int] = [:]
        var names: [String] = []
        let counts = texts.map { text in
            var counts: [Int: Int] = [:]
            for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) where (3...30).contains(word.count) {
                let name = String(word)
                guard !Self.common.contains(name) else { continue }
                let number = numbers[name] ?? names.count
                if number == names.count {
                    numbers[name] = number
                    names.append(name)
                }
                counts[number, default: 0] += 1
            }
            return counts
        }
        var documents = [Int](repeating: 0, count: names.count)
        for count in counts { for word in count.keys { documents[word] += 1 } }
        vectors = counts.map { counts in
            let weights = counts.compactMap { word, count -> (word: Int, weight: Double)? in
                let rarity = log(Double(texts.count) / Double(documents[word]))
                return rarity > 0 && documents[word] > 1 ? (word, (1 + log(Double(count))) * rarity) : nil
            }.sorted { $0.word < $1.word }
            let length = weights.reduce(0) { $0 + $1.weight * $1.weight }.squareRoot()
            return length == 0 ? [] : weights.map { ($0.word, $0.weight / length) }
        }
        self.names = names
    }

    /// Stop words.
    private static let common: Set<String> = [
        "the", "and", "for", "are", "was", "were", "has", "have", "had", "does", "did", "not", "but", "that", "this",
        "these", "those", "with", "from", "into", "than", "then", "its", "you", "your", "what", "which", "who", "whom",
        "whose", "how", "when", "where", "why", "can", "will", "would", "should", "there", "their", "they", "one",
        "der", "die", "das", "und", "den", "dem", "des", "ein", "eine", "ist", "sind", "von", "mit", "wie",
    ]

    /// Returns groups of texts, largest first, whose mean similarity is at least `similarity`; `nil` on cancellation.
    ///
    /// Average linkage over nearest-neighbor chains: O(n²) time and memory.
    ///
    /// Source: Murtagh, "A survey of recent advances in hierarchical clustering algorithms", Computer Journal 26, 1983.
    func joined(_ similarity: Double, isCancelled: () -> Bool = { false }) -> [[Int]]? {
        let count = vectors.count
        guard var near = similarities(isCancelled) else { return nil }
        var groups = (0..<count).map { [$0] }
        // Groups that may still be merged, ascending, so that ties are resolved reproducibly.
        var alive = Array(0..<count)
        var chain: [Int] = []
        var done: [[Int]] = []
        while let start = chain.last ?? alive.first {
            if isCancelled() { return nil }
            if chain.isEmpty { chain = [start] }
            // The nearest remaining group. In a tie, the previous group of the chain wins, which ends the chain.
            let before = chain.count > 1 ? chain[chain.count - 2] : nil
            var best = before ?? -1
            var highest: Float = before.map { near[start * count + $0] } ?? -1
            for other in alive where other != start {
                let value = near[start * count + other]
                if value > highest { (best, highest) = (other, value) }
            }
            guard best >= 0, Double(highest) >= similarity else {
                // Nothing is similar enough to this group, now or later: averages never exceed the nearest.
                done.append(groups[start].sorted())
                alive.removeAll { $0 == start }
                chain.removeLast()
                continue
            }
            guard best == before else {
                chain.append(best)
                continue
            }
            let (a, b) = (Float(groups[start].count), Float(groups[best].count))
            for other in alive where other != start && other != best {
                let mean = (a * near[start * count + other] + b * near[best * count + other]) / (a + b)
                near[best * count + other] = mean
                near[other * count + best] = mean
            }
            groups[best] += groups[start]
            alive.removeAll { $0 == start }
            chain.removeLast(2)
        }
        return done.sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
    }

    /// Returns the cosines of all pairs of texts, `[texts, texts]`, computed from shared words.
    private func similarities(_ isCancelled: () -> Bool) -> [Float]? {
        let count = vectors.count
        var holders = [[(text: Int, weight: Float)]](repeating: [], count: names.count)
        for (text, vector) in vectors.enumerated() {
            for (word, weight) in vector { holders[word].append((text, Float(weight))) }
        }
        var near = [Float](repeating: 0, count: count * count)
        for (text, vector) in vectors.enumerated() {
            if isCancelled() { return nil }
            let row = text * count
            for (word, weight) in vector {
                let weight = Float(weight)
                for holder in holders[word] { near[row + holder.text] += weight * holder.weight }
            }
        }
        // Rounding depends on the order of the words, which is equal in both halves, so they are equal bit by bit.
        return near
    }

    /// Returns at most three words with the largest weights that at least half of the group contains.
    func words(of group: [Int]) -> [String] {
        var (sums, holders): ([Int: Double], [Int: Int]) = ([:], [:])
        for text in group {
            for (word, weight) in vectors[text] {
                sums[word, default: 0] += weight
                holders[word, default: 0] += 1
            }
        }
        return sums.filter { (holders[$0.key] ?? 0) * 2 >= group.count }
            .sorted { ($1.value, names[$0.key]) < ($0.value, names[$1.key]) }.prefix(3).map { names[$0.key] }
    }

    /// Returns the members of a group, those nearest to its center first.
    func typicalFirst(_ group: [Int]) -> [Int] {
        var sums: [Int: Double] = [:]
        for text in group { for (word, weight) in vectors[text] { sums[word, default: 0] += weight } }
        let middle = sums.map { (word: $0.key, weight: $0.value) }.sorted { $0.word < $1.word }
        return group.map { ($0, cosine(vectors[$0], middle)) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
    }

    private func cosine(_ one: [(word: Int, weight: Double)], _ other: [(word: Int, weight: Double)]) -> Double {
        var (i, j, sum) = (0, 0, 0.0)
        while i < one.count, j < other.count {
            if one[i].word == other[j].word {
                sum += one[i].weight * other[j].weight
                i += 1
                j += 1
            } else if one[i].word < other[j].word {
                i += 1
            } else {
                j += 1
            }
        }
        return sum
    }
}
