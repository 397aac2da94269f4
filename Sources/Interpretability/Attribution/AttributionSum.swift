/// A logit, or a difference of two, as the sum of what each part of the residual stream adds to it; with the check that
/// the sum is the logit.
public struct AttributionSum: Hashable, Sendable {
    public struct Term: Hashable, Sendable {
        public var part: ResidualPart
        public var value: Double

        public init(_ part: ResidualPart, _ value: Double) {
            self.part = part
            self.value = value
        }
    }

    public let target: LogitTarget
    /// The token whose logits are taken apart.
    public let position: Int
    /// In the order of the pass; biases last.
    public let terms: [Term]
    /// The logit, or difference, as the model said it, before a softcap.
    public let logit: Double

    public init(target: LogitTarget, position: Int, terms: [Term], logit: Double) {
        self.target = target
        self.position = position
        self.terms = terms
        self.logit = logit
    }

    /// Σ of the terms.
    public var sum: Double { terms.reduce(0) { $0 + $1.value } }
    /// How far the sum is from the logit.
    public var error: Double { abs(sum - logit) }
    /// The error by the largest number that is involved: the logit, or a term.
    public var relativeError: Double {
        let largest = terms.reduce(abs(logit)) { max($0, abs($1.value)) }
        return largest == 0 ? 0 : error / largest
    }

    /// The terms of the largest magnitude, largest first, and the rest of them as one: their sum stays the same.
    public func top(_ count: Int) -> [Term] {
        let order = terms.indices.sorted { a, b in
            let (x, y) = (abs(terms[a].value), abs(terms[b].value))
            return x == y ? a < b : x > y
        }
        let shown = order.prefix(max(0, count)).map { terms[$0] }
        let hidden = order.dropFirst(max(0, count))
        guard !hidden.isEmpty else { return shown }
        return shown + [Term(.rest(count: hidden.count), hidden.reduce(0) { $0 + terms[$1].value })]
    }
}

/// How finely a logit is taken apart.
public enum AttributionGrain: Hashable, CaseIterable, Sendable {
    /// Embeddings, and what each attention and each feed-forward wrote.
    case components
    /// Heads one by one, feed-forwards whole.
    case heads
    /// Heads and neurons one by one.
    case neurons
}
