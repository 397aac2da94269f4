internal import Console
internal import Glibc
internal import TrainingLab

/// Formats figures of runs for the panel and `orrery train`.
public enum TrainingFigure {
    /// Formats the progress of a run: `24 %`, rounded down so that 100 % means all steps.
    public static func progress(_ share: Double) -> String { Format.progress(share) }

    /// Returns the progress in steps, such as `244 of 400`, or only the step if the total is unknown.
    public static func steps(_ step: Int, of steps: Int?) -> String {
        guard let steps, steps > 0 else { return Format.count(step) }
        return "\(Format.count(step)) of \(Format.count(steps))"
    }

    /// Formats a learning rate: `0.003`, `3.75e-05`.
    public static func learningRate(_ value: Double) -> String {
        value.isFinite ? AxisLabel.text(value) : loss(value)
    }

    /// Returns a loss with four digits, so the last steps of a run remain distinguishable: `0.6943`, `8.317`, `12.04`.
    public static func loss(_ value: Double) -> String {
        let size = abs(value)
        guard value.isFinite else { return value.isNaN ? "NaN" : value > 0 ? "∞" : "-∞" }
        if size >= 999.95 || (size < 0.001 && size > 0) { return AxisLabel.text(value) }
        return Format.fixed(value, digits: size >= 99.995 ? 1 : size >= 9.9995 ? 2 : size >= 0.99995 ? 3 : 4)
    }

    /// Formats a norm with three digits, aligned in a column: `12.4`, `1.07`, `0.034`.
    public static func norm(_ value: Double) -> String {
        let size = abs(value)
        guard value.isFinite else { return loss(value) }
        if size >= 999.5 || (size < 0.01 && size > 0) { return power(value) }
        return Format.fixed(value, digits: size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3)
    }

    /// Formats a number as a power of ten, for columns that span many orders of magnitude: `4.09e-03`.
    public static func power(_ value: Double) -> String {
        guard value.isFinite, value != 0 else { return value == 0 ? "0" : loss(value) }
        return AxisLabel.power(value) { Format.fixed($0, digits: 2) }
    }
}

/// Unit of the axis: steps, a unit of time that suits its length, or tokens.
struct CurveUnit {
    var word: String
    /// Length of one unit on the axis.
    var factor: Double
    private let axis: CurveAxis

    /// Creates the unit of an axis.
    ///
    /// - Parameter unit: Unit of the run, such as `tokens`.
    init(axis: CurveAxis, upTo end: Double, _ unit: String) {
        self.axis = axis
        switch axis {
        case .step: (word, factor) = ("step", 1)
        case .units: (word, factor) = (unit.isEmpty ? "tokens or examples" : unit, 1)
        case .time:
            let units: [(String, Double)] = [("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1)]
            (word, factor) = units.first { end >= $0.1 * 3 } ?? ("seconds", 1)
        }
    }

    /// Formats a position on the axis: `step 914`, `3 h 05 m`, `3.74M tokens`.
    func text(_ x: Double) -> String {
        switch axis {
        case .step: "step \(Format.count(x))"
        case .units: "\(AxisLabel.text(x)) \(word)"
        case .time:
            x.magnitude < 9e8 ? Format.duration(seconds: x) : AxisLabel.text(x) + " s"
        }
    }
}

extension AxisScale {
    /// Returns the value at a fraction of a range: the inverse of `fraction`.
    func value(at share: Double, in range: ClosedRange<Double>) -> Double {
        switch self {
        case .linear: range.lowerBound + (range.upperBound - range.lowerBound) * share
        case .logarithmic: range.lowerBound * pow(range.upperBound / range.lowerBound, share)
        }
    }
}

extension String {
    /// Returns the text with trailing spaces up to a width.
    func padding(to columns: Int) -> String {
        self + String(repeating: " ", count: max(0, columns - DisplayWidth.of(self)))
    }

    /// Returns the text with leading spaces up to a width.
    func padding(leftTo columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - DisplayWidth.of(self))) + self
    }
}
