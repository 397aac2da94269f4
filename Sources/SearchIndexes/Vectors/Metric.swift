/// Metrics for comparing vectors. Nearer vectors have a lower distance in every metric.
public enum Metric: String, CaseIterable, Sendable {
    /// Squared Euclidean distance: Σ (x − y)².
    case l2
    /// Minus the inner product: −Σ x·y.
    case innerProduct = "inner-product"
    /// One minus the cosine. Rows are kept with length 1, so that it is 1 − Σ x·y.
    case cosine

    /// Returns the number that people read: the Euclidean distance, the inner product, the cosine.
    public func score(_ distance: Float) -> Double {
        switch self {
        case .l2: Double(max(distance, 0)).squareRoot()
        case .innerProduct: -Double(distance)
        case .cosine: 1 - Double(distance)
        }
    }

    /// Whether a higher ``score(_:)`` is the nearer one.
    public var higherIsNearer: Bool { self != .l2 }
}
