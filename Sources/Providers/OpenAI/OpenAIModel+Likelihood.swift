internal import JSON
public import LanguageModels
internal import Tokenizers

/// How probable texts are to a model behind `/v1/completions`, which tells the text's own tokens back (`echo`).
///
/// With a remote tokenizer everything is as the evaluation harness's `local-completions` does it (0.4.13,
/// `tokenizer_backend=remote`, texts as requests): white space at the end of a context goes to the continuation, context
/// and whole are tokenized, the continuation's tokens are those behind as many as the context alone has; 2,047 tokens are
/// the most. Without one the tokens' places in the text tell the seam.
extension OpenAIModel: LikelihoodModel {
    /// Tokens of context and continuation together, one place left for the answer.
    private static let longest = 2047

    public func likelihood(
        of continuation: String, after context: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        let (context, continuation) = Self.split(context, continuation)
        guard case .there(let prefix) = try remoteTokenizer.presence(isCancelled) else {
            return try likelihoodByOffsets(of: continuation, after: context, isCancelled)
        }
        if context.isEmpty {
            let tokens = try remoteTokenizer.encode(continuation, isCancelled)
            guard let prefix else { return try likelihoodByOffsets(of: continuation, after: "", isCancelled) }
            guard tokens.first != prefix else {
                return try counted(Array(tokens.prefix(1)), Array(tokens.dropFirst()), text: nil, isCancelled)
            }
            return try counted([prefix], tokens, text: nil, isCancelled)
        }
        let whole = try remoteTokenizer.encode(context + continuation, isCancelled)
        let before = try remoteTokenizer.encode(context, isCancelled)
        return try counted(before, Array(whole.dropFirst(before.count)), text: context + continuation, isCancelled)
    }

    public func likelihood(
        ofAll text: String, isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        guard case .there(let prefix) = try remoteTokenizer.presence(isCancelled), let prefix else {
            return try likelihoodByOffsets(of: text, after: "", isCancelled)
        }
        let tokens = try remoteTokenizer.encode(text, isCancelled)
        var sum = Likelihood(logProbability: 0, isGreedy: true)
        sum.rule = "remote tokenizer"
        for window in Self.windows(tokens, prefix: prefix, longest: Self.longest - 1) {
            let part = try counted(window.context, window.continuation, text: nil, isCancelled)
            if part.rule != nil { sum.rule = part.rule }
            sum.logProbability += part.logProbability
            sum.isGreedy = sum.isGreedy && part.isGreedy
            sum.tokens += part.tokens
            if let usage = part.usage {
                sum.usage = sum.usage ?? Usage()
                sum.usage? += usage
            }
        }
        return sum
    }

    /// White space at the end of a context belongs to what follows: words are tokens with the space before them.
    static func split(_ context: String, _ continuation: String) -> (context: String, continuation: String) {
        var scalars = context.unicodeScalars
        while let last = scalars.last, PythonLiteral.isSpace(last) { scalars.removeLast() }
        let kept = String(scalars)
        let space = String(context.unicodeScalars.dropFirst(scalars.count))
        return (kept, space + continuation)
    }

    /// Windows over a long text that do not overlap, each behind what still fits of the tokens before it.
    static func windows(
        _ tokens: [Int], prefix: Int, longest: Int
    ) -> [(context: [Int], continuation: [Int])] {
        guard !tokens.isEmpty else { return [] }
        var done = min(longest, tokens.count)
        var windows = [(context: [prefix], continuation: Array(tokens[..<done]))]
        while done < tokens.count {
            let count = min(tokens.count - done, longest)
            let end = done + count
            windows.append((Array(tokens[max(0, end - longest - 1)..<done]), Array(tokens[done..<end])))
            done = end
        }
        return windows
    }

    /// Asks for tokens whose place is known.
    ///
    /// - Parameter text: Text of all tokens; `nil` if it must be decoded from the tokens.
    private func counted(
        _ context: [Int], _ continuation: [Int], text: String?, _ isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        let all = context + continuation
        let cut = max(0, all.count - Self.longest)
        let prompt: String
        if let text, cut == 0 {
            prompt = text
        } else {
            prompt = try remoteTokenizer.decode(Array(all.dropFirst(cut)), isCancelled)
        }
        let echo = try echo(of: prompt, isCancelled)
        let first = context.count - cut
        guard first > 0 else { throw violation("the continuation alone is longer than \(Self.longest) tokens") }
        var likelihood = try echo.likelihood(from: first, to: echo.tokens.count - 1, of: self)
        for index in likelihood.tokens.indices where index < continuation.count {
            likelihood.tokens[index].id = continuation[index]
        }
        likelihood.rule = Self.rule("remote tokenizer", likelihood)
        return likelihood
    }

    /// Asks for a text whose tokens only the server knows: a token that reaches over the seam is the continuation's.
    private func likelihoodByOffsets(
        of continuation: String, after context: String, _ isCancelled: @Sendable () -> Bool
    ) throws(LanguageModelError) -> Likelihood {
        let echo = try echo(of: context + continuation, isCancelled)
        let seam = context.unicodeScalars.count
        let end = echo.tokens.count - 1
        guard echo.offsets.count > end else {
            throw violation("the server reports neither a tokenizer nor text offsets of tokens")
        }
        var first = (0..<max(0, end)).first { $0 + 1 < echo.offsets.count && echo.offsets[$0 + 1] > seam } ?? end
        // Nothing says how probable a first token is.
        if first == 0 { first = 1 }
        var likelihood = try echo.likelihood(from: min(first, end), to: end, of: self)
        likelihood.rule = Self.rule(
            context.isEmpty ? "text offsets, without the first token" : "text offsets", likelihood)
        return likelihood
    }

    /// How the seam was found, and whether alternatives were told.
    private static func rule(_ words: String, _ likelihood: Likelihood) -> String {
        likelihood.rule == nil ? words : "\(words), \(Likelihood.withoutAlternatives)"
    }

    /// A text with its tokens' probabilities.
    private func echo(of prompt: String, _ isCancelled: @Sendable () -> Bool) throws(LanguageModelError) -> Echo {
        let name = try modelName(isCancelled)
        var json = JSONWriter()
        json.object { json in
            json.member("model", name)
            json.member("prompt", prompt)
            json.member("temperature", 0)
            json.member("max_tokens", 1)
            json.member("logprobs", 1)
            json.member("seed", 1234)
            json.member("echo", true)
        }
        var body: [UInt8] = []
        let memory = AnswerMemory.Share(.shared)
        let title = transport.endpoint.title
        let outcome = try transport.send("/completions", body: json.bytes, texts: [prompt], isCancelled: isCancelled) {
            (_, bytes) throws(LanguageModelError) in
            guard body.count + bytes.count <= 256 << 20 else { throw violation("the response is too large") }
            guard memory.take(bytes.count * AnswerMemory.wholeFactor) else { throw AnswerMemory.failure(title) }
            body.append(contentsOf: bytes)
            return true
        }
        switch outcome {
        case .answered: break
        case .cancelled:
            throw LanguageModelError(.local, model: transport.endpoint.title, problem: "the request was canceled")
        case .refused(let refusal, let retries): throw transport.failure(refusal, retries: retries)
        }
        guard let document = try? JSONDocument(parsing: body) else { throw violation("the response is not JSON") }
        guard let echo = document.withRoot({ Echo($0) }) else {
            throw violation("the server does not return log probabilities of the prompt (echo with logprobs)")
        }
        if let problem = echo.problem(of: prompt) { throw violation(problem) }
        return echo
    }

    func violation(_ problem: String) -> LanguageModelError {
        LanguageModelError(
            .protocolViolation, model: transport.endpoint.title, problem: problem,
            remedy: "Use a server such as vLLM, or a local model.")
    }
}
