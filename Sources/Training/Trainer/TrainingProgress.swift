/// Where a run stands after a step.
public struct TrainingProgress: Sendable {
    public var step: Int
    public var steps: Int
    public var loss: Double
    /// nil before the first evaluation.
    public var validationLoss: Double?
    public var rate: Double
    public var unitsPerSecond: Double
    /// `tokens`, `examples`.
    public var unit: String
    public var secondsLeft: Double
    /// Whether the validation loss is of this very step.
    public var isEvaluated: Bool
    /// Something a person should read, such as a checkpoint that could not be written.
    public var note: String?
}

/// How a run ended.
public struct TrainingResult: Sendable, Equatable {
    public enum End: String, Sendable {
        case finished
        /// By an order.
        case stopped
        /// By a signal.
        case interrupted
        case diverged
    }

    public var end: End
    public var step: Int
    /// Of the last step; `nil` if none was made.
    public var loss: Double?
    public var validationLoss: Double?
    /// The last one that was written.
    public var checkpoint: String?
    /// What happened, and how to go on.
    public var sentence: String
}
