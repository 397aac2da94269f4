internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Statistics

extension EvalChart {
    /// The formulas of what is drawn, and whether what should add up does.
    func sums(_ material: Material) -> SumLines {
        var sums = SumLines()
        switch kind {
        case .bars:
            sums.formula("dot: the recorded metric; whiskers: the recorded interval")
            if let metric = material.selected?.metric {
                sums.formula(
                    "\(metric.title(among: material.selected?.run.metrics ?? [])) over n = \(Format.count(metric.count)); unscored samples are excluded"
                        + (metric.note.map { "; \($0)" } ?? ""))
                if let lower = metric.lower, let upper = metric.upper {
                    sums.check(
                        "value inside its interval", lower <= metric.value && metric.value <= upper ? 1 : 0, of: 1)
                }
            }
        case .slices: sliceSums(material, &sums)
        case .histogram: histogramSums(material, &sums)
        case .confusion: confusionSums(material, &sums)
        case .roc, .precisionRecall, .reliability: curveSums(material, &sums)
        case .cost:
            sums.formula("x: US dollars per 1,000 samples = 1,000 × cost / samples done; y: the first metric")
            sums.formula(
                "\(material.peers.count { $0.costPerSample == nil }) runs of the task do not report their cost")
        }
        return sums
    }

    /// The figure that a curve stands for.
    static func figure(_ kind: Kind, _ points: [ConfidencePoint]) -> String? {
        switch kind {
        case .roc: ranked(points).rocArea.map { "area \(Format.metric($0))" }
        case .precisionRecall: ranked(points).averagePrecision.map { "average \(Format.metric($0))" }
        case .reliability: reliability(points).expectedError.map { "ECE \(Format.metric($0))" }
        default: nil
        }
    }

    private func sliceSums(_ material: Material, _ sums: inout SumLines) {
        sums.formula(SliceReading.kinds)
        guard let open = material.open else { return }
        for by in open.slices {
            let (drawn, missing) = by.slices.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.unscored) }
            if missing > 0 {
                sums.formula("\(by.name): Σ n = \(Format.count(drawn)); \(Format.count(missing)) without a score")
                sums.check("Σ n of \(by.name), plus unscored", drawn + missing, of: open.sampleCount)
            } else {
                sums.check("Σ n of \(by.name)", drawn, of: open.sampleCount)
            }
        }
    }

    private func histogramSums(_ material: Material, _ sums: inout SumLines) {
        sums.formula("samples by their first score, in bins of equal width")
        guard let open = material.open, let histogram = histogram(material, columns: 60) else { return }
        sums.check("Σ bins", histogram.total, of: open.index.total.count)
        sums.check("without a score", histogram.outside - open.index.holes, of: open.index.total.missing)
    }

    private func confusionSums(_ material: Material, _ sums: inout SumLines) {
        guard let open = material.open else { return }
        sums.formula(
            open.isOfClasses
                ? "target class vs. class the scorer read from the answer; errors are excluded"
                : "first 200 characters of target and answer: no scorer reports classes; errors are excluded")
        let tally = open.confusion
        let answered =
            open.labels.flatMap { $0.isEmpty ? nil : $0.count } ?? open.index.known - open.index.count(of: .error)
        sums.check("Σ cells", tally.counts.values.reduce(0, +), of: answered)
        let same = tally.counts.reduce(0) { $0 + ($1.key.target == $1.key.answer ? $1.value : 0) }
        sums.formula(
            "on the diagonal \(Format.count(same)) of \(Format.count(answered))"
                + " = \(Format.metric(Double(same) / Double(max(1, answered))))")
    }

    private func curveSums(_ material: Material, _ sums: inout SumLines) {
        sums.formula("confidence reported by the scorers vs. whether the sample passed")
        guard let points = material.open?.confidences, !points.isEmpty else { return }
        let passes = points.count(where: \.passes)
        switch kind {
        case .roc:
            let ranked = Self.ranked(points)
            sums.formula("area = P(confidence of a passed sample > confidence of a failed one); ties count half")
            guard let area = ranked.rocArea else { return }
            // Trapezoids under the drawn curve against the rank statistic.
            let curve = ranked.rocCurve
            let drawn = zip(curve, curve.dropFirst()).reduce(0) {
                $0 + ($1.1.x - $1.0.x) * ($1.1.y + $1.0.y) / 2
            }
            sums.check("area under the drawn curve", drawn, of: area, tolerance: 1e-9, digits: 6)
        case .precisionRecall:
            sums.formula("average precision = Σ (R_k − R_k−1) P_k; chance = share that passed")
            if let area = Self.ranked(points).averagePrecision {
                sums.formula("average precision \(Format.metric(area))")
            }
        default:
            let reliability = Self.reliability(points)
            sums.formula("ECE = Σ n_b / n · |accuracy_b − confidence_b|, 15 bins of equal width")
            sums.check("Σ n_b", reliability.bins.reduce(0) { $0 + $1.count }, of: points.count)
            if let error = reliability.expectedError { sums.formula("ECE = \(Format.metric(error))") }
        }
        sums.formula("\(Format.count(passes)) passed, \(Format.count(points.count - passes)) did not")
    }
}
