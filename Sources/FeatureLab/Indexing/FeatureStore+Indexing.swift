internal import Interpretability
internal import System
public import Tensors
public import Tokenizers
public import Workspace

extension FeatureStore {
    /// The kind of the jobs that build indexes.
    public static let indexJob = "features.index"

    /// Builds the index of a dictionary as a job with progress, rate and time left.
    ///
    /// - Parameters:
    ///   - id: ID of the dictionary.
    ///   - totalTokens: Number of tokens; `nil` if unknown.
    ///   - decoder: `[F, d]`, for features of like directions.
    ///   - text: Token texts, to describe what features fire on; `nil` for no description.
    ///   - cancellation: Ends the work as the job's own canceling does; what was learnt until then is put on the disk
    ///     and gone on with later.
    ///   - next: Returns whole sequences starting at the given number, as many as convenient; `nil` after the last one.
    /// - Throws: `CancellationError` if it was canceled.
    @discardableResult
    public func buildIndex(
        of id: Int64, settings: FeatureIndexBuilder.Settings = FeatureIndexBuilder.Settings(),
        totalTokens: Int? = nil, decoder: Tensor<Float>? = nil, logits: FeatureLogitSource? = nil,
        text: ((TokenID) -> String)? = nil, cancellation: Cancellation? = nil,
        next: (_ firstSequence: Int) throws -> FeatureBlock?
    ) throws -> FeatureIndex {
        let name = try dictionary(id).name
        var index: FeatureIndex?
        try workspace.jobs.run(
            Self.indexJob, title: "index features of \(name)", total: totalTokens.map(Int64.init), unit: "tokens"
        ) { job in
            let builder = try FeatureIndexBuilder(
                self, dictionary: id, settings: settings, totalTokens: totalTokens, job: job,
                cancellation: cancellation)
            let built = try Self.keepingWhatWasLearnt(builder) {
                while let block = try next(builder.sequencesDone) { try builder.append(block) }
                return try builder.finish(decoder: decoder, logits: logits, text: text)
            }
            index = built
            return #"{"dictionary": \#(id), "tokens": \#(built.tokens), "sequences": \#(built.sequences)}"#
        }
        guard let index else { throw CancellationError() }
        return index
    }

    // Work that was canceled is put on the disk as far as it came, and ended in the word that jobs know.
    private static func keepingWhatWasLearnt(
        _ builder: FeatureIndexBuilder, _ work: () throws -> FeatureIndex
    ) throws -> FeatureIndex {
        do {
            return try work()
        } catch  where error is CancellationError || (error as? Problem)?.kind == .cancelled {
            if builder.sequencesDone > 0 { try builder.checkpoint() }
            throw CancellationError()
        }
    }
}
