internal import Glibc
public import System
internal import Tensors

extension DictionaryTrainer {
    /// Makes all steps that are left.
    ///
    /// A trainer that goes on from a checkpoint first passes over the rows that it has had: the source has to begin
    /// where it began.
    ///
    /// - Parameters:
    ///   - checkpoints: Destination of checkpoints, which are also written on cancellation.
    ///   - every: Steps from one report to the next; the last step is always reported.
    ///   - isCancelled: Checked before every step.
    /// - Throws: `Problem` of the kind `.cancelled`; errors of the source; an error if the loss is not finite.
    public func run(
        on source: any ActivationSource, checkpoints: DictionaryCheckpoints? = nil, every: Int = 50,
        progress: (DictionaryProgress) -> Void = { _ in }, isCancelled: () -> Bool = { Task.isCancelled }
    ) throws(Problem) -> SparseAutoencoder {
        guard source.width == width else {
            throw Problem(
                .invalid, "dictionary", "expected activations of width \(width), found \(source.width)",
                remedy: "Use the hook from the first training run.")
        }
        let rows = configuration.batchRows
        if step > 0 { try source.pass(rows: step * rows, atOnce: rows) }
        let clock = ContinuousClock()
        let (begin, first) = (clock.now, step)
        while step < configuration.steps {
            if isCancelled() {
                try checkpoints?.write(self)
                throw .cancelled()
            }
            let loss = try train(try nextRows(of: source, checkpoints))
            if step % max(1, every) == 0 || step == configuration.steps {
                let time = (clock.now - begin) / .seconds(1)
                progress(report(loss, secondsAStep: time / Double(step - first)))
            }
            if let checkpoints, step % checkpoints.steps == 0 || step == configuration.steps {
                try checkpoints.write(self)
            }
        }
        return try dictionary()
    }

    /// Returns the rows of a step; saves the state if the work is canceled meanwhile.
    private func nextRows(
        of source: any ActivationSource, _ checkpoints: DictionaryCheckpoints?
    ) throws(Problem) -> Tensor<Float> {
        do { return try source.next(rows: configuration.batchRows) } catch {
            if error.kind == .cancelled { try checkpoints?.write(self) }
            throw error
        }
    }

    private func report(_ loss: DictionaryLoss, secondsAStep: Double) -> DictionaryProgress {
        let densities = firings.sorted().map { log10(Double($0) / Double(max(1, firingRows))) }
        let quantiles = DictionaryProgress.quantiles.map { densities[Int($0 * Double(densities.count - 1) + 0.5)] }
        for feature in firings.indices { firings[feature] = 0 }
        firingRows = 0
        return DictionaryProgress(
            step: step, steps: configuration.steps, loss: loss, deadCount: deadCount, features: configuration.features,
            densityQuantiles: quantiles, rowsPerSecond: Double(configuration.batchRows) / max(secondsAStep, 1e-9),
            secondsLeft: secondsAStep * Double(configuration.steps - step))
    }
}
