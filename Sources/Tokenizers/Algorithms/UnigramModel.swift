/// The best way to each place of a text.
package struct LatticeNode {
    package var score: Double
    /// Start of the token that ends here; -1 if no path leads here.
    package var start: Int
    package var id: TokenID

    static let unreached = LatticeNode(score: -.infinity, start: -1, id: -1)
}

/// A unigram language model over pieces: of all ways to write a text the most probable, found by Viterbi's algorithm.
///
/// best[end] = max over tokens of best[start] + log p(token); a character that no token of its own covers may stand as
/// unknown, at the least probable token's score less 10. Of equal paths, the one with the longest last token wins.
/// - Source: Kudo, ACL 2018, equation 6; Viterbi 1967.
package final class UnigramModel: Sendable {
    package let vocabulary: PieceTable
    private let trie: ByteTrie
    private let scores: [Double]
    private let unknown: TokenID
    private let unknownScore: Double
    /// Byte tokens that replace the unknown token; empty if there are none.
    private let byteIDs: [TokenID]
    private static let unknownPenalty = 10.0

    /// - Parameter isUsable: which tokens text may become.
    package init(
        vocabulary: PieceTable, scores: [Double], unknown: TokenID, byteIDs: [TokenID], isUsable: (Int) -> Bool
    ) throws(TokenizerError) {
        self.vocabulary = vocabulary
        self.scores = scores
        self.unknown = unknown
        self.byteIDs = byteIDs.count == 256 && byteIDs.allSatisfy { $0 >= 0 } ? byteIDs : []
        var trie = ByteTrieBuilder(expectedBytes: vocabulary.count * 8)
        var least = Double.infinity
        for id in 0..<vocabulary.count {
            least = min(least, scores[id])
            guard isUsable(id), vocabulary.length(id) > 0 else { continue }
            guard trie.insert(vocabulary[id], value: TokenID(id)) else {
                throw TokenizerError("vocabulary", problem: "the tokens exceed 16 million bytes")
            }
        }
        self.trie = ByteTrie(trie)
        unknownScore = (least.isFinite ? least : 0) - Self.unknownPenalty
    }

    package func encode(_ text: UTF8Pointer, _ start: Int, _ end: Int, into state: inout EncoderState) {
        let length = end - start
        let piece = text + start
        if state.lattice.count < length + 1 {
            state.lattice += repeatElement(.unreached, count: length + 1 - state.lattice.count)
        }
        for index in 0...length { state.lattice[index] = .unreached }
        state.lattice[0] = LatticeNode(score: 0, start: 0, id: -1)
        fill(piece, length, &state.lattice)
        emit(piece, start, length, &state)
    }

    private func fill(_ piece: UTF8Pointer, _ length: Int, _ lattice: inout [LatticeNode]) {
        lattice.withUnsafeMutableBufferPointer { lattice in
            var index = 0
            while index < length {
                let size = scalar(piece, at: index, end: length).length
                let here = lattice[index].score
                var coversCharacter = false
                var node: UInt32 = 0
                var stop = index
                while stop < length {
                    node = trie.child(node, piece[stop])
                    if node == 0 { break }
                    stop &+= 1
                    let id = trie.value(node)
                    if id < 0 { continue }
                    let score = here + scores[Int(id)]
                    if lattice[stop].start < 0 || score > lattice[stop].score {
                        lattice[stop] = LatticeNode(score: score, start: index, id: id)
                    }
                    if stop &- index == size { coversCharacter = true }
                }
                if !coversCharacter {
                    let score = here + unknownScore
                    if lattice[index &+ size].start < 0 || score > lattice[index &+ size].score {
                        lattice[index &+ size] = LatticeNode(score: score, start: index, id: -1)
                    }
                }
                index &+= size
            }
        }
    }

    private func emit(_ piece: UTF8Pointer, _ start: Int, _ length: Int, _ state: inout EncoderState) {
        // Ends of the best way, marked from the back by making each node point at its successor.
        var next = length
        var index = length
        while index > 0 {
            let before = state.lattice[index].start
            state.lattice[index].start = next
            next = index
            if before < 0 { return }
            index = before
        }
        var from = 0
        var to = next
        var pending: Int?
        while from < length {
            let id = state.lattice[to].id
            let following = state.lattice[to].start
            if id >= 0, id != unknown {
                if let unknownStart = pending { appendUnknown(piece, start, unknownStart, from, &state) }
                pending = nil
                state.append(id, start: start + from, length: to - from)
            } else if pending == nil {
                pending = from
            }
            from = to
            to = following
        }
        if let unknownStart = pending { appendUnknown(piece, start, unknownStart, length, &state) }
    }

    /// A run of unknown characters, as one token or as bytes.
    private func appendUnknown(
        _ piece: UTF8Pointer, _ offset: Int, _ start: Int, _ end: Int, _ state: inout EncoderState
    ) {
        if !byteIDs.isEmpty {
            for index in start..<end { state.append(byteIDs[Int(piece[index])], start: offset + index, length: 1) }
        } else if unknown >= 0 {
            state.append(unknown, start: offset + start, length: end - start)
        }
    }
}
