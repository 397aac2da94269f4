public import Tensors

/// 1 / (1 + e^-x).
public func sigmoid<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byOutput("sigmoid", sigmoid(x.value), x) { (y, _) throws(TensorError) in try y * (1 - y) }
}

/// x above zero, else 0; the derivative at zero is 0, as in torch.
public func relu<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    .made(by: "relu", try relu(x.value), from: [x], keepsOutput: true) { back throws(TensorError) in
        [try select(back.output.value .> 0, back.gradient, Variable<S>.zero())]
    }
}

/// x above zero, else `slope` times x; the derivative at zero is the slope, as in torch.
public func leakyRelu<S>(_ x: Variable<S>, slope: S = 0.01) throws(TensorError) -> Variable<S> {
    let isAbove = try x.value .> 0
    let value = try select(isAbove, x.value, x.value * slope)
    return .made(by: "leakyRelu", value, from: [x]) { back throws(TensorError) in
        [try select(isAbove, back.gradient, back.gradient * slope)]
    }
}

/// x sigmoid(x), also called swish (Elfwing et al. 2017).
public func silu<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byInput("silu", silu(x.value), x) { x throws(TensorError) in
        let gate = try sigmoid(x)
        return try gate * (x * (1 - gate) + 1)
    }
}

/// The Gaussian error linear unit (Hendrycks & Gimpel 2016).
public func gelu<S>(_ x: Variable<S>, _ form: GELU = .exact) throws(TensorError) -> Variable<S> {
    switch form {
    case .exact:
        // Φ(x) + x φ(x)
        return try .byInput("gelu", gelu(x.value, .exact), x) { x throws(TensorError) in
            let cumulative = try (erf(x * S(0.7071067811865476)) + 1) * S(0.5)
            let density = try exp(x * x * S(-0.5)) * S(0.3989422804014327)
            return try cumulative + x * density
        }
    case .tanh:
        return try .byInput("gelu", gelu(x.value, .tanh), x) { x throws(TensorError) in
            let root = S(0.7978845608028654)
            let square = try x * x
            let t = try tanh(x * (square * S(0.044715) + 1) * root)
            let inner = try (square * S(3 * 0.044715) + 1) * root
            return try (t + 1 + x * (1 - t * t) * inner) * S(0.5)
        }
    }
}

/// log(1 + e^x), which does not overflow.
public func softplus<S>(_ x: Variable<S>) throws(TensorError) -> Variable<S> {
    try .byInput("softplus", softplus(x.value), x) { x throws(TensorError) in try sigmoid(x) }
}
