/// Minimum cost of attention; pairs that a mask hides are not counted.
extension AttentionShape {
    /// Two products of d multiply-adds a visible pair; Q, K and V read, O written.
    var forwardCost: KernelCost {
        KernelCost(flops: 4 * Double(width) * visiblePairsOfAllHeads, bytes: 8 * Double(width) * (rows + keyRows))
    }

    /// Five products a visible pair: S and dO Vᵀ, dQ, dK and dV. Read are Q, K, V, O, dO and the log-sum-exp.
    ///
    /// S is counted, since an implementation that stores no scores must compute them again. That two passes compute S and dO Vᵀ twice
    /// (14 d instead of 10 d a pair) is their own affair: the rate is that of the 10 d.
    var backwardCost: KernelCost {
        KernelCost(
            flops: 10 * Double(width) * visiblePairsOfAllHeads,
            bytes: 16 * Double(width) * (rows + keyRows) + 4 * rows)
    }

    /// Bytes where scores are kept: written, read and written by the softmax, read again: 16 a pair, hidden or not.
    var forwardTrafficWithScores: Double { forwardCost.bytes + 16 * rows * Double(keys) }

    /// Bytes where P and dS are kept: both are written, the products read P once and dS twice: 20 a pair.
    var backwardTrafficWithScores: Double { backwardCost.bytes + 20 * rows * Double(keys) }

    private var rows: Double { Double(heads) * Double(queries) }
    private var keyRows: Double { Double(kvHeads) * Double(keys) }
    private var visiblePairsOfAllHeads: Double { Double(heads) * Double(visiblePairs) }
}
