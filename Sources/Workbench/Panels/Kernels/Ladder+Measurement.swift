internal import Formatting
internal import KernelLab
internal import Kernels

extension Ladder {
    /// Takes the figures of a measurement that has just ended.
    mutating func adopt(_ report: KernelReport) {
        for rung in report.rungs {
            guard let index = rungs.firstIndex(where: { $0.name == rung.name }) else { continue }
            rungs[index].threads = rung.threads
            rungs[index].isOutdated = false
            switch rung.outcome {
            case .measured(let figures):
                rungs[index].state = .measured(Figures(figures, rung, of: report))
                rungs[index].point = report.point(of: rung).map { point in
                    RooflinePoint(title: rung.name, rate: point.rate, intensities: point.intensities)
                }
            case .unavailable(let reason): rungs[index].state = .refused(reason, isFault: false)
            case .disagrees(let sentence): rungs[index].state = .refused(sentence, isFault: true)
            }
        }
        circumstances = [Format.count(report.threads, "thread"), "data in \(report.level.rawValue)"]
        doubt = report.conditions.standing == .void ? report.conditions.sentence : nil
        machine = nil
    }

    /// Takes what the workspace keeps of the last measurement.
    ///
    /// - Parameters:
    ///   - runs: Runs, newest last; each rung takes the last run with its number of threads.
    ///   - source: Digest of the user's kernel as it is now; `nil` for built-in kernels.
    mutating func adopt(
        _ runs: [KernelRun], cost: KernelCost, operation: KernelOperation?, shape: KernelShape?, source: String? = nil
    ) {
        for index in rungs.indices {
            let rung = rungs[index]
            guard let run = runs.last(where: { $0.variant == rung.name && $0.threads == rung.threads }) else {
                continue
            }
            let traffic = shape.flatMap { shape in
                operation.flatMap { operation in try? operation.variant(run.variant).traffic?(shape) }
            }
            let bytes = traffic ?? cost.bytes
            let intensity = bytes > 0 ? cost.flops / bytes : 0
            rungs[index].state = .measured(Figures(run, intensity: intensity))
            rungs[index].point = RooflinePoint(
                title: run.variant, rate: run.rate,
                intensities: [RooflinePoint.Intensity(level: "", value: intensity)])
            rungs[index].regression = run.verdict.regression
            rungs[index].isOutdated = run.isOutdated(by: source)
            if run.standing == .void {
                doubt = "the figures for \(run.variant) are invalid: measure again"
            }
        }
    }
}

extension Ladder.Figures {
    init(_ figures: KernelReport.Figures, _ rung: KernelReport.Rung, of report: KernelReport) {
        rate = figures.rate.median
        bestRate = figures.rate.best
        bandwidth = figures.bytesPerSecond
        intensity = figures.intensity
        share = report.share(of: rung)
        ofPeak = report.shareOfPeak(of: rung)
        toLibrary = report.library.flatMap { $0.name == rung.name ? nil : report.ratio(of: rung.name, to: $0.name) }
        samples = figures.samples
        let agreement = figures.agreement
        error =
            agreement.isChecked
            ? "\(Format.percent(agreement.worst, digits: 1)) of \(agreement.bound)" : agreement.bound
    }

    /// Creates figures from a stored run.
    init(_ run: KernelRun, intensity: Double) {
        rate = run.rate
        bestRate = run.best
        bandwidth = run.bytesPerSecond
        self.intensity = intensity
        share = run.roofShare
        ofPeak = nil
        toLibrary = nil
        samples = run.samples
        error = nil
    }
}

extension KernelRun.Verdict {
    /// What to say of a run that is slower than noise explains; `nil` of any other.
    var regression: String? {
        switch self {
        case .regressed: "slower than before"
        case .suspected: "slower, seen once"
        case .unjudged, .good, .accepted: nil
        }
    }
}
