internal import Inference
internal import Kernels
internal import Models
public import System
public import Tokenizers

extension InspectedRun {
    /// One token: drawn, read, and seen in the snapshot. What is unread is read first.
    ///
    /// - Returns: `nil` if the text has ended, by its last token or because the context is full.
    /// - Throws: An error if it was canceled (a token that was drawn stays and is read by the next call), or as
    ///   `read`.
    public func step(isCancelled: () -> Bool = { false }) throws(Problem) -> LiveToken? {
        try work.run { () throws(Problem) in try drawNext(isCancelled: isCancelled) }
    }

    /// A token of one's own choosing, instead of a drawn one.
    ///
    /// - Throws: An error if the vocabulary does not have it, or the context is full.
    public func append(_ token: TokenID) throws(Problem) {
        try work.run { () throws(Problem) in
            try readOn(isCancelled: { false })
            guard token >= 0, Int(token) < model.configuration.vocabularySize else {
                throw Problem(
                    .invalid, model.name, "token \(token) is not in the vocabulary",
                    remedy: "Use a token from 0 to \(model.configuration.vocabularySize - 1).")
            }
            guard tokens.count < model.contextLength else {
                throw Problem(
                    .invalid, model.name, "the context of \(model.contextLength) tokens is full",
                    remedy: "Start again with a shorter text.")
            }
            finish = nil
            _ = try add(token, isCancelled: { false }, since: Clock.now(.monotonic))
        }
    }

    func drawNext(
        isCancelled: () -> Bool,
        inspect: (Int, Logits) throws(Problem) -> Void = { _, _ in }
    ) throws(Problem) -> LiveToken? {
        try readOn(isCancelled: isCancelled, inspect: inspect)
        guard finish == nil, state.readCount == tokens.count else { return nil }
        guard tokens.count < model.contextLength else {
            finish = .contextFull
            publish()
            return nil
        }
        guard !isCancelled() else { throw .cancelled() }
        let start = Clock.now(.monotonic)
        let choice = try telling {
            try chooser.choose(
                logits.elements, options.chain, after: history, random: CounterRandom(seed: options.seed))
        }
        return try add(choice.id, isCancelled: isCancelled, since: start, inspect: inspect)
    }

    private func add(
        _ token: TokenID, isCancelled: () -> Bool, since start: Double,
        inspect: (Int, Logits) throws(Problem) -> Void = { _, _ in }
    ) throws(Problem) -> LiveToken {
        let record = LogitRow(logits.pointer, count: logits.count, scratch: scratch.pointer)
            .record(of: token, alternatives: options.alternatives)
        let position = tokens.count
        tokens.append(token)
        history.append(token)
        state.records.append(record)
        if (options.endTokens ?? model.tokenizer.endOfGeneration).contains(token) { finish = .endToken }
        try advance(1, isCancelled: isCancelled, inspect: inspect)
        return LiveToken(position: position, id: token, record: record, seconds: Clock.now(.monotonic) - start)
    }
}
