internal import Inference
package import Kernels
internal import Models
internal import Synchronization
public import System
internal import Tokenizers

/// A prompt and what comes after it, watched from inside and changed on the way.
///
/// Long calls (`read`, `step`, `lens`, `exactCells`, …) wait for one another; call them on a background thread.
/// `snapshot` and `interventions` never wait for them.
public final class InspectedRun: @unchecked Sendable {  // what changes is touched within `work` alone
    /// Whose insides are watched.
    public let model: InspectedModel
    /// How the text is drawn, and what is recorded.
    public let options: RunOptions
    public let promptCount: Int
    /// The token that a rerun began at.
    public let changedFrom: Int?

    let work = SerialWork()
    private let shown: Mutex<Shown>

    /// What is seen and set without waiting.
    private struct Shown {
        var snapshot: RunSnapshot
        /// Grows when interventions are set.
        var changeRevision = 0
    }

    var tokens: [TokenID]
    let cache: KVSequence
    var state: RunState
    var finish: RunSnapshot.Finish?
    let pass: ForwardPass
    /// Pass for rerunning parts of the text.
    lazy var sidePass = ForwardPass(pool: model.pool)
    /// What was changed from which token on.
    var changeLog: [(from: Int, revision: Int, changes: LiveChanges)] = []
    let valueNorms: ValueNormHistory
    /// Where each token stands in the text that was read.
    var occurrences: [TokenID: [Int32]] = [:]
    /// Logits after the last token read.
    package let logits: AlignedBuffer<Float>
    let scratch: AlignedBuffer<Float>
    let chooser: TokenChooser
    var history: TokenHistory
    var tokensPerSecond = 0.0

    init(
        _ model: InspectedModel, _ tokens: [TokenID], promptCount: Int, _ options: RunOptions, _ cache: KVSequence,
        _ state: RunState, changedFrom: Int? = nil
    ) throws(Problem) {
        self.model = model
        self.options = options
        self.promptCount = promptCount
        self.changedFrom = changedFrom
        self.tokens = tokens
        self.cache = cache
        pass = ForwardPass(pool: model.pool)
        var state = state
        if state.records.isEmpty { state.records = [TokenRecord()] }
        if state.features.isEmpty { state.attach(options.dictionaries, before: []) }
        self.state = state
        valueNorms = ValueNormHistory(state.atlas)
        for (position, token) in tokens[..<state.readCount].enumerated() {
            occurrences[token, default: []].append(Int32(position))
        }
        let vocabulary = model.configuration.vocabularySize
        (logits, scratch, chooser) = try telling {
            (
                try AlignedBuffer(count: vocabulary), try AlignedBuffer(count: vocabulary),
                try TokenChooser(vocabularySize: vocabulary)
            )
        }
        history = TokenHistory(prompt: tokens[..<promptCount], answer: tokens[promptCount...])
        shown = Mutex(
            Shown(
                snapshot: RunSnapshot(
                    revision: 0, tokens: tokens, promptCount: promptCount, readCount: state.readCount, finish: nil,
                    records: state.records, layerCount: model.configuration.layerCount,
                    headCount: model.configuration.headCount, residualNorms: state.residualNorms,
                    expertCount: model.configuration.experts?.count ?? 0, expertWeights: state.expertWeights,
                    dictionaries: options.dictionaries.map(\.name), features: state.features,
                    featuresFrom: state.featuresFrom,
                    attention: state.atlas, interventions: [], changedFrom: changedFrom, tokensPerSecond: 0,
                    bytes: state.byteCount)))
    }

    /// What is known now. Never waits for a pass.
    public var snapshot: RunSnapshot { shown.withLock { $0.snapshot } }

    /// What is changed from the next token on. Never waits for a pass; one that does not fit the model ends the next
    /// call that works with a sentence, which `setInterventions` gives at once.
    public var interventions: [LiveIntervention] {
        get { shown.withLock { $0.snapshot.interventions } }
        set {
            shown.withLock { shown in
                shown.snapshot.interventions = newValue
                shown.snapshot.revision += 1
                shown.changeRevision += 1
            }
        }
    }

    /// - Throws: An error if a layer, head, feature or hook does not exist, or a tensor does not fit: nothing is
    ///   changed.
    public func setInterventions(_ interventions: [LiveIntervention]) throws(Problem) {
        _ = try LiveChanges(interventions, for: model.configuration, options.dictionaries)
        self.interventions = interventions
    }

    /// The changes of the next pass, noted with the token that it begins at.
    func changes(from token: Int) throws(Problem) -> LiveChanges {
        if let changedFrom, token < changedFrom {
            // Read again as it was.
            return try changes(at: token)
        }
        let (list, revision) = shown.withLock { ($0.snapshot.interventions, $0.changeRevision) }
        if let last = changeLog.last, last.revision == revision { return last.changes }
        let changes = try LiveChanges(list, for: model.configuration, options.dictionaries)
        changeLog.append((token, revision, changes))
        return changes
    }

    /// The changes with which a token was read.
    func changes(at token: Int) throws(Problem) -> LiveChanges {
        if let entry = changeLog.last(where: { $0.from <= token }) { return entry.changes }
        return try LiveChanges([], for: model.configuration, options.dictionaries)
    }

    /// Shows what the run knows now.
    func publish() {
        let (state, tokens, finish, rate) = (state, tokens, finish, tokensPerSecond)
        shown.withLock { shown in
            shown.snapshot.revision += 1
            shown.snapshot.tokens = tokens
            shown.snapshot.readCount = state.readCount
            shown.snapshot.finish = finish
            shown.snapshot.records = state.records
            shown.snapshot.residualNorms = state.residualNorms
            shown.snapshot.expertWeights = state.expertWeights
            shown.snapshot.features = state.features
            shown.snapshot.featuresFrom = state.featuresFrom
            shown.snapshot.attention = state.atlas
            shown.snapshot.tokensPerSecond = rate
            shown.snapshot.bytes = state.byteCount
        }
    }
}
