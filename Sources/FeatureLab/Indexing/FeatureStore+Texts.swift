public import Interpretability
public import Models
internal import System
public import Tokenizers
public import Workspace

extension FeatureStore {
    /// Reads texts with a dictionary's model and stores what each feature fires on, as a job.
    ///
    /// - Parameters:
    ///   - dictionary: The dictionary's row, with the model that it was trained on.
    ///   - sequences: Tokens of the model's vocabulary. The first token of each sequence is neither encoded nor
    ///     counted, since it has no context.
    ///   - progress: Receives the number of tokens read so far.
    /// - Throws: `CancellationError`; the next call resumes where this one stopped.
    @discardableResult
    public func index(
        _ dictionary: FeatureDictionary, weights: SparseAutoencoder, model: InspectedModel, hook: Hook,
        over sequences: [[TokenID]], settings: FeatureIndexBuilder.Settings, cancellation: Cancellation? = nil,
        progress: (_ tokens: Int) -> Void = { _ in }
    ) throws -> FeatureIndex {
        let readout = try RuntimeModel(Checkpoints.open(model.path)).readout()
        var stream: FeatureStream?
        var done = 0
        return try buildIndex(
            of: dictionary.id, settings: settings, totalTokens: sequences.reduce(0) { $0 + $1.count },
            decoder: weights.decoder,
            logits: { features in
                try weights.logitEffects(of: Array(features), readout).map { FeatureLogits($0, text: model.text(of:)) }
            },
            text: model.text(of:), cancellation: cancellation
        ) { first in
            let source =
                try stream
                ?? FeatureStream(
                    model, hook: hook, dictionary: weights, sequences: sequences, startingAt: first,
                    skippedPositions: Self.uncounted)
            if stream == nil { done = sequences[..<min(first, sequences.count)].reduce(0) { $0 + $1.count } }
            stream = source
            guard let block = try Self.next(of: source, cancellation) else { return nil }
            done += block.tokens.count
            progress(done)
            return FeatureBlock(sequences: [block.tokens], codes: block.codes, uncounted: Self.uncounted)
        }
    }

    private static let uncounted = 1

    // A sequence with its features. Cancellation does not fail the job.
    private static func next(
        of stream: FeatureStream, _ cancellation: Cancellation?
    ) throws -> FeatureStream.Block? {
        do { return try stream.next(isCancelled: { cancellation?.isCancelled ?? false }) } catch {
            throw error.kind == .cancelled ? CancellationError() : error as any Error
        }
    }
}

extension FeatureLogits {
    /// The effect of a direction on the logits, with token texts.
    init(_ effect: LogitEffect, text: (TokenID) -> String) {
        func named(_ tokens: [LogitEffect.TokenEffect]) -> [TokenLogit] {
            tokens.map { TokenLogit(token: $0.token, text: text($0.token), value: $0.value) }
        }
        self.init(positive: named(effect.top), negative: named(effect.bottom))
    }
}
