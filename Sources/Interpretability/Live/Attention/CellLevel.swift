package import Kernels
internal import System

/// Cells of one size over everything that was read: row by row, shared between snapshots.
package struct CellLevel: Sendable {
    /// Queries and keys of a cell.
    let side: Int
    package var rows: [CellRow] = []

    /// Returns the bytes for `tokens` tokens.
    static func byteCount(_ layout: AttentionLayout, side: Int, tokens: Int) -> Int {
        let rows = (tokens + side - 1) / side
        return 4 * CellRow.measures * layout.layers * layout.heads * (rows * (rows + 1) / 2)
    }
}

/// Cells of `side` queries against all keys up to them: `[layer, head, measure, key cell]`.
package final class CellRow: Sendable {
    let columns: Int
    package let cells: AlignedBuffer<Float>

    /// The greatest weight, their sum, and both of value-weighted ones.
    static let measures = 4

    init(_ layout: AttentionLayout, columns: Int) throws(Problem) {
        self.columns = columns
        cells = try telling { try AlignedBuffer(count: layout.layers * layout.heads * Self.measures * columns) }
    }

    /// One that may be written without the other changing.
    init(copying other: CellRow) throws(Problem) {
        columns = other.columns
        cells = try telling { try AlignedBuffer(count: other.cells.count) }
        cells.pointer.update(from: other.cells.pointer, count: cells.count)
    }

    /// The cells of one head: `[measure, key cell]`.
    func head(_ index: Int) -> UnsafeMutablePointer<Float> { cells.pointer + index * Self.measures * columns }
}

extension AttentionMeasure {
    func plane(_ weighting: AttentionWeighting) -> Int { (weighting == .plain ? 0 : 2) + (self == .max ? 0 : 1) }
}
