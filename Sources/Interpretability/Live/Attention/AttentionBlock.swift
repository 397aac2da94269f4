internal import Kernels
internal import System

/// What one pass left of attention: it is written while the pass runs, and never after.
final class AttentionBlock: Sendable {
    let layout: AttentionLayout
    let first: Int
    let count: Int
    /// Weights of all keys up to each token, by token, layer, and head; `nil` if the budget has no room.
    let weights: AlignedBuffer<Float>?
    /// `[token, layer, head, keyWidth]`, as compared with the keys; `nil` if the budget has no room.
    let queries: AlignedBuffer<Float>?
    /// `[token, layer, head]`: the greatest weight and its key.
    let peaks: AlignedBuffer<RowPeak>
    /// `[token, layer, kvHead]`: ‖v‖.
    let valueNorms: AlignedBuffer<Float>

    /// The greatest weight of a query.
    struct RowPeak: BitwiseCopyable {
        var key: Int32
        var weight: Float
    }

    init(
        _ layout: AttentionLayout, first: Int, count: Int, keepsWeights: Bool, keepsQueries: Bool
    ) throws(Problem) {
        self.layout = layout
        self.first = first
        self.count = count
        let rows = count * layout.layers
        (weights, queries, peaks, valueNorms) = try telling {
            (
                keepsWeights
                    ? try AlignedBuffer(count: Self.weightCount(layout, first: first, count: count)) : nil,
                keepsQueries ? try AlignedBuffer(count: rows * layout.heads * layout.keyWidth) : nil,
                try AlignedBuffer(count: rows * layout.heads), try AlignedBuffer(count: rows * layout.kvHeads)
            )
        }
    }

    private init(_ other: AttentionBlock, weights: AlignedBuffer<Float>?, queries: AlignedBuffer<Float>?) {
        (layout, first, count) = (other.layout, other.first, other.count)
        (peaks, valueNorms) = (other.peaks, other.valueNorms)
        self.weights = weights
        self.queries = queries
    }

    func withoutWeights() -> AttentionBlock { AttentionBlock(self, weights: nil, queries: queries) }
    func withoutQueries() -> AttentionBlock { AttentionBlock(self, weights: weights, queries: nil) }

    /// Numbers of all weights of tokens `first ..< first + count`.
    static func weightCount(_ layout: AttentionLayout, first: Int, count: Int) -> Int {
        layout.layers * layout.heads * (count * (first + 1) + count * (count - 1) / 2)
    }

    /// Where the weights of a token's head begin: there are `first + index + 1`.
    func weightStart(_ index: Int, layer: Int, head: Int) -> Int {
        Self.weightCount(layout, first: first, count: index)
            + (layer * layout.heads + head) * (first + index + 1)
    }

    func row(_ index: Int, layer: Int, head: Int) -> Int { (index * layout.layers + layer) * layout.heads + head }

    func valueNorm(_ index: Int, layer: Int, head: Int) -> Float {
        valueNorms.pointer[(index * layout.layers + layer) * layout.kvHeads + layout.kvHead(head)]
    }

    var byteCount: Int {
        (weights?.byteCount ?? 0) + (queries?.byteCount ?? 0) + peaks.byteCount + valueNorms.byteCount
    }
}
