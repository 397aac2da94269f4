internal import Formatting
public import Inference
internal import Kernels
public import Models
public import System
public import Tokenizers

/// A model of this process whose runs can be watched from inside and changed.
///
/// It never changes: any number of runs, on any threads, share its weights and its pages of keys and values.
///
/// ```swift
/// let model = try InspectedModel(path: "orrery-mini")
/// let run = try model.run(model.tokens(of: "Once upon a time"))
/// try run.read()
/// while let token = try run.step() { print(model.text(of: token.id), terminator: "") }
/// ```
public final class InspectedModel: Sendable {
    /// How a model is opened.
    public struct Options: Sendable {
        /// `nil` takes every processor.
        public var threads: Int?
        /// Bytes that the keys and values of all runs may take together.
        public var cacheBudget: Int
        /// `nil` takes the model's own.
        public var contextLength: Int?

        public init(threads: Int? = nil, cacheBudget: Int = 1 << 30, contextLength: Int? = nil) {
            self.threads = threads
            self.cacheBudget = cacheBudget
            self.contextLength = contextLength
        }
    }

    public let path: String
    public let name: String
    /// The open file or folder.
    package let checkpoint: any Checkpoint
    public let transformer: Transformer
    public let tokenizer: Tokenizer
    /// Positions that a run may have.
    public let contextLength: Int
    /// Where the keys and values of all runs lie.
    public let pages: KVPagePool
    let pool: ThreadPool
    let readout: LiveReadout

    /// Opens a model's file or folder; weights are mapped, not read.
    ///
    /// - Throws: `Problem` if the file cannot be opened, is not a language model, or has no tokenizer.
    public init(path: String, options: Options = Options()) throws(Problem) {
        let (checkpoint, transformer, tokenizer, layout) = try telling {
            let checkpoint = try Checkpoints.open(path)
            guard checkpoint.configuration.pooling == nil else {
                throw Problem(.invalid, path, "encoders do not predict next tokens", remedy: "Open a language model.")
            }
            guard let tokenizer = try checkpoint.tokenizer() else {
                throw Problem(
                    .missing, path, "no tokenizer in the model or next to it",
                    remedy: "A folder needs tokenizer.json; a llama2.c file needs tok*.bin next to it.")
            }
            return (
                checkpoint, try Transformer.load(checkpoint), tokenizer, try KVLayout(checkpoint.configuration)
            )
        }
        self.path = path
        name = Self.name(of: path)
        self.checkpoint = checkpoint
        self.transformer = transformer
        self.tokenizer = tokenizer
        contextLength = options.contextLength ?? checkpoint.configuration.contextLength
        pages = KVPagePool(layout, budget: options.cacheBudget, name: path)
        pool = options.threads.map { ThreadPool(threads: $0) } ?? .shared
        readout = try LiveReadout(checkpoint)
    }

    public var configuration: ModelConfiguration { transformer.configuration }
    /// Every hook, in the order of the pass.
    public var hooks: [Hook] { Hook.allCases(for: configuration) }

    /// The hook of that name.
    ///
    /// - Throws: An error that names similar hooks, if the model has no such hook.
    public func hook(named name: String) throws(Problem) -> Hook { try Hook.named(name, among: hooks) }

    /// A prompt's tokens, with those that the tokenizer puts around a text.
    public func tokens(of text: String) -> [TokenID] { tokenizer.encode(text) }

    /// Returns the text of a single token as a screen shows it; bytes that are not valid text are replaced.
    public func text(of token: TokenID) -> String {
        let bytes = tokenizer.bytes(of: token)
        return bytes.isEmpty ? tokenizer.piece(token) : String(decoding: bytes, as: UTF8.self)
    }

    public func texts(of tokens: some Sequence<TokenID>) -> [String] { tokens.map { text(of: $0) } }

    /// A run that has read nothing yet.
    ///
    /// - Throws: An error if the prompt is empty, foreign to the vocabulary, longer than the context, or where its keys
    ///   and values do not fit the budget: the sentence says how many tokens would.
    public func run(
        _ tokens: [TokenID], _ options: RunOptions = RunOptions()
    ) throws(Problem) -> InspectedRun {
        try check(tokens)
        let run = try InspectedRun(self, tokens, promptCount: tokens.count, options, KVSequence(pages), RunState(self))
        try run.setInterventions(options.interventions)
        return run
    }

    /// - Parameter continuing: Whether a token is to follow, for which the context has room.
    func check(_ tokens: [TokenID], continuing: Bool = true) throws(Problem) {
        guard !tokens.isEmpty else {
            throw Problem(.missing, name, "the prompt is empty", remedy: "Use a prompt with at least one token.")
        }
        if let foreign = tokens.first(where: { $0 < 0 || Int($0) >= configuration.vocabularySize }) {
            throw Problem(
                .invalid, name, "token \(foreign) is not in the vocabulary of \(configuration.vocabularySize)",
                remedy: "Tokenize the text with the model's tokenizer.")
        }
        guard tokens.count + (continuing ? 1 : 0) <= contextLength else {
            throw Problem(
                .limit, name,
                "\(tokens.count) tokens\(continuing ? " and one more" : "") exceed the context length "
                    + "of \(contextLength)", remedy: "Shorten the text.")
        }
        let layout = pages.layout
        let fitting = pages.budget / layout.bytesPerPage * layout.pageSize
        guard tokens.count <= fitting else {
            throw Problem(
                .limit, name,
                "the keys and values of \(tokens.count) tokens need "
                    + "\(Format.bytes(layout.pages(positions: tokens.count) * layout.bytesPerPage)), but the budget "
                    + "is \(Format.bytes(pages.budget))",
                remedy: "Shorten the text to \(fitting) tokens, or raise the budget.")
        }
    }

    /// The file's name without its ending.
    private static func name(of path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        for ending in [".gguf", ".safetensors", ".bin"] where last.hasSuffix(ending) && last.count > ending.count {
            return String(last.dropLast(ending.count))
        }
        return last
    }
}
