internal import Glibc
internal import JSON
public import Kernels
internal import Models
internal import Synchronization
public import System
package import Tokenizers

/// Vectors from an encoder that this program runs itself, such as all-MiniLM-L6-v2.
///
/// ```swift
/// let embedder = try EncoderEmbedder("models/all-MiniLM-L6-v2")
/// let vectors = try embedder.embed(["Hello, world!"], as: .query) { false }
/// ```
/// Texts are cut to what the model was trained with; what was cut is counted in ``cutTexts``. Texts of about the same
/// length run together, none is padded. Calls from several threads wait for each other.
public final class EncoderEmbedder: Embedder {
    public let name: String
    public let digest: String
    public let dimension: Int
    public var batchSize: Int { 64 }
    /// Maximum number of tokens read from a text.
    public let mostTokens: Int
    /// Prefixes for queries and passages, for models trained with them.
    public let prefixes: [EmbeddingRole: String]

    private let path: String
    private let tokenizer: Tokenizer
    private let transformer: Transformer
    private let pass: Mutex<ForwardPass>
    private let cut = Atomic<Int>(0)

    /// Tokens that run through the model together, about: more would leave the caches.
    private static let tokensAPass = 4096

    /// Opens the model of a folder or file.
    ///
    /// - Parameters:
    ///   - prefixes: Such as `query: ` and `passage: ` for models of the E5 family.
    ///   - pool: Threads that work on one call.
    /// - Throws: `Problem` if the model is not an encoder or has no tokenizer.
    public init(
        _ path: String, prefixes: [EmbeddingRole: String] = [:], pool: ThreadPool = .shared
    ) throws(Problem) {
        self.path = path
        self.prefixes = prefixes
        let opened: (transformer: Transformer, tokenizer: Tokenizer?)
        do throws(ModelError) {
            let checkpoint = try Checkpoints.open(path)
            guard checkpoint.configuration.pooling != nil else {
                throw ModelError(
                    path, problem: "the model is not an encoder", remedy: "Use one such as all-MiniLM-L6-v2.")
            }
            opened = (try Transformer.load(checkpoint), try checkpoint.tokenizer())
        } catch {
            throw Problem(.failed, path, error.problem, remedy: error.remedy)
        }
        guard let tokenizer = opened.tokenizer else {
            throw Problem(
                .missing, path, "the model has no tokenizer", remedy: "Use a model folder with tokenizer.json.")
        }
        transformer = opened.transformer
        self.tokenizer = tokenizer
        let configuration = transformer.configuration
        dimension = configuration.width
        mostTokens = min(configuration.contextLength, Self.sentenceLength(path) ?? .max)
        name = Self.name(of: path)
        digest = try Self.digest(of: path, mostTokens, configuration.pooling?.rawValue ?? "", prefixes)
        pass = Mutex(ForwardPass(pool: pool))
    }

    /// Texts so far that were longer than the model reads.
    public var cutTexts: Int { cut.load(ordering: .relaxed) }

    /// Returns the tokens of a text as the model gets them.
    package func tokens(of text: String, as role: EmbeddingRole = .passage) -> [TokenID] {
        // As sentence-transformers does: [MASK] in a text is that token. An encoder obeys no text, so nothing is
        // gained.
        let ids = tokenizer.encoding(of: (prefixes[role] ?? "") + text, parsingSpecialTokens: true).ids
        guard ids.count > mostTokens, mostTokens > 1, let last = ids.last else { return ids }
        cut.add(1, ordering: .relaxed)
        // A text that is too long loses its end, and not the token that closes it.
        return ids.prefix(mostTokens - 1) + [last]
    }

    public func embed(
        _ texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Float] {
        let tokens = texts.map { self.tokens(of: $0, as: role) }
        let order = texts.indices.sorted { tokens[$0].count < tokens[$1].count }
        var values = [Float](repeating: 0, count: texts.count * dimension)
        var first = 0
        while first < order.count {
            var beyond = first
            var sum = 0
            while beyond < order.count, beyond == first || sum + tokens[order[beyond]].count <= Self.tokensAPass {
                sum += tokens[order[beyond]].count
                beyond += 1
            }
            let some = order[first..<beyond]
            let vectors = try encode(some.map { tokens[$0] }, isCancelled)
            for (place, text) in some.enumerated() {
                let from = place * dimension..<(place + 1) * dimension
                values.replaceSubrange(text * dimension..<(text + 1) * dimension, with: vectors[from])
            }
            first = beyond
        }
        return values
    }

    private func encode(
        _ tokens: [[TokenID]], _ isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Float] {
        let result = withoutActuallyEscaping(isCancelled) { isCancelled in
            pass.withLock { pass -> Result<[Float], ModelError> in
                pass.isCancelled = isCancelled
                defer { pass.isCancelled = nil }
                return Result { () throws(ModelError) in try transformer.encode(tokens, in: pass).values }
            }
        }
        let values: [Float]
        do throws(ModelError) {
            values = try result.get()
        } catch {
            if error.isCancellation { throw .cancelled(name) }
            throw Problem(.failed, path, error.problem, remedy: error.remedy)
        }
        guard values.allSatisfy(\.isFinite) else {
            throw Problem(.failed, path, "the model returned numbers that are not finite")
        }
        return values
    }

    // MARK: What the folder says

    private static func name(of path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        // The folder says more than the file's usual name, and than a folder that is called model.
        if let last = parts.last, ["model.safetensors", "config.json"].contains(last) { parts.removeLast() }
        if parts.last == "model", parts.count > 1 { parts.removeLast() }
        return parts.last ?? path
    }

    private static func folder(of path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return path }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return String(path[..<slash])
    }

    /// Returns the tokens that a model of sentence-transformers was trained with, where its folder says so.
    private static func sentenceLength(_ path: String) -> Int? {
        guard let bytes = SmallFile.content(folder(of: path) + "/sentence_bert_config.json", limit: 1 << 20),
            let document = try? JSONDocument(parsing: bytes),
            let length = document.withRoot({ $0["max_seq_length"]?.int })
        else { return nil }
        return length > 1 ? Int(exactly: length) : nil
    }

    /// Of the weights' size, first and last mebibyte and sixteen samples between, and of how texts are cut and pooled.
    private static func digest(
        of path: String, _ mostTokens: Int, _ pooling: String, _ prefixes: [EmbeddingRole: String]
    ) throws(Problem) -> String {
        let folder = folder(of: path)
        let weights = folder == path ? WeightFiles.names(in: folder) : [path]
        var words = ["\(mostTokens)", pooling, prefixes[.query] ?? "", prefixes[.passage] ?? ""]
        for file in weights { words.append(try WeightFiles.sampledDigest(of: file)) }
        let tokenizer = SmallFile.content(folder + "/tokenizer.json", limit: 64 << 20) ?? []
        words.append(ContentDigest(String(decoding: tokenizer, as: UTF8.self)).text)
        return "encoder-1-" + ContentDigest(words.joined(separator: "\u{1}")).text
    }
}
