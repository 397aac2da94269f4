public import Tensors

/// What becomes of the losses of single elements or examples.
public enum LossReduction: Sendable {
    case mean
    case sum
    /// They are left as they are.
    case none
}

extension Variable {
    fileprivate func reduced(_ reduction: LossReduction) throws(TensorError) -> Variable {
        switch reduction {
        case .mean: try mean()
        case .sum: try sum()
        case .none: self
        }
    }
}

/// Losses would stretch a shape that was meant otherwise: [batch, 1] and [batch] would make [batch, batch].
private func checkSame<S>(_ a: Variable<S>, _ b: Variable<S>, _ name: String) throws(TensorError) {
    guard a.shape == b.shape else {
        throw TensorError(name, a.shape, b.shape, problem: "are incompatible: a loss needs two inputs of equal shape")
    }
}

/// (x - y)².
public func meanSquaredError<S>(
    _ x: Variable<S>, _ y: Variable<S>, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(x, y, "meanSquaredError")
    return try (x - y).power(2).reduced(reduction)
}

/// |x - y|; the derivative is 0 if they are equal.
public func absoluteError<S>(
    _ x: Variable<S>, _ y: Variable<S>, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(x, y, "absoluteError")
    return try abs(x - y).reduced(reduction)
}

/// d²/2 for distances d = |x - y| up to `delta`, and delta (d - delta/2) beyond (Huber 1964).
public func huber<S>(
    _ x: Variable<S>, _ y: Variable<S>, delta: S = 1, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(x, y, "huber")
    guard delta > 0 else { throw TensorError("huber", problem: "needs a delta above 0, not \(delta)") }
    let distance = try abs(x - y)
    let near = try distance.value .<= delta
    return try select(near, distance * distance * S(0.5), (distance - delta / 2) * delta).reduced(reduction)
}

/// -y log σ(x) - (1 - y) log(1 - σ(x)), without overflow: softplus(x) - x y.
///
/// - Parameter targets: from 0 to 1.
public func binaryCrossEntropy<S>(
    logits x: Variable<S>, _ targets: Variable<S>, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(x, targets, "binaryCrossEntropy")
    return try (softplus(x) - x * targets).reduced(reduction)
}

/// -log p of the class that each row has.
///
/// - Parameters:
///   - logProbabilities: [..., class], from `logSoftmax`.
///   - targets: [...]: the classes; rows of the class `ignored` have no part in it.
public func negativeLogLikelihood<S>(
    _ logProbabilities: Variable<S>, _ targets: Tensor<Int32>, ignoring ignored: Int32? = nil,
    _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    guard logProbabilities.rank > 0, targets.shape == Array(logProbabilities.shape.dropLast()) else {
        throw TensorError(
            "negativeLogLikelihood", logProbabilities.shape, targets.shape,
            problem: "are incompatible: every row of classes needs one target")
    }
    let classes = logProbabilities.shape[logProbabilities.rank - 1]
    let places = targets.elements
    if let wrong = places.first(where: { ($0 < 0 || Int($0) >= classes) && $0 != ignored }) {
        throw TensorError(
            "negativeLogLikelihood", targets.shape, problem: "has class \(wrong), but there are \(classes) classes")
    }
    let inert = try Tensor<Bool>(places.map { $0 == ignored }, shape: targets.shape)
    let rows = try Tensor<Int32>(places.map { $0 == ignored ? 0 : $0 }, shape: targets.shape)
    guard classes > 0 || targets.count == 0 else {
        throw TensorError("negativeLogLikelihood", logProbabilities.shape, problem: "has no classes")
    }
    let picked = try logProbabilities.gathered(rows.expanded(at: -1), along: -1).squeezed(-1)
    let losses = try (-picked).filled(where: inert, with: 0)
    guard case .mean = reduction else { return try losses.reduced(reduction) }
    let counted = places.count { $0 != ignored }
    return try losses.sum() / S(max(1, counted))
}

/// -Σ p log softmax(x): cross entropy with whole distributions, as a teacher gives them. For classes, `crossEntropy`
/// does the same in one pass.
///
/// - Parameter probabilities: of the logits' shape, [..., class].
public func softCrossEntropy<S>(
    _ logits: Variable<S>, _ probabilities: Variable<S>, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(logits, probabilities, "softCrossEntropy")
    return try (-(logSoftmax(logits) * probabilities).sum(-1)).reduced(reduction)
}

/// Σ p (log p - log q) over the last axis, p being the targets; a target of 0 adds nothing.
///
/// The mean is over rows, which torch calls `batchmean`.
///
/// - Parameter logProbabilities: log q, from `logSoftmax`.
public func klDivergence<S>(
    logProbabilities: Variable<S>, targets: Variable<S>, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(logProbabilities, targets, "klDivergence")
    let isZero = try targets.value .== 0
    let logTargets = try log(select(isZero, Variable<S>.one(), targets))
    return try (targets * (logTargets - logProbabilities)).sum(-1).reduced(reduction)
}

/// max(0, margin - s x) for signs s of -1 and 1.
public func hinge<S>(
    _ x: Variable<S>, _ signs: Variable<S>, margin: S = 1, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(x, signs, "hinge")
    return try relu(margin - x * signs).reduced(reduction)
}

/// a·b / (|a| |b|) along an axis; lengths below `epsilon` count as it.
public func cosineSimilarity<S>(
    _ a: Variable<S>, _ b: Variable<S>, axis: Int = -1, epsilon: S = S(1e-8)
) throws(TensorError) -> Variable<S> {
    let product = try (a * b).sum(axes: [axis])
    // Under the root: the derivative of a length is not defined at 0.
    let least = epsilon * epsilon
    let squares = (
        try Variable.maximum((a * a).sum(axes: [axis]), least), try Variable.maximum((b * b).sum(axes: [axis]), least)
    )
    return try product / (sqrt(squares.0) * sqrt(squares.1))
}

/// 1 - cos(a, b) for pairs that belong together (sign 1), max(0, cos(a, b) - margin) for those that do not (sign -1).
///
/// - Parameters:
///   - a: [..., width], and so is `b`.
///   - signs: [...].
public func cosineEmbedding<S>(
    _ a: Variable<S>, _ b: Variable<S>, _ signs: Tensor<S>, margin: S = 0, _ reduction: LossReduction = .mean
) throws(TensorError) -> Variable<S> {
    try checkSame(a, b, "cosineEmbedding")
    let similarity = try cosineSimilarity(a, b)
    guard signs.shape == similarity.shape else {
        throw TensorError(
            "cosineEmbedding", a.shape, signs.shape, problem: "are incompatible: every pair of rows needs one sign")
    }
    return try select(signs .> 0, 1 - similarity, relu(similarity - margin)).reduced(reduction)
}
