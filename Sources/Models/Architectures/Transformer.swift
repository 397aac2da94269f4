internal import Kernels
internal import System
internal import Tokenizers

/// A checkpoint's weights bound to its architecture: a model that runs.
///
/// ```swift
/// let transformer = try Transformer.load(Checkpoints.open("llama.gguf"))
/// let sequence = ContiguousKeyValues(transformer.configuration)
/// let logits = try transformer.forward([Segment(prompt, cache: sequence)], in: ForwardPass())
/// ```
///
/// It never changes: any number of passes may run it at once.
public final class Transformer: Sendable {
    public let configuration: ModelConfiguration
    /// The checkpoint's path.
    public let path: String
    let architecture: any Architecture
    /// Names of the linear layers that adapters may change.
    let linears: [String]
    /// Every hook, in the order of a pass.
    let hooks: [Hook]

    private init(
        _ checkpoint: any Checkpoint, _ architecture: any Architecture, linears: [String], hooks: [Hook]
    ) {
        configuration = checkpoint.configuration
        path = checkpoint.path
        self.architecture = architecture
        self.linears = linears
        self.hooks = hooks
    }

    /// Binds a checkpoint's weights, which stay where they lie: vectors alone are copied.
    ///
    /// - Throws: `ModelError` where a tensor is missing or has other sizes than the configuration says.
    public static func load(_ checkpoint: any Checkpoint) throws(ModelError) -> Transformer {
        let configuration = checkpoint.configuration
        try configuration.check(checkpoint.path)
        let reader = WeightReader(checkpoint)
        let architecture = try configuration.family.bind(reader)
        return Transformer(
            checkpoint, architecture, linears: reader.linears, hooks: Hook.allCases(for: configuration))
    }

    /// Runs the next tokens of several sequences, each against its own keys and values, in one batch.
    ///
    /// Matrices are multiplied with the rows of all sequences at once; attention goes from sequence to sequence. The
    /// positions are committed when the pass is done; one that fails or is canceled leaves every sequence as it was.
    ///
    /// - Returns: logits in the memory of `pass`: segment after segment, the tokens that `outputs` asks for.
    /// - Throws: `ModelError` where a token is none of the vocabulary, a sequence is longer than its positions reach,
    ///   memory is short, or the pass is canceled.
    public func forward(_ segments: [Segment], in pass: ForwardPass) throws(ModelError) -> Logits {
        let start = pass.now()
        guard configuration.pooling == nil else {
            throw ModelError(
                path, problem: "encoders do not predict a next token", remedy: "Use the model for embeddings.")
        }
        pass.tokens.removeAll(keepingCapacity: true)
        pass.tokenTypes.removeAll(keepingCapacity: true)
        for segment in segments {
            try check(segment.tokens, after: segment.cache.length)
            pass.tokens.append(contentsOf: segment.tokens)
        }
        guard !pass.tokens.isEmpty else { throw ModelError(path, problem: "the input has no tokens") }
        for segment in segments { try segment.cache.reserve(segment.tokens.count) }
        defer { pass.end() }
        pass.begin(self)
        for segment in segments {
            let (count, first) = (segment.tokens.count, segment.cache.length)
            pass.add(
                ForwardPass.Stretch(
                    cache: segment.cache, firstRow: pass.rows, count: count, firstPosition: first,
                    outputs: segment.outputs == .all ? count : segment.outputs == .last ? min(1, count) : 0,
                    length: first + count))
        }
        try architecture.run(pass)
        for segment in segments { segment.cache.commit(segment.tokens.count) }
        pass.profile?.addPass(seconds: Clock.now(.monotonic) - start)
        return Logits(
            rows: pass.outputRows, vocabulary: configuration.vocabularySize,
            memory: try pass.arena.buffer(.logits, pass.outputRows * configuration.vocabularySize))
    }

    func check(_ tokens: [TokenID], after length: Int) throws(ModelError) {
        for token in tokens where token < 0 || Int(token) >= configuration.vocabularySize {
            throw ModelError(
                path, problem: "token \(token) is not in the vocabulary of \(configuration.vocabularySize)",
                remedy: "Tokenize the text with the tokenizer of this model.")
        }
        guard configuration.positions == .learned, length + tokens.count > configuration.contextLength else { return }
        throw ModelError(
            path,
            problem: "\(length + tokens.count) tokens exceed the context length of \(configuration.contextLength)",
            remedy: "Shorten the text.")
    }
}

extension ForwardPass {
    /// Reserves memory for passes of `rows` tokens; otherwise memory grows at the first larger pass.
    ///
    /// - Parameter outputs: rows of logits.
    public func reserve(rows: Int, outputs: Int = 1, for transformer: Transformer) throws(ModelError) {
        let c = transformer.configuration
        let heads = c.headCount * (c.headWidth + c.valueWidth) + c.kvHeadCount * (c.headWidth + c.valueWidth)
        let sizes: [(Arena.Slot, Int)] = [
            (.residual, c.width), (.normalized, c.width), (.delta, c.width), (.projected, heads),
            (.gathered, c.headCount * c.valueWidth), (.hidden, c.experts == nil ? 2 * c.feedForwardWidth : 0),
            (.expertHidden, 2 * (c.experts?.feedForwardWidth ?? 0)),
        ]
        for (slot, columns) in sizes where columns > 0 {
            let (count, overflow) = rows.multipliedReportingOverflow(by: columns)
            guard !overflow else { throw ModelError(transformer.path, .memory(bytes: nil)) }
            _ = try floats(slot, count)
        }
        _ = try floats(.logits, outputs * c.vocabularySize)
    }
}

extension ModelConfiguration {
    /// Checks the sizes that the parts take for granted.
    func check(_ path: String) throws(ModelError) {
        if let problem { throw ModelError(path, problem: problem) }
    }

    /// Description of the first size that no transformer can have; `nil` if there is none.
    package var problem: String? {
        let sizes = [
            ("vocabulary size", vocabularySize), ("width", width), ("layer count", layerCount),
            ("head count", headCount), ("key-value head count", kvHeadCount), ("head width", headWidth),
            ("value width", valueWidth), ("feed-forward width", feedForwardWidth), ("context length", contextLength),
        ]
        for (name, size) in sizes where size < 1 || size > 1 << 30 { return "\(name) \(size) is out of range" }
        guard headCount % kvHeadCount == 0 else {
            return "\(headCount) heads are not divisible by \(kvHeadCount) key-value heads"
        }
        if case .rotary(let rotary) = positions,
            rotary.width <= 0 || rotary.width % 2 != 0 || rotary.width > headWidth
        {
            return "rotary width \(rotary.width) must be even and at most the head width \(headWidth)"
        }
        if let experts, experts.used <= 0 || experts.used > experts.count || experts.feedForwardWidth <= 0 {
            return "cannot use \(experts.used) of \(experts.count) experts"
        }
        if let slidingWindow, slidingWindow < 1 { return "sliding window \(slidingWindow) must be at least 1" }
        return nil
    }
}
