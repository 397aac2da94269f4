/// How far a map has come, told after each cell.
public struct PatchProgress: Hashable, Sendable {
    public var done: Int
    public var total: Int
    public var seconds: Double
    /// The cell that was run last, and its score.
    public var row: Int
    public var column: Int
    public var score: Double

    /// Cells a second.
    public var rate: Double { seconds > 0 ? Double(done) / seconds : 0 }
    /// What is left, at this rate.
    public var secondsLeft: Double { rate > 0 ? Double(total - done) / rate : 0 }
}
