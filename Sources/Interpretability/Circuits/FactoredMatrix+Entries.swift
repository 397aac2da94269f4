public import System
internal import Tensors

/// One element of a matrix, with its place.
public struct MatrixEntry: Hashable, Sendable {
    public var row: Int
    public var column: Int
    public var value: Double

    public init(row: Int, column: Int, value: Double) {
        self.row = row
        self.column = column
        self.value = value
    }
}

extension FactoredMatrix {
    /// The largest elements (or the smallest), best first: the pairs of tokens that a circuit joins most.
    ///
    /// The product is made in strips of a few million elements, none of which is kept. O(rows · n · r).
    ///
    /// - Parameter rows: Rows to include; `nil` for all.
    public func topEntries(
        _ count: Int, rows chosen: [Int]? = nil, largest: Bool = true
    ) throws(Problem) -> [MatrixEntry] {
        let chosen = chosen ?? Array(0..<rows)
        guard count > 0, columns > 0 else { return [] }
        return try telling {
            var best: [MatrixEntry] = []
            let strip = max(1, (1 << 21) / columns)
            var first = 0
            while first < chosen.count {
                let range = first..<min(first + strip, chosen.count)
                let product = try matmul(try left.selecting(Array(chosen[range]), axis: 0), right)
                let found = try product.flattened().topK(min(count, product.count), largest: largest)
                best += zip(found.values.elements, found.indices.elements).map { value, place in
                    MatrixEntry(
                        row: chosen[first + Int(place) / columns], column: Int(place) % columns, value: value.float64)
                }
                best.sort { a, b in
                    if a.value != b.value { return largest ? a.value > b.value : a.value < b.value }
                    return (a.row, a.column) < (b.row, b.column)
                }
                best.removeLast(max(0, best.count - count))
                first = range.upperBound
            }
            return best
        }
    }
}
