public import Models
public import System
internal import Tensors
public import Tokenizers

/// How well a dictionary does on texts: what it explains, how sparsely, and what the model loses by it.
///
/// The first position of every sequence counts nowhere: its activation is like no other, and dictionaries are not
/// trained on it. Special tokens do not count either where the loss is concerned.
public struct DictionaryEvaluation: Sendable {
    public var measures: DictionaryMeasures
    public var loss: LossRecovered
    /// Replacement of the ablated activation: `zero` or `mean`.
    public var ablation: String

    /// Reads the sequences four times, and once more for the mean.
    ///
    /// - Parameters:
    ///   - runtime: Runtime of the same model.
    ///   - againstMean: The mean activation of the sequences stands in for what is taken away, in place of zeros.
    ///   - progress: Called with the completed share of the work.
    /// - Throws: An error if the dictionary does not fit the hook, or it was canceled.
    public static func run(
        _ dictionary: SparseAutoencoder, at hook: Hook, of model: InspectedModel, runtime: RuntimeModel,
        over sequences: [[TokenID]], againstMean: Bool = false, progress: (Double) -> Void = { _ in },
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> DictionaryEvaluation {
        let stream = try FeatureStream(
            model, hook: hook, dictionary: dictionary, sequences: sequences, keepsRows: true)
        var accumulator = DictionaryAccumulator(for: dictionary)
        let total = Double(max(1, sequences.count))
        while let block = try stream.next(isCancelled: isCancelled) {
            progress(Double(block.sequence) / total / 4)
            guard let rows = block.rows, rows.shape[0] > 1 else { continue }
            try accumulator.add(telling { try rows.sliced(axis: 0, 1..<rows.shape[0]) }, through: dictionary)
        }
        let special = Set([model.tokenizer.special.bos, model.tokenizer.special.eos].compactMap(\.self))
        var ablation = LossRecovered.Ablation.zero
        if againstMean {
            ablation = .mean(
                try LossRecovered.meanActivation(
                    at: hook, of: runtime, over: sequences, excluding: special, isCancelled: isCancelled))
        }
        var done = 0.0
        let loss = try LossRecovered.measure(
            dictionary, at: hook, of: runtime, over: sequences, excluding: special, skippingFirst: 1,
            against: ablation,
            isCancelled: {
                progress(0.25 + 0.75 * done / total)
                done += 1
                return isCancelled()
            })
        return DictionaryEvaluation(
            measures: accumulator.measures, loss: loss, ablation: againstMean ? "mean" : "zero")
    }
}
