internal import Console
internal import Training
internal import TrainingLab

extension Trend {
    /// Creates the chart's form of a run's curve.
    ///
    /// - Parameter unit: Unit of the run, such as `tokens`; empty if unknown.
    init(_ curve: RunCurve, unit: String) {
        let axis = CurveUnit(axis: curve.axis, upTo: curve.range.upperBound, unit)
        self.init(
            id: curve.run, range: curve.range,
            buckets: curve.buckets.map {
                Bucket(
                    count: $0.count, minimum: $0.minimum, maximum: $0.maximum, mean: $0.mean, smoothed: $0.smoothed,
                    nonFinite: $0.nonFinite, lastX: $0.lastX)
            },
            last: curve.last.map { ($0.x, $0.value) },
            unit: TrendUnit(axis.word, factor: axis.factor, text: { axis.text($0) }))
    }
}

extension OpenTrainingRun {
    /// Returns the events of the run that explain its curves, as marks on an axis.
    func marks(on axis: CurveAxis) -> [TrendMark] {
        events.compactMap { event in
            let x =
                switch axis {
                case .step: Double(event.step)
                case .time: Double(event.time &- summary.origin) * 1e-9
                case .units: Double(event.step) * Double(max(1, summary.batch))
                }
            return switch event.kind {
            case .diverged, .failed: TrendMark(at: x, \.failed, .failure)
            case .rateChanged: TrendMark(at: x, \.diamond, .warning)
            case .resumed, .continued: TrendMark(at: x, \.collapsed, .warning)
            default: nil
            }
        }
    }
}

extension CurveAxis {
    var next: CurveAxis {
        switch self {
        case .step: .time
        case .time: .units
        case .units: .step
        }
    }
}
