extension Tensor {
    /// The same elements in the same order under another shape: a view where the strides allow it, otherwise a copy.
    ///
    /// - Parameter shape: one size may be -1: it is what is left for it.
    public func reshaped(_ shape: [Int]) throws(TensorError) -> Tensor {
        let shape = try completed(shape)
        if let strides = Shape.strides(viewing: self.shape, strides, as: shape) {
            return Tensor(view: storage, shape: shape, strides: strides, offset: offset, count: count)
        }
        let dense = try copied(for: "reshaped")
        return Tensor(view: dense.storage, shape: shape, strides: Shape.strides(shape), offset: 0, count: count)
    }

    /// All elements as one vector: a view where the strides allow it, otherwise a copy.
    public func flattened() throws(TensorError) -> Tensor { try reshaped([count]) }

    private func completed(_ wanted: [Int]) throws(TensorError) -> [Int] {
        var shape = wanted
        let open = wanted.indices.filter { wanted[$0] == -1 }
        guard open.count <= 1 else {
            throw TensorError("reshaped", self.shape, wanted, problem: "are incompatible: only one size may be -1")
        }
        if let axis = open.first {
            shape[axis] = 1
            let known = try Shape.count(shape, "reshaped")
            guard known > 0, count % known == 0 else {
                throw TensorError(
                    "reshaped", self.shape, wanted,
                    problem: "are incompatible: \(count) elements are not a multiple of \(known)")
            }
            shape[axis] = count / known
        }
        let needed = try Shape.count(shape, "reshaped")
        guard needed == count else {
            throw TensorError(
                "reshaped", self.shape, wanted, problem: "are incompatible: they have \(count) and \(needed) elements")
        }
        return shape
    }
}

extension Shape {
    /// Returns strides with which a view keeps its elements in the same order under another shape of the same size;
    /// `nil` if there are none.
    static func strides(viewing shape: [Int], _ strides: [Int], as wanted: [Int]) -> [Int]? {
        if shape.contains(0) || isContiguous(shape, strides) { return Shape.strides(wanted) }
        // Axes that continue each other are one run; each run must be cut into whole axes of the new shape.
        var runs: [(size: Int, stride: Int)] = []
        for (size, stride) in zip(shape, strides) where size != 1 {
            if let last = runs.last, last.stride == stride * size {
                runs[runs.count - 1] = (last.size * size, stride)
            } else {
                runs.append((size, stride))
            }
        }
        var result = [Int](repeating: 0, count: wanted.count)
        var run = runs.popLast()
        for axis in wanted.indices.reversed() where wanted[axis] != 1 {
            if run?.size == 1 { run = runs.popLast() }
            guard let (size, stride) = run, size % wanted[axis] == 0 else { return nil }
            result[axis] = stride
            run = (size / wanted[axis], stride * wanted[axis])
        }
        return result
    }
}
