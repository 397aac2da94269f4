/// What a cell says of the weights that it stands for.
public enum AttentionMeasure: String, CaseIterable, Sendable {
    case max
    /// Over the pairs that are not hidden.
    case mean
}

/// What is drawn of a weight.
public enum AttentionWeighting: String, CaseIterable, Sendable {
    /// A[q, k].
    case plain
    /// A[q, k] · ‖v_k‖, divided by its sum over the keys of q: a head that rests on a token whose value says nothing
    /// shrinks.
    ///
    /// - Source: Kobayashi et al., "Attention is not only a weight", 2020, with the norm before W_O.
    case values
}

/// A part of a pattern, query by key, as cells each of which stands for a block of weights.
public struct AttentionCells: Sendable {
    public var rows: Int
    public var columns: Int
    /// Values in row-major order; NaN if every pair is hidden, because the key comes after the query or is outside the
    /// window.
    public var values: [Float]
    /// What all cells together stand for: what was asked for, outward to whole cells and cut at the length.
    public var queries: Range<Int>
    public var keys: Range<Int>
    public var queriesPerCell: Int
    public var keysPerCell: Int
    public var measure: AttentionMeasure
    public var weighting: AttentionWeighting
    /// Finer ones were asked for than are kept: `InspectedRun.exactCells` computes them.
    public var isCoarser: Bool

    /// Each is one weight.
    public var isExact: Bool { queriesPerCell == 1 && keysPerCell == 1 }

    /// `1 cell = 64 × 64, max`.
    public var note: String {
        let weighted = weighting == .values ? ", value-weighted" : ""
        if isExact { return "1 cell = 1 weight\(weighted)" }
        return "1 cell = \(queriesPerCell) × \(keysPerCell), \(measure.rawValue)\(weighted)"
    }

    public func queries(ofRow row: Int) -> Range<Int> {
        let first = min(queries.lowerBound + row * queriesPerCell, queries.upperBound)
        return first..<min(first + queriesPerCell, queries.upperBound)
    }

    public func keys(ofColumn column: Int) -> Range<Int> {
        let first = min(keys.lowerBound + column * keysPerCell, keys.upperBound)
        return first..<min(first + keysPerCell, keys.upperBound)
    }

    public subscript(row: Int, column: Int) -> Float { values[row * columns + column] }
}

/// All heads at once, each as few cells of the same size.
public struct AttentionGrid: Sendable {
    public var layers: Int
    public var heads: Int
    /// Of one head.
    public var rows: Int
    public var columns: Int
    public var queriesPerCell: Int
    public var keysPerCell: Int
    /// `[layers, heads, rows, columns]`; NaN if every pair is hidden.
    public var values: [Float]
    /// `1 cell = 512 × 512, max`.
    public var note: String

    public func cells(layer: Int, head: Int) -> ArraySlice<Float> {
        let first = (layer * heads + head) * rows * columns
        return values[first..<first + rows * columns]
    }
}
