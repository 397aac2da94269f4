public import LanguageModels
public import Models
public import Tokenizers

/// Prompts become answers: in chunks, in batches, in branches, streamed and canceled at will.
///
/// ```swift
/// let generator = try Generator(decoder, texts: tokenizer, pool: pool)
/// let completion = try generator.begin(tokenizer.encode("An orrery turns"))
/// let answer = try generator.generate(completion, GenerationOptions(.greedy)) { print($0.text, terminator: "") }
/// let other = completion.branch(at: 3)      // the first three tokens, and then another way
/// ```
///
/// One thread uses a generator at a time, with all of its completions.
public final class Generator {
    public let decoder: any Decoder
    public let texts: any TokenTexts
    public let pool: KVPagePool
    /// Tokens of a prompt that run at once: a canceled one ends after them.
    public var prefillChunk: Int
    let chooser: TokenChooser

    /// - Throws: `ModelError` where memory is short.
    public init(
        _ decoder: any Decoder, texts: any TokenTexts, pool: KVPagePool, prefillChunk: Int = 512
    ) throws(ModelError) {
        self.decoder = decoder
        self.texts = texts
        self.pool = pool
        self.prefillChunk = max(1, prefillChunk)
        chooser = try TokenChooser(vocabularySize: decoder.vocabularySize)
    }

    /// Returns a completion that has not read its prompt yet.
    ///
    /// - Parameters:
    ///   - answered: Number of trailing tokens that belong to an unfinished generation.
    ///   - others: Completions of this generator, whose common beginning with the prompt is not read again.
    ///   - stream: Random stream of the generation.
    /// - Throws: `ModelError` where the prompt is empty or longer than the context.
    public func begin(
        _ prompt: [TokenID], answered: Int = 0, sharing others: [Completion] = [], stream: UInt64 = 0
    ) throws(ModelError) -> Completion {
        try check(prompt, for: "a reply")
        let promptCount = prompt.count - min(max(answered, 0), prompt.count)
        let shared = others.map { ($0, min($0.common(with: prompt), $0.cache.length, prompt.count - 1)) }
            .filter { $0.0.cache.pool === pool }.max { $0.1 < $1.1 }
        guard let (other, count) = shared, count > 0 else {
            return Completion(
                KVSequence(pool), tokens: prompt, promptCount: promptCount, stream: stream)
        }
        let cache = other.cache.branch()
        cache.truncate(to: count)
        return Completion(cache, tokens: prompt, promptCount: promptCount, stream: stream)
    }

    /// Returns several completions of one prompt, which is read once; number i uses random stream i.
    public func begin(_ prompt: [TokenID], count: Int, sharing others: [Completion] = []) throws(ModelError)
        -> [Completion]
    {
        let first = try begin(prompt, sharing: others)
        return [first] + (1..<max(1, count)).map { first.branch(stream: UInt64($0)) }
    }

    func check(_ tokens: [TokenID], for purpose: String) throws(ModelError) {
        guard !tokens.isEmpty else {
            throw ModelError(
                decoder.name, problem: "the prompt is empty", remedy: "Use a prompt with at least one token.")
        }
        guard tokens.count < decoder.contextLength else {
            throw ModelError(
                decoder.name,
                problem: "\(tokens.count) tokens and \(purpose) exceed the context length of \(decoder.contextLength)",
                remedy: "Shorten the text.")
        }
        guard let foreign = tokens.first(where: { $0 < 0 || Int($0) >= decoder.vocabularySize }) else { return }
        throw ModelError(
            decoder.name, problem: "token \(foreign) is not in the vocabulary of \(decoder.vocabularySize)",
            remedy: "Tokenize the text with the tokenizer of this model.")
    }

    /// Returns a stream that generates one token at a time for each completion.
    public func stream(_ completions: [Completion], _ options: GenerationOptions) -> TokenStream {
        TokenStream(self, completions, options)
    }

    /// Goes on with a completion until its answer is over.
    ///
    /// - Parameters:
    ///   - isCancelled: Called between chunks and layers; `true` cancels.
    ///   - receive: Called with each step.
    public func generate(
        _ completion: Completion, _ options: GenerationOptions, isCancelled: () -> Bool = { false },
        receive: (TokenStep) -> Void
    ) throws(ModelError) -> Answer {
        let stream = stream([completion], options)
        while let steps = try stream.next(isCancelled: isCancelled) {
            for step in steps { receive(step.step) }
        }
        return stream.answers[0]
    }

    /// Goes on with several completions as one batch.
    public func generate(
        _ completions: [Completion], _ options: GenerationOptions, isCancelled: () -> Bool = { false },
        receive: (TokenStream.Step) -> Void
    ) throws(ModelError) -> [Answer] {
        let stream = stream(completions, options)
        while let steps = try stream.next(isCancelled: isCancelled) { steps.forEach(receive) }
        return stream.answers
    }

    /// Goes on with a completion until its answer is over, unwatched.
    @discardableResult
    public func generate(_ completion: Completion, _ options: GenerationOptions) throws(ModelError) -> Answer {
        try generate(completion, options, receive: { _ in })
    }

    /// Reads the unread tokens of a completion in chunks; returns the logits of the last token, or `nil` if canceled.
    func prefill(_ completion: Completion, _ isCancelled: () -> Bool) throws(ModelError) -> (any LogitRows)? {
        let (cache, tokens) = (completion.cache, completion.tokens)
        cache.truncate(to: min(cache.length, tokens.count - 1))
        while true {
            let first = cache.length
            let end = min(first + prefillChunk, tokens.count)
            guard !isCancelled() else { return nil }
            let segment = Segment(
                Array(tokens[first..<end]), cache: cache, outputs: end == tokens.count ? .last : .none)
            let rows = try decoder.forward([segment], isCancelled: isCancelled)
            if end == tokens.count { return rows }
        }
    }
}
