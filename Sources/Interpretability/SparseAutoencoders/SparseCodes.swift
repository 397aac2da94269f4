/// Rows of features of which few are active, as compressed rows.
///
/// Within a row features ascend and every value is above 0.
public struct SparseCodes: Equatable, Sendable {
    /// F.
    public var width: Int
    /// `rows + 1` numbers: row r is `starts[r] ..< starts[r + 1]`.
    public var starts: [Int]
    public var features: [Int32]
    public var values: [Float]

    public init(width: Int, starts: [Int] = [0], features: [Int32] = [], values: [Float] = []) {
        self.width = width
        self.starts = starts
        self.features = features
        self.values = values
    }

    public var rows: Int { starts.count - 1 }

    /// The active features of a row, in ascending order.
    public subscript(row: Int) -> Zip2Sequence<ArraySlice<Int32>, ArraySlice<Float>> {
        let range = starts[row]..<starts[row + 1]
        return zip(features[range], values[range])
    }

    /// Mean number of active features of a row: L0.
    public var meanActive: Double { rows == 0 ? 0 : Double(features.count) / Double(rows) }
}
