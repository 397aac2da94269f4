/// How far and how widely a head looks.
public struct HeadSpread: Hashable, Sendable {
    /// Mean over queries of −Σ A log A, nats: 0 looks at one token, log of the number of keys at all alike.
    public var entropy: Double
    /// Mean over queries of Σ A (q − k), tokens.
    public var distance: Double

    public init(entropy: Double, distance: Double) {
        self.entropy = entropy
        self.distance = distance
    }
}
