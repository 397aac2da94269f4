internal import Glibc

/// How values become places along an axis.
public enum AxisScale: Hashable, Sendable {
    case linear
    /// Decades of equal length; only positive values have a place.
    case logarithmic

    /// Where a value lies in a range: 0 at its lower end, 1 at its upper; nil where it has no place.
    public func fraction(of value: Double, in range: ClosedRange<Double>) -> Double? {
        guard value.isFinite else { return nil }
        switch self {
        case .linear:
            // Halved, so that the greatest numbers there are have a difference.
            let length = range.upperBound / 2 - range.lowerBound / 2
            return length > 0 ? (value / 2 - range.lowerBound / 2) / length : 0
        case .logarithmic:
            guard value > 0, range.lowerBound > 0 else { return nil }
            let length = log10(range.upperBound) - log10(range.lowerBound)
            return length > 0 && length.isFinite ? (log10(value) - log10(range.lowerBound)) / length : 0
        }
    }

    /// Pleasant values inside a range, in order, at most so many.
    public func ticks(in range: ClosedRange<Double>, atMost count: Int) -> [Double] {
        switch self {
        case .linear: Self.linearTicks(in: range, atMost: count)
        case .logarithmic: Self.decades(in: range, atMost: count)
        }
    }

    /// Multiples of 1, 2 or 5 times a power of ten: the smallest such step that leaves at most `count` of them.
    ///
    /// - Source: Heckbert, "Nice Numbers for Graph Labels", Graphics Gems (1990), with the range kept as it is.
    private static func linearTicks(in range: ClosedRange<Double>, atMost count: Int) -> [Double] {
        let length = range.upperBound - range.lowerBound
        guard count > 0, length > 0, length.isFinite else { return count > 0 && length == 0 ? [range.lowerBound] : [] }
        // 0.3 / 0.1 is a little less than 3.
        func inner(_ step: Double) -> (first: Double, last: Double) {
            ((range.lowerBound / step - 1e-9).rounded(.up), (range.upperBound / step + 1e-9).rounded(.down))
        }
        let found = pleasantStep(from: length / Double(count)) { step in
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

    /// A range that holds another one and has a pleasant value at either end: for scales that are free to be wider than
    /// what they show. A logarithmic scale, and a range without a length, stay as they are.
    ///
    /// - Parameter count: the most ticks that the range has at the distance of the step to which it is widened; at least 3,
    ///   which a range around 0 needs.
    public func widened(_ range: ClosedRange<Double>, atMost count: Int) -> ClosedRange<Double> {
        let length = range.upperBound - range.lowerBound
        guard self == .linear, length > 0, length.isFinite else { return range }
        func outer(_ step: Double) -> (first: Double, last: Double) {
            ((range.lowerBound / step + 1e-9).rounded(.down), (range.upperBound / step - 1e-9).rounded(.up))
        }
        let most = Double(max(3, count))
        let found = Self.pleasantStep(from: length / most) { step in
            let (first, last) = outer(step)
            return last - first < most
        }
        guard let found else { return range }
        let (first, last) = outer(found.factor * pow(10, found.exponent))
        let lower = Self.tick(first, found.factor, found.exponent)
        let upper = Self.tick(last, found.factor, found.exponent)
        guard lower.isFinite, upper.isFinite else { return range }
        return min(lower, range.lowerBound)...max(upper, range.upperBound)
    }

    /// The smallest step of 1, 2, or 5 times a power of ten that fits; nil where none does.
    private static func pleasantStep(
        from least: Double, where fits: (Double) -> Bool
    ) -> (factor: Double, exponent: Double)? {
        // The least numbers there are have no logarithm once they are divided.
        var exponent = max(-330, floor(log10(least)) - 1)
        while exponent < 400 {
            for factor in [1.0, 2, 5] {
                let step = factor * pow(10, exponent)
                if step > 0, fits(step) { return (factor, exponent) }
            }
            exponent += 1
        }
        return nil
    }

    /// `index · factor · 10^exponent`; fractions of ten by division, which keeps 0.3 from becoming 0.30000000000000004.
    private static func tick(_ index: Double, _ factor: Double, _ exponent: Double) -> Double {
        let value = exponent < 0 ? index * factor / pow(10, -exponent) : index * factor * pow(10, exponent)
        return value == 0 ? 0 : value
    }

    /// Powers of ten, and 2 and 5 times them where there is room.
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
