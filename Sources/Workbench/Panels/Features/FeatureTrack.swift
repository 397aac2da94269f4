internal import Interpretability

/// Activations of one feature on the tokens of a growing text.
struct FeatureTrack: Sendable {
    private(set) var values: [Float] = []
    private(set) var greatest: Float = 0
    private var feature: Int?
    private var run = 0

    /// Adds new tokens; another feature or run starts over.
    mutating func follow(_ feature: Int?, on side: SteeringReading.Side?) {
        if feature != self.feature || side?.run != run { self = FeatureTrack() }
        self.feature = feature
        run = side?.run ?? 0
        guard let feature, let codes = side?.features, values.count < codes.rows else { return }
        let new = codes.activations(of: feature, rows: values.count..<codes.rows)
        values += new
        greatest = new.reduce(greatest, max)
    }
}
