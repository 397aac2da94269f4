/// Result of one check on synthetic data whose true values are known.
package struct SimulationCheck: Hashable, Sendable {
    package var name: String
    package var runs: Int
    /// Share of runs with the event that the name describes.
    package var share: Double
    /// Range that must contain the share.
    package var wanted: ClosedRange<Double>

    package var holds: Bool { wanted.contains(share) }

    /// Returns whether the share is within `deviations` standard errors of the wanted range.
    package func holds(within deviations: Double) -> Bool {
        let slack = deviations * (max(share * (1 - share), 0.01) / Double(max(runs, 1))).squareRoot()
        return share >= wanted.lowerBound - slack && share <= wanted.upperBound + slack
    }
}
