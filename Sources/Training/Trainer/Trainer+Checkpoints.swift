internal import System
internal import Tensors

extension Trainer {
    /// Takes up the last checkpoint, or clears the folder.
    ///
    /// - Returns: sentences about files that were passed over.
    func begin(_ start: Start) throws(Problem) -> [String] {
        guard start == .resuming else {
            folder.removeAll()
            return []
        }
        var notes: [String] = []
        guard let checkpoint = try folder.last({ notes.append($0) }) else { return [] }
        try compare(checkpoint)
        guard checkpoint.identity.data == task.dataDigest else {
            throw Problem(
                .invalid, "", "\(folder.path) has checkpoints from a run with different data: the files have changed",
                remedy: "Use --fresh to start over.")
        }
        try restore(checkpoint)
        if let sentence = changeOfLength(checkpoint) { notes.append(sentence) }
        return notes
    }

    /// - Throws: a sentence where a checkpoint is of a configuration with another curve.
    func compare(_ checkpoint: TrainingCheckpoint) throws(Problem) {
        guard checkpoint.identity.configuration != configuration.digest else { return }
        let keys = configuration.differences(to: checkpoint.identity.settings)
        throw Problem(
            .invalid, "",
            "\(folder.path) has checkpoints from a run with a different configuration; changed keys: "
                + "\(keys.prefix(6).joined(separator: ", "))",
            remedy: "Use --fresh to start over, or set checkpoints.folder to a different folder.")
    }

    /// Returns a warning if a run gets a new length after using the rates of the old one.
    private func changeOfLength(_ checkpoint: TrainingCheckpoint) -> String? {
        guard let before = checkpoint.plannedSteps, before != steps, state.step > 0, state.step < steps else {
            return nil
        }
        let earlier = configuration.rates(steps: before)
        let stride = max(1, state.step / 64)
        let differs = Swift.stride(from: 0, through: state.step, by: stride)
            .contains { earlier.rate(at: $0) != schedule.rate(at: $0) }
        guard differs else { return nil }
        return
            "the run was planned for \(before) steps and now has \(steps): the rate follows the new schedule from "
            + "step \(state.step + 1), so the curve differs from a run planned for \(steps) steps."
    }

    private var identity: TrainingCheckpoint.Identity {
        TrainingCheckpoint.Identity(
            configuration: configuration.digest, data: task.dataDigest,
            settings: Dictionary(configuration.settings.map { ($0.name, $0.value) }) { first, _ in first },
            version: version)
    }

    /// Writes a checkpoint where one is due.
    func saveIfDue(_ sink: some RunSink) throws(Problem) {
        let settings = configuration.checkpoints
        // The end of the run writes its own.
        guard savedStep != state.step, failedStep != state.step, state.step < steps else { return }
        guard state.watch.isSound(factor: configuration.training.divergence) else { return }
        let isDue =
            settings.every > 0 && state.step % settings.every == 0
            || settings.seconds > 0 && Clock.now(.monotonic) - savedAt >= settings.seconds
        if isDue { try save(into: sink) }
    }

    /// Writes a checkpoint. What was recorded goes to the disk first: a run resumed from here has all points before.
    ///
    /// - Parameter mustSucceed: a failure is thrown, not only told.
    func save(into sink: some RunSink, isBest: Bool = false, mustSucceed: Bool = false) throws(Problem) {
        try sink.flush()
        // Also after a failure: a disk that is full is not tried again at every step.
        savedAt = Clock.now(.monotonic)
        do {
            lastCheckpoint = try folder.save(snapshot(), isBest: isBest)
            savedStep = state.step
        } catch {
            failedStep = state.step
            if mustSucceed { throw error }
            try tell(error.sentence, .warning, sink)
            pace.restart()
            return
        }
        try sink.record(event(.checkpoint, lastCheckpoint ?? folder.path))
        pace.restart()
    }

    private func snapshot() -> TrainingCheckpoint {
        TrainingCheckpoint(
            identity: identity, state: state, weights: task.parameters.map { ($0.name, $0.value) },
            optimizer: optimizer.state, optimizerSteps: optimizer.steps, averages: averages?.state ?? [],
            plannedSteps: steps)
    }

    func restore(_ checkpoint: TrainingCheckpoint) throws(Problem) {
        let file = folder.file(of: checkpoint.state.step)
        let weights = Dictionary(checkpoint.weights.map { ($0.name, $0.value) }) { first, _ in first }
        let parameters = task.parameters
        guard weights.count == parameters.count else {
            throw Problem(
                .invalid, file, "the file has \(weights.count) parameters, but the model has \(parameters.count)")
        }
        for parameter in parameters {
            guard let value = weights[parameter.name], value.shape == parameter.shape else {
                throw Problem(
                    .missing, file, "\(parameter.name) is missing or does not have the shape \(parameter.shape)")
            }
            parameter.value = value
        }
        do {
            try optimizer.restore(
                Dictionary(checkpoint.optimizer.map { ($0.name, $0.value) }) { first, _ in first },
                steps: checkpoint.optimizerSteps)
            try averages?.restore(Dictionary(checkpoint.averages.map { ($0.name, $0.value) }) { first, _ in first })
        } catch {
            throw Problem(error, in: file)
        }
        state = checkpoint.state
        loss = state.watch.recent.last
        // The best one is not the last one, which no checkpoint holds.
        validationLoss = nil
        savedStep = state.step
        lastCheckpoint = file
    }
}
