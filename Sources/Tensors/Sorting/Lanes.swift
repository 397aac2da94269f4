internal import Kernels

/// The lanes of a tensor along one axis, each with its place in an output of the same other axes.
struct Lanes {
    /// Elements of a lane, and how far apart they lie.
    let length: Int
    let stride: Int
    /// The other axes.
    let outer: [Int]
    private let strides: [Int]
    private let axis: Int

    init<Scalar>(_ tensor: Tensor<Scalar>, axis: Int, _ operation: String) throws(TensorError) {
        self.axis = try Shape.axis(axis, tensor.shape, operation)
        length = tensor.shape[self.axis]
        stride = tensor.strides[self.axis]
        outer = Self.without(self.axis, tensor.shape)
        strides = Self.without(self.axis, tensor.strides)
        guard length <= Int(Int32.max) else {
            throw TensorError(operation, tensor.shape, problem: "has more than \(Int32.max) elements along an axis")
        }
    }

    private static func without(_ axis: Int, _ sizes: [Int]) -> [Int] {
        var rest = sizes
        rest.remove(at: axis)
        return rest
    }

    /// The shape in which every lane has that number of elements.
    func shape(_ length: Int) -> [Int] {
        var shape = outer
        shape.insert(length, at: axis)
        return shape
    }

    /// Distance of neighbors along the axis in a contiguous output whose lanes have `length` elements.
    func outputStride(_ length: Int) -> Int { Shape.strides(shape(length))[axis] }

    /// Calls `body` with the first elements of groups of lanes: input and output place, the steps from lane to lane,
    /// and how many lanes there are. Groups are shared by threads.
    func forEachGroup(
        outputLength: Int,
        _ body: (_ input: Int, _ inputStep: Int, _ output: Int, _ outputStep: Int, _ lanes: Int) -> Void
    ) {
        let walk = Walk(outer, strides, Self.without(axis, Shape.strides(shape(outputLength))))
        walk.forEachRow(grain: max(1, (1 << 15) / max(1, length))) { place, count in
            body(place.a, walk.row.a, place.b, walk.row.b, count)
        }
    }

    /// - Throws: where scratch memory of `count` bytes for a lane on every thread is more than the system has.
    func checkScratch(_ bytesPerElement: Int, _ operation: String) throws(TensorError) {
        let bytes = length * bytesPerElement * ThreadPool.shared.threads
        if bytes > 16 << 20, bytes > MemoryLimit.available { throw .memory(operation, bytes: bytes) }
    }
}
