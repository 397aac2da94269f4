public import System

/// A toy model that has more features than dimensions, and how it is trained.
///
/// - Source: Elhage et al., "Toy models of superposition", 2022.
public struct SuperpositionConfiguration: Hashable, Sendable {
    /// n: features of the input.
    public var features = 5
    /// m: dimensions that they are squeezed into.
    public var dimensions = 2
    /// S: share of inputs in which a feature is 0; otherwise it is uniform in [0, 1].
    public var sparsity = 0.9
    /// Feature i has importance rⁱ.
    public var importanceRatio = 0.9
    public var steps = 4000
    public var batchRows = 1024
    /// Of Adam; it falls to 0 as a cosine.
    public var learningRate = 1e-3
    /// Models that are trained from different starts.
    public var starts = 8
    public var seed: UInt64 = 0

    public init() {}

    /// I, `[n]`.
    public var importance: [Double] {
        var (importance, next) = ([Double](), 1.0)
        for _ in 0..<features {
            importance.append(next)
            next *= importanceRatio
        }
        return importance
    }

    /// - Throws: `Problem` that names the setting out of range.
    public func check() throws(Problem) {
        guard (1...4096).contains(features), (1...4096).contains(dimensions), (0..<1).contains(sparsity),
            importanceRatio > 0, importanceRatio.isFinite, steps > 0, (1...1 << 20).contains(batchRows),
            learningRate > 0, learningRate.isFinite, (1...1024).contains(starts)
        else {
            throw Problem(
                .invalid, "toy model",
                "\(features) features in \(dimensions) dimensions at sparsity \(sparsity) with \(steps) steps of "
                    + "\(batchRows) rows, rate \(learningRate), and \(starts) starts are out of range",
                remedy: "Use sizes of at least 1, and a sparsity of at least 0 and below 1.")
        }
    }
}
