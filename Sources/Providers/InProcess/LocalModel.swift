internal import Dispatch
internal import Glibc
public import Inference
internal import Kernels
public import LanguageModels
public import Models
internal import Synchronization
public import Tokenizers

/// A model that runs in this process.
///
/// Requests are answered one after the other. The keys and values of recent answers are kept, so that a prompt which
/// begins like one of them is not read again: a branch from any token costs nothing but its own tokens.
///
/// ```swift
/// let model = try LocalModel(path: "stories260K.gguf")
/// let answer = try model.respond(to: ModelRequest(.text("Once upon a time"), sampling: .greedy))
/// ```
public final class LocalModel: LanguageModel {
    /// How a model is run.
    public struct Options: Sendable {
        /// nil takes every processor.
        public var threads: Int?
        /// The path of a LoRA adapter.
        public var adapter: String?
        /// Whether to merge the adapter into the weights at opening instead of applying it at run time.
        public var mergesAdapter: Bool
        /// Bytes that keys and values may take.
        public var cacheBudget: Int
        /// nil takes the model's own.
        public var contextLength: Int?
        /// Samplers that requests can use.
        public var samplers: SamplerTable

        public init(
            threads: Int? = nil, adapter: String? = nil, mergesAdapter: Bool = false, cacheBudget: Int = 2 << 30,
            contextLength: Int? = nil, samplers: SamplerTable = .standard
        ) {
            self.threads = threads
            self.adapter = adapter
            self.mergesAdapter = mergesAdapter
            self.cacheBudget = cacheBudget
            self.contextLength = contextLength
            self.samplers = samplers
        }
    }

    public let path: String
    public let name: String
    public var provider: String { "in-process" }
    public let capabilities: ModelCapabilities
    public let configuration: ModelConfiguration
    public let tokenizer: Tokenizer
    /// Bytes of the weights, wherever they lie.
    public let weightBytes: Int
    let template: ChatTemplate?
    let samplers: SamplerTable
    let desk: Desk

    /// What one caller at a time works with.
    final class Desk: @unchecked Sendable {  // taken by `take`, given back by `leave`, and touched only in between
        let decoder: TransformerDecoder
        let generator: Generator
        let profile = OperationProfile()
        let threads: Int
        /// Recent answers, the newest last.
        var kept: [Completion] = []
        /// One signal while the desk is free.
        private let turn = DispatchSemaphore(value: 0)
        let live: Mutex<LiveSnapshot>

        init(_ decoder: TransformerDecoder, _ generator: Generator, threads: Int, name: String) {
            self.decoder = decoder
            self.generator = generator
            self.threads = threads
            live = Mutex(LiveSnapshot(model: name, threads: threads))
            // A semaphore that started at 1 could not be released while the desk is taken.
            turn.signal()
        }

        /// Waits for the caller's turn; returns `false` if the request was canceled meanwhile.
        func take(unless isCancelled: () -> Bool) -> Bool {
            // The previous caller's signal ends the wait at once; the time-out is for cancellation.
            while turn.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
                if isCancelled() { return false }
            }
            return true
        }

        func leave() { turn.signal() }
    }

    /// Opens a model's file or folder; weights are mapped, not read.
    ///
    /// - Throws: `ModelError` if the file cannot be opened, is not a language model, or has no tokenizer.
    public init(path: String, options: Options = Options()) throws(ModelError) {
        let checkpoint = try Checkpoints.open(path)
        guard checkpoint.configuration.pooling == nil else {
            throw ModelError(
                path, problem: "the model is an encoder, which returns vectors instead of text",
                remedy: "Run it with orrery model embed.")
        }
        guard let tokenizer = try checkpoint.tokenizer() else {
            throw ModelError(
                path, problem: "the tokenizer is missing",
                remedy: "Add tokenizer.json to a model folder, or tok*.bin to the folder of a llama2.c file.")
        }
        let adapter = try options.adapter.map { path throws(ModelError) in
            try Adapter.load(path, for: checkpoint.configuration)
        }
        let isMerged = options.mergesAdapter
        let transformer = try Transformer.load(
            adapter.flatMap { adapter throws(ModelError) in isMerged ? try adapter.merged(into: checkpoint) : nil }
                ?? checkpoint)
        let pool = options.threads.map { ThreadPool(threads: $0) } ?? .shared
        let decoder = TransformerDecoder(
            transformer, pass: ForwardPass(pool: pool), contextLength: options.contextLength)
        let pages = KVPagePool(
            try KVLayout(checkpoint.configuration), budget: options.cacheBudget, name: path)
        if !isMerged { decoder.pass.adapter = adapter }
        samplers = options.samplers
        self.path = path
        self.tokenizer = tokenizer
        configuration = checkpoint.configuration
        weightBytes = checkpoint.weightBytes
        name = LocalModel.name(of: path)
        do {
            template = try checkpoint.chatTemplateSource.map { source throws(ChatTemplateError) in
                try ChatTemplate(source: source)
            }
        } catch {
            throw ModelError(path, problem: "the chat template is invalid: \(error.sentence)")
        }
        desk = Desk(
            decoder, try Generator(decoder, texts: tokenizer, pool: pages), threads: pool.threads, name: name)
        capabilities = ModelCapabilities(
            acceptsMessages: true, acceptsText: true, acceptsTokens: true, acceptsTools: template != nil,
            alternatives: 200,
            showsProcessors: true, contextLength: decoder.contextLength)
    }

    /// How it runs at this moment.
    public var live: LiveSnapshot { desk.live.withLock { $0 } }

    /// True where the file has a template for conversations; else they are written as ChatML.
    public var hasChatTemplate: Bool { template != nil }

    /// The file's name without its ending.
    static func name(of path: String) -> String {
        var trimmed = Substring(path)
        while trimmed.count > 1, trimmed.last == "/" { trimmed.removeLast() }
        let name = trimmed.split(separator: "/").last.map(String.init) ?? path
        for ending in [".gguf", ".safetensors", ".bin"] where name.hasSuffix(ending) && name.count > ending.count {
            return String(name.dropLast(ending.count))
        }
        return name
    }
}
