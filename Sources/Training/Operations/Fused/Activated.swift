public import Tensors

/// f(x), in one pass; the way back computes the curve again instead of keeping it.
///
/// ```swift
/// let y = try activated(x, .geluTanh)
/// ```
public func activated<S>(_ x: Variable<S>, _ activation: Activation) throws(TensorError) -> Variable<S> {
    let input = try x.value.contiguous()
    let y = try FusedPasses.activate(activation, input)
    let basics = { () throws(TensorError) in try basic(activation, x) }
    return .made(by: activation.rawValue, y, from: [x], basics: basics) { back throws(TensorError) in
        let dy = try back.gradient.value.contiguous()
        let dx = try Tensor<S>.unfilled(dy.shape)
        FusedPasses.activateBackward(activation, dy, x: input, dx: dx)
        return [Variable(dx)]
    }
}

/// f(gate) · up: the gated feed-forward, SwiGLU with `.silu` and GeGLU with `.geluTanh`.
///
/// - Source: Shazeer, "GLU variants improve transformer", 2020.
public func gated<S>(
    _ gate: Variable<S>, _ up: Variable<S>, _ activation: Activation = .silu
) throws(TensorError) -> Variable<S> {
    guard gate.shape == up.shape else {
        throw TensorError(
            "gated", gate.shape, up.shape,
            problem: "are incompatible: gate and input must have the same shape")
    }
    let (x, factor) = (try gate.value.contiguous(), try up.value.contiguous())
    let y = try FusedPasses.activate(activation, x, times: factor)
    let basics = { () throws(TensorError) in try basic(activation, gate) * up }
    return .made(by: "gated", y, from: [gate, up], basics: basics) { back throws(TensorError) in
        let dy = try back.gradient.value.contiguous()
        let dGate = back.needs(0) ? try Tensor<S>.unfilled(dy.shape) : nil
        let dUp = back.needs(1) ? try Tensor<S>.unfilled(dy.shape) : nil
        FusedPasses.activateBackward(activation, dy, x: x, factor: factor, dx: dGate, dFactor: dUp)
        return [dGate.map { Variable($0) }, dUp.map { Variable($0) }]
    }
}

/// The curve from operations that can be differentiated twice.
private func basic<S>(_ activation: Activation, _ x: Variable<S>) throws(TensorError) -> Variable<S> {
    switch activation {
    case .relu: try relu(x)
    case .silu: try silu(x)
    case .gelu: try gelu(x)
    case .geluTanh: try gelu(x, .tanh)
    case .tanh: try tanh(x)
    }
}
