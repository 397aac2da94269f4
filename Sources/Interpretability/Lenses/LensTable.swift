internal import Glibc
public import Tokenizers

/// What the model would say at each point of the residual stream, for each position.
public struct LensTable: Hashable, Sendable {
    /// Rows, in the order of the pass; the last one is what the model says in the end.
    public let points: [ResidualPart]
    /// Columns: tokens of the text, ascending.
    public let positions: [Int]
    /// `[point][position]`.
    public let cells: [[LensCell]]

    public init(points: [ResidualPart], positions: [Int], cells: [[LensCell]]) {
        self.points = points
        self.positions = positions
        self.cells = cells
    }

    /// Returns exp of the mean surprisal of the chosen tokens over positions that have one; `nil` if there are none.
    public func perplexity(at point: Int) -> Double? {
        let surprises = cells[point].compactMap { $0.chosen?.logProbability }.map { -$0 }
        return surprises.isEmpty ? nil : exp(surprises.reduce(0, +) / Double(surprises.count))
    }

    /// Mean KL(final ‖ here), nats.
    public func meanDivergence(at point: Int) -> Double {
        cells[point].isEmpty ? 0 : cells[point].reduce(0) { $0 + $1.divergence } / Double(cells[point].count)
    }
}

/// One distribution over the vocabulary, in a few numbers.
public struct LensCell: Hashable, Sendable {
    /// The likeliest tokens, best first.
    public var top: [LensToken]
    /// The chosen token; `nil` if there is none (the last position has no next token).
    public var chosen: LensToken?
    /// Place of the chosen token among all, 1 for the likeliest.
    public var rank: Int?
    /// KL(final ‖ here) = Σ p_final (log p_final − log p), nats.
    public var divergence: Double
    /// −Σ p log p, nats.
    public var entropy: Double

    public init(top: [LensToken], chosen: LensToken? = nil, rank: Int? = nil, divergence: Double, entropy: Double) {
        self.top = top
        self.chosen = chosen
        self.rank = rank
        self.divergence = divergence
        self.entropy = entropy
    }
}

public struct LensToken: Hashable, Sendable {
    public var token: TokenID
    public var logProbability: Double

    public init(_ token: TokenID, logProbability: Double) {
        self.token = token
        self.logProbability = logProbability
    }

    public var probability: Double { exp(logProbability) }
}

/// Which token's rank and probability a lens shows.
public enum LensTarget: Hashable, Sendable {
    case none
    case token(TokenID)
    /// The token of the text that comes next.
    case next
}
