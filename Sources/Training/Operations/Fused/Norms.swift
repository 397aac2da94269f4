public import Tensors

/// Layer normalization over the last axis: (x - mean) / √(variance + ε), times `gain`, plus `bias`.
///
/// Mean and spread of each row are kept for the way back.
///
/// - Parameters:
///   - gain: `[width]`, the size of the last axis; nothing stands for ones.
///   - bias: `[width]`; nothing stands for zeros.
/// - Source: Ba, Kiros, Hinton, "Layer normalization", 2016, equation 4.
public func layerNorm<S>(
    _ x: Variable<S>, gain: Variable<S>? = nil, bias: Variable<S>? = nil, epsilon: Double = 1e-5
) throws(TensorError) -> Variable<S> {
    try normalized(x, gain, bias, epsilon, isCentered: true, "layerNorm")
}

/// Root-mean-square normalization over the last axis: x / √(mean of x² + ε), times `gain`.
///
/// - Parameter gain: `[width]`, the size of the last axis; nothing stands for ones.
/// - Source: Zhang and Sennrich, "Root mean square layer normalization", 2019, equation 4.
public func rmsNorm<S>(
    _ x: Variable<S>, gain: Variable<S>? = nil, epsilon: Double = 1e-6
) throws(TensorError) -> Variable<S> {
    try normalized(x, gain, nil, epsilon, isCentered: false, "rmsNorm")
}

private func normalized<S>(
    _ x: Variable<S>, _ gain: Variable<S>?, _ bias: Variable<S>?, _ epsilon: Double, isCentered: Bool, _ name: String
) throws(TensorError) -> Variable<S> {
    guard let width = x.shape.last else {
        throw TensorError(name, x.shape, problem: "has no axis to normalize along")
    }
    let gains = try FusedShape.vector(gain?.value, "gain", x.value, width: width, name)
    let biases = try FusedShape.vector(bias?.value, "bias", x.value, width: width, name)
    let input = try x.value.contiguous()
    let (y, kept) = try FusedPasses.norm(input, gain: gains, bias: biases, epsilon: epsilon, isCentered: isCentered)

    let parents = [x] + [gain, bias].compactMap(\.self)
    let basics = { () throws(TensorError) in
        let distance = isCentered ? try x - x.mean(-1, keepingAxes: true) : x
        let spread = try (distance * distance).mean(-1, keepingAxes: true)
        var result = try distance * reciprocalSqrt(spread + S(rounding: epsilon))
        if let gain { result = try result * gain }
        if let bias { result = try result + bias }
        return result
    }
    return .made(by: name, y, from: parents, basics: basics) {
        [hasGain = gain != nil, hasBias = bias != nil] back throws(TensorError) in
        let dy = try back.gradient.value.contiguous()
        let dx = back.needs(0) ? try Tensor<S>.unfilled(dy.shape) : nil
        let dGain = hasGain && back.needs(1) ? try Tensor<S>.unfilled([width]) : nil
        let dBias = hasBias && back.needs(hasGain ? 2 : 1) ? try Tensor<S>.unfilled([width]) : nil
        FusedPasses.normBackward(dy, x: input, gain: gains, kept, dx: dx, dGain: dGain, dBias: dBias)
        var gradients = [dx.map { Variable($0) }]
        if hasGain { gradients.append(dGain.map { Variable($0) }) }
        if hasBias { gradients.append(dBias.map { Variable($0) }) }
        return gradients
    }
}
