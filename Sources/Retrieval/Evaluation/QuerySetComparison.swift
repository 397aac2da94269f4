internal import Formatting
internal import Glibc
public import System

/// Two systems on the same queries: every difference, and how sure their mean is.
///
/// ```swift
/// let comparison = try QuerySetComparison(.nDCG(at: 10), before: bm25, after: fused)
/// comparison.summary                                  // "+0.063 [0.045, 0.082]"
/// comparison.rows.first                               // the query that lost most
/// ```
public struct QuerySetComparison: Sendable {
    /// One query under both systems.
    public struct Row: Hashable, Sendable {
        public var query: String
        public var before: Double
        public var after: Double
        /// Value after minus value before; negative if the query got worse.
        public var difference: Double { after - before }
    }

    public let measure: Measure
    /// The names of the two systems.
    public let before: String
    public let after: String
    /// The greatest loss first; of equal ones in the order of the set.
    public let rows: [Row]
    public let meanBefore: Double
    public let meanAfter: Double
    /// Bootstrap interval of the mean difference, with pairs as the units of resampling.
    public let interval: ConfidenceInterval
    /// Two-sided, by drawing signs.
    public let randomizationP: Double
    /// Two-sided, from the counts of better and worse queries alone.
    public let signP: Double

    /// - Throws: Where the measure is missing in one, and where not both have the same queries.
    public init(
        _ measure: Measure, before: Evaluation, after: Evaluation, _ bootstrap: Bootstrap = Bootstrap()
    ) throws(Problem) {
        let place = "\(before.name) and \(after.name)"
        for one in [before, after] where !one.measures.contains(measure) {
            throw Problem(
                .invalid, one.name, "\(measure) was not computed", remedy: "Evaluate the run with this measure, too.")
        }
        guard !before.queries.isEmpty else {
            throw Problem(.missing, place, "there are no queries", remedy: "Use a question set that is not empty.")
        }
        let one = before.values(of: measure)
        let places = Dictionary(after.queries.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let other = after.values(of: measure)
        var rows: [Row] = []
        for (index, query) in before.queries.enumerated() {
            guard before.queries.count == after.queries.count, let place = places[query] else {
                throw Problem(
                    .invalid, "\(before.name) and \(after.name)", "the runs have different queries",
                    remedy: "Evaluate both on the same question set.")
            }
            rows.append(Row(query: query, before: one[index], after: other[place]))
        }
        let differences = rows.map(\.difference)
        self.measure = measure
        self.before = before.name
        self.after = after.name
        meanBefore = one.reduce(0, +) / Double(one.count)
        meanAfter = rows.reduce(0) { $0 + $1.after } / Double(rows.count)
        guard let interval = bootstrap.interval(of: differences) else {
            throw Problem(.missing, place, "there are no queries", remedy: "Use a question set that is not empty.")
        }
        self.interval = interval
        randomizationP = bootstrap.randomizationTest(of: differences)
        signP = Self.signTest(
            better: differences.count { $0 > 0 }, worse: differences.count { $0 < 0 })
        self.rows = rows.enumerated().sorted {
            $0.element.difference != $1.element.difference
                ? $0.element.difference < $1.element.difference : $0.offset < $1.offset
        }.map(\.element)
    }

    /// The mean of the differences.
    public var difference: Double { rows.reduce(0) { $0 + $1.difference } / Double(rows.count) }
    public var better: Int { rows.count { $0.difference > 0 } }
    public var worse: Int { rows.count { $0.difference < 0 } }
    public var equal: Int { rows.count - better - worse }
    /// Whether the interval leaves 0 out.
    public var isClear: Bool { !interval.contains(0) }

    /// `+0.063 [0.045, 0.082]`.
    public var summary: String {
        "\(Format.signed(difference, digits: 3)) "
            + "[\(Format.fixed(interval.lower, digits: 3)), \(Format.fixed(interval.upper, digits: 3))]"
    }

    /// Returns the p value of the exact two-sided sign test: the probability of such a split of wins and losses by a
    /// fair coin.
    static func signTest(better: Int, worse: Int) -> Double {
        let count = better + worse
        guard count > 0 else { return 1 }
        // ln of (count over wins) / 2^count, from one number of wins to the next.
        var term = -Double(count) * log(2)
        var sum = 0.0
        for wins in 0...min(better, worse) {
            sum += exp(term)
            term += log(Double(count - wins) / Double(wins + 1))
        }
        return min(1, 2 * sum)
    }
}
