public import Tensors

/// How far a step moved a parameter: about 10⁻³ of its size is healthy for most networks.
public struct UpdateRatio: Equatable, Sendable {
    public let name: String
    /// ‖Δ‖, the norm of the change.
    public let update: Double
    /// ‖w‖ before the step.
    public let weight: Double

    /// ‖Δ‖ / ‖w‖; infinite where a parameter of zeros moved.
    public var ratio: Double { update == 0 ? 0 : update / weight }
}

extension Optimizer {
    /// A step that reports how far each parameter moved.
    ///
    /// It keeps the weights from before the step and reads both once: about as much work as the step itself, so ask
    /// for it every ten steps or more.
    public mutating func measuredStep(
        _ parameters: [Parameter<Scalar>], rate: Double
    ) throws(TensorError) -> [UpdateRatio] {
        var met: Set<ObjectIdentifier> = []
        let moving = parameters.filter {
            $0.isTrainable && $0.gradient != nil && met.insert(ObjectIdentifier($0)).inserted
        }
        let before = moving.map(\.value)
        try step(parameters, rate: rate)
        let weights = try GradientSums.squares(before)
        let updates = try GradientSums.squaredDifferences(zip(moving, before).map { ($0.value, $1) })
        return moving.indices.map {
            UpdateRatio(
                name: moving[$0].name, update: updates[$0].squareRoot(), weight: weights[$0].squareRoot())
        }
    }
}
