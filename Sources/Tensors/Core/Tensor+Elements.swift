extension Tensor {
    /// All elements as an array, the last index running fastest.
    public var elements: [Scalar] {
        [Scalar](unsafeUninitializedCapacity: count) { memory, written in
            if let target = memory.baseAddress, count > 0 {
                CopyLoops.copy(base, strides, to: target, Shape.strides(shape), shape: shape)
            }
            written = count
        }
    }

    /// The only element; `nil` if there are none or several.
    public var scalar: Scalar? { count == 1 ? base.pointee : nil }

    /// The element of this index; negative ones count from the end of their axis.
    public func element(at index: [Int]) throws(TensorError) -> Scalar {
        base[try place(index, "element")]
    }

    /// The same elements one after the other in memory; itself where they are already.
    public func contiguous() throws(TensorError) -> Tensor { try isContiguous ? self : copied(for: "contiguous") }

    /// Hands the elements, contiguous and in the order of their indices, to `body`.
    ///
    /// A view whose elements lie apart is copied first, which is why memory may run out.
    public func withElements<R>(
        _ body: (UnsafeBufferPointer<Scalar>) throws(TensorError) -> R
    ) throws(TensorError) -> R {
        let dense = try contiguous()
        defer { withExtendedLifetime(dense) {} }
        return try body(UnsafeBufferPointer(start: dense.base, count: count))
    }

    /// Hands the elements, contiguous and in the order of their indices, to `body`, which may change them.
    ///
    /// Other tensors that share the memory keep what they had: they are parted from this one by a copy.
    public mutating func withMutableElements<R>(
        _ body: (UnsafeMutableBufferPointer<Scalar>) throws(TensorError) -> R
    ) throws(TensorError) -> R {
        try makeWritable()
        defer { withExtendedLifetime(self) {} }
        return try body(UnsafeMutableBufferPointer(start: base, count: count))
    }

    /// Changes one element; negative indices count from the end of their axis.
    public mutating func set(_ value: Scalar, at index: [Int]) throws(TensorError) {
        _ = try place(index, "set")
        try makeWritable()
        base[try place(index, "set")] = value
    }

    /// Makes this tensor the only holder of contiguous memory of its own.
    mutating func makeWritable() throws(TensorError) {
        if !isContiguous || storage.isMapped || !isKnownUniquelyReferenced(&storage) {
            self = try copied(for: "copy on write")
        }
    }

    /// Contiguous memory of its own with the same elements.
    package func copied(for operation: String) throws(TensorError) -> Tensor {
        defer { withExtendedLifetime(self) {} }
        return try Tensor(filling: shape, count: count, for: operation) { target in
            CopyLoops.copy(base, strides, to: target, Shape.strides(shape), shape: shape)
        }
    }

    private func place(_ index: [Int], _ operation: String) throws(TensorError) -> Int {
        guard index.count == rank else {
            throw TensorError(
                operation, shape, problem: "needs \(rank) ind\(rank == 1 ? "ex" : "ices"), not \(index.count)")
        }
        var place = 0
        for (axis, i) in index.enumerated() {
            guard i >= -shape[axis], i < shape[axis] else {
                throw TensorError(
                    operation, shape, problem: "has no element \(i) on axis \(axis), whose size is \(shape[axis])")
            }
            place += (i < 0 ? i + shape[axis] : i) * strides[axis]
        }
        return place
    }
}

extension Tensor: Equatable {
    /// Whether shape and elements are the same, however they are in memory. A NaN equals nothing.
    public static func == (a: Tensor, b: Tensor) -> Bool {
        guard a.shape == b.shape else { return false }
        let walk = Walk(a.shape, a.strides, b.strides)
        var equal = true
        walk.forEachRow(in: 0..<walk.rows) { place in
            if equal {
                equal = Compare.equal(
                    a.base + place.a, walk.row.a, b.base + place.b, walk.row.b, walk.length)
            }
        }
        return withExtendedLifetime((a, b)) { equal }
    }
}

private enum Compare {
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    @specialized(where Scalar == Float16)
    @specialized(where Scalar == BFloat16)
    @specialized(where Scalar == Int8)
    @specialized(where Scalar == Int32)
    @specialized(where Scalar == Bool)
    static func equal<Scalar: TensorScalar>(
        _ a: UnsafePointer<Scalar>, _ aStride: Int, _ b: UnsafePointer<Scalar>, _ bStride: Int, _ count: Int
    ) -> Bool {
        for i in 0..<count where a[i * aStride] != b[i * bStride] { return false }
        return true
    }
}
