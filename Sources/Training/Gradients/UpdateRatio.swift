public import Tensors

/// The size of one step relative to the parameter.
///
/// Ratios near 10⁻³ are healthy for most networks.
public struct UpdateRatio: Equatable, Sendable {
    /// Name of the parameter.
    public let name: String
    /// Norm of the change, ‖Δ‖.
    public let update: Double
    /// Norm of the parameter before the step, ‖w‖.
    public let weight: Double

    /// ‖Δ‖ / ‖w‖; infinite if a parameter of zeros changed, and 0 if nothing changed.
    public var ratio: Double { update == 0 ? 0 : update / weight }
}

extension Optimizer {
    /// Performs a step and returns the update ratio of each parameter.
    ///
    /// The step copies the weights and reads both versions once, which takes about as long as the step itself. Measure
    /// every tenth step or less often.
    public mutating func measuredStep(
        _ parameters: [Parameter<Scalar>], rate: Double
    ) throws(TensorError) -> [UpdateRatio] {
        var met: Set<ObjectIdentifier> = []
        let trained = parameters.filter {
            $0.isTrainable && $0.gradient != nil && met.insert(ObjectIdentifier($0)).inserted
        }
        let before = trained.map(\.value)
        try step(parameters, rate: rate)
        let weights = try GradientSums.squares(before)
        let updates = try GradientSums.squaredDifferences(zip(trained, before).map { ($0.value, $1) })
        return trained.indices.map {
            UpdateRatio(
                name: trained[$0].name, update: updates[$0].squareRoot(), weight: weights[$0].squareRoot())
        }
    }
}
