/// Sequences of one pass, row by row.
public struct TokenBatch: Sendable, Equatable {
    public let rows: Int
    /// Tokens of a row.
    public let context: Int
    /// [rows, context].
    public var inputs: [Int32]
    /// [rows, context]: the token that follows each input.
    public var targets: [Int32]
    /// [rows, context]: how much each target counts in the loss; 0: not at all.
    public var weights: [Float]

    /// What the weighted sum of losses is divided by.
    public var totalWeight: Double { weights.reduce(0) { $0 + Double($1) } }

    init(rows: Int, context: Int) {
        self.rows = rows
        self.context = context
        inputs = [Int32](repeating: 0, count: rows * context)
        targets = inputs
        weights = [Float](repeating: 0, count: rows * context)
    }
}
