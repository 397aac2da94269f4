internal import Kernels

/// What every head of every layer attends to, at any length: whole weights of the latest tokens, and cells of several
/// sizes over everything.
///
/// It is built while the text is read and is a value whose memory snapshots share: a finished row of cells never
/// changes. Cells double in size whenever they outgrow their budget, so that their number stays bounded; the greatest
/// weight of a cell is the greatest of its weights, and its mean the mean of those that are not hidden.
public struct AttentionAtlas: Sendable {
    let layout: AttentionLayout
    var blocks: [Entry] = []
    /// Levels from fine to coarse; the cells of each have twice the side of the level before.
    package var levels: [CellLevel] = []
    /// Tokens that are in it.
    public internal(set) var length = 0
    /// Streamed while tokens are read.
    public internal(set) var scores: StreamedHeadScores
    /// Scores as they were now and then: what a cut begins with.
    var checkpoints: [(length: Int, scores: StreamedHeadScores)] = []

    /// A block, and how many of its tokens count: a rerun may have cut it.
    struct Entry: Sendable {
        var block: AttentionBlock
        var count: Int

        var end: Int { block.first + count }
    }

    /// Sides of the finest and the coarsest cells.
    static let sides = (finest: 4, coarsest: 4096)
    /// Minimum number of tokens between two checkpoints of the scores.
    static let checkpointStep = 64

    init(_ layout: AttentionLayout) {
        self.layout = layout
        scores = StreamedHeadScores(layers: layout.layers, heads: layout.heads)
        var side = Self.sides.finest
        while side <= Self.sides.coarsest {
            levels.append(CellLevel(side: side))
            side *= 2
        }
    }

    public var layers: Int { layout.layers }
    public var heads: Int { layout.heads }

    /// First token with exact weights.
    public var exactFrom: Int {
        var first = length
        for entry in blocks.reversed() {
            if entry.block.weights == nil { break }
            first = entry.block.first
        }
        return min(first, length)
    }

    /// Queries and keys of the finest cells that reach over everything.
    public var cellSide: Int { levels[0].side }

    /// Memory of everything that it holds; snapshots share it.
    public var byteCount: Int {
        blocks.reduce(0) { $0 + $1.block.byteCount }
            + levels.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.cells.byteCount } }
    }

    /// The block of a token, and its number within it.
    func place(of position: Int) -> (block: AttentionBlock, index: Int)? {
        guard position >= 0, position < length else { return nil }
        var (low, high) = (0, blocks.count)
        while low < high {
            let middle = (low + high) / 2
            if blocks[middle].end <= position { low = middle + 1 } else { high = middle }
        }
        guard low < blocks.count, blocks[low].block.first <= position else { return nil }
        return (blocks[low].block, position - blocks[low].block.first)
    }
}
