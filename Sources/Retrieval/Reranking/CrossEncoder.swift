public import Models
internal import Synchronization
public import System
public import Tokenizers

/// A cross-encoder of the runtime, such as ms-marco-MiniLM: query and passage are read together, and a head says how
/// well they go together.
public final class CrossEncoder: PairScorer {
    public let name: String
    private let transformer: Transformer
    private let tokenizer: Tokenizer
    private let most: Int
    private let pass: Mutex<Passes>

    /// A pass has buffers that one caller at a time fills.
    private struct Passes: ~Copyable, @unchecked Sendable {
        var pass = ForwardPass()
    }

    /// Opens a model.
    ///
    /// - Parameters:
    ///   - path: A folder or file.
    ///   - length: Maximum number of tokens of query and passage together (default: the limit of the model).
    /// - Throws: `Problem` if there is no model, or if it does not score pairs.
    public convenience init(path: String, length: Int? = nil) throws(Problem) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let opened: (Transformer, Tokenizer)
        do {
            let checkpoint = try Checkpoints.open(path)
            guard let tokenizer = try checkpoint.tokenizer() else {
                throw Problem(
                    .missing, path, "the model has no tokenizer", remedy: "Use a model folder with tokenizer.json.")
            }
            opened = (try Transformer.load(checkpoint), tokenizer)
        } catch { throw Problem(error, in: "") }
        self.init(opened.0, opened.1, name: name, length: length)
    }

    public init(_ transformer: Transformer, _ tokenizer: Tokenizer, name: String, length: Int? = nil) {
        self.transformer = transformer
        self.tokenizer = tokenizer
        self.name = name
        most = max(4, min(length ?? .max, transformer.configuration.contextLength))
        pass = Mutex(Passes())
    }

    public func scores(
        _ query: String, _ passages: [String], isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Double] {
        guard !passages.isEmpty else { return [] }
        let encodings = passages.map { tokenizer.encoding(of: query, and: $0, parsingSpecialTokens: false) }
        let ids = encodings.map { cut($0.ids) }
        let types = encodings.map { cut($0.typeIDs).map { Int($0) } }
        if isCancelled() { throw .cancelled(name) }
        do {
            let scores = try pass.withLock { passes in
                try transformer.scores(ids, tokenTypes: types, in: passes.pass)
            }
            // Heads of two classes: the second says "relevant".
            return passages.indices.map { index in
                let row = scores[index].map { Double($0) }
                return scores.width == 2 ? row[1] - row[0] : row[0]
            }
        } catch {
            throw Problem(.invalid, "", "\(error)")
        }
    }

    /// Cuts a pair that is too long at the end of the passage, but keeps the closing token.
    private func cut<Element>(_ all: [Element]) -> [Element] {
        guard all.count > most, let last = all.last else { return all }
        return all.prefix(most - 1) + [last]
    }
}
