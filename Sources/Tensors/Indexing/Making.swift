extension Tensor where Scalar: NumericScalar {
    /// A tensor of zeros.
    public static func zeros(_ shape: Int...) throws(TensorError) -> Tensor {
        try Tensor(repeating: Scalar(rounding: .zero), shape: shape)
    }

    /// A tensor of ones.
    public static func ones(_ shape: Int...) throws(TensorError) -> Tensor {
        try Tensor(repeating: Scalar(rounding: .one), shape: shape)
    }

    /// The numbers from `start` on, before `end`, `step` apart: start + i step, each rounded once.
    public static func arange(_ start: Double = 0, to end: Double, step: Double = 1) throws(TensorError) -> Tensor {
        let count = ((end - start) / step).rounded(.up)
        guard step != 0, count.isFinite, count < 0x1p46 else {
            throw TensorError("arange", problem: "from \(start) to \(end) in steps of \(step) has too many elements")
        }
        return try Tensor(shape: [max(0, Int(count))]) { elements in
            for i in elements.indices { elements[i] = Scalar(rounding: start + Double(i) * step) }
        }
    }

    /// `count` numbers from `start` to `end`, both among them, at equal distances.
    public static func linspace(_ start: Double, _ end: Double, _ count: Int) throws(TensorError) -> Tensor {
        try Tensor(shape: [count]) { elements in
            let step = count > 1 ? (end - start) / Double(count - 1) : 0
            for i in elements.indices { elements[i] = Scalar(rounding: start + Double(i) * step) }
            if count > 1 { elements[count - 1] = Scalar(rounding: end) }
        }
    }

    /// A matrix with ones on a diagonal and zeros elsewhere.
    ///
    /// - Parameters:
    ///   - columns: as many as rows where they are not given.
    ///   - diagonal: how far above the main one it lies; below it where negative.
    public static func eye(_ rows: Int, _ columns: Int? = nil, diagonal: Int = 0) throws(TensorError) -> Tensor {
        let columns = columns ?? rows
        return try Tensor(shape: [rows, columns]) { elements in
            elements.update(repeating: Scalar(rounding: .zero))
            for row in 0..<rows {
                let (column, overflow) = row.addingReportingOverflow(diagonal)
                if !overflow, column >= 0, column < columns {
                    elements[row * columns + column] = Scalar(rounding: .one)
                }
            }
        }
    }
}

/// Vectors with a one at each index and zeros elsewhere; they become the last axis.
///
/// - Parameter classes: their length; every index must be from 0 and below it.
public func oneHot<Scalar: NumericScalar>(
    _ indices: Tensor<Int32>, _ classes: Int, as _: Scalar.Type = Float.self
) throws(TensorError) -> Tensor<Scalar> {
    let places = indices.elements
    if let wrong = places.first(where: { $0 < 0 || Int($0) >= classes }) {
        throw TensorError("oneHot", indices.shape, problem: "has class \(wrong), but there are \(classes) classes")
    }
    return try Tensor(shape: indices.shape + [classes]) { elements in
        elements.update(repeating: Scalar(rounding: .zero))
        for (i, place) in places.enumerated() { elements[i * classes + Int(place)] = Scalar(rounding: .one) }
    }
}
