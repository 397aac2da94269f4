/// A matrix W[rows, columns] of weights in any format, where it lies: in a mapped file or in memory of its own.
///
/// Rows are outputs and columns inputs: y = x · Wᵀ, as a linear layer applies it.
///
/// ```swift
/// let w = try WeightMatrix(.q4_k, rows: 4096, columns: 4096, bytes: bytes, owner: file)
/// try w.multiply(x, m: 1, into: y)
/// ```
public struct WeightMatrix: @unchecked Sendable {  // bytes that never change
    public let format: WeightFormat
    public let rows: Int
    public let columns: Int
    /// Row after row, `bytesPerRow` each.
    public let bytes: UnsafeRawBufferPointer
    /// nf4: one for each 64 weights of the flattened matrix; int8: one for each row; else nil.
    public let scales: UnsafePointer<Float>?
    let owner: AnyObject?

    /// Weights in memory that the caller keeps, or that `owner` keeps for as long as this value lives.
    ///
    /// - Parameter scales: for the formats that keep them apart; its memory is `owner`'s too.
    /// - Throws: `KernelError.shape` where columns are not a multiple of the block, the bytes are too few, or scales are
    ///   missing.
    public init(
        _ format: WeightFormat, rows: Int, columns: Int, bytes: UnsafeRawBufferPointer,
        scales: UnsafePointer<Float>? = nil, owner: AnyObject? = nil
    ) throws(KernelError) {
        guard rows > 0, columns > 0 else {
            throw .shape(
                operation: format.rawValue,
                problem: "a matrix needs at least one row and one column, not \(rows) rows of \(columns) weights")
        }
        guard columns % format.blockSize == 0 else {
            throw .shape(
                operation: format.rawValue,
                problem: "a row has \(columns) weights, but \(format.rawValue) needs a multiple of \(format.blockSize)")
        }
        let (weights, overflow) = rows.multipliedReportingOverflow(by: columns)
        guard !overflow, let needed = format.byteCount(weights), bytes.count >= needed else {
            throw .shape(
                operation: format.rawValue,
                problem: "\(rows) rows of \(columns) weights need more than the given \(bytes.count) bytes")
        }
        guard !format.hasSeparateScales || scales != nil else {
            throw .shape(operation: format.rawValue, problem: "the scales are missing")
        }
        self.format = format
        self.rows = rows
        self.columns = columns
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes[0..<needed])
        self.scales = scales
        self.owner = owner
    }

    /// Bytes of a row.
    public var bytesPerRow: Int { columns / format.blockSize * format.bytesPerBlock }
}
