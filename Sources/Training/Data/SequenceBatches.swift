internal import System

/// Batches of sequences from a row of tokens: a function of the seed and the step alone.
public struct SequenceBatches {
    /// How tokens are laid into sequences.
    struct Layout {
        var context: Int
        var packing: TrainingConfiguration.Data.Packing
        /// The token that ends documents and fills up what is left.
        var separator: Int32
        var learnsBoundaries: Bool
        /// Prompts too.
        var learnsEverything = false
    }

    /// A stretch of tokens.
    private typealias Piece = Range<Int>

    let tokens: TokenStore
    let layout: Layout
    /// Tokens that are meant, of all in the store.
    private let range: Range<Int>
    /// packing "documents": the pieces of each sequence, `starts[i]..<starts[i + 1]` of `pieces`.
    private var pieces: [Piece] = []
    private var starts: [Int] = [0]
    private var order: DataOrder

    /// Sequences of one epoch.
    public let count: Int

    /// - Parameter range: the tokens to take; documents that are only partly in it are cut.
    init(
        _ tokens: TokenStore, range: Range<Int>, _ layout: Layout, isShuffled: Bool, seed: UInt64
    ) throws(Problem) {
        self.tokens = tokens
        self.layout = layout
        self.range = range
        let context = layout.context
        switch layout.packing {
        case .stream:
            let targets = range.count - 1
            // An epoch begins at a place below `context`: the rest must hold as many sequences for every such place.
            count = isShuffled && targets >= 2 * context ? (range.count - context) / context : targets / context
        case .rows:
            count = range.count / context
        case .documents:
            (pieces, starts) = Self.packed(tokens, range, context, isShuffled: isShuffled, seed: seed)
            count = starts.count - 1
        }
        guard count > 0 else {
            throw Problem(
                .invalid, tokens.name, "\(range.count) tokens are too few for one sequence of \(context)",
                remedy: "Add text, or set a smaller data.context.")
        }
        order = DataOrder(count: count, isShuffled: isShuffled, seed: seed)
    }

    /// The batch that begins at the sequence of this number, counted through the whole run.
    public mutating func batch(from first: Int, rows: Int) -> TokenBatch {
        var batch = TokenBatch(rows: rows, context: layout.context)
        for row in 0..<rows {
            let (item, epoch) = order.item(first + row)
            fill(&batch, row, item, epoch)
        }
        return batch
    }

    private func fill(_ batch: inout TokenBatch, _ row: Int, _ item: Int, _ epoch: Int) {
        let context = layout.context
        let base = row * context
        // Tokens of the sequence, one more than there are inputs, and what each counts as a target.
        var words = [Int32](repeating: layout.separator, count: context + 1)
        var counts = [Float](repeating: 0, count: context + 1)
        words.withUnsafeMutableBufferPointer { words in
            counts.withUnsafeMutableBufferPointer { counts in
                var place = 0
                func take(_ piece: Piece) {
                    tokens.copy(piece, to: words.baseAddress! + place)
                    if layout.learnsEverything {
                        for i in 0..<piece.count { counts[place + i] = 1 }
                    } else {
                        tokens.copyWeights(piece, to: counts.baseAddress! + place)
                    }
                    place += piece.count
                }
                switch layout.packing {
                case .stream:
                    let isMoved = order.isShuffled && range.count - 1 >= 2 * context
                    let start =
                        range.lowerBound + item * context
                        + (isMoved ? order.offset(epoch: epoch, below: context) : 0)
                    take(start..<start + context + 1)
                case .rows:
                    take(range.lowerBound + item * context..<range.lowerBound + (item + 1) * context)
                case .documents:
                    for piece in pieces[starts[item]..<starts[item + 1]] { take(piece) }
                }
            }
        }
        for i in 0..<context {
            batch.inputs[base + i] = words[i]
            batch.targets[base + i] = words[i + 1]
            let isBoundary = words[i] == layout.separator && !layout.learnsBoundaries
            batch.weights[base + i] = isBoundary ? 0 : counts[i + 1]
        }
    }

    /// Puts documents into sequences, each into the fullest that still has room (best fit); of those that are open the
    /// fullest is closed when there are too many. Long documents are cut, with one token on both sides of a cut so that
    /// it is learned too.
    private static func packed(
        _ tokens: TokenStore, _ range: Range<Int>, _ context: Int, isShuffled: Bool, seed: UInt64
    ) -> ([Piece], [Int]) {
        let borders = tokens.documents.filter { $0 > range.lowerBound && $0 < range.upperBound }
        let edges = [range.lowerBound] + borders + [range.upperBound]
        var order = DataOrder(count: edges.count - 1, isShuffled: isShuffled, seed: seed &+ 1)
        var open: [(room: Int, pieces: [Piece])] = []
        var pieces: [Piece] = []
        var starts = [0]
        func close(_ index: Int) {
            pieces += open.remove(at: index).pieces
            starts.append(pieces.count)
        }
        for turn in 0..<edges.count - 1 {
            let document = order.item(turn).item
            var start = edges[document]
            let end = edges[document + 1]
            repeat {
                let piece = start..<min(end, start + context + 1)
                var best: Int?
                for (index, sequence) in open.enumerated()
                where sequence.room >= piece.count && sequence.room < open[best ?? index].room + (best == nil ? 1 : 0) {
                    best = index
                }
                if let best {
                    open[best].pieces.append(piece)
                    open[best].room -= piece.count
                } else {
                    open.append((context + 1 - piece.count, [piece]))
                }
                if let full = open.firstIndex(where: { $0.room == 0 }) { close(full) }
                if open.count > 64, let fullest = open.indices.min(by: { open[$0].room < open[$1].room }) {
                    close(fullest)
                }
                start = piece.upperBound == end ? end : piece.upperBound - 1
            } while start < end
        }
        while !open.isEmpty { close(0) }
        return (pieces, starts)
    }
}
