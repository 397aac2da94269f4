/// One promise of the statistics, tried on made-up data whose truth is known.
package struct SimulationCheck: Hashable, Sendable {
    package var name: String
    package var runs: Int
    /// The share of runs in which it happened.
    package var share: Double
    package var wanted: ClosedRange<Double>

    package var holds: Bool { wanted.contains(share) }

    /// Whether the share is what was wanted but for chance: within `deviations` of its standard error.
    package func holds(within deviations: Double) -> Bool {
        let slack = deviations * (max(share * (1 - share), 0.01) / Double(max(runs, 1))).squareRoot()
        return share >= wanted.lowerBound - slack && share <= wanted.upperBound + slack
    }
}
