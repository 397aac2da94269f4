internal import Glibc
internal import Tensors

extension Trainer {
    /// Trains to the end, to an order, to a cancellation, or to a divergence.
    ///
    /// - Parameters:
    ///   - sink: gets points, samples and events, and gives orders.
    ///   - isCancelled: asked after every step; the run then ends with a checkpoint.
    ///   - report: is told of every step.
    /// - Throws: `RunError` where the run cannot begin or go on; it was recorded as failed then.
    public func run(
        into sink: some RunSink, starting start: Start = .resuming, isCancelled: @escaping () -> Bool = { false },
        report: @escaping (TrainingProgress) -> Void = { _ in }
    ) throws(RunError) -> TrainingResult {
        self.report = report
        self.isCancelled = isCancelled
        defer {
            self.report = { _ in }
            self.isCancelled = { false }
        }
        let notes = try begin(start)
        try sink.begin(description, at: state.step)
        do {
            for note in notes { try tell(note, .warning, sink) }
            try sink.record(
                event(
                    state.step == 0 ? .started : .resumed,
                    state.step == 0 ? "the run begins" : "the run goes on after step \(state.step)"))
            if state.step == 0, savedStep < 0 { try save(into: sink) }
            return try loop(sink)
        } catch let error as RunError {
            try? sink.record(event(.failed, error.sentence))
            try? sink.flush()
            throw error
        } catch {
            let failure = RunError("step \(state.step + 1): \(error)")
            try? sink.record(event(.failed, failure.sentence))
            try? sink.flush()
            throw failure
        }
    }

    private func loop(_ sink: some RunSink) throws -> TrainingResult {
        pace.restart()
        while state.step < steps {
            if try obey(sink.orders(), sink) { return try end(.stopped, sink) }
            if isCancelled() { return try end(.interrupted, sink) }
            switch try makeStep() {
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
        let loss = try task.learn(step: state.step)
        defer { clearGradients(of: parameters) }
        guard loss.isFinite else { return .diverged("the loss of step \(number) is \(loss)") }
        let norms = isMeasured ? try gradientNorms(of: parameters) : []
        let clip = configuration.training.clip
        let norm = clip > 0 ? try clipGradients(of: parameters, toNorm: clip) : try gradientNorm(of: parameters)
        guard norm.isFinite else { return .diverged("the gradient of step \(number) is no number any more") }
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
        try averages?.update(parameters)
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
        pace.step()
        let every = configuration.evaluation.every
        let isEvaluated = every > 0 && (state.step % every == 0 || state.step == steps)
        var values = measured
        if pace.last > 0 {
            values.append((RunSeries.speed, Double(task.unitsPerStep) / pace.last))
            if task.flopsPerStep > 0 { values.append((RunSeries.flops, task.flopsPerStep / pace.last)) }
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
            }
            for (prompt, text) in try task.samples(step: state.step) {
                try sink.record(RunSample(step: state.step, time: Self.now(), prompt: prompt, text: text))
            }
        }
        if isEvaluated || state.step % configuration.record.every == 0 || state.step == steps {
            try sink.record(RunPoint(step: state.step, time: Self.now(), values: values))
        }
        if isEvaluated { pace.restart() }
        progress()
        if isBest, configuration.checkpoints.keepsBest { try save(into: sink, isBest: true) }
    }

    /// Tells how far the run is.
    func progress(_ note: String? = nil) {
        let pace = pace.secondsPerStep ?? 0
        report(
            TrainingProgress(
                step: state.step, steps: steps, loss: loss ?? .nan, validationLoss: validationLoss,
                rate: schedule.rate(at: max(0, state.step - 1)) * state.rateFactor,
                unitsPerSecond: pace > 0 ? Double(task.unitsPerStep) / pace : 0,
                secondsLeft: pace * Double(steps - state.step), note: note))
    }

    func event(_ kind: RunEvent.Kind, _ text: String) -> RunEvent {
        RunEvent(step: state.step, time: Self.now(), kind: kind, text: text)
    }

    /// Records a sentence and shows it.
    func tell(_ sentence: String, _ kind: RunEvent.Kind, _ sink: some RunSink) throws(RunError) {
        try sink.record(event(kind, sentence))
        progress(sentence)
    }

    private func end(_ end: TrainingResult.End, _ sink: some RunSink) throws(RunError) -> TrainingResult {
        if savedStep != state.step { try save(into: sink, mustSucceed: true) }
        let place = lastCheckpoint.map { "; checkpoint \($0)" } ?? ""
        let goOn = "orrery train \(configuration.path) goes on from there"
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

    func result(_ end: TrainingResult.End, _ sentence: String) -> TrainingResult {
        TrainingResult(
            end: end, step: state.step, loss: loss, validationLoss: validationLoss, checkpoint: lastCheckpoint,
            sentence: sentence)
    }
}
