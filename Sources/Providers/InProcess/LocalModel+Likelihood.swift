internal import Inference
public import LanguageModels
internal import Models
internal import Tokenizers

/// How probable texts are to a model in this process: exact, by one pass over the text.
///
/// What contexts have in common is read once: the keys and values of the last ones are kept, so that the choices of a
/// question cost their own tokens.
extension LocalModel: LikelihoodModel {
    public func likelihood(
        of continuation: String, after context: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        let (context, continuation) = OpenAIModel.split(context, continuation)
        guard let prefix = tokenizer.encode("", addingSpecialTokens: true).first ?? endOfText else {
            let whole = tokenizer.encode(context + continuation)
            return try scored(whole, from: max(1, tokenizer.encode(context).count), isCancelled)
        }
        if context.isEmpty {
            let tokens = tokenizer.encode(continuation, addingSpecialTokens: false)
            return try scored(tokens.first == prefix ? tokens : [prefix] + tokens, from: 1, isCancelled)
        }
        let whole = tokenizer.encode(context + continuation)
        return try scored(whole, from: max(1, tokenizer.encode(context).count), isCancelled)
    }

    public func likelihood(
        ofAll text: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        let tokens = tokenizer.encode(text, addingSpecialTokens: false).map { Int($0) }
        guard let prefix = tokenizer.encode("", addingSpecialTokens: true).first ?? endOfText else {
            return try scored(tokens.map { TokenID($0) }, from: 1, isCancelled)
        }
        var sum = Likelihood(logProbability: 0, isGreedy: true)
        for window in OpenAIModel.windows(tokens, prefix: Int(prefix), longest: desk.decoder.contextLength - 1) {
            let ids = (window.context + window.continuation).map { TokenID($0) }
            let part = try scored(ids, from: window.context.count, isCancelled)
            sum.logProbability += part.logProbability
            sum.isGreedy = sum.isGreedy && part.isGreedy
            sum.tokens += part.tokens
        }
        return sum
    }

    /// The token that ends a text, where the model has one.
    private var endOfText: TokenID? { configuration.endTokens.first.map { TokenID($0) } }

    /// Too long a text loses its beginning.
    private func scored(
        _ tokens: [TokenID], from first: Int, _ isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        let cut = max(0, tokens.count - desk.decoder.contextLength)
        let tokens = Array(tokens.dropFirst(cut))
        let first = max(1, first - cut)
        guard desk.take(unless: isCancelled) else {
            throw LanguageModelError(.local, model: name, problem: "the request was canceled")
        }
        defer { desk.leave() }
        do throws(ModelError) {
            makeRoom(for: tokens.count)
            let scores = try desk.generator.score(
                tokens, from: first, sharing: desk.kept, keep: { keep($0) }, isCancelled: isCancelled)
            guard scores.count == max(0, tokens.count - first) else {
                throw ModelError(path, problem: "the request was canceled")
            }
            return Likelihood(
                logProbability: scores.logLikelihood, isGreedy: scores.allSatisfy { $0.rank == 1 },
                tokens: scores.map { score in
                    Likelihood.Token(
                        text: tokenizer.piece(score.id), id: Int(score.id), logProbability: score.logProbability,
                        isGreedy: score.rank == 1)
                })
        } catch {
            throw LanguageModelError(.local, model: name, problem: error.problem, remedy: error.remedy)
        }
    }
}
