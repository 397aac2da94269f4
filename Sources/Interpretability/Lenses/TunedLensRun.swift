internal import Models
public import System
public import Tensors
public import Tokenizers

/// A tuned lens learned from a model while it reads texts.
public enum TunedLensRun {
    /// Gathers residuals of every point over sequences, step after step, and trains the maps on them.
    ///
    /// - Parameters:
    ///   - sequences: Read in their order, again from the beginning when they end.
    ///   - tokens: Approximate number of rows per step.
    ///   - progress: The share that is done, and the mean KL(p_final ‖ p_point) over all points of the last step, nats.
    public static func train(
        _ model: any HookedModel<Float>, over sequences: [[TokenID]], steps: Int, tokens: Int,
        isCancelled: () -> Bool = { false }, progress: (Double, Double) -> Void = { _, _ in }
    ) throws(Problem) -> TunedLens<Float> {
        guard sequences.contains(where: { !$0.isEmpty }) else {
            throw Problem(.missing, "tuned lens", "no training text", remedy: "Use a longer text.")
        }
        let points = (0..<model.layerCount).map { ResidualPart.pre(layer: $0) }
        let training = try TunedLensTraining(
            TunedLens(points: points, width: model.width), try model.readout(), steps: steps)
        var next = 0
        for step in 0..<steps {
            var rows: [[Tensor<Float>]] = Array(repeating: [], count: points.count + 1)
            var count = 0
            while count < tokens {
                if isCancelled() { throw .cancelled() }
                let sequence = sequences[next % sequences.count]
                next += 1
                guard !sequence.isEmpty else { continue }
                let stack = try model.run(
                    sequence,
                    keeping: .only(
                        Set(
                            points.compactMap { $0.hook(layerCount: model.layerCount) } + [
                                .residualPost(layer: model.layerCount - 1)
                            ])))
                for (place, point) in points.enumerated() {
                    if let hook = point.hook(layerCount: model.layerCount) { rows[place].append(try stack[hook]) }
                }
                rows[points.count].append(try stack[.residualPost(layer: model.layerCount - 1)])
                count += sequence.count
            }
            let joined = try telling { try rows.map { try concatenate($0, axis: 0) } }
            let divergences = try training.step(Array(joined.dropLast()), final: joined[points.count])
            progress(Double(step + 1) / Double(steps), divergences.reduce(0, +) / Double(max(1, divergences.count)))
        }
        return training.lens()
    }
}
