public import Interpretability
internal import System
public import Tokenizers
public import Workspace

/// Builds the feature index of a dictionary from a stream of sequences and their codes, in bounded memory.
///
/// ```swift
/// let builder = try FeatureIndexBuilder(store, dictionary: dictionary.id)
/// for sequence in texts.dropFirst(builder.sequencesDone) { try builder.append([sequence], encode(sequence)) }
/// let index = try builder.finish(decoder: dictionary.decoder)
/// ```
///
/// Every `checkpointTokens` tokens or `checkpointSeconds` seconds all that was learnt is put into the workspace in one
/// transaction. A builder that is
/// made after the end of another, whatever ended it, goes on there: what came of it is the same as if nothing had
/// happened. One thread uses a builder at a time.
public final class FeatureIndexBuilder {
    /// What is indexed.
    public let dictionary: FeatureDictionary
    /// How it is.
    public let settings: Settings
    /// Whole sequences that were taken in; a build that goes on wants the next one.
    public private(set) var sequencesDone = 0
    /// Tokens that were taken in.
    public private(set) var tokensDone = 0
    /// Tokens that are on the disk.
    public private(set) var tokensKept = 0
    private(set) var sequencesKept = 0
    // When the work was last put on the disk, and how long that took.
    private var kept = ContinuousClock.now
    private var keeping = Duration.zero

    let store: FeatureStore
    let index: Int64
    let features: FeatureAccumulator
    var sample: TokenSample
    var text = TextBlocks()
    /// Tokens of rows that count.
    var counted = 0
    var checkpoints = 0
    let job: JobHandle?
    private let cancellation: Cancellation?
    private let totalTokens: Int?

    /// Begins an index, or goes on with one of the same settings that was not finished.
    ///
    /// - Parameters:
    ///   - totalTokens: Number of tokens, for the remaining time.
    ///   - job: Receives the progress, and stops the work when it is canceled.
    /// - Throws: An error if the dictionary has more features than memory was given for, the sentence says how many
    ///   fit; where an index of other settings was begun and is not finished.
    public init(
        _ store: FeatureStore, dictionary id: Int64, settings: Settings = Settings(), totalTokens: Int? = nil,
        job: JobHandle? = nil, cancellation: Cancellation? = nil
    ) throws {
        self.store = store
        self.settings = settings
        self.totalTokens = totalTokens
        self.job = job
        self.cancellation = cancellation
        dictionary = try store.dictionary(id)
        try Self.checkMemory(dictionary, limit: settings.memoryLimit)
        features = try FeatureAccumulator(features: dictionary.featureCount, seed: settings.seed)
        sample = TokenSample(seed: settings.seed, capacity: settings.sampledTokens)
        let found = try Self.begin(
            store, dictionary, settings.json(weights: dictionary.path.flatMap(FeatureStore.digest(ofWeights:))))
        index = found.index
        checkpoints = found.checkpoints
        if checkpoints > 0 { try restore() }
    }

    /// Takes in whole sequences, and puts the work on the disk where enough has come together.
    ///
    /// - Parameter codes: A row for each token of all sequences.
    /// - Throws: An error if codes do not fit the tokens or the dictionary: then nothing of them is taken in.
    public func append(_ sequences: [[TokenID]], _ codes: SparseCodes) throws {
        try append(FeatureBlock(sequences: sequences, codes: codes))
    }

    /// Takes in whole sequences of which some leading rows may not count.
    public func append(_ block: FeatureBlock) throws {
        try checkCancellation()
        try block.check(features: dictionary.featureCount)
        let count = block.tokenCount
        guard tokensDone + count < Int(UInt32.max) else {
            throw Problem(
                .limit, "the index of \(dictionary.name)", "the limit of 4,294,967,295 tokens is reached",
                remedy: "Finish the index with its current tokens.")
        }
        var block = block
        block.silenceUncounted()
        let base = UInt32(tokensDone)
        features.append(block.codes, base: base, lengths: block.sequences.map(\.count))
        sample.append(block, base: base)
        for sequence in block.sequences {
            text.append(sequence)
            counted += max(0, sequence.count - block.uncounted)
        }
        sequencesDone += block.sequences.count
        tokensDone += count
        job?.report(done: Int64(tokensDone), of: totalTokens.map(Int64.init), unit: "tokens")
        if isCheckpointDue { try checkpoint() }
    }

    var isCancelled: Bool { cancellation?.isCancelled == true || job?.cancellation.isCancelled == true }

    func checkCancellation() throws {
        if isCancelled { throw CancellationError() }
    }

    private var isCheckpointDue: Bool {
        tokensDone - tokensKept >= settings.checkpointTokens
            || kept.duration(to: .now) >= max(.seconds(settings.checkpointSeconds), keeping * 10)
    }

    func restored(sequences: Int, tokens: Int, counted: Int) {
        (sequencesDone, sequencesKept) = (sequences, sequences)
        (tokensDone, tokensKept) = (tokens, tokens)
        self.counted = counted
    }

    func noteKept(since begun: ContinuousClock.Instant) {
        let fresh = tokensDone - tokensKept
        (sequencesKept, tokensKept) = (sequencesDone, tokensDone)
        kept = .now
        keeping = begun.duration(to: kept)
        // Where the job was canceled, the next step says so.
        try? job?.advance(by: Int64(fresh), of: totalTokens.map(Int64.init), unit: "tokens")
    }
}
