/// An array of any number of axes, with the rules of NumPy.
///
/// ```swift
/// let q = try Tensor<Float>(rows: [[1, 0], [0, 1]])              // [query, width]
/// let k = try Tensor<Float>(rows: [[1, 2], [3, 4], [5, 6]])      // [key, width]
/// let scores = try matmul(q, k.transposed()) * 0.5               // [query, key]
/// let pattern = try softmax(scores, axis: -1)
/// ```
///
/// A tensor is a value. Operations make new ones; views (`transposed`, slices, `broadcast`) share the memory of the
/// tensor that they come from until one of them is changed. Operations throw `TensorError`, which names the operation
/// and the shapes, so that one `try` covers a whole expression. Shapes of size zero and rank zero are ordinary.
public struct Tensor<Scalar: TensorScalar>: Sendable {
    /// The size of each axis; empty for a single number.
    public let shape: [Int]
    /// How far apart, in elements, neighbors along each axis lie: 0 if one element stands for all.
    public let strides: [Int]
    /// The number of elements.
    public let count: Int
    /// Whether the elements are in memory one after the other, in the order of their indices.
    public let isContiguous: Bool
    /// Where the element of index 0, 0, ... is in the storage.
    package let offset: Int
    package internal(set) var storage: TensorStorage<Scalar>

    /// The number of axes.
    public var rank: Int { shape.count }

    /// A view of storage, checked: every element that the shape and the strides reach is within it.
    package init(
        storage: TensorStorage<Scalar>, shape: [Int], strides: [Int], offset: Int
    ) throws(TensorError) {
        let count = try Shape.count(shape, "tensor")
        var (first, last) = (offset, offset)
        var overflows = strides.count != shape.count
        for (size, stride) in zip(shape, strides) where count > 0 {
            let (reach, overflow) = (size - 1).multipliedReportingOverflow(by: stride)
            let (end, overflow2) = (reach < 0 ? first : last).addingReportingOverflow(reach)
            overflows = overflows || overflow || overflow2
            if reach < 0 { first = end } else { last = end }
        }
        guard !overflows, count == 0 || (first >= 0 && last < storage.count) else {
            throw TensorError(
                "tensor", shape, problem: "with strides \(strides) exceeds its storage of \(storage.count) elements")
        }
        self.init(view: storage, shape: shape, strides: strides, offset: count == 0 ? 0 : offset, count: count)
    }

    /// A view whose elements are known to be in the storage.
    init(view storage: TensorStorage<Scalar>, shape: [Int], strides: [Int], offset: Int, count: Int) {
        self.storage = storage
        self.shape = shape
        self.strides = strides
        self.offset = offset
        self.count = count
        isContiguous = Shape.isContiguous(shape, strides)
    }

    /// Where the first element lies; valid as long as the storage is.
    package var base: UnsafeMutablePointer<Scalar> { storage.pointer + offset }
}

extension Tensor {
    /// A tensor of these elements, the last index running fastest.
    public init(_ elements: [Scalar], shape: [Int]) throws(TensorError) {
        let count = try Shape.count(shape, "tensor")
        guard count == elements.count else {
            throw TensorError(
                "tensor", shape, problem: "needs \(count) element\(count == 1 ? "" : "s"), not \(elements.count)")
        }
        try self.init(filling: shape, count: count, for: "tensor") { memory in
            elements.withUnsafeBufferPointer { if count > 0 { memory.update(from: $0.baseAddress!, count: count) } }
        }
    }

    /// A vector.
    public init(_ elements: [Scalar]) throws(TensorError) { try self.init(elements, shape: [elements.count]) }

    /// A single number: a tensor without axes.
    public init(_ scalar: Scalar) throws(TensorError) { try self.init([scalar], shape: []) }

    /// A matrix of rows, all of one length.
    public init(rows: [[Scalar]]) throws(TensorError) {
        let columns = rows.first?.count ?? 0
        if let row = rows.firstIndex(where: { $0.count != columns }) {
            throw TensorError(
                "tensor", problem: "row \(row) has \(rows[row].count) elements, row 0 has \(columns)")
        }
        try self.init(rows.flatMap(\.self), shape: [rows.count, columns])
    }

    /// A tensor in which every element is the same; it takes the memory of all of them.
    public init(repeating scalar: Scalar, shape: [Int]) throws(TensorError) {
        let count = try Shape.count(shape, "tensor")
        try self.init(filling: shape, count: count, for: "tensor") { $0.update(repeating: scalar, count: count) }
    }

    /// A tensor whose elements are written by `initialize`, which must write every one: the memory is not cleared.
    public init(
        shape: [Int], initializing initialize: (UnsafeMutableBufferPointer<Scalar>) throws(TensorError) -> Void
    ) throws(TensorError) {
        let count = try Shape.count(shape, "tensor")
        try self.init(filling: shape, count: count, for: "tensor") { memory throws(TensorError) in
            try initialize(UnsafeMutableBufferPointer(start: memory, count: count))
        }
    }

    /// New contiguous memory, filled before anyone sees it.
    init(
        filling shape: [Int], count: Int, for operation: String,
        _ fill: (UnsafeMutablePointer<Scalar>) throws(TensorError) -> Void
    ) throws(TensorError) {
        let storage: TensorStorage<Scalar>
        do throws(TensorError) {
            storage = try TensorStorage(count: count, for: operation)
        } catch {
            throw TensorError(operation, shape, problem: error.problem)
        }
        try fill(storage.pointer)
        self.init(view: storage, shape: shape, strides: Shape.strides(shape), offset: 0, count: count)
    }
}
