internal import Kernels
public import Tensors

/// The gradients of parameters that are trained and have one, each parameter counted once.
private func gradients<Scalar>(of parameters: [Parameter<Scalar>]) -> [Parameter<Scalar>] {
    var met: Set<ObjectIdentifier> = []
    return parameters.filter { $0.isTrainable && $0.gradient != nil && met.insert(ObjectIdentifier($0)).inserted }
}

/// √Σ g² over the gradients of all parameters; 0 if there are none.
public func gradientNorm<Scalar>(of parameters: [Parameter<Scalar>]) throws(TensorError) -> Double {
    try GradientSums.norm(gradients(of: parameters).compactMap(\.gradient))
}

/// √Σ g² of each parameter that has a gradient.
public func gradientNorms<Scalar>(
    of parameters: [Parameter<Scalar>]
) throws(TensorError) -> [(name: String, norm: Double)] {
    let parameters = gradients(of: parameters)
    let squares = try GradientSums.squares(parameters.compactMap(\.gradient))
    return zip(parameters, squares).map { ($0.name, $1.squareRoot()) }
}

/// Scales all gradients by min(1, limit / (norm + 10⁻⁶)), norm being that of all of them together.
///
/// A norm that is not a number, or infinite, leaves the gradients as they are: the trainer then stops the run.
///
/// - Returns: the norm before.
/// - Throws: `TensorError` for a limit that is not above 0, or where memory runs out.
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

/// Multiplies the gradients: by 1 / k after k micro-batches of the same weight, for example.
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

/// Lets all gradients go.
public func clearGradients<Scalar>(of parameters: [Parameter<Scalar>]) {
    for parameter in parameters { parameter.gradient = nil }
}
