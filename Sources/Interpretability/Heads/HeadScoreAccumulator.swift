internal import Kernels
public import System
public import Tensors
public import Tokenizers

/// Scores of the heads of one layer, gathered while rows of their patterns come: `[T, T]` is never needed.
///
/// ```swift
/// var scores = HeadScoreAccumulator(HeadScoreDefinition.allCases, headCount: 32, tokens: prompt.tokens, prompt)
/// try scores.add(block, firstQuery: 512)              // [32, rows, keys], as the model shows it
/// scores.values(of: HeadScoreDefinition(.induction))  // one per head
/// ```
///
/// The means look at the expected keys alone, the detectors read each row once. Where every earlier place of a token
/// counts (all scores without a repeated prompt, and the detectors), lists of places grow with the square of how often a
/// token is repeated.
public struct HeadScoreAccumulator: Sendable {
    /// What is counted.
    public let definitions: [HeadScoreDefinition]
    public let headCount: Int
    /// Queries that were added so far.
    public private(set) var queryCount = 0

    private let tokenCount: Int
    private let keys: ExpectedKeys
    private let lines: [Line]
    private let prompt: RepeatedPrompt?
    /// Only the detectors look at the rest of a row.
    private let needsTotals: Bool
    /// Sums of each head and line: `[H, lines]`.
    private var sums: [Sums]
    /// Σ A of each head.
    private var totals: [Double]

    /// Expected keys that definitions share.
    private struct Line: Hashable, Sendable {
        var target: HeadScoreDefinition.Target
        var rule: ExpectedKeys.Rule
    }

    private struct Sums: Sendable {
        /// Σ A over expected keys.
        var attention = 0.0
        /// Σ |A − 1| over expected keys.
        var missing = 0.0
        /// Queries that have one.
        var queries = 0
    }

    /// - Parameter prompt: The repeated prompt that the tokens are; `nil` for any other text.
    public init(
        _ definitions: [HeadScoreDefinition], headCount: Int, tokens: [TokenID], _ prompt: RepeatedPrompt? = nil
    ) {
        self.definitions = definitions
        self.headCount = headCount
        tokenCount = tokens.count
        self.prompt = prompt
        var lines: [Line] = []
        for definition in definitions {
            let line = Line(target: definition.target, rule: definition.rule(prompt))
            if !lines.contains(line) { lines.append(line) }
        }
        self.lines = lines
        let byPlaces = lines.filter { $0.target == .duplicateToken || $0.target == .induction }
        needsTotals = definitions.contains { $0.measure != .mean }
        keys = ExpectedKeys(tokens, prompt, rules: Set(byPlaces.map(\.rule)))
        sums = [Sums](repeating: Sums(), count: headCount * lines.count)
        totals = [Double](repeating: 0, count: headCount)
    }

    /// Adds rows of patterns: `[H, rows, K]`, the first of them the query at `firstQuery`.
    ///
    /// - Throws: An error if the block has another number of heads, or queries or keys beyond the text.
    public mutating func add<Scalar: FloatingAccumulator>(
        _ block: Tensor<Scalar>, firstQuery: Int
    ) throws(Problem) {
        try check(block.shape, firstQuery)
        try telling {
            try block.withElements { add($0, rows: block.shape[1], keys: block.shape[2], firstQuery) }
        }
    }

    /// The same of memory that a hook shows: row-major, of this shape.
    public mutating func add(
        _ values: UnsafeBufferPointer<Float>, shape: [Int], firstQuery: Int
    ) throws(Problem) {
        try check(shape, firstQuery)
        guard values.count == shape.reduce(1, *) else {
            throw Problem(.invalid, "pattern rows", "\(values.count) numbers do not match the shape \(shape)")
        }
        add(values, rows: shape[1], keys: shape[2], firstQuery)
    }

    /// Returns the score of each head so far; 0 if no query had an expected key.
    public func values(of definition: HeadScoreDefinition) -> [Double] {
        guard let place = lines.firstIndex(of: Line(target: definition.target, rule: definition.rule(prompt))) else {
            return [Double](repeating: 0, count: headCount)
        }
        return (0..<headCount).map { head in
            let sum = sums[head * lines.count + place]
            switch definition.measure {
            case .mean: return sum.queries == 0 ? 0 : sum.attention / Double(sum.queries)
            case .product: return totals[head] == 0 ? 0 : sum.attention / totals[head]
            case .difference:
                // Everywhere else D is 0 and |A − D| is A.
                let distance = (totals[head] - sum.attention + sum.missing) / Double(max(1, tokenCount))
                return 1 - (1000 * distance).rounded(.toNearestOrEven) / 1000
            }
        }
    }

    private func check(_ shape: [Int], _ firstQuery: Int) throws(Problem) {
        guard shape.count == 3, shape[0] == headCount, firstQuery >= 0, firstQuery <= tokenCount,
            shape[1] <= tokenCount - firstQuery, shape[2] <= tokenCount
        else {
            throw Problem(
                .invalid, "pattern rows",
                "shape \(shape) starting at query \(firstQuery) does not match \(headCount) heads and a text of "
                    + "\(tokenCount) tokens")
        }
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    private mutating func add<Scalar: FloatingAccumulator>(
        _ block: UnsafeBufferPointer<Scalar>, rows: Int, keys keyCount: Int, _ firstQuery: Int
    ) {
        queryCount += rows
        guard let base = block.baseAddress else { return }
        let (keys, lines, needsTotals) = (keys, lines, needsTotals)
        totals.withUnsafeMutableBufferPointer { totals in
            sums.withUnsafeMutableBufferPointer { sums in
                nonisolated(unsafe) let (base, sums, totals) = (base, sums, totals)
                ThreadPool.shared.run(chunks: totals.count) { head, _ in
                    for row in 0..<rows {
                        let (query, weights) = (firstQuery + row, base + (head * rows + row) * keyCount)
                        if needsTotals { totals[head] += PatternLoops.sum(weights, min(keyCount, query + 1)) }
                        for (place, line) in lines.enumerated() {
                            let at = head * lines.count + place
                            var isExpected = false
                            keys.each(line.target, line.rule, query) { key in
                                isExpected = true
                                let weight = key < keyCount ? weights[key].float64 : 0
                                sums[at].attention += weight
                                sums[at].missing += abs(weight - 1)
                            }
                            if isExpected { sums[at].queries += 1 }
                        }
                    }
                }
            }
        }
    }
}
