extension Shape {
    /// The shape to which both stretch: shapes are aligned at their last axes, and an axis of size 1, or one that is
    /// not there, takes the size of the other's.
    ///
    /// - Throws: `TensorError` naming the sizes that differ.
    static func broadcast(_ a: [Int], _ b: [Int], _ operation: String) throws(TensorError) -> [Int] {
        if a == b { return a }
        let rank = max(a.count, b.count)
        var shape = [Int](repeating: 1, count: rank)
        for fromEnd in 1...max(1, rank) where fromEnd <= rank {
            let (x, y) = (
                fromEnd <= a.count ? a[a.count - fromEnd] : 1, fromEnd <= b.count ? b[b.count - fromEnd] : 1
            )
            guard x == y || x == 1 || y == 1 else {
                throw TensorError(
                    operation, a, b, problem: "are incompatible: the sizes \(x) and \(y) of axis -\(fromEnd) differ")
            }
            shape[rank - fromEnd] = x == 1 ? y : x
        }
        return shape
    }

    /// Strides with which a tensor is read as if it had a shape to which it stretches.
    static func stretched(_ strides: [Int], of shape: [Int], to wanted: [Int]) -> [Int] {
        let missing = wanted.count - shape.count
        return wanted.indices.map { axis in
            axis < missing || shape[axis - missing] == 1 ? 0 : strides[axis - missing]
        }
    }
}

extension Tensor {
    /// A view in which axes of size 1, and axes that are not there, repeat to fill `shape`. Nothing is copied.
    public func broadcast(to shape: [Int]) throws(TensorError) -> Tensor {
        let count = try Shape.count(shape, "broadcast")
        let common = try Shape.broadcast(self.shape, shape, "broadcast")
        guard common == shape else {
            throw TensorError(
                "broadcast", self.shape, shape,
                problem: "are incompatible: the first cannot be broadcast to the second")
        }
        return Tensor(
            view: storage, shape: shape, strides: Shape.stretched(strides, of: self.shape, to: shape), offset: offset,
            count: count)
    }
}
