internal import Glibc

/// Scales that map values to positions along an axis.
public enum AxisScale: Hashable, Sendable {
    /// Equal differences have equal lengths.
    case linear
    /// Decades have equal lengths; only positive values have a position.
    case logarithmic

    /// Returns the position of a value in a range, from 0 at the lower end to 1 at the upper end.
    ///
    /// - Returns: `nil` if the value has no position on the scale.
    public func fraction(of value: Double, in range: ClosedRange<Double>) -> Double? {
        guard value.isFinite else { return nil }
        switch self {
        case .linear:
            // Halve both terms first, because the difference between two huge numbers would overflow.
            let length = range.upperBound / 2 - range.lowerBound / 2
            return length > 0 ? (value / 2 - range.lowerBound / 2) / length : 0
        case .logarithmic:
            guard value > 0, range.lowerBound > 0 else { return nil }
            let length = log10(range.upperBound) - log10(range.lowerBound)
            return length > 0 && length.isFinite ? (log10(value) - log10(range.lowerBound)) / length : 0
        }
    }

    /// Returns the value at a fraction of a range: the inverse of `fraction`.
    public func value(at share: Double, in range: ClosedRange<Double>) -> Double {
        switch self {
        case .linear: range.lowerBound + (range.upperBound - range.lowerBound) * share
        case .logarithmic: range.lowerBound * pow(range.upperBound / range.lowerBound, share)
        }
    }

    /// Returns at most `count` round values inside a range, in ascending order.
    public func ticks(in range: ClosedRange<Double>, atMost count: Int) -> [Double] {
        switch self {
        case .linear: Self.linearTicks(in: range, atMost: count)
        case .logarithmic: Self.decades(in: range, atMost: count)
        }
    }

    /// Returns multiples of 1, 2, or 5 times a power of ten, with the smallest step that gives at most `count` values.
    ///
    /// - Source: Heckbert, "Nice Numbers for Graph Labels", Graphics Gems (1990), but without extending the range.
    private static func linearTicks(in range: ClosedRange<Double>, atMost count: Int) -> [Double] {
        let length = range.upperBound - range.lowerBound
        guard count > 0, length > 0, length.isFinite else { return count > 0 && length == 0 ? [range.lowerBound] : [] }
        // 0.3 / 0.1 is slightly less than 3, so allow a tolerance.
        func inner(_ step: Double) -> (first: Double, last: Double) {
            ((range.lowerBound / step - 1e-9).rounded(.up), (range.upperBound / step + 1e-9).rounded(.down))
        }
        let found = roundStep(from: length / Double(count)) { step in
            let (first, last) = inner(step)
            return last - first < Double(count)
        }
        guard let found else { return [] }
        let (first, last) = inner(found.factor * pow(10, found.exponent))
        return first > last
            ? []
            : (0...Int(last - first)).map {
                min(
                    max(range.lowerBound, tick(first + Double($0), found.factor, found.exponent)), range.upperBound)
            }
    }

    /// Returns a wider range that starts and ends with a round value.
    ///
    /// Use it for scales that may extend beyond their data. Logarithmic scales and ranges of length 0 stay unchanged.
    /// - Parameter count: Maximum number of ticks in the new range; values below 3 are treated as 3.
    public func widened(_ range: ClosedRange<Double>, atMost count: Int) -> ClosedRange<Double> {
        let length = range.upperBound - range.lowerBound
        guard self == .linear, length > 0, length.isFinite else { return range }
        func outer(_ step: Double) -> (first: Double, last: Double) {
            ((range.lowerBound / step + 1e-9).rounded(.down), (range.upperBound / step - 1e-9).rounded(.up))
        }
        let limit = Double(max(3, count))
        let found = Self.roundStep(from: length / limit) { step in
            let (first, last) = outer(step)
            return last - first < limit
        }
        guard let found else { return range }
        let (first, last) = outer(found.factor * pow(10, found.exponent))
        let lower = Self.tick(first, found.factor, found.exponent)
        let upper = Self.tick(last, found.factor, found.exponent)
        guard lower.isFinite, upper.isFinite else { return range }
        return min(lower, range.lowerBound)...max(upper, range.upperBound)
    }

    /// Returns the smallest step of 1, 2, or 5 times a power of ten that fits; `nil` if no step fits.
    private static func roundStep(
        from minimum: Double, where fits: (Double) -> Bool
    ) -> (factor: Double, exponent: Double)? {
        // Dividing the smallest numbers underflows to 0, which has no logarithm.
        var exponent = max(-330, floor(log10(minimum)) - 1)
        while exponent < 400 {
            for factor in [1.0, 2, 5] {
                let step = factor * pow(10, exponent)
                if step > 0, fits(step) { return (factor, exponent) }
            }
            exponent += 1
        }
        return nil
    }

    /// Returns `index · factor · 10^exponent`.
    ///
    /// Negative exponents divide, because multiplication would turn 0.3 into 0.30000000000000004.
    private static func tick(_ index: Double, _ factor: Double, _ exponent: Double) -> Double {
        let value = exponent < 0 ? index * factor / pow(10, -exponent) : index * factor * pow(10, exponent)
        return value == 0 ? 0 : value
    }

    /// Returns powers of ten, plus 2 and 5 times each power if there is room for all of them.
    private static func decades(in range: ClosedRange<Double>, atMost count: Int) -> [Double] {
        guard count > 0, range.lowerBound > 0, range.upperBound.isFinite else { return [] }
        let first = Int(floor(log10(range.lowerBound) + 1e-9))
        let last = Int(floor(log10(range.upperBound) + 1e-9))
        func values(_ factors: [Double], every step: Int) -> [Double] {
            Swift.stride(from: first, through: last, by: step).flatMap { exponent in
                factors.map { tick(1, $0, Double(exponent)) }
            }.filter { range.contains($0) || abs($0 - range.lowerBound) < $0 * 1e-9 }
        }
        let fine = values([1, 2, 5], every: 1)
        if fine.count <= count { return fine }
        var step = 1
        while true {
            let whole = values([1], every: step)
            if whole.count <= count { return whole }
            step += 1
        }
    }
}
