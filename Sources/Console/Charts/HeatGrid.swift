/// A matrix of numbers for a heatmap, row by row; NaN marks a masked or missing number.
public struct HeatGrid: Hashable, Sendable {
    /// Number of rows.
    public let rows: Int
    /// Number of columns.
    public let columns: Int
    /// Values as `[rows, columns]`, row-major.
    public let values: [Float]

    /// Creates a matrix.
    ///
    /// - Parameter values: `rows · columns` numbers. Missing numbers become NaN; extra numbers are ignored.
    public init(rows: Int, columns: Int, values: [Float]) {
        self.rows = max(0, rows)
        self.columns = max(0, columns)
        let (count, overflow) = self.rows.multipliedReportingOverflow(by: self.columns)
        // If the number of cells overflows, the matrix stays empty.
        let needed = overflow ? 0 : count
        if values.count == needed {
            self.values = values
        } else {
            self.values = Array(values.prefix(needed)) + Array(repeating: .nan, count: max(0, needed - values.count))
        }
    }

    /// A row and a column of the matrix.
    public struct Position: Hashable, Sendable {
        /// Row, counted from 0.
        public var row: Int
        /// Column, counted from 0.
        public var column: Int

        /// Creates a position in the matrix.
        public init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    /// Methods of reducing several numbers to one.
    public enum Pooling: String, Hashable, Sendable {
        /// The number with the largest magnitude, including its sign.
        case max
        /// The mean of the numbers that are not NaN.
        case mean
    }

    /// Whether the matrix has no cells.
    public var isEmpty: Bool { values.isEmpty }

    /// Accesses a cell; NaN outside the matrix.
    public subscript(row: Int, column: Int) -> Float {
        guard row >= 0, row < rows, column >= 0, column < columns else { return .nan }
        return values[row * columns + column]
    }

    /// Accesses a cell; NaN outside the matrix.
    public subscript(position: Position) -> Float { self[position.row, position.column] }

    /// Largest magnitude of the finite values; 0 if there are none.
    public var greatestMagnitude: Float {
        values.reduce(0) { $1.isFinite ? Swift.max($0, $1.magnitude) : $0 }
    }

    /// Returns the matrix reduced to at most `rows` by `columns` cells.
    ///
    /// Cell (i, j) of an r × c result covers rows ⌊iR/r⌋ ..< ⌊(i+1)R/r⌋ of the R × C matrix, and columns likewise.
    /// - Complexity: O(R·C).
    public func pooled(rows maxRows: Int, columns maxColumns: Int, by pooling: Pooling) -> HeatGrid {
        let (height, width) = (min(rows, Swift.max(0, maxRows)), min(columns, Swift.max(0, maxColumns)))
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

    /// Returns the difference of the cells that both matrices have; NaN if either number is missing.
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
