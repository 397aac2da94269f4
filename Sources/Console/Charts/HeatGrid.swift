/// A matrix of numbers to be drawn, row by row. A number that is NaN is not there: masked, or not computed.
public struct HeatGrid: Hashable, Sendable {
    public let rows: Int
    public let columns: Int
    /// `[rows, columns]`, row-major.
    public let values: [Float]

    /// - Parameter values: `rows · columns` numbers; what is missing is NaN, what is too much is left out.
    public init(rows: Int, columns: Int, values: [Float]) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
        let (count, overflow) = self.rows.multipliedReportingOverflow(by: self.columns)
        // More cells than numbers could ever be given for: only what was given is there.
        let wanted = overflow ? 0 : count
        if values.count == wanted {
            self.values = values
        } else {
            self.values = Array(values.prefix(wanted)) + Array(repeating: .nan, count: max(0, wanted - values.count))
        }
    }

    /// A place in the matrix.
    public struct Place: Hashable, Sendable {
        public var row: Int
        public var column: Int

        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// How several numbers become one.
    public enum Pooling: String, Hashable, Sendable {
        /// The one of the greatest magnitude, with its sign.
        case max
        /// The mean of those that are there.
        case mean
    }

    public var isEmpty: Bool { values.isEmpty }

    /// NaN outside the matrix.
    public subscript(row: Int, column: Int) -> Float {
        guard row >= 0, row < rows, column >= 0, column < columns else { return .nan }
        return values[row * columns + column]
    }

    public subscript(place: Place) -> Float { self[place.row, place.column] }

    /// The greatest magnitude; 0 where there is no number.
    public var greatestMagnitude: Float {
        values.reduce(0) { $1.isFinite ? Swift.max($0, $1.magnitude) : $0 }
    }

    /// The matrix in at most so many rows and columns: cell (i, j) stands for rows ⌊iR/r⌋ ..< ⌊(i+1)R/r⌋, and columns
    /// likewise. O(R·C).
    public func pooled(rows wantedRows: Int, columns wantedColumns: Int, by pooling: Pooling) -> HeatGrid {
        let (height, width) = (min(rows, Swift.max(0, wantedRows)), min(columns, Swift.max(0, wantedColumns)))
        guard height > 0, width > 0 else { return HeatGrid(rows: 0, columns: 0, values: []) }
        if height == rows, width == columns { return self }
        var result: [Float] = []
        result.reserveCapacity(height * width)
        for row in 0..<height {
            let rowRange = row * rows / height..<(row + 1) * rows / height
            for column in 0..<width {
                result.append(
                    pooled(rowRange, column * columns / width..<(column + 1) * columns / width, by: pooling))
            }
        }
        return HeatGrid(rows: height, columns: width, values: result)
    }

    private func pooled(_ rowRange: Range<Int>, _ columnRange: Range<Int>, by pooling: Pooling) -> Float {
        var (greatest, sum, count) = (Float.nan, 0.0, 0)
        for row in rowRange {
            for column in columnRange {
                let value = values[row * columns + column]
                guard !value.isNaN else { continue }
                if count == 0 || value.magnitude > greatest.magnitude { greatest = value }
                sum += Double(value)
                count += 1
            }
        }
        return pooling == .max ? greatest : count == 0 ? .nan : Float(sum / Double(count))
    }

    /// The difference of two matrices, of the extent that both have; NaN where either has no number.
    public static func - (left: HeatGrid, right: HeatGrid) -> HeatGrid {
        let (rows, columns) = (min(left.rows, right.rows), min(left.columns, right.columns))
        var values: [Float] = []
        values.reserveCapacity(rows * columns)
        for row in 0..<rows {
            for column in 0..<columns { values.append(left[row, column] - right[row, column]) }
        }
        return HeatGrid(rows: rows, columns: columns, values: values)
    }
}
