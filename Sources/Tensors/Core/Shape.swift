/// Sizes and strides: products that do not overflow, axes that may count from the end.
enum Shape {
    /// The number of elements.
    ///
    /// - Throws: `TensorError` for a negative size, or for more elements than memory can have.
    static func count(_ shape: [Int], _ operation: String) throws(TensorError) -> Int {
        var count = 1
        var overflows = false
        var isEmpty = false
        for size in shape {
            guard size >= 0 else { throw TensorError(operation, shape, problem: "has the negative size \(size)") }
            if size == 0 { isEmpty = true; continue }
            let (product, overflow) = count.multipliedReportingOverflow(by: size)
            overflows = overflows || overflow || product >= 1 << 46
            count = overflows ? 1 : product
        }
        guard !overflows else {
            throw TensorError(operation, shape, problem: "has too many elements for memory")
        }
        return isEmpty ? 0 : count
    }

    /// Strides, in elements, of a tensor whose last index runs fastest.
    static func strides(_ shape: [Int]) -> [Int] {
        var strides = [Int](repeating: 1, count: shape.count)
        var stride = 1
        for axis in shape.indices.reversed() {
            strides[axis] = stride
            stride *= max(1, shape[axis])
        }
        return strides
    }

    /// Whether elements lie one after the other in the order of their indices.
    static func isContiguous(_ shape: [Int], _ strides: [Int]) -> Bool {
        var expected = 1
        for axis in shape.indices.reversed() where shape[axis] != 1 {
            if shape[axis] == 0 { return true }
            if strides[axis] != expected {
                return shape.contains(0)
            }
            expected *= shape[axis]
        }
        return true
    }

    /// The axis from 0 that `axis` means: -1 is the last one.
    static func axis(_ axis: Int, _ shape: [Int], _ operation: String) throws(TensorError) -> Int {
        let rank = shape.count
        guard axis >= -rank, axis < rank else {
            let axes = rank == 0 ? "it is a scalar" : "its axes are 0 to \(rank - 1), or -\(rank) to -1"
            throw TensorError(operation, shape, problem: "has no axis \(axis): \(axes)")
        }
        return axis < 0 ? axis + rank : axis
    }

    /// Axes from 0, each at most once.
    static func axes(_ axes: [Int], _ shape: [Int], _ operation: String) throws(TensorError) -> [Int] {
        var result: [Int] = []
        for given in axes {
            let axis = try axis(given, shape, operation)
            guard !result.contains(axis) else {
                throw TensorError(operation, shape, problem: "gets axis \(axis) twice")
            }
            result.append(axis)
        }
        return result
    }
}
