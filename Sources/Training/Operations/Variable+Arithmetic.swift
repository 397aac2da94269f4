public import Tensors

extension Variable {
    /// The sum, element by element; shapes stretch to fit.
    public static func + (a: Variable, b: Variable) throws(TensorError) -> Variable {
        made(by: "+", try a.value + b.value, from: [a, b]) {
            [aShape = a.shape, bShape = b.shape] back throws(TensorError) in
            [
                back.needs(0) ? try back.gradient.summed(to: aShape) : nil,
                back.needs(1) ? try back.gradient.summed(to: bShape) : nil,
            ]
        }
    }

    public static func + (a: Variable, b: Scalar) throws(TensorError) -> Variable {
        made(by: "+", try a.value + b, from: [a]) { back in [back.gradient] }
    }

    public static func + (a: Scalar, b: Variable) throws(TensorError) -> Variable { try b + a }

    /// The difference, element by element; shapes stretch to fit.
    public static func - (a: Variable, b: Variable) throws(TensorError) -> Variable {
        made(by: "-", try a.value - b.value, from: [a, b]) {
            [aShape = a.shape, bShape = b.shape] back throws(TensorError) in
            [
                back.needs(0) ? try back.gradient.summed(to: aShape) : nil,
                back.needs(1) ? try -back.gradient.summed(to: bShape) : nil,
            ]
        }
    }

    public static func - (a: Variable, b: Scalar) throws(TensorError) -> Variable {
        made(by: "-", try a.value - b, from: [a]) { back in [back.gradient] }
    }

    public static func - (a: Scalar, b: Variable) throws(TensorError) -> Variable {
        made(by: "-", try a - b.value, from: [b]) { back throws(TensorError) in [try -back.gradient] }
    }

    /// The elements with their signs changed.
    public static prefix func - (a: Variable) throws(TensorError) -> Variable {
        made(by: "negate", try -a.value, from: [a]) { back throws(TensorError) in [try -back.gradient] }
    }

    /// The product, element by element; shapes stretch to fit.
    public static func * (a: Variable, b: Variable) throws(TensorError) -> Variable {
        let value = try a.value * b.value
        // A factor is kept only where the other one wants it.
        if !b.isRecorded { return a.scaled(value, by: b) }
        if !a.isRecorded { return b.scaled(value, by: a) }
        return made(by: "*", value, from: [a, b], saving: [a, b]) { back throws(TensorError) in
            let (a, b) = (back.saved[0], back.saved[1])
            return [
                back.needs(0) ? try (back.gradient * b).summed(to: a.shape) : nil,
                back.needs(1) ? try (back.gradient * a).summed(to: b.shape) : nil,
            ]
        }
    }

    private func scaled(_ value: Tensor<Scalar>, by factor: Variable) -> Variable {
        .made(by: "*", value, from: [self], saving: [factor]) { [shape] back throws(TensorError) in
            [try (back.gradient * back.saved[0]).summed(to: shape)]
        }
    }

    public static func * (a: Variable, b: Scalar) throws(TensorError) -> Variable {
        made(by: "*", try a.value * b, from: [a]) { back throws(TensorError) in [try back.gradient * b] }
    }

    public static func * (a: Scalar, b: Variable) throws(TensorError) -> Variable { try b * a }

    /// The quotient, element by element; shapes stretch to fit.
    public static func / (a: Variable, b: Variable) throws(TensorError) -> Variable {
        made(by: "/", try a.value / b.value, from: [a, b], saving: [a, b]) { back throws(TensorError) in
            let (a, b) = (back.saved[0], back.saved[1])
            let quotient = try back.gradient / b
            return [
                back.needs(0) ? try quotient.summed(to: a.shape) : nil,
                back.needs(1) ? try -(quotient * a / b).summed(to: b.shape) : nil,
            ]
        }
    }

    public static func / (a: Variable, b: Scalar) throws(TensorError) -> Variable {
        made(by: "/", try a.value / b, from: [a]) { back throws(TensorError) in [try back.gradient / b] }
    }

    public static func / (a: Scalar, b: Variable) throws(TensorError) -> Variable {
        try byOutput("/", try a / b.value, b, saving: [b]) { (quotient, saved) throws(TensorError) in
            try -(quotient / saved[0])
        }
    }
}

extension Variable {
    /// A function of single elements whose derivative follows from its input.
    static func byInput(
        _ operation: String, _ value: Tensor<Scalar>, _ x: Variable,
        derivative: @escaping (Variable) throws(TensorError) -> Variable
    ) throws(TensorError) -> Variable {
        made(by: operation, value, from: [x], saving: [x]) { back throws(TensorError) in
            [try back.gradient * derivative(back.saved[0])]
        }
    }

    /// A function of single elements whose derivative follows from its output.
    static func byOutput(
        _ operation: String, _ value: Tensor<Scalar>, _ x: Variable, saving: [Variable] = [],
        derivative: @escaping (Variable, [Variable]) throws(TensorError) -> Variable
    ) throws(TensorError) -> Variable {
        made(by: operation, value, from: [x], saving: saving, keepsOutput: true) { back throws(TensorError) in
            [try back.gradient * derivative(back.output, back.saved)]
        }
    }
}
