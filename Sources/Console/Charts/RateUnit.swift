import Formatting

/// The unit of rates on and next to an axis.
package struct RateUnit: Hashable, Sendable {
    /// `GFLOP/s`.
    package var name: String
    var factor: Double
    /// `FLOP`, or `OP` of integers.
    var operation: String

    /// Returns the unit in which the highest roof is a readable number.
    package static func fitting(_ peak: Double, isFloatingPoint: Bool = true) -> RateUnit {
        let operation = isFloatingPoint ? "FLOP" : "OP"
        return peak >= 20e12
            ? RateUnit(name: "T\(operation)/s", factor: 1e12, operation: operation)
            : RateUnit(name: "G\(operation)/s", factor: 1e9, operation: operation)
    }

    /// Returns a rate in this unit with three digits.
    func text(_ rate: Double) -> String { Format.compact(rate / factor) }
}
