internal import Glibc

/// All ways to cut a word into pieces of a vocabulary, with their probabilities.
///
/// - Source: Kudo, ACL 2018, section 3.
struct UnigramLattice {
    /// A piece that stands in the word.
    struct Edge {
        var start: Int32
        var end: Int32
        /// The piece; 0 is the unknown one.
        var id: Int32
        /// The logarithm of its probability.
        var score: Double
    }

    private let trie: ByteTrie
    let scores: [Double]
    /// Of a character that no piece covers.
    let unknownScore: Double

    private(set) var edges: [Edge] = []
    private var forward: [Double] = []
    private var backward: [Double] = []
    private var best: [(score: Double, edge: Int32)] = []

    /// - Parameter pieces: the first is the unknown one, which stands nowhere.
    init(_ pieces: [UnigramPiece]) throws(TrainingError) {
        var builder = ByteTrieBuilder(expectedBytes: pieces.count * 4)
        for (id, piece) in pieces.enumerated().dropFirst() {
            let fits = piece.bytes.withUnsafeBufferPointer { builder.insert($0, value: TokenID(id)) }
            if !fits { throw .tooMuchText }
        }
        trie = ByteTrie(builder)
        scores = pieces.map(\.score)
        unknownScore = (scores.dropFirst().min() ?? 0) - 10
    }

    /// Collects the edges of a word, those first that start first.
    mutating func fill(_ word: UnsafeBufferPointer<UInt8>) {
        edges.removeAll(keepingCapacity: true)
        guard let base = word.baseAddress else { return }
        var start = 0
        while start < word.count {
            var character = start + 1
            while character < word.count, word[character] & 0xC0 == 0x80 { character += 1 }
            var coversCharacter = false
            var node: UInt32 = 0
            var index = start
            while index < word.count {
                node = trie.child(node, base[index])
                if node == 0 { break }
                index += 1
                let id = trie.value(node)
                guard id >= 0 else { continue }
                if index == character { coversCharacter = true }
                edges.append(Edge(start: Int32(start), end: Int32(index), id: id, score: scores[Int(id)]))
            }
            if !coversCharacter {
                edges.append(Edge(start: Int32(start), end: Int32(character), id: 0, score: unknownScore))
            }
            start = character
        }
    }

    /// Adds to each piece how often it is expected in the word that was filled in, times `count`.
    ///
    /// - Returns: the logarithm of the word's probability.
    mutating func addExpectations(length: Int, count: Double, to expected: inout [Double]) -> Double {
        forward.removeAll(keepingCapacity: true)
        forward.append(contentsOf: repeatElement(-.infinity, count: length + 1))
        backward.removeAll(keepingCapacity: true)
        backward.append(contentsOf: repeatElement(-.infinity, count: length + 1))
        forward[0] = 0
        backward[length] = 0
        for edge in edges { Self.add(forward[Int(edge.start)] + edge.score, to: &forward[Int(edge.end)]) }
        for edge in edges.reversed() { Self.add(backward[Int(edge.end)] + edge.score, to: &backward[Int(edge.start)]) }
        let total = forward[length]
        for edge in edges {
            let share = forward[Int(edge.start)] + edge.score + backward[Int(edge.end)] - total
            expected[Int(edge.id)] += count * exp(share)
        }
        return total
    }

    /// log(exp(sum) + exp(value)).
    private static func add(_ value: Double, to sum: inout Double) {
        let (low, high) = value < sum ? (value, sum) : (sum, value)
        if high - low > 50 { sum = high } else { sum = high + log1p(exp(low - high)) }
    }

    /// The most probable cut of the word that was filled in, from its end to its start.
    ///
    /// - Parameter leavingOut: a piece that is not used where it would be the whole word.
    mutating func bestPath(length: Int, leavingOut: Int32 = -1, _ visit: (Int32) -> Void) -> Double {
        best.removeAll(keepingCapacity: true)
        best.append(contentsOf: repeatElement((score: -.infinity, edge: Int32(-1)), count: length + 1))
        best[0] = (0, -1)
        for (index, edge) in edges.enumerated() {
            if edge.id == leavingOut, edge.start == 0, Int(edge.end) == length { continue }
            let score = best[Int(edge.start)].score + edge.score
            if score > best[Int(edge.end)].score { best[Int(edge.end)] = (score, Int32(index)) }
        }
        var position = length
        while position > 0, best[position].edge >= 0 {
            let edge = edges[Int(best[position].edge)]
            visit(edge.id)
            position = Int(edge.start)
        }
        return best[length].score
    }
}

/// A candidate of a Unigram vocabulary.
struct UnigramPiece {
    var bytes: [UInt8]
    /// The logarithm of its probability.
    var score: Double
}

/// The derivative of log Γ at a positive number.
///
/// - Source: Abramowitz, Stegun 1964, 6.3.5 and 6.3.18.
func digamma(_ value: Double) -> Double {
    var value = value
    var result = 0.0
    while value < 10 {
        result -= 1 / value
        value += 1
    }
    let square = 1 / (value * value)
    let series = square * (1.0 / 12 - square * (1.0 / 120 - square * (1.0 / 252 - square * (1.0 / 240 - square / 132))))
    return result + log(value) - 0.5 / value - series
}
