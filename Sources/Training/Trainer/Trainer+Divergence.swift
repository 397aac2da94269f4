internal import System
internal import Tensors

extension Trainer {
    private static var mostReturns: Int { 5 }

    /// Keeps the last good state, and ends the run or takes it back there.
    ///
    /// - Returns: how the run ends; `nil` if it goes on.
    func diverge(_ reason: String, _ sink: some RunSink) throws(Problem) -> TrainingResult? {
        let goesOn = configuration.training.onDivergence == .halve && state.returns < Self.mostReturns
        // Weights that made no number of a finite input are good themselves, unless the loss had been climbing.
        let isSound = state.watch.isSound(factor: configuration.training.divergence)
        if !goesOn, isSound, savedStep != state.step, isFinite() { try save(into: sink) }
        let isOwn = savedStep == state.step
        if goesOn, let checkpoint = try earlier() {
            let (factor, returns) = (state.rateFactor / 2, state.returns + 1)
            try restore(checkpoint)
            folder.remove(after: state.step)
            state.rateFactor = factor
            state.returns = returns
            // Also without a step in between, so that a run that is resumed has the same rate.
            try save(into: sink)
            try sink.begin(description, at: state.step, isNew: false)
            try tell("\(reason): returned to step \(state.step) with half the rate", .diverged, sink)
            try sink.record(event(.resumed, "the rate is now \(factor) times the schedule"))
            return nil
        }
        let place = lastCheckpoint.map {
            isOwn ? "the last state before that is in \($0)" : "the last good state is in \($0)"
        }
        // Nothing was learned yet that could have led there.
        let advice =
            state.step == 0
            ? "Check the data for NaN and infinite values." : "Use a lower rate or a longer warmup."
        let sentence = "\(reason): \(place ?? "no good state was saved"). \(advice)"
        try sink.record(event(.diverged, sentence))
        try sink.flush()
        return result(.diverged, sentence)
    }

    /// The last checkpoint that is not this very state, which would diverge again.
    private func earlier() throws(Problem) -> TrainingCheckpoint? {
        if let checkpoint = try folder.last(before: state.step, { _ in }) { return checkpoint }
        return try folder.last({ _ in })
    }

    private func isFinite() -> Bool {
        task.parameters.allSatisfy { parameter in
            let isFinite = try? parameter.value.withElements { elements in elements.allSatisfy(\.isFinite) }
            return isFinite ?? false
        }
    }
}
