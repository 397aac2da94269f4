public import Tensors

/// The absolute values; the derivative at zero is taken to be 0, as in torch.
public func abs<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    .made(by: "abs", try abs(x.value), from: [x], saving: [x]) { back throws(TensorError) in
        [try back.gradient * Variable(sign(back.saved[0].value))]
    }
}

/// e to the power of each element.
public func exp<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byOutput("exp", exp(x.value), x) { (y, _) in y }
}

/// e to the power of each element, less 1, exact near zero.
public func expm1<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byOutput("expm1", expm1(x.value), x) { (y, _) throws(TensorError) in try y + 1 }
}

/// The natural logarithms.
public func log<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    .made(by: "log", try log(x.value), from: [x], saving: [x]) { back throws(TensorError) in
        [try back.gradient / back.saved[0]]
    }
}

/// The natural logarithms of 1 + x, exact near zero.
public func log1p<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    .made(by: "log1p", try log1p(x.value), from: [x], saving: [x]) { back throws(TensorError) in
        [try back.gradient / (back.saved[0] + 1)]
    }
}

/// The square roots; NaN below zero.
public func sqrt<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    .made(by: "sqrt", try sqrt(x.value), from: [x], keepsOutput: true) { back throws(TensorError) in
        [try back.gradient / (back.output * 2)]
    }
}

/// 1 / √x.
public func reciprocalSqrt<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byOutput("reciprocalSqrt", reciprocalSqrt(x.value), x) { (y, _) throws(TensorError) in
        try y * y * y * S(-0.5)
    }
}

/// 1 / x.
public func reciprocal<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byOutput("reciprocal", reciprocal(x.value), x) { (y, _) throws(TensorError) in try -(y * y) }
}

/// The sines of angles in radians.
public func sin<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byInput("sin", sin(x.value), x) { x throws(TensorError) in try cos(x) }
}

/// The cosines of angles in radians.
public func cos<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byInput("cos", cos(x.value), x) { x throws(TensorError) in try -sin(x) }
}

/// The hyperbolic tangents.
public func tanh<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byOutput("tanh", tanh(x.value), x) { (y, _) throws(TensorError) in try 1 - y * y }
}

/// The error function: 2/√π times the integral of e^(-t²) from 0 to x.
public func erf<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byInput("erf", erf(x.value), x) { x throws(TensorError) in
        try exp(-(x * x)) * S(1.1283791670955126)
    }
}

extension Variable {
    /// Each element raised to this power. Where the power is 0, so is the derivative.
    public func power(_ exponent: Scalar) throws(TensorError) -> Variable {
        .made(by: "power", try value.power(exponent), from: [self], saving: [self]) { back throws(TensorError) in
            if exponent == 0 { return [try back.gradient * 0] }
            if exponent == 1 { return [back.gradient] }
            let x = back.saved[0]
            let slope = exponent == 2 ? try x * 2 : try x.power(exponent - 1) * exponent
            return [try back.gradient * slope]
        }
    }

    /// Each element raised to the power of its counterpart; shapes stretch to fit.
    ///
    /// The derivative with respect to the base is 0 if the power is 0, and the derivative with respect to the power is 0
    /// where the base is 0 and the power is not negative, as in torch.
    public func power(_ exponents: Variable) throws(TensorError) -> Variable {
        .made(
            by: "power", try value.power(exponents.value), from: [self, exponents], saving: [self, exponents],
            keepsOutput: true
        ) { back throws(TensorError) in
            let (base, exponents) = (back.saved[0], back.saved[1])
            var gradients: [Variable?] = [nil, nil]
            if back.needs(0) {
                // The mask stands in front of the power: 0 times an infinite one would be NaN.
                let isFlat = try exponents.value .== 0
                let safe = try select(isFlat, Variable.one(), exponents)
                let slope = try select(isFlat, Variable.zero(), safe * base.power(safe - 1))
                gradients[0] = try (back.gradient * slope).summed(to: base.shape)
            }
            if back.needs(1) {
                let isFlat = try (base.value .== 0) .& (exponents.value .>= 0)
                let safe = try select(isFlat, Variable.one(), base)
                let slope = try select(isFlat, Variable.zero(), back.output * log(safe))
                gradients[1] = try (back.gradient * slope).summed(to: exponents.shape)
            }
            return gradients
        }
    }

    static func zero() throws(TensorError) -> Variable { Variable(try Tensor(Scalar.zero)) }
    static func one() throws(TensorError) -> Variable { Variable(try Tensor(Scalar(1))) }
}
