internal import Kernels
public import Tensors

/// Returns the trainable parameters that have a gradient, without duplicates.
private func gradients<Scalar>(of parameters: [Parameter<Scalar>]) -> [Parameter<Scalar>] {
    var met: Set<ObjectIdentifier> = []
    return parameters.filter { $0.isTrainable && $0.gradient != nil && met.insert(ObjectIdentifier($0)).inserted }
}

/// Returns the Euclidean norm of all gradients together, √Σ g²; 0 if there are none.
public func gradientNorm<Scalar>(of parameters: [Parameter<Scalar>]) throws(TensorError) -> Double {
    try GradientSums.norm(gradients(of: parameters).compactMap(\.gradient))
}

/// Returns the Euclidean norm of each gradient, √Σ g², with the name of its parameter.
public func gradientNorms<Scalar>(
    of parameters: [Parameter<Scalar>]
) throws(TensorError) -> [(name: String, norm: Double)] {
    let parameters = gradients(of: parameters)
    let squares = try GradientSums.squares(parameters.compactMap(\.gradient))
    return zip(parameters, squares).map { ($0.name, $1.squareRoot()) }
}

/// Multiplies all gradients by min(1, limit / (norm + 10⁻⁶)), where norm is the Euclidean norm of all gradients together.
///
/// If the norm is not finite, the gradients are unchanged, so that the trainer can detect the divergence.
///
/// - Returns: Norm before clipping.
/// - Throws: `TensorError` if the limit is not above 0 or memory runs out.
/// - Source: Pascanu et al., "On the difficulty of training recurrent neural networks", ICML 2013, algorithm 1, in the
///   form of `torch.nn.utils.clip_grad_norm_`.
@discardableResult
public func clipGradients<Scalar>(
    of parameters: [Parameter<Scalar>], toNorm limit: Double
) throws(TensorError) -> Double {
    guard limit > 0 else { throw TensorError("clipGradients", problem: "needs a norm above 0, not \(limit)") }
    let parameters = gradients(of: parameters)
    let norm = try GradientSums.norm(parameters.compactMap(\.gradient))
    let factor = limit / (norm + 1e-6)
    if norm.isFinite, factor < 1 { try scaleGradients(of: parameters, by: factor) }
    return norm
}

/// Multiplies all gradients by a factor, such as 1 / k after k micro-batches of equal weight.
public func scaleGradients<Scalar>(of parameters: [Parameter<Scalar>], by factor: Double) throws(TensorError) {
    let parameters = gradients(of: parameters)
    guard Scalar.self == Float.self else {
        for parameter in parameters { try parameter.gradient? *= Scalar(factor) }
        return
    }
    var arrays: [UnsafeMutableBufferPointer<Float>] = []
    for parameter in parameters {
        let array = try parameter.gradient?.withMutableElements { UnsafeMutableRawBufferPointer($0) }
        if let array { arrays.append(array.bindMemory(to: Float.self)) }
    }
    WholeArrays.scale(arrays, by: Float(factor))
    withExtendedLifetime(parameters) {}
}

/// Removes all gradients.
public func clearGradients<Scalar>(of parameters: [Parameter<Scalar>]) {
    for parameter in parameters { parameter.gradient = nil }
}
