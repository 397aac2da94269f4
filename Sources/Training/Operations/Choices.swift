public import Tensors

/// The elements of `a` where the condition is true and those of `b` where it is not. Shapes stretch to fit.
public func select<S>(
    _ condition: Tensor<Bool>, _ a: Variable<S>, _ b: Variable<S>
) throws(TensorError) -> Variable<S> {
    let value = try select(condition, a.value, b.value)
    return .made(by: "select", value, from: [a, b]) {
        [aShape = a.shape, bShape = b.shape] back throws(TensorError) in
        let zero = try Variable<S>.zero()
        return [
            back.needs(0) ? try select(condition, back.gradient, zero).summed(to: aShape) : nil,
            back.needs(1) ? try select(condition, zero, back.gradient).summed(to: bShape) : nil,
        ]
    }
}

extension Variable {
    /// The smaller of two elements each; of equal ones each gets half of the gradient, as in torch.
    public static func minimum(_ a: Variable, _ b: Variable) throws(TensorError) -> Variable {
        try extreme("minimum", Tensor.minimum(a.value, b.value), a, b) { a, b throws(TensorError) in try a .< b }
    }

    public static func minimum(_ a: Variable, _ b: Scalar) throws(TensorError) -> Variable {
        try minimum(a, Variable(try Tensor(b)))
    }

    /// The larger of two elements each; of equal ones each gets half of the gradient, as in torch.
    public static func maximum(_ a: Variable, _ b: Variable) throws(TensorError) -> Variable {
        try extreme("maximum", Tensor.maximum(a.value, b.value), a, b) { a, b throws(TensorError) in try a .> b }
    }

    public static func maximum(_ a: Variable, _ b: Scalar) throws(TensorError) -> Variable {
        try maximum(a, Variable(try Tensor(b)))
    }

    private static func extreme(
        _ operation: String, _ value: Tensor<Scalar>, _ a: Variable, _ b: Variable,
        wins: (Tensor<Scalar>, Tensor<Scalar>) throws(TensorError) -> Tensor<Bool>
    ) throws(TensorError) -> Variable {
        guard a.isRecorded || b.isRecorded else { return Variable(value) }
        let tie = try select(a.value .== b.value, Tensor(Scalar(0.5)), Tensor(Scalar.zero))
        let share = try select(wins(a.value, b.value), Tensor(Scalar(1)), tie)
        return made(by: operation, value, from: [a, b], saving: [Variable(share)]) {
            [aShape = a.shape, bShape = b.shape] back throws(TensorError) in
            [
                back.needs(0) ? try (back.gradient * back.saved[0]).summed(to: aShape) : nil,
                back.needs(1) ? try (back.gradient * (1 - back.saved[0])).summed(to: bShape) : nil,
            ]
        }
    }

    /// Every element at least `low` and at most `high`. The gradient passes between the bounds, not at them, as in
    /// torch 2.13.
    public func clamped(_ low: Scalar, _ high: Scalar) throws(TensorError) -> Variable {
        let isKept = try (value .> low) .& (value .< high)
        return .made(by: "clamped", try value.clamped(low, high), from: [self]) { back throws(TensorError) in
            [try select(isKept, back.gradient, .zero())]
        }
    }

    /// The elements with those where the condition is true replaced by a number. The condition stretches to fit.
    public func filled(where condition: Tensor<Bool>, with number: Scalar) throws(TensorError) -> Variable {
        .made(by: "filled", try value.filled(where: condition, with: number), from: [self]) {
            back throws(TensorError) in
            [try back.gradient.filled(where: condition, with: 0)]
        }
    }

    /// The elements on and below a diagonal of the last two axes; zero above.
    ///
    /// - Parameter diagonal: how far above the main one it lies; below it where negative.
    public func lowerTriangle(_ diagonal: Int = 0) throws(TensorError) -> Variable {
        .made(by: "lowerTriangle", try value.lowerTriangle(diagonal), from: [self]) { back throws(TensorError) in
            [try back.gradient.lowerTriangle(diagonal)]
        }
    }

    /// The elements on and above a diagonal of the last two axes; zero below.
    ///
    /// - Parameter diagonal: how far above the main one it lies; below it where negative.
    public func upperTriangle(_ diagonal: Int = 0) throws(TensorError) -> Variable {
        .made(by: "upperTriangle", try value.upperTriangle(diagonal), from: [self]) { back throws(TensorError) in
            [try back.gradient.upperTriangle(diagonal)]
        }
    }
}
