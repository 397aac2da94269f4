internal import Kernels

/// Layer normalization over the last axis (Ba et al. 2016): (x - mean) / √(variance + ε), times `weight`, plus `bias`.
///
/// - Parameters:
///   - weight: [width], the size of the last axis; nothing stands for ones.
///   - bias: [width]; nothing stands for zeros.
public func layerNorm<S: FloatingScalar>(
    _ x: Tensor<S>, weight: Tensor<S>? = nil, bias: Tensor<S>? = nil, epsilon: Double = 1e-5
) throws(TensorError) -> Tensor<S> {
    let weight = try parameter(weight, "weight", x, x.shape.last, "layerNorm")
    let bias = try parameter(bias, "bias", x, x.shape.last, "layerNorm")
    defer { withExtendedLifetime((weight, bias)) {} }
    let row: RowPass.Body<S> = {
        RowLoops.layerNorm($0, $1, $2, weight?.base, bias?.base, S.Accumulator(epsilon), $3)
    }
    return try RowPass.run(x, for: "layerNorm", row: row) { from, to, rows, columns in
        Rows.layerNorm(
            from, into: to, gain: (weight as? Tensor<Float>)?.base, bias: (bias as? Tensor<Float>)?.base,
            epsilon: Float(epsilon), rows: rows, columns: columns)
    }
}

/// Root-mean-square normalization over the last axis (Zhang & Sennrich 2019): x / √(mean of x² + ε), times `weight`.
///
/// - Parameter weight: [width], the size of the last axis; nothing stands for ones.
public func rmsNorm<S: FloatingScalar>(
    _ x: Tensor<S>, weight: Tensor<S>? = nil, epsilon: Double = 1e-5
) throws(TensorError) -> Tensor<S> {
    let weight = try parameter(weight, "weight", x, x.shape.last, "rmsNorm")
    defer { withExtendedLifetime(weight) {} }
    let row: RowPass.Body<S> = { RowLoops.rmsNorm($0, $1, $2, weight?.base, S.Accumulator(epsilon), $3) }
    return try RowPass.run(x, for: "rmsNorm", row: row) { from, to, rows, columns in
        Rows.rmsNorm(
            from, into: to, gain: (weight as? Tensor<Float>)?.base, epsilon: Float(epsilon), rows: rows,
            columns: columns)
    }
}

/// Batch normalization as it is used after training (Ioffe & Szegedy 2015): each channel of [batch, channel, ...] is
/// shifted and scaled by the statistics that were kept.
///
/// - Parameters: mean, variance, weight and bias are [channel].
public func batchNorm<S: FloatingScalar>(
    _ x: Tensor<S>, mean: Tensor<S>, variance: Tensor<S>, weight: Tensor<S>? = nil, bias: Tensor<S>? = nil,
    epsilon: Double = 1e-5
) throws(TensorError) -> Tensor<S> {
    let name = "batchNorm"
    guard x.rank >= 2 else {
        throw TensorError(name, x.shape, problem: "has no channel axis: expected [batch, channel, ...]")
    }
    let channels = x.shape[1]
    let column = [channels] + [Int](repeating: 1, count: x.rank - 2)
    guard let mean = try parameter(mean, "mean", x, channels, name),
        let variance = try parameter(variance, "variance", x, channels, name)
    else { return x }
    var scale = try reciprocalSqrt(variance + S(rounding: epsilon))
    if let weight = try parameter(weight, "weight", x, channels, name) { scale = try scale * weight }
    let result = try (x - mean.reshaped(column)) * scale.reshaped(column)
    guard let bias = try parameter(bias, "bias", x, channels, name) else { return result }
    return try result + bias.reshaped(column)
}

/// Group normalization (Wu & He 2018): the channels of [batch, channel, ...] in groups, each normalized together with
/// its places, then a weight and a bias a channel.
public func groupNorm<S: FloatingScalar>(
    _ x: Tensor<S>, groups: Int, weight: Tensor<S>? = nil, bias: Tensor<S>? = nil, epsilon: Double = 1e-5
) throws(TensorError) -> Tensor<S> {
    let name = "groupNorm"
    guard x.rank >= 2, groups > 0, x.shape[1] % groups == 0 else {
        throw TensorError(name, x.shape, problem: "cannot be split into \(groups) groups of channels (axis 1)")
    }
    let column = [x.shape[1]] + [Int](repeating: 1, count: x.rank - 2)
    let places = x.count == 0 ? 0 : x.count / (x.shape[0] * groups)
    var result = try layerNorm(x.reshaped([x.shape[0] * groups, places]), epsilon: epsilon).reshaped(x.shape)
    if let weight = try parameter(weight, "weight", x, x.shape[1], name) {
        result = try result * weight.reshaped(column)
    }
    if let bias = try parameter(bias, "bias", x, x.shape[1], name) {
        result = try result + bias.reshaped(column)
    }
    return result
}

/// A parameter of one number a channel, contiguous.
private func parameter<S>(
    _ parameter: Tensor<S>?, _ role: String, _ x: Tensor<S>, _ channels: Int?, _ name: String
) throws(TensorError) -> Tensor<S>? {
    guard let parameter else { return nil }
    guard parameter.rank == 1, parameter.shape.first == channels else {
        throw TensorError(
            name, x.shape, parameter.shape,
            problem: "are incompatible: the \(role) must have the shape [\(channels ?? 1)]")
    }
    return try parameter.contiguous()
}
