extension Tensor {
    /// For each index, the element of this tensor at it along `axis` and at the index's own place elsewhere (NumPy's
    /// `take_along_axis`).
    ///
    /// - Parameter indices: of this tensor's rank; its other axes stretch to this tensor's. Negative ones count from
    ///   the end.
    public func gathered(_ indices: Tensor<Int32>, along axis: Int) throws(TensorError) -> Tensor {
        let name = "gathered"
        let plan = try IndexPlan(self.shape, indices, axis, name)
        let source = strides
        let walk = Walk(
            plan.shape, Shape.stretched(plan.indices.strides, of: plan.indices.shape, to: plan.shape),
            plan.stretched(source, shape), Shape.strides(plan.shape))
        let step = source[plan.axis]
        defer { withExtendedLifetime((self, plan)) {} }
        return try Tensor(filling: plan.shape, count: plan.count, for: name) { target in
            walk.forEachRow { place, count in
                let indices = plan.indices.base + place.a
                for i in 0..<count {
                    let index = plan.index(indices[i * walk.row.a])
                    target[place.c + i] = base[place.b + i * walk.row.b + index * step]
                }
            }
        }
    }

    /// The slices of these indices along an axis, in their order: rows of an embedding table.
    ///
    /// The indices' shape takes the place of the axis: rows [vocabulary, width] of tokens [batch, token] are
    /// [batch, token, width]. Negative indices count from the end.
    public func selecting(_ indices: Tensor<Int32>, axis: Int = 0) throws(TensorError) -> Tensor {
        let name = "selecting"
        let axis = try Shape.axis(axis, shape, name)
        try IndexPlan.check(indices, size: shape[axis], shape, name)
        let places = indices.elements
        let (before, after) = (Array(shape[..<axis]), Array(shape[(axis + 1)...]))
        let result = before + indices.shape + after
        let count = try Shape.count(result, name)
        let slice = before + after
        let sourceStrides = Array(strides[..<axis]) + Array(strides[(axis + 1)...])
        // Each index copies one slice: its place in the result is that of the slice whose axis is the list of indices.
        let flat = Shape.strides(before + [places.count] + after)
        let targetStrides = Array(flat[..<axis]) + Array(flat[(axis + 1)...])
        let walk = Walk(slice, sourceStrides, targetStrides)
        let size = shape[axis]
        defer { withExtendedLifetime(self) {} }
        return try Tensor(filling: result, count: count, for: name) { target in
            let slices = Walk([places.count], [1])
            slices.forEachRow(grain: max(1, (1 << 16) / max(1, walk.rows * walk.length))) { place, count in
                for i in place.a..<place.a + count {
                    let index = places[i] < 0 ? Int(places[i]) + size : Int(places[i])
                    let from = base + index * strides[axis]
                    let to = target + i * flat[axis]
                    walk.forEachRow(in: 0..<walk.rows) {
                        CopyLoops.row(
                            from + $0.a, walk.row.a, to: to + $0.b, walk.row.b, walk.length,
                            width: MemoryLayout<Scalar>.stride)
                    }
                }
            }
        }
    }

    /// The slices of these indices along an axis, in their order.
    public func selecting(_ indices: [Int], axis: Int = 0) throws(TensorError) -> Tensor {
        if let index = indices.first(where: { Int32(exactly: $0) == nil }) {
            throw TensorError("selecting", shape, problem: "has no element \(index) on axis \(axis)")
        }
        return try selecting(Tensor<Int32>(indices.map(Int32.init(truncatingIfNeeded:))), axis: axis)
    }
}

/// Indices along one axis, checked once so that loops need not.
struct IndexPlan {
    let axis: Int
    let size: Int
    let indices: Tensor<Int32>
    /// The shape of what is gathered or scattered.
    let shape: [Int]
    let count: Int

    init(_ source: [Int], _ indices: Tensor<Int32>, _ axis: Int, _ name: String) throws(TensorError) {
        self.axis = try Shape.axis(axis, source, name)
        guard indices.rank == source.count else {
            throw TensorError(
                name, source, indices.shape,
                problem: "are incompatible: the indices must have the same number of axes")
        }
        size = source[self.axis]
        var others = source
        others[self.axis] = 1
        var own = indices.shape
        own[self.axis] = 1
        guard let common = try? Shape.broadcast(others, own, name), common == others else {
            throw TensorError(
                name, source, indices.shape, problem: "are incompatible: axes other than \(self.axis) differ in size")
        }
        try Self.check(indices, size: size, source, name)
        var shape = others
        shape[self.axis] = indices.shape[self.axis]
        self.indices = indices
        self.shape = shape
        count = try Shape.count(shape, name)
    }

    static func check(_ indices: Tensor<Int32>, size: Int, _ shape: [Int], _ name: String) throws(TensorError) {
        let wrong = try indices.withElements { elements in
            elements.first { Int($0) < -size || Int($0) >= size }
        }
        if let wrong {
            throw TensorError(name, shape, problem: "has no element \(wrong): the size of the axis is \(size)")
        }
    }

    func index(_ index: Int32) -> Int { index < 0 ? Int(index) + size : Int(index) }

    /// Strides of the indexed tensor at index 0 of the axis.
    func stretched(_ strides: [Int], _ shape: [Int]) -> [Int] {
        var result = strides
        result[axis] = 0
        return result
    }
}
