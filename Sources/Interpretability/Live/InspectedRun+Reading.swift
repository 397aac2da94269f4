internal import Glibc
internal import Inference
internal import Kernels
internal import Models
public import System
internal import Tokenizers

extension InspectedRun {
    /// Bytes that the explicit scores of a chunk may take.
    private static let mostScoreBytes = 64 << 20

    /// Reads what has not been read yet, in chunks.
    ///
    /// - Parameters:
    ///   - isCancelled: Checked between layers.
    ///   - progress: Called after each chunk with the tokens read and their total.
    /// - Throws: An error if it was canceled (it may be called again and goes on), an intervention does not fit, or
    ///   memory is short.
    public func read(
        isCancelled: () -> Bool = { false }, progress: (_ read: Int, _ of: Int) -> Void = { _, _ in }
    ) throws(Problem) {
        try work.run { () throws(Problem) in
            try readOn(isCancelled: isCancelled, progress: progress)
        }
    }

    func readOn(
        isCancelled: () -> Bool, progress: (Int, Int) -> Void = { _, _ in },
        inspect: (Int, Logits) throws(Problem) -> Void = { _, _ in }
    ) throws(Problem) {
        while state.readCount < tokens.count {
            guard !isCancelled() else { throw .cancelled() }
            try advance(chunk(from: state.readCount, to: tokens.count), isCancelled: isCancelled, inspect: inspect)
            progress(state.readCount, tokens.count)
        }
    }

    /// Tokens of the next pass: as many as leave the explicit scores within their memory.
    func chunk(from first: Int, to end: Int) -> Int {
        // Other changes begin with a pass of their own.
        let end = changedFrom.map { first < $0 ? min(end, $0) : end } ?? end
        guard options.keepsAttention else { return min(end - first, 256) }
        let heads = model.configuration.headCount
        // n rows of first + n keys.
        var count = min(end - first, 256)
        while count > 1, 4 * heads * count * (first + count) > Self.mostScoreBytes { count = (count + 1) / 2 }
        return count
    }

    /// One pass over the next tokens.
    ///
    /// - Parameter inspect: Gets the logits of all its tokens while they are in the pass's memory.
    func advance(
        _ count: Int, isCancelled: () -> Bool, inspect: (Int, Logits) throws(Problem) -> Void
    ) throws(Problem) {
        let (first, start) = (state.readCount, Clock.now(.monotonic))
        let recorder = try recorder(first, count)
        let end = first + count
        pass.visitor = recorder
        defer { pass.visitor = nil }
        // All rows if a row is needed for each token; otherwise only the last, if a token is drawn from it.
        let outputs: Segment.Outputs =
            options.scoresPrompt || changedFrom != nil ? .all : end == tokens.count ? .last : .none
        let rows: Logits
        do throws(Problem) {
            rows = try model.run(
                Segment(Array(tokens[first..<end]), cache: cache, outputs: outputs), in: pass, isCancelled: isCancelled)
            if let failure = recorder.failure { throw failure }
            try inspect(first, rows)
        } catch {
            cache.truncate(to: first)
            valueNorms.cut(to: first)
            throw error
        }
        state = recorder.added(to: state)
        for position in first..<end { occurrences[tokens[position], default: []].append(Int32(position)) }
        note(rows, first: end - rows.rows, end: end)
        tokensPerSecond = Double(count) / max(1e-9, Clock.now(.monotonic) - start)
        publish()
    }

    private func recorder(_ first: Int, _ count: Int) throws(Problem) -> RunRecorder {
        var attention: AtlasPass?
        if options.keepsAttention {
            var places = occurrences
            var before: [[Int32]] = []
            for position in first..<first + count {
                before.append(places[tokens[position]] ?? [])
                places[tokens[position], default: []].append(Int32(position))
            }
            attention = try AtlasPass(state.atlas, occurrences: before, history: valueNorms, options: options)
        }
        return try RunRecorder(
            model, options, changes: try changes(from: first), first: first, count: count, attention: attention)
    }

    /// What rows say of the tokens that follow; the last is kept to draw from.
    private func note(_ rows: Logits, first: Int, end: Int) {
        let vocabulary = model.configuration.vocabularySize
        for position in state.records.count..<max(state.records.count, min(end + 1, tokens.count)) {
            // The row before a token predicts it.
            let index = position - 1 - first
            guard index >= 0, index < rows.rows, let row = rows[index].baseAddress else {
                state.records.append(TokenRecord())
                continue
            }
            state.records.append(
                LogitRow(row, count: vocabulary, scratch: scratch.pointer)
                    .record(of: tokens[position], alternatives: options.alternatives))
        }
        if rows.rows > 0, let last = rows[rows.rows - 1].baseAddress {
            logits.pointer.update(from: last, count: vocabulary)
        }
    }
}

extension InspectedModel {
    /// A pass with cancellation, failing in words of this module.
    func run(
        _ segment: Segment, in pass: ForwardPass, isCancelled: () -> Bool
    ) throws(Problem) -> Logits {
        do {
            return try withoutActuallyEscaping(isCancelled) { isCancelled throws(ModelError) in
                pass.isCancelled = isCancelled
                defer { pass.isCancelled = nil }
                return try transformer.forward([segment], in: pass)
            }
        } catch {
            segment.cache.forgetReserved()
            throw error.isCancellation ? .cancelled() : Problem(error)
        }
    }
}

extension KeyValueSequence {
    /// Gives back pages that a failed pass had reserved.
    func forgetReserved() {
        if let sequence = self as? KVSequence { sequence.truncate(to: sequence.length) }
    }
}
