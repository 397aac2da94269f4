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

    /// The same without the columns at the end that count in no row, up to the next multiple of 16: what stands there is
    /// not seen by earlier tokens, so the loss is the same.
    func trimmed() -> TokenBatch {
        var used = 0
        for row in 0..<rows {
            let last = weights[row * context..<(row + 1) * context].lastIndex { $0 > 0 } ?? row * context
            used = max(used, last - row * context + 1)
        }
        let width = min(context, (used + 15) / 16 * 16)
        guard width < context else { return self }
        var batch = TokenBatch(rows: rows, context: width)
        for row in 0..<rows {
            let (from, to) = (row * context..<row * context + width, row * width..<(row + 1) * width)
            batch.inputs.replaceSubrange(to, with: inputs[from])
            batch.targets.replaceSubrange(to, with: targets[from])
            batch.weights.replaceSubrange(to, with: weights[from])
        }
        return batch
    }

    init(rows: Int, context: Int) {
        self.rows = rows
        self.context = context
        inputs = [Int32](repeating: 0, count: rows * context)
        targets = inputs
        weights = [Float](repeating: 0, count: rows * context)
    }
}
