internal import Glibc
public import System
internal import Tensors

extension Trainer {
    /// Trains to the end, to an order, to a cancellation, or to a divergence.
    ///
    /// - Parameters:
    ///   - sink: gets points, samples and events, and gives orders.
    ///   - isCancelled: asked after every step; the run then ends with a checkpoint.
    ///   - report: is called for every step.
    /// - Throws: `Problem` if the run cannot start or continue; it is then recorded as failed.
    public func run(
        into sink: some RunSink, starting start: Start = .resuming, isCancelled: @escaping () -> Bool = { false },
        report: @escaping (TrainingProgress) -> Void = { _ in }
    ) throws(Problem) -> TrainingResult {
        self.report = report
        self.isCancelled = isCancelled
        defer {
            self.report = { _ in }
            self.isCancelled = { false }
        }
        let notes = try notes(start)
        try sink.begin(description, at: state.step, isNew: savedStep < 0)
        do {
            for note in notes + task.notes { try tell(note, .warning, sink) }
            if state.step >= steps { return try endAtOnce(sink) }
            try sink.record(
                event(
                    state.step == 0 ? .started : .resumed,
                    state.step == 0 ? "the run started" : "the run resumed after step \(state.step)"))
            // A run that cannot be kept does not begin.
            if state.step == 0, savedStep < 0 { try save(into: sink, mustSucceed: true) }
            return try MemoryReuse.during(limit: Self.memoryToKeep) { () throws in try loop(sink) }
        } catch let error as Problem {
            try? sink.record(event(.failed, error.sentence))
            try? sink.flush()
            throw error
        } catch {
            let failure = Problem(.failed, "", "step \(state.step + 1): \(error)")
            try? sink.record(event(.failed, failure.sentence))
            try? sink.flush()
            throw failure
        }
    }

    /// Bytes of dropped tensors that steps use again: a quarter of what is free, at most 4 GiB.
    private static var memoryToKeep: Int {
        let free = sysconf(Int32(_SC_AVPHYS_PAGES)).multipliedReportingOverflow(by: sysconf(Int32(_SC_PAGESIZE)))
        return free.overflow ? 4 << 30 : min(4 << 30, max(0, free.partialValue) / 4)
    }

    private func loop(_ sink: some RunSink) throws -> TrainingResult {
        pace.restart()
        while state.step < steps {
            if try obey(sink.orders(), sink) { return try end(.stopped, sink) }
            if isCancelled() { return try end(.interrupted, sink) }
            let outcome: Outcome
            do { outcome = try makeStep() } catch is StepCancelled { return try end(.interrupted, sink) }
            switch outcome {
            case .made(let point):
                try evaluateAndRecord(point, sink)
                try saveIfDue(sink)
            case .diverged(let reason):
                if let result = try diverge(reason, sink) { return result }
            }
        }
        return try end(.finished, sink)
    }

    private enum Outcome {
        /// With what was measured.
        case made([(series: String, value: Double)])
        case diverged(String)
    }

    /// Batch, loss, gradients, clipping, step.
    private func makeStep() throws -> Outcome {
        let number = state.step + 1
        let parameters = task.parameters
        let isMeasured = configuration.record.norms > 0 && (number == 1 || number % configuration.record.norms == 0)
        defer { clearGradients(of: parameters) }
        guard let loss = try task.learn(step: state.step, isCancelled: isCancelled) else {
            // Nothing of the step counts: it changes nothing, and there is nothing to measure.
            state.step = number
            return .made([(RunSeries.learningRate, schedule.rate(at: number - 1) * state.rateFactor)])
        }
        guard loss.isFinite else {
            return .diverged("the loss of step \(number) is \(loss.isNaN ? "NaN" : "infinite")")
        }
        let norms = isMeasured ? try gradientNorms(of: parameters) : []
        let clip = configuration.training.clip
        let norm = clip > 0 ? try clipGradients(of: parameters, toNorm: clip) : try gradientNorm(of: parameters)
        guard norm.isFinite else { return .diverged("the gradient of step \(number) is not finite") }
        if state.watch.isDiverged(
            loss, factor: configuration.training.divergence, patience: configuration.training.patience)
        {
            let median = state.watch.median ?? 0
            return .diverged("the loss of step \(number) is \(loss), far above its running median \(median)")
        }
        let rate = schedule.rate(at: state.step) * state.rateFactor
        var ratios: [UpdateRatio] = []
        if isMeasured {
            ratios = try optimizer.measuredStep(parameters, rate: configuration.stepRate(rate))
        } else {
            try optimizer.step(parameters, rate: configuration.stepRate(rate))
        }
        if averages != nil { try withMasters { () throws in try averages?.update(parameters) } }
        state.step = number
        self.loss = loss
        var values = [
            (series: RunSeries.trainLoss, value: loss), (RunSeries.learningRate, rate), (RunSeries.gradientNorm, norm),
        ]
        for (name, norm) in norms { values.append((RunSeries.gradientNorm(of: name), norm)) }
        for ratio in ratios {
            values.append((RunSeries.parameterNorm(of: ratio.name), ratio.weight))
            // Parameters that begin as zeros have no ratio at first.
            if ratio.ratio.isFinite { values.append((RunSeries.updateRatio(of: ratio.name), ratio.ratio)) }
        }
        return .made(values)
    }

    private func evaluateAndRecord(_ measured: [(series: String, value: Double)], _ sink: some RunSink) throws {
        let work = task.lastWork
        pace.step(units: work.units)
        let every = configuration.evaluation.every
        let isEvaluated = every > 0 && (state.step % every == 0 || state.step == steps)
        var values = measured
        if pace.last > 0 {
            values.append((RunSeries.speed, Double(work.units) / pace.last))
            if work.flops > 0 { values.append((RunSeries.flops, work.flops / pace.last)) }
        }
        var isBest = false
        if isEvaluated {
            averages?.swap(with: task.parameters)
            defer { averages?.swap(with: task.parameters) }
            let curves = try task.evaluate()
            values += curves
            if let value = curves.first(where: { $0.series == RunSeries.validationLoss })?.value {
                validationLoss = value
                isBest = value < state.best
                if isBest { state.best = value }
                if !value.isFinite {
                    try tell("the validation loss of step \(state.step) is NaN", .warning, sink)
                }
            }
            for (prompt, text) in try task.samples(step: state.step) {
                try sink.record(RunSample(step: state.step, time: Clock.nanoseconds(.wall), prompt: prompt, text: text))
            }
        }
        if isEvaluated || state.step % configuration.record.every == 0 || state.step == steps {
            try sink.record(RunPoint(step: state.step, time: Clock.nanoseconds(.wall), values: values))
        }
        if isEvaluated { pace.restart() }
        progress(isEvaluated: isEvaluated)
        if isBest, configuration.checkpoints.keepsBest {
            try save(into: sink, isBest: true, mustSucceed: state.step == steps)
        }
    }

    /// Tells how far the run is.
    func progress(_ note: String? = nil, isEvaluated: Bool = false) {
        let (pace, unitsPerSecond) = (pace.secondsPerStep ?? 0, pace.unitsPerSecond)
        report(
            TrainingProgress(
                step: state.step, steps: steps, loss: loss ?? .nan, validationLoss: validationLoss,
                rate: schedule.rate(at: max(0, state.step - 1)) * state.rateFactor,
                unitsPerSecond: unitsPerSecond ?? 0, unit: task.unit,
                secondsLeft: pace * Double(steps - state.step), isEvaluated: isEvaluated, note: note))
    }

    func event(_ kind: RunEvent.Kind, _ text: String) -> RunEvent {
        RunEvent(step: state.step, time: Clock.nanoseconds(.wall), kind: kind, text: text)
    }

    /// Records a sentence and shows it.
    func tell(_ sentence: String, _ kind: RunEvent.Kind, _ sink: some RunSink) throws(Problem) {
        try sink.record(event(kind, sentence))
        progress(sentence)
    }

    private func end(_ end: TrainingResult.End, _ sink: some RunSink) throws(Problem) -> TrainingResult {
        if savedStep != state.step { try save(into: sink, mustSucceed: true) }
        let place = lastCheckpoint.map { "; checkpoint \($0)" } ?? ""
        let goOn = "orrery train \(configuration.path) resumes from the checkpoint"
        let sentence: String
        switch end {
        case .finished: sentence = "done after step \(state.step)\(place)"
        case .stopped: sentence = "stopped after step \(state.step) of \(steps)\(place): \(goOn)"
        case .interrupted: sentence = "interrupted after step \(state.step) of \(steps)\(place): \(goOn)"
        case .diverged: sentence = "diverged at step \(state.step + 1)\(place)"
        }
        try sink.record(event(end == .finished ? .finished : .stopped, sentence))
        try sink.flush()
        return result(end, sentence)
    }

    /// Of a run that has made all its steps before.
    private func endAtOnce(_ sink: some RunSink) throws(Problem) -> TrainingResult {
        let made = state.step == steps ? "all \(steps) steps" : "\(state.step) steps, more than the requested \(steps)"
        let place = lastCheckpoint.map { "; checkpoint \($0)" } ?? ""
        let sentence = "earlier runs completed \(made)\(place). Use --steps to train longer, or --fresh to start over"
        try sink.record(event(.finished, sentence))
        try sink.flush()
        return result(.finished, sentence)
    }

    func result(_ end: TrainingResult.End, _ sentence: String) -> TrainingResult {
        TrainingResult(
            end: end, step: state.step, loss: loss, validationLoss: validationLoss, checkpoint: lastCheckpoint,
            sentence: sentence)
    }
}
