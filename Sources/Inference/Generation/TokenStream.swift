public import LanguageModels
public import Models
internal import System

/// Answers that grow a token at a time, all of them in one batch.
///
/// ```swift
/// let stream = try generator.stream([completion], options)
/// while let steps = try stream.next() { print(steps[0].step.text, terminator: "") }
/// ```
public final class TokenStream {
    private let generator: Generator
    private var continuations: [Continuation]

    init(_ generator: Generator, _ completions: [Completion], _ options: GenerationOptions) {
        self.generator = generator
        let start = Clock.now(.monotonic)
        continuations = completions.map { completion in
            var options = options
            options.random.stream = completion.stream
            return Continuation(
                completion, options, generator.texts, contextLength: generator.decoder.contextLength, start: start)
        }
    }

    /// A step of one of the answers.
    public struct Step: Hashable, Sendable {
        /// Index of the completion, in the original order.
        public var index: Int
        public var step: TokenStep
    }

    /// Returns the next token of every unfinished generation; `nil` if all are finished.
    ///
    /// - Parameter isCancelled: Called between chunks of the prompt and between layers; `true` ends all generations
    ///   early.
    /// - Throws: `ModelError`; completions are then as they were before the step.
    public func next(isCancelled: () -> Bool = { false }) throws(ModelError) -> [Step]? {
        let active = continuations.indices.filter { continuations[$0].finish == nil }
        guard !active.isEmpty, !isCancelled() else { return cancel() }
        do {
            guard let first = try read(active, isCancelled) else { return cancel() }
            let rest = active.filter { index in !first.contains { $0.index == index } }
            return (first + (try step(rest, isCancelled))).sorted { $0.index < $1.index }
        } catch {
            for index in active {
                let cache = continuations[index].completion.cache
                cache.truncate(to: cache.length)  // pages that were reserved and not written
            }
            if error.isCancellation { return cancel() }
            throw error
        }
    }

    /// Prefills generations with more than one unread token, one after the other; returns `nil` if canceled.
    ///
    /// Answers to the same text read it once, and draw from the same logits: each draws what it would draw alone.
    private func read(_ active: [Int], _ isCancelled: () -> Bool) throws(ModelError) -> [Step]? {
        var unread = active.filter {
            continuations[$0].completion.tokens.count - continuations[$0].completion.cache.length != 1
        }
        var steps: [Step] = []
        while let first = unread.first {
            let completion = continuations[first].completion
            let group = unread.filter { continuations[$0].completion.tokens == completion.tokens }
            unread.removeAll { group.contains($0) }
            guard let rows = try generator.prefill(completion, isCancelled) else { return nil }
            for index in group.dropFirst() { continuations[index].adopt(completion) }
            for index in group { steps.append(try accept(rows[0], index)) }
        }
        return steps
    }

    /// Runs the last token of each generation as one batch.
    private func step(_ active: [Int], _ isCancelled: () -> Bool) throws(ModelError) -> [Step] {
        guard !active.isEmpty else { return [] }
        let segments = active.map { index in
            let completion = continuations[index].completion
            return Segment([completion.tokens[completion.tokens.count - 1]], cache: completion.cache)
        }
        let rows = try generator.decoder.forward(segments, isCancelled: isCancelled)
        var steps: [Step] = []
        for (row, index) in active.enumerated() { steps.append(try accept(rows[row], index)) }
        return steps
    }

    private func accept(_ row: UnsafeMutableBufferPointer<Float>, _ index: Int) throws(ModelError) -> Step {
        let options = continuations[index].options
        let choice = try generator.chooser.choose(
            row, options.chain, after: continuations[index].history, random: options.random,
            alternatives: options.alternatives, showsStages: options.showsStages)
        let step = continuations[index].accept(choice)
        return Step(index: index, step: step)
    }

    private func cancel() -> [Step]? {
        for index in continuations.indices { continuations[index].end(.cancelled) }
        return nil
    }

    /// One for each completion; those that are not over yet as far as they came.
    public var answers: [Answer] { continuations.map(\.answer) }
}
