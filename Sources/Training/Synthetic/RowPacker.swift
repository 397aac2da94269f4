internal import System

/// Puts whole documents into rows of equal length: a pool of waiting documents, of which a row takes the oldest and then
/// the longest that still fit.
struct RowPacker {
    struct Document {
        var tokens: [UInt16] = []
        var weights: [UInt8] = []
    }

    private static let pool = 64
    private let tokens: SyntheticOutput
    private let weights: SyntheticOutput
    private let context: Int
    /// Tokens of a row that documents fill; the rest is padding. Short rows first teach a model sooner what belongs
    /// together: in a long row the names of many documents stand side by side.
    var filled: Int
    private var waiting: [Document] = []
    private var waitingTokens = 0
    private(set) var rows = 0
    /// Tokens that fill the ends of rows.
    private(set) var padding = 0

    init(tokens: SyntheticOutput, weights: SyntheticOutput, context: Int) {
        self.tokens = tokens
        self.weights = weights
        self.context = context
        filled = context
    }

    /// Rows that are written, plus the minimum that the waiting documents will fill.
    var rowsDue: Int { rows + waitingTokens / filled }

    mutating func add(_ document: Document) throws(Problem) {
        waiting.append(document)
        waitingTokens += document.tokens.count
        if waiting.count >= Self.pool { try writeRow() }
    }

    /// Writes waiting documents, up to a total number of rows.
    mutating func finish(_ count: Int) throws(Problem) {
        while rows < count { try writeRow() }
        try tokens.finish()
        try weights.finish()
    }

    private mutating func writeRow() throws(Problem) {
        var left = context
        var row: [UInt8] = []
        var rowWeights: [UInt8] = []
        row.reserveCapacity(2 * context)
        var index: Int? = waiting.isEmpty ? nil : 0
        while let chosen = index {
            let document = waiting.remove(at: chosen)
            waitingTokens -= document.tokens.count
            left -= document.tokens.count
            for token in document.tokens {
                row.append(UInt8(truncatingIfNeeded: token))
                row.append(UInt8(truncatingIfNeeded: token >> 8))
            }
            rowWeights += document.weights
            index = nil
            var longest = 0
            for (other, candidate) in waiting.enumerated()
            where candidate.tokens.count <= left - (context - filled) && candidate.tokens.count > longest {
                longest = candidate.tokens.count
                index = other
            }
        }
        row += [UInt8](repeating: 0, count: 2 * left)
        rowWeights += [UInt8](repeating: 0, count: left)
        padding += left
        rows += 1
        try tokens.append(row)
        try weights.append(rowWeights)
    }
}
