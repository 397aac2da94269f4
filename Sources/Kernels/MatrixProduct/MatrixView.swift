/// A matrix in memory that another owner keeps: element (i, j) is at `pointer[i * rowStride + j * columnStride]`.
///
/// ```swift
/// let weights = MatrixView(pointer, rows: 4096, columns: 1024)   // [4096, 1024], row-major
/// weights.transposed                                             // [1024, 4096], the same memory
/// ```
public struct MatrixView<Element>: @unchecked Sendable {  // read only; its owner keeps the memory while a product runs
    public var pointer: UnsafePointer<Element>
    public var rows: Int
    public var columns: Int
    /// Elements from one row to the next.
    public var rowStride: Int
    /// Elements from one column to the next.
    public var columnStride: Int

    /// - Parameter rowStride: `columns` where it is not given: rows without gaps.
    public init(
        _ pointer: UnsafePointer<Element>, rows: Int, columns: Int, rowStride: Int? = nil, columnStride: Int = 1
    ) {
        self.pointer = pointer
        self.rows = rows
        self.columns = columns
        self.rowStride = rowStride ?? columns
        self.columnStride = columnStride
    }

    /// Rows and columns exchanged; nothing is moved.
    public var transposed: MatrixView {
        MatrixView(pointer, rows: columns, columns: rows, rowStride: columnStride, columnStride: rowStride)
    }
}

/// A row-major matrix that a kernel writes: element (i, j) is at `pointer[i * rowStride + j]`.
public struct MutableMatrixView<Element>: @unchecked Sendable {  // threads write rows and columns of their own
    public var pointer: UnsafeMutablePointer<Element>
    public var rows: Int
    public var columns: Int
    /// Elements from one row to the next.
    public var rowStride: Int

    public init(_ pointer: UnsafeMutablePointer<Element>, rows: Int, columns: Int, rowStride: Int? = nil) {
        self.pointer = pointer
        self.rows = rows
        self.columns = columns
        self.rowStride = rowStride ?? columns
    }

    /// The same memory, to be read.
    public var view: MatrixView<Element> {
        MatrixView(UnsafePointer(pointer), rows: rows, columns: columns, rowStride: rowStride)
    }
}

/// An element of a matrix product: `Float` or `Double`.
public protocol MatrixElement: BinaryFloatingPoint, BitwiseCopyable, Sendable {}

extension Float: MatrixElement {}
extension Double: MatrixElement {}
