internal import Inference
internal import Models
internal import Synchronization
public import System
internal import Tokenizers

/// What two branches say: one that goes on untouched, and one that was changed.
public struct PairSnapshot: Sendable {
    /// The token that was run again first.
    public var from: Int
    /// First position at which the texts differ; `nil` if they are equal so far.
    public var firstDifference: Int?
    /// KL(untouched ‖ changed) of what is expected after token `from + i` of the changed text, in nats: the untouched
    /// model is fed the same tokens.
    public var divergences: [Float]

    public var meanDivergence: Float {
        divergences.isEmpty ? 0 : divergences.reduce(0, +) / Float(divergences.count)
    }
}

/// One token on both sides.
public struct PairStep: Hashable, Sendable {
    /// Next token of the unchanged run; `nil` if it has ended or was ahead.
    public var untouched: LiveToken?
    public var changed: LiveToken?
    /// After the token of the changed side.
    public var divergence: Float?
}

/// A text as it comes and as it comes with a change, side by side, with the divergence at each token.
///
/// A third sequence, unchanged and not recorded, reads the tokens of the changed run; its predictions are the baseline
/// for the change. All three share keys and values up to `from`.
public final class RunPair: @unchecked Sendable {  // the shadow is touched within `work` alone
    public let untouched: InspectedRun
    public let changed: InspectedRun
    private let work = SerialWork()
    private let shown: Mutex<PairSnapshot>
    private let shadow: ShadowBranch

    /// - Parameters:
    ///   - untouched: Run that continues unchanged; it may already be past `token`.
    ///   - token: First token that is run with the change.
    /// - Throws: An error if there is no such token, or an intervention does not fit.
    public init(
        _ untouched: InspectedRun, from token: Int, with interventions: [LiveIntervention],
        options: RunOptions? = nil
    ) throws(Problem) {
        self.untouched = untouched
        changed = try untouched.rerun(from: token, with: interventions, options: options)
        shadow = try untouched.shadow(from: changed)
        shown = Mutex(PairSnapshot(from: token, firstDifference: nil, divergences: []))
    }

    public var snapshot: PairSnapshot { shown.withLock { $0 } }

    /// Reads what the changed side has not read yet, with its divergences.
    ///
    /// - Throws: The errors of `InspectedRun.read`.
    public func read(isCancelled: () -> Bool = { false }) throws(Problem) {
        try work.run { () throws(Problem) in
            try changed.work.run { () throws(Problem) in
                try changed.readOn(
                    isCancelled: isCancelled,
                    inspect: { (first, logits) throws(Problem) in
                        try compare(first, logits, isCancelled)
                    })
            }
        }
    }

    /// Steps both sides unless they have ended; reads unread tokens first.
    ///
    /// - Returns: `nil` if both runs have ended.
    /// - Throws: The errors of `InspectedRun.step`.
    public func step(isCancelled: () -> Bool = { false }) throws(Problem) -> PairStep? {
        try work.run { () throws(Problem) in
            let token = try changed.work.run { () throws(Problem) in
                try changed.drawNext(
                    isCancelled: isCancelled,
                    inspect: { (first, logits) throws(Problem) in
                        try compare(first, logits, isCancelled)
                    })
            }
            let changedCount = changed.snapshot.tokens.count
            let other =
                untouched.snapshot.tokens.count < changedCount || token == nil
                ? try untouched.step(isCancelled: isCancelled) : nil
            noteDifference()
            guard token != nil || other != nil else { return nil }
            return PairStep(
                untouched: other, changed: token, divergence: token == nil ? nil : snapshot.divergences.last)
        }
    }

    /// Feeds the shadow the tokens of a pass of the changed side and compares.
    private func compare(
        _ first: Int, _ logits: Logits, _ isCancelled: () -> Bool
    ) throws(Problem) {
        let from = changed.changedFrom ?? 0
        let found = try shadow.divergences(
            Array(changed.tokens[first..<first + logits.rows]), at: first, from: logits, isCancelled: isCancelled)
        shown.withLock { shown in
            // A pass that was run once more replaces what it said before.
            shown.divergences.removeSubrange(min(max(0, first - from), shown.divergences.count)...)
            shown.divergences += found.suffix(max(0, first + logits.rows - max(first, from)))
        }
    }

    private func noteDifference() {
        let (a, b) = (untouched.snapshot.tokens, changed.snapshot.tokens)
        let common = zip(a, b).prefix { $0 == $1 }.count
        let differs = common < min(a.count, b.count)
        shown.withLock { $0.firstDifference = differs ? common : nil }
    }
}
