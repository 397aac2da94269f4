internal import Console
internal import Formatting
internal import TrainingLab

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
        case .units: "\(Format.compact(x)) \(word)"
        case .time:
            x.magnitude < 9e8 ? Format.duration(seconds: x) : Format.compact(x) + " s"
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
