internal import Tensors

extension Variable {
    /// This matrix with another added to its columns from one on.
    func adding(_ part: Variable, atColumn column: Int) throws(TensorError) -> Variable {
        if part.shape == shape { return try self + part }
        let (rows, columns, width) = (shape[0], shape[1], part.shape[1])
        var sum = try value.copied(for: "add columns")
        let added = try part.value.contiguous()
        try sum.withMutableElements { target throws(TensorError) in
            guard let base = target.baseAddress else { return }
            for row in 0..<rows {
                RowLoops.add(added.base + row * width, to: base + row * columns + column, count: width)
            }
        }
        withExtendedLifetime(added) {}
        return .made(by: "add columns", sum, from: [self, part], isTwiceDifferentiable: false) {
            back throws(TensorError) in
            let gradient = back.gradient.value
            return [
                back.needs(0) ? back.gradient : nil,
                back.needs(1) ? Variable(try gradient[.all, column..<column + width].contiguous()) : nil,
            ]
        }
    }

    /// c · tanh(x / c).
    ///
    /// - Source: Gemma team, "Gemma 2", 2024, section 2.
    func softcapped(at cap: Scalar) throws(TensorError) -> Variable {
        let input = try value.contiguous()
        let result = try Tensor<Scalar>(shape: shape) { target throws(TensorError) in
            if let base = target.baseAddress { RowLoops.cap(input.base, at: cap, into: base, count: input.count) }
        }
        withExtendedLifetime(input) {}
        return .made(by: "softcap", result, from: [self], keepsOutput: true, isTwiceDifferentiable: false) {
            back throws(TensorError) in
            var gradient = try back.gradient.value.copied(for: "softcap")
            let capped = back.output.value
            try gradient.withMutableElements { target throws(TensorError) in
                if let base = target.baseAddress {
                    RowLoops.capBackward(base, capped: capped.base, at: cap, count: capped.count)
                }
            }
            return withExtendedLifetime(capped) { [Variable(gradient)] }
        }
    }
}

/// Loops over numbers, compiled for the types that are trained in.
enum RowLoops {
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func add<Scalar: FloatingAccumulator>(
        _ x: UnsafePointer<Scalar>, to y: UnsafeMutablePointer<Scalar>, count: Int
    ) {
        for i in 0..<count { y[i] += x[i] }
    }

    /// y += factor · x.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func add<Scalar: FloatingAccumulator>(
        _ factor: Scalar, times x: UnsafePointer<Scalar>, to y: UnsafeMutablePointer<Scalar>, count: Int
    ) {
        for i in 0..<count { y[i] += factor * x[i] }
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func dot<Scalar: FloatingAccumulator>(
        _ x: UnsafePointer<Scalar>, _ y: UnsafePointer<Scalar>, count: Int
    ) -> Scalar {
        var sum: Scalar = 0
        for i in 0..<count { sum += x[i] * y[i] }
        return sum
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func cap<Scalar: FloatingAccumulator>(
        _ x: UnsafePointer<Scalar>, at cap: Scalar, into y: UnsafeMutablePointer<Scalar>, count: Int
    ) {
        for i in 0..<count { y[i] = cap * Elementary.tanh(x[i] / cap) }
    }

    /// g *= 1 - (y / c)².
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func capBackward<Scalar: FloatingAccumulator>(
        _ g: UnsafeMutablePointer<Scalar>, capped y: UnsafePointer<Scalar>, at cap: Scalar, count: Int
    ) {
        for i in 0..<count {
            let t = y[i] / cap
            g[i] *= 1 - t * t
        }
    }
}
