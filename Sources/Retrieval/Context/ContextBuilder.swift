/// Fills a prompt with passages: as many as the budget takes, none twice, in the order in which a model reads best.
///
/// ```swift
/// let builder = ContextBuilder(settings, size: { $0.count })
/// let filled = builder.fill(candidates)
/// filled.pieces.map(\.mark)       // ["[1]", "[2]"]
/// ```
struct ContextBuilder {
    let settings: PipelineDefinition.Context
    /// Tokens or characters of a text.
    let size: (String) -> Int
    /// The runs of words of a chunk.
    var shingles: (ChunkContent) -> Set<UInt64> = { Shingles.of($0.text) }

    /// A passage that could go in: what was ranked, and the larger chunk that stands for it.
    struct Candidate {
        var chunk: ChunkContent
        var parent: ChunkContent?
    }

    /// A part of the prompt.
    struct Piece {
        /// Places among the candidates: the one it was made for, then those that were merged into it.
        var candidates: [Int]
        /// The chunk whose range and text it has; its parent's where that stands for it.
        var document: String
        var range: Range<Int>
        var text: String
        var size: Int
        /// Whether the text is the document's own bytes of the range, so that overlaps can be joined.
        var isExact: Bool
        /// Whether the text is that of the first candidate.
        var isOwn = true
        var mark = ""
    }

    enum Decision: Equatable {
        case kept
        /// The passage exceeds the budget by an amount.
        case overBudget(missing: Int)
        /// The place of the candidate that says the same.
        case duplicate(of: Int)
    }

    struct Filled {
        /// Pieces in the order of the prompt.
        var pieces: [Piece]
        /// Decisions for the candidates, in order.
        var decisions: [Decision]
        var used: Int
    }

    /// Takes candidates, best first, while the budget lasts: one that is too large is left out, and smaller ones behind
    /// it still go in.
    ///
    /// - Complexity: Every candidate is compared with every piece that is in: O(n² words).
    func fill(_ candidates: [Candidate]) -> Filled {
        let budget = settings.budget == 0 ? Int.max : settings.budget
        var pieces: [Piece] = []
        var shingles: [Set<UInt64>] = []
        var decisions: [Decision] = []
        var used = 0
        for (place, candidate) in candidates.enumerated() {
            var piece = piece(of: candidate, place)
            if settings.deduplicates, let host = pieces.firstIndex(where: { overlap($0, piece) }) {
                let joined = joined(pieces[host], piece)
                let more = max(0, joined.size - pieces[host].size)
                if more > budget - used {
                    decisions.append(.overBudget(missing: more - (budget - used)))
                } else {
                    used += joined.size - pieces[host].size
                    pieces[host] = joined
                    shingles[host] = Shingles.of(joined.text)
                    decisions.append(.kept)
                }
                continue
            }
            let own = settings.deduplicates ? self.shingles(shown(candidate)) : []
            if settings.deduplicates,
                let same = shingles.firstIndex(where: { Shingles.likeness($0, own) >= settings.similarity })
            {
                decisions.append(.duplicate(of: pieces[same].candidates[0]))
                continue
            }
            piece.size = size(piece.text)
            if piece.size > budget - used {
                decisions.append(.overBudget(missing: piece.size - (budget - used)))
                continue
            }
            used += piece.size
            pieces.append(piece)
            shingles.append(own)
            decisions.append(.kept)
        }
        var ordered = ordered(pieces)
        for index in ordered.indices { ordered[index].mark = "[\(index + 1)]" }
        return Filled(pieces: ordered, decisions: decisions, used: used)
    }

    private func shown(_ candidate: Candidate) -> ChunkContent {
        settings.expandsToParent ? candidate.parent ?? candidate.chunk : candidate.chunk
    }

    private func piece(of candidate: Candidate, _ place: Int) -> Piece {
        let shown = shown(candidate)
        return Piece(
            candidates: [place], document: shown.document, range: shown.range, text: shown.text, size: 0,
            isExact: shown.text.utf8.count == shown.range.count, isOwn: shown.id == candidate.chunk.id)
    }

    /// Whether two texts of a document share bytes, so that both together are one text of it.
    private func overlap(_ one: Piece, _ other: Piece) -> Bool {
        guard one.document == other.document, one.isExact, other.isExact, one.range.overlaps(other.range) else {
            return false
        }
        let shared = one.range.clamped(to: other.range)
        let first = one.text.utf8.dropFirst(shared.lowerBound - one.range.lowerBound).prefix(shared.count)
        let second = other.text.utf8.dropFirst(shared.lowerBound - other.range.lowerBound).prefix(shared.count)
        return first.elementsEqual(second)
    }

    private func joined(_ host: Piece, _ piece: Piece) -> Piece {
        var joined = host
        joined.candidates += piece.candidates
        let range =
            min(host.range.lowerBound, piece.range.lowerBound)..<max(host.range.upperBound, piece.range.upperBound)
        guard range != host.range else { return joined }
        var bytes = Array(host.text.utf8)
        if piece.range.lowerBound < host.range.lowerBound {
            bytes = piece.text.utf8.prefix(host.range.lowerBound - piece.range.lowerBound) + bytes
        }
        if piece.range.upperBound > host.range.upperBound {
            bytes += piece.text.utf8.dropFirst(host.range.upperBound - piece.range.lowerBound)
        }
        joined.text = String(decoding: bytes, as: UTF8.self)
        joined.range = range
        joined.isOwn = false
        joined.size = size(joined.text)
        return joined
    }

    private func ordered(_ pieces: [Piece]) -> [Piece] {
        switch settings.order {
        case .score: return pieces
        // Models read the ends of a long context best (Liu et al., TACL 2024).
        case .edges:
            let front = pieces.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            let back = pieces.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            return front + back.reversed()
        case .document:
            var documents: [String: Int] = [:]
            for piece in pieces where documents[piece.document] == nil { documents[piece.document] = documents.count }
            return pieces.enumerated().sorted { one, other in
                let first = (documents[one.element.document] ?? 0, one.element.range.lowerBound, one.offset)
                let second = (documents[other.element.document] ?? 0, other.element.range.lowerBound, other.offset)
                return first < second
            }.map(\.element)
        }
    }
}
