internal import Kernels
public import LanguageModels
public import Models
public import Tokenizers

/// Turns a row of logits into a token, and says how it came about.
///
/// ```swift
/// let chooser = try TokenChooser(vocabularySize: 32_000)
/// let choice = try chooser.choose(logits, chain, after: history, random: CounterRandom(seed: 7))
/// ```
///
/// One for each thread: it keeps memory from row to row.
public final class TokenChooser {
    public let vocabularySize: Int
    private let candidates: Candidates

    /// - Throws: `ModelError` where memory is short.
    public init(vocabularySize: Int) throws(ModelError) {
        self.vocabularySize = vocabularySize
        do {
            candidates = try Candidates(vocabularySize: max(vocabularySize, 1))
        } catch {
            throw ModelError("sampling", problem: error.sentence)
        }
    }

    /// A token, and what a screen says about it.
    public struct Choice: Hashable, Sendable {
        public var id: TokenID
        /// Natural logarithm of its probability before any processor.
        public var logProbability: Double
        /// Entropy of the model's distribution, in nats.
        public var entropy: Double
        /// Alternatives, most probable first, with the chosen token added if missing; empty if not requested.
        public var alternatives: [Candidate] = []
        /// Statistics of each processor; empty if not requested.
        public var stages: [ProcessorStage] = []
    }

    /// A token that might have come, before its id has become a text.
    public struct Candidate: Hashable, Sendable {
        public var id: TokenID
        public var logProbability: Double
        /// Its probability after each stage.
        public var afterStages: [Double] = []
    }

    /// Draws a token. The row stays as it is.
    ///
    /// - Parameters:
    ///   - alternatives: Number of alternatives to report.
    ///   - showsStages: Whether to report every processor. The chain then runs twice, with a softmax for each
    ///     processor the second time.
    /// - Throws: `ModelError` if the logits are not numbers, or no token is left.
    public func choose(
        _ logits: UnsafeMutableBufferPointer<Float>, _ chain: ProcessorChain, after history: TokenHistory,
        random: CounterRandom, alternatives: Int = 0, showsStages: Bool = false
    ) throws(ModelError) -> Choice {
        let summary = try summary(of: logits)
        let row = candidates.row
        var shown = alternatives > 0 ? candidates.mostProbable(alternatives) : []
        if !chain.processors.isEmpty { try candidates.copy() }
        for processor in chain.processors { processor.process(candidates, after: history) }
        guard let id = candidates.draw(random.uniform(at: history.count)) else {
            throw ModelError(
                "sampling", problem: "the logit processors removed all tokens",
                remedy: "Relax \(chain.processors.map(\.name).joined(separator: ", ")).")
        }

        var choice = Choice(
            id: id, logProbability: Double(row[Int(id)]) - summary.logSumExp, entropy: summary.entropy)
        if alternatives > 0, !shown.contains(id) { shown.append(id) }
        choice.alternatives = shown.map {
            Candidate(id: $0, logProbability: Double(row[Int($0)]) - summary.logSumExp)
        }
        if showsStages { try show(chain, at: row, after: history, in: &choice) }
        return choice
    }

    /// Returns log-sum-exp and entropy of a row, and makes it the row of the candidates.
    private func summary(
        of logits: UnsafeMutableBufferPointer<Float>
    ) throws(ModelError) -> Candidates.Summary {
        guard logits.count == vocabularySize, let row = logits.baseAddress else {
            throw ModelError("sampling", problem: "\(logits.count) logits for \(vocabularySize) tokens")
        }
        candidates.reset(row)
        let summary = candidates.summarize()
        guard summary.logSumExp.isFinite, summary.entropy.isFinite else {
            throw ModelError(
                "sampling", problem: "the model's logits are not finite",
                remedy: "The model file may be corrupt. Compare its digest with the source.")
        }
        return summary
    }

    /// Runs the chain again, and records the probabilities after each processor.
    private func show(
        _ chain: ProcessorChain, at row: UnsafeMutablePointer<Float>, after history: TokenHistory,
        in choice: inout Choice
    ) throws(ModelError) {
        candidates.reset(row)
        try candidates.copy()
        for processor in chain.processors {
            processor.process(candidates, after: history)
            let entropy = candidates.summarize().entropy
            choice.stages.append(ProcessorStage(name: processor.name, remaining: candidates.count, entropy: entropy))
            for index in choice.alternatives.indices {
                let probability = candidates.knownProbability(choice.alternatives[index].id)
                choice.alternatives[index].afterStages.append(probability)
            }
        }
    }
}

extension TokenChooser {
    /// Returns the score of a given token in a row.
    func score(_ id: TokenID, in logits: UnsafeMutableBufferPointer<Float>) throws(ModelError) -> ScoredToken {
        let summary = try summary(of: logits)
        let logit = logits[Int(id)]
        var above = 0
        for other in logits where other > logit { above += 1 }
        return ScoredToken(
            id: id, logProbability: Double(logit) - summary.logSumExp, rank: above + 1, entropy: summary.entropy)
    }
}
