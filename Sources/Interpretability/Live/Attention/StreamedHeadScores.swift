/// What each head does on the text that was read, as means over its queries.
public struct StreamedHeadScores: Sendable {
    /// What is averaged: the means of `HeadScoreDefinition`, and how widely a head looks.
    public enum Kind: String, CaseIterable, Sendable {
        case previousToken, firstToken, currentToken, duplicateToken, induction
        /// −Σ A log A of a query, nats: 0 looks at one token, log of the number of keys at all alike.
        case entropy

        /// The keys whose attention is averaged; `nil` for entropy, which is of whole rows.
        public var target: HeadScoreDefinition.Target? {
            switch self {
            case .previousToken: .previousToken
            case .firstToken: .firstToken
            case .currentToken: .currentToken
            case .duplicateToken: .duplicateToken
            case .induction: .induction
            case .entropy: nil
            }
        }

        /// What is averaged, as a screen says it.
        public var definition: String {
            switch self {
            case .previousToken: "mean over queries of A[q, q - 1]"
            case .firstToken: "mean over queries of A[q, 0]"
            case .currentToken: "mean over queries of A[q, q]"
            case .duplicateToken:
                "sum of A[q, k] over earlier k with the same token as q, mean over repeated tokens q"
            case .induction:
                "sum of A[q, k + 1] over earlier k with the token of q, mean over queries with a repeated token"
            case .entropy: "mean over queries of -sum A log A, nats"
            }
        }
    }

    let layers: Int
    let heads: Int
    /// `[kind, layer, head]`.
    var sums: [Float]
    /// Queries that each kind averages over.
    var counts: [Int]

    init(layers: Int, heads: Int) {
        self.layers = layers
        self.heads = heads
        sums = Array(repeating: 0, count: Kind.allCases.count * layers * heads)
        counts = Array(repeating: 0, count: Kind.allCases.count)
    }

    /// Returns a score; `nil` if no query read so far can show it.
    public func score(_ kind: Kind, layer: Int, head: Int) -> Float? {
        let index = Self.index(kind)
        guard counts[index] > 0 else { return nil }
        return sums[(index * layers + layer) * heads + head] / Float(counts[index])
    }

    /// Returns `[layers · heads]`; NaN if there is no score.
    public func scores(_ kind: Kind) -> [Float] {
        let index = Self.index(kind)
        let divisor = counts[index] > 0 ? Float(counts[index]) : .nan
        return sums[index * layers * heads..<(index + 1) * layers * heads].map { $0 / divisor }
    }

    static func index(_ kind: Kind) -> Int {
        switch kind {
        case .previousToken: 0
        case .firstToken: 1
        case .currentToken: 2
        case .duplicateToken: 3
        case .induction: 4
        case .entropy: 5
        }
    }

    /// Adds the query of one more token; `earlier` contains the earlier positions of the same token.
    mutating func count(position: Int, earlier: [Int32]) {
        for (line, kind) in Kind.allCases.enumerated() {
            guard let target = kind.target else {
                counts[line] += 1
                continue
            }
            var isExpected = false
            ExpectedKeys.each(target, position, earlier: earlier) { _ in isExpected = true }
            if isExpected { counts[line] += 1 }
        }
    }

    /// Adds one query to the sums of a layer's head (`unit` of `units`).
    ///
    /// - Parameter weights: Weights of the keys up to the query.
    static func add(
        _ weights: UnsafePointer<Float>, query: Int, earlier: [Int32], unit: Int, units: Int,
        to sums: UnsafeMutablePointer<Float>
    ) {
        for kind in Kind.allCases {
            let sum = sums + index(kind) * units + unit
            if let target = kind.target {
                ExpectedKeys.each(target, query, earlier: earlier) { sum.pointee += weights[$0] }
            } else {
                sum.pointee += PatternLoops.entropy(weights, query + 1)
            }
        }
    }
}
