internal import Glibc
internal import LanguageModels
public import Providers
public import System

/// A specification of an embedder, as one word that users type and a workspace stores.
///
///     hashed  hashed-512                      learned from the corpus, without a model
///     models/all-MiniLM-L6-v2                 an encoder that this program runs: a folder or a GGUF file
///     openai:text-embedding-3-small           an endpoint that speaks OpenAI's interface
///     http://127.0.0.1:8080/v1#bge-m3         the same, anywhere; ,key=NAME names the variable of its key
///     file:questions.npy,texts=questions.txt  vectors from a file, for the texts of another
///
/// `,query=` and `,passage=` at the end of a model put a prefix before questions and passages.
public struct EmbedderSpecification: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// A hashed embedder with a number of dimensions.
        case hashed(Int)
        case model(path: String, query: String, passage: String)
        case endpoint(Endpoint)
        case file(path: String, texts: String)
    }

    public let kind: Kind
    /// A word that means the same, wherever the process is.
    public let text: String
    public var description: String { text }

    /// - Throws: `Problem` that says what to write instead.
    public init(_ word: String) throws(Problem) {
        if word == "hashed" || word.isEmpty {
            (kind, text) = (.hashed(256), "hashed-256")
        } else if word.hasPrefix("hashed-") {
            guard let dimension = Int(word.dropFirst(7)), (16...1_024).contains(dimension) else {
                throw Problem(.invalid, word, "a hashed embedder must have 16 to 1024 dimensions")
            }
            (kind, text) = (.hashed(dimension), word)
        } else if word.hasPrefix("model:") || Self.isPath(word) {
            let given = word.hasPrefix("model:") ? String(word.dropFirst(6)) : word
            var (path, values) = Self.settings(given, ["query", "passage"])
            guard !path.isEmpty else { throw Problem(.invalid, word, "model: needs the path of an encoder") }
            path = CorpusStore.absolute(path)
            kind = .model(path: path, query: values["query"] ?? "", passage: values["passage"] ?? "")
            text = "model:" + path + values.sorted { $0.key < $1.key }.map { ",\($0.key)=\($0.value)" }.joined()
        } else if word.hasPrefix("file:") {
            var (path, values) = Self.settings(String(word.dropFirst(5)), ["texts"])
            guard !path.isEmpty, let texts = values["texts"] else {
                throw Problem(
                    .invalid, word, "file: needs a vector file and a file with the embedded texts",
                    remedy: "Example: file:vectors.npy,texts=texts.txt.")
            }
            path = CorpusStore.absolute(path)
            let absolute = CorpusStore.absolute(texts)
            (kind, text) = (.file(path: path, texts: absolute), "file:\(path),texts=\(absolute)")
        } else {
            let specification: ProviderSpecification
            do { specification = try ProviderSpecification(word) } catch {
                throw Problem(.failed, "embedder", error.problem, remedy: Self.forms)
            }
            guard case .openAI(let endpoint) = specification else {
                throw Problem(.invalid, "embedder", "\(specification.shortName) cannot embed texts", remedy: Self.forms)
            }
            (kind, text) = (.endpoint(endpoint), specification.description)
        }
    }

    /// Whether a word names a file or folder that is there.
    private static func isPath(_ word: String) -> Bool {
        !word.contains("://") && access(settings(word, ["query", "passage"]).path, F_OK) == 0
    }

    private static let forms =
        "Use hashed, the PATH of an encoder, openai:NAME, http://host/v1#NAME, or file:VECTORS,texts=TEXTS."

    /// Opens it.
    ///
    /// - Throws: `Problem`; for `hashed`, which belongs to a corpus, one that knows none is made.
    public func open() throws(Problem) -> any Embedder {
        switch kind {
        case .hashed(let dimension): return HashedEmbedder(dimension: dimension)
        case .model(let path, let query, let passage):
            return try EncoderEmbedder(path, prefixes: [.query: query, .passage: passage].filter { !$0.value.isEmpty })
        case .endpoint(let endpoint): return try EndpointEmbedder(endpoint)
        case .file(let path, let texts): return try VectorFileEmbedder(path, texts: texts)
        }
    }

    /// Takes `,name=value` from the end of a path; other commas are its own.
    private static func settings(_ text: String, _ names: [String]) -> (path: String, values: [String: String]) {
        var pieces = text.split(separator: ",", omittingEmptySubsequences: false)
        var values: [String: String] = [:]
        while pieces.count > 1, let last = pieces.last, let equals = last.firstIndex(of: "="),
            names.contains(String(last[..<equals]))
        {
            values[String(last[..<equals])] = String(last[last.index(after: equals)...])
            pieces.removeLast()
        }
        return (pieces.joined(separator: ","), values)
    }
}
