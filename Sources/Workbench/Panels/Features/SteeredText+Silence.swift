internal import Console
internal import Formatting
internal import Interpretability

extension SteeredText {
    /// Notes changes without effect: a feature that is 0 wherever they apply stays 0 by any factor.
    mutating func noteSilent(_ changes: FeatureChanges) {
        silence = nil
        guard reading?.changed != nil else { return }
        for feature in changes.features where silence == nil { silence = sentence(of: feature, changes) }
    }

    private func sentence(of feature: Int, _ changes: FeatureChanges) -> String? {
        guard greatest(of: feature) == 0 else { return nil }
        return switch changes[feature] {
        case .scale(let factor):
            "feature \(feature) never fires here (\(Format.compact(Double(factor))) × 0 = 0); press = to set it"
        case .off: "feature \(feature) never fires here: there is nothing to turn off"
        case .set, nil: nil
        }
    }

    /// Returns the largest activation of a feature starting at the first changed token, in either text.
    private func greatest(of feature: Int) -> Float {
        guard let reading else { return 0 }
        return [reading.untouched.features, reading.changed?.features].compactMap(\.self).reduce(0) { most, codes in
            let rows = min(reading.from, codes.rows)..<codes.rows
            return codes.activations(of: feature, rows: rows).reduce(most, max)
        }
    }
}
