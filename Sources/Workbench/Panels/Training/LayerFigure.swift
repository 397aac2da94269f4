internal import Console
internal import TrainingLab

/// Quantities for the small curves of layers and for sorting the table.
enum LayerFigure: String, CaseIterable, Sendable {
    case gradientNorm, parameterNorm, updateRatio

    var word: String {
        switch self {
        case .gradientNorm: "gradient"
        case .parameterNorm: "weight"
        case .updateRatio: "update/weight"
        }
    }

    var next: LayerFigure {
        switch self {
        case .gradientNorm: .parameterNorm
        case .parameterNorm: .updateRatio
        case .updateRatio: .gradientNorm
        }
    }

    func text(_ value: Double) -> String {
        self == .updateRatio ? TrainingFigure.power(value) : TrainingFigure.norm(value)
    }

    /// Returns the color of a problem: NaN, a gradient that does not reach the layer, or updates that change more
    /// than a tenth of the layer at once, a hundred times the healthy amount.
    func role(of value: Double) -> Role? {
        guard value.isFinite else { return .failure }
        switch self {
        case .gradientNorm: return value == 0 ? .warning : nil
        case .parameterNorm: return nil
        case .updateRatio: return value > 0.1 ? .warning : nil
        }
    }

    func measure(of row: LayerRow) -> LayerMeasure? {
        switch self {
        case .gradientNorm: row.gradientNorm
        case .parameterNorm: row.parameterNorm
        case .updateRatio: row.updateRatio
        }
    }

    /// Returns the rank of a row in descending order: NaN first, because it needs attention, and unmeasured layers last.
    func rank(_ row: LayerRow) -> Double {
        guard let value = measure(of: row)?.latest else { return -1 }
        return value.isNaN ? .infinity : value
    }

    /// Returns the reason why there are no rows.
    static func nothing(isForeign: Bool) -> String {
        isForeign ? "norms not recorded" : "no norms recorded: set [record] norms = 50"
    }
}
