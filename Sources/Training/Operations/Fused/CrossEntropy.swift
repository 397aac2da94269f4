public import Tensors

/// The mean cross-entropy of classes against logits, in nats: -log softmax(logits)[target].
///
/// Kept for the way back are the logits and one log-sum-exp a row, no probabilities.
///
/// ```swift
/// let loss = try crossEntropy(logits, targets)      // [rows, classes] and [rows] → a single number
/// ```
/// - Parameters:
///   - logits: `[..., classes]`.
///   - targets: as the logits without their last axis: the index of the right class.
///   - ignored: rows with this target count for nothing.
///   - labelSmoothing: ε: the target has 1 - ε, and all classes share ε evenly.
///   - divisor: what the sum over rows is divided by: how many count, where it is nil. Parts of a larger batch give the
///     count of the whole.
/// - Returns: a tensor without axes; 0 if every row is left out.
public func crossEntropy<S>(
    _ logits: Variable<S>, _ targets: Tensor<Int32>, ignoring ignored: Int32? = nil, labelSmoothing: Double = 0,
    divisor: Int? = nil
) throws(TensorError) -> Variable<S> {
    let name = "crossEntropy"
    let classes = logits.shape.last ?? 0
    guard classes > 0, Array(logits.shape.dropLast()) == targets.shape else {
        throw TensorError(
            name, logits.shape, targets.shape,
            problem: "are incompatible: the logits need one more axis than the targets, for the classes")
    }
    guard labelSmoothing >= 0, labelSmoothing <= 1 else {
        throw TensorError(name, problem: "needs a label smoothing of 0 to 1, not \(labelSmoothing)")
    }
    let (places, counted) = try classPlaces(targets, classes, ignored, name)
    let z = try logits.value.contiguous()
    let (logSumExp, losses) = try FusedPasses.crossEntropy(z, places, smoothing: labelSmoothing)
    let share = 1 / Double(max(1, divisor ?? counted))
    var sum = 0.0
    try losses.withElements { for loss in $0 { sum += loss.float64 } }
    let loss = S(rounding: sum * share)

    let basics = { () throws(TensorError) in
        let expected = try expectations(places, classes, labelSmoothing) as Tensor<S>
        let likelihoods = try logSoftmax(logits.reshaped([places.count, classes]))
        return try (likelihoods * Variable(expected)).sum() * S(rounding: -share)
    }
    return .made(by: name, try Tensor(loss), from: [logits], basics: basics) { back throws(TensorError) in
        let factor = (back.gradient.value.scalar?.float64 ?? 0) * share
        return [
            Variable(
                try FusedPasses.crossEntropyBackward(
                    z, places, smoothing: labelSmoothing, factor: factor, logSumExp: logSumExp))
        ]
    }
}

/// The targets with -1 for those that are ignored, and how many are not.
private func classPlaces(
    _ targets: Tensor<Int32>, _ classes: Int, _ ignored: Int32?, _ name: String
) throws(TensorError) -> (Tensor<Int32>, counted: Int) {
    let given = try targets.contiguous()
    var counted = 0
    let places = try Tensor<Int32>(shape: [given.count]) { places throws(TensorError) in
        for i in 0..<given.count {
            let target = given.base[i]
            if target == ignored {
                places[i] = -1
            } else if target >= 0, Int(target) < classes {
                places[i] = target
                counted += 1
            } else {
                throw TensorError(
                    name, targets.shape, problem: "has target \(target), but there are \(classes) classes")
            }
        }
    }
    return withExtendedLifetime(given) { (places, counted) }
}

/// The probabilities [row, class] that the likelihoods are weighted with; zeros where a row is ignored.
private func expectations<S: FloatingAccumulator>(
    _ places: Tensor<Int32>, _ classes: Int, _ smoothing: Double
) throws(TensorError) -> Tensor<S> {
    let share = S(rounding: smoothing / Double(classes))
    var result: [S] = []
    result.reserveCapacity(places.count * classes)
    for place in places.elements {
        result += repeatElement(place < 0 ? 0 : share, count: classes)
        if place >= 0 { result[result.count - classes + Int(place)] += S(rounding: 1 - smoothing) }
    }
    return try Tensor(result, shape: [places.count, classes])
}
