/// Passes over tensors that make one element of each element, shapes stretched to fit each other.
enum Elementwise {
    /// The type of a loop over one row of two operands.
    typealias PairRow<A, B, C> = (
        UnsafePointer<A>, Int, UnsafePointer<B>, Int, UnsafeMutablePointer<C>, Int
    ) -> Void

    static func pair<A, B, C>(
        _ a: Tensor<A>, _ b: Tensor<B>, for operation: String, _ row: PairRow<A, B, C>
    ) throws(TensorError) -> Tensor<C> {
        let shape = try Shape.broadcast(a.shape, b.shape, operation)
        let count = try Shape.count(shape, operation)
        let walk = Walk(
            shape, Shape.stretched(a.strides, of: a.shape, to: shape),
            Shape.stretched(b.strides, of: b.shape, to: shape), Shape.strides(shape))
        defer { withExtendedLifetime((a, b)) {} }
        return try Tensor(filling: shape, count: count, for: operation) { result in
            walk.forEachRow { place, count in
                row(a.base + place.a, walk.row.a, b.base + place.b, walk.row.b, result + place.c, count)
            }
        }
    }

    static func pair<A, B, C>(
        _ a: Tensor<A>, _ b: B, for operation: String, _ row: PairRow<A, B, C>
    ) throws(TensorError) -> Tensor<C> {
        try map(a, for: operation) { from, stride, to, count in
            withUnsafePointer(to: b) { row(from, stride, $0, 0, to, count) }
        }
    }

    static func pair<A, B, C>(
        _ a: A, _ b: Tensor<B>, for operation: String, _ row: PairRow<A, B, C>
    ) throws(TensorError) -> Tensor<C> {
        try map(b, for: operation) { from, stride, to, count in
            withUnsafePointer(to: a) { row($0, 0, from, stride, to, count) }
        }
    }

    static func map<A, C>(
        _ a: Tensor<A>, for operation: String, grain: Int = 1 << 16,
        _ row: (UnsafePointer<A>, Int, UnsafeMutablePointer<C>, Int) -> Void
    ) throws(TensorError) -> Tensor<C> {
        let walk = Walk(a.shape, a.strides, Shape.strides(a.shape))
        defer { withExtendedLifetime(a) {} }
        return try Tensor(filling: a.shape, count: a.count, for: operation) { result in
            walk.forEachRow(grain: grain) { place, count in
                row(a.base + place.a, walk.row.a, result + place.b, count)
            }
        }
    }

    /// Replaces the elements of `a` in its own memory, which no other owner holds then.
    static func update<A, B>(
        _ a: inout Tensor<A>, _ b: Tensor<B>, for operation: String, _ row: PairRow<A, B, A>
    ) throws(TensorError) {
        let shape = try Shape.broadcast(a.shape, b.shape, operation)
        guard shape == a.shape else {
            throw TensorError(
                operation, a.shape, b.shape, problem: "are incompatible: the first is changed in place and cannot grow")
        }
        try a.makeWritable()
        let walk = Walk(shape, a.strides, Shape.stretched(b.strides, of: b.shape, to: shape))
        walk.forEachRow { place, count in
            row(a.base + place.a, walk.row.a, b.base + place.b, walk.row.b, a.base + place.a, count)
        }
        withExtendedLifetime((a, b)) {}
    }
}
