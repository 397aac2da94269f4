/// How training stands, for those who watch.
public struct DictionaryProgress: Hashable, Sendable {
    /// Steps that were made.
    public var step: Int
    /// Steps that there are to be.
    public var steps: Int
    /// Of the last step.
    public var loss: DictionaryLoss
    /// Features that were silent for the configured number of rows.
    public var deadCount: Int
    /// F.
    public var features: Int
    /// log₁₀ of the share of rows in which a feature fires, at `quantiles` of all features, over the rows since the last
    /// report; −∞ for features that did not fire.
    public var densityQuantiles: [Double]
    public var rowsPerSecond: Double
    public var secondsLeft: Double

    public static let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95]
}
