internal import Formatting
internal import Glibc
internal import Inference
public import JSON
internal import LanguageModels
internal import Models
internal import Providers
internal import Tokenizers

/// The divergence between the predictions of two models, such as a model and its quantization.
///
/// KL(p ‖ q) = Σ p ln(p / q) over the vocabulary, of the distributions before each token, p the first model's.
public struct ModelDivergence: Sendable, JSONRepresentable {
    public var tokens: Int
    /// Mean over tokens, in nats, and its largest.
    public var mean: Double
    public var worst: Double
    /// Share of tokens at which both find the same token likeliest.
    public var agreement: Double
    /// e to the mean surprise of the text's tokens.
    public var perplexity: (first: Double, second: Double)

    /// Lets two models read a text, a window of tokens at a time.
    ///
    /// - Throws: An error if a model cannot be opened, or the vocabularies differ.
    public static func measure(
        _ first: String, _ second: String, text: String, window: Int = 512,
        isCancelled: @escaping @Sendable () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) throws -> ModelDivergence {
        let models = try [first, second].map { try LocalModel(path: $0) }
        guard models[0].configuration.vocabularySize == models[1].configuration.vocabularySize else {
            throw ModelError(
                second, problem: "the vocabulary differs from \(first)'s",
                remedy: "Compare a model with its own quantization.")
        }
        let ids = models[0].tokenizer.encode(text)
        guard ids.count > 1 else { throw ModelError(first, problem: "the text has fewer than two tokens") }
        let length = max(2, min(window, (models.compactMap(\.capabilities.contextLength).min() ?? .max) - 1))
        var sum = Sums()
        for start in stride(from: 0, to: ids.count - 1, by: length - 1) {
            guard !isCancelled() else { throw CancellationError() }
            progress(Double(start) / Double(ids.count))
            let part = Array(ids[start..<min(start + length, ids.count)])
            guard part.count > 1 else { break }
            let expected = try logProbabilities(of: part, models[0])
            let found = try logProbabilities(of: part, models[1])
            for row in 0..<part.count - 1 { sum.add(expected[row], found[row], next: Int(part[row + 1])) }
        }
        return sum.result
    }

    private static func logProbabilities(of ids: [TokenID], _ model: LocalModel) throws -> [[Float]] {
        try model.withGenerator { generator, _ in
            let completion = try generator.begin(ids)
            let rows = try generator.decoder.forward(
                [Segment(ids, cache: completion.cache, outputs: .all)], isCancelled: { false })
            return (0..<rows.rows).map { logSoftmax(rows[$0]) }
        }
    }

    private static func logSoftmax(_ logits: UnsafeMutableBufferPointer<Float>) -> [Float] {
        let largest = logits.max() ?? 0
        var sum = 0.0
        for logit in logits { sum += exp(Double(logit - largest)) }
        let shift = largest + Float(log(sum))
        return logits.map { $0 - shift }
    }

    private struct Sums {
        var count = 0
        var divergence = 0.0
        var worst = 0.0
        var same = 0
        var surprise = (0.0, 0.0)

        mutating func add(_ p: [Float], _ q: [Float], next: Int) {
            var here = 0.0
            var best = (0, 0)
            for index in p.indices {
                let probability = exp(Double(p[index]))
                if probability > 0 { here += probability * Double(p[index] - q[index]) }
                if p[index] > p[best.0] { best.0 = index }
                if q[index] > q[best.1] { best.1 = index }
            }
            count += 1
            divergence += here
            worst = max(worst, here)
            same += best.0 == best.1 ? 1 : 0
            surprise.0 -= Double(p[next])
            surprise.1 -= Double(q[next])
        }

        var result: ModelDivergence {
            let n = Double(max(1, count))
            return ModelDivergence(
                tokens: count, mean: divergence / n, worst: worst, agreement: Double(same) / n,
                perplexity: (exp(surprise.0 / n), exp(surprise.1 / n)))
        }
    }

    public var sentence: String {
        "over \(tokens) tokens of the text: divergence \(Format.compact(mean)) nats/token (at most \(Format.compact(worst))), "
            + "same most likely token at \(Format.percent(agreement, digits: 2)), perplexity \(Format.loss(perplexity.first)) → "
            + Format.loss(perplexity.second)
    }

    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("tokens", tokens)
            $0.member("mean_nats", mean)
            $0.member("worst_nats", worst)
            $0.member("agreement", agreement)
            $0.member("perplexity_before", perplexity.first)
            $0.member("perplexity_after", perplexity.second)
        }
    }
}
