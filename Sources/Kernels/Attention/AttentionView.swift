/// Rows of `[heads, rows, width]` that another owner keeps alive; the numbers of a row lie side by side.
public struct AttentionView: @unchecked Sendable {  // a pointer whose owner agrees with its users
    public var pointer: UnsafePointer<Float>
    /// Elements from a head to the next.
    public var headStride: Int
    /// Elements from a row to the next.
    public var rowStride: Int

    public init(_ pointer: UnsafePointer<Float>, headStride: Int, rowStride: Int) {
        self.pointer = pointer
        self.headStride = headStride
        self.rowStride = rowStride
    }

    /// Without gaps: `[head, row, width]`.
    public init(_ pointer: UnsafePointer<Float>, rows: Int, width: Int) {
        self.init(pointer, headStride: rows * width, rowStride: width)
    }

    func row(_ head: Int, _ row: Int) -> UnsafePointer<Float> { pointer + (head * headStride + row * rowStride) }
}

/// The same, for results.
public struct MutableAttentionView: @unchecked Sendable {  // a pointer whose owner agrees with its users
    public var pointer: UnsafeMutablePointer<Float>
    public var headStride: Int
    public var rowStride: Int

    public init(_ pointer: UnsafeMutablePointer<Float>, headStride: Int, rowStride: Int) {
        self.pointer = pointer
        self.headStride = headStride
        self.rowStride = rowStride
    }

    /// Without gaps: `[head, row, width]`.
    public init(_ pointer: UnsafeMutablePointer<Float>, rows: Int, width: Int) {
        self.init(pointer, headStride: rows * width, rowStride: width)
    }

    /// To read what was written.
    public var reading: AttentionView { AttentionView(pointer, headStride: headStride, rowStride: rowStride) }
}
