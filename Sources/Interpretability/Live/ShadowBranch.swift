internal import Inference
internal import Kernels
internal import Models
internal import System
internal import Tokenizers

/// An unwatched branch of a run that is fed the tokens of another: what the untouched model would expect after them.
final class ShadowBranch {
    private let model: InspectedModel
    private let cache: KVSequence
    private let pass: ForwardPass
    private let changes: LiveChanges
    private let scratch: AlignedBuffer<Float>

    /// - Parameters:
    ///   - cache: Separate branch of the cache.
    ///   - changes: Changes of the run that serves as the unchanged one.
    init(
        _ model: InspectedModel, _ cache: KVSequence, _ changes: LiveChanges
    ) throws(Problem) {
        self.model = model
        self.cache = cache
        self.changes = changes
        pass = ForwardPass(pool: model.pool)
        scratch = try telling { try AlignedBuffer(count: 2 * model.configuration.vocabularySize) }
    }

    /// KL(here ‖ there) after each of some tokens.
    ///
    /// - Parameters:
    ///   - first: Position of the first token to read again.
    ///   - others: A row for each token.
    func divergences(
        _ tokens: [TokenID], at first: Int, from others: Logits, isCancelled: () -> Bool
    ) throws(Problem) -> [Float] {
        cache.truncate(to: first)
        let capture = LiveCapture([], changes)
        pass.visitor = changes.isEmpty ? nil : capture
        defer { pass.visitor = nil }
        let own = try model.run(
            Segment(tokens, cache: cache, outputs: .all), in: pass, isCancelled: isCancelled)
        if let failure = capture.failure { throw failure }
        let count = model.configuration.vocabularySize
        return (0..<own.rows).map { row in
            guard let here = own[row].baseAddress, let there = others[row].baseAddress else { return 0 }
            let (a, b) = (
                LogitRow(here, count: count, scratch: scratch.pointer),
                LogitRow(there, count: count, scratch: scratch.pointer + count)
            )
            return Float(a.divergence(from: b))
        }
    }
}

extension InspectedRun {
    /// Creates a shadow that starts where a branch of this run starts.
    func shadow(from branch: InspectedRun) throws(Problem) -> ShadowBranch {
        try work.run { () throws(Problem) in
            let shared = cache.branch()
            shared.truncate(to: branch.state.readCount)
            return try ShadowBranch(model, shared, try changes(from: state.readCount))
        }
    }
}
