internal import Glibc
internal import Inference
internal import Interpretability
internal import Models
internal import Synchronization
internal import System
internal import Tensors
internal import Tokenizers

/// A model that questions are asked of.
///
/// The program's own runtime answers; where gradients or single heads are asked for, the model is written out as well,
/// once, which takes its weights as float32.
final class CircuitModel: Sendable {
    private let checkpoint: any Checkpoint
    private let transformer: Transformer
    private let tokenizer: Tokenizer
    private let written = Mutex<HookedTransformer<Float>?>(nil)

    /// - Throws: If the file is not a model or has no tokenizer.
    init(path: String) throws {
        checkpoint = try Checkpoints.open(path)
        guard let tokenizer = try checkpoint.tokenizer() else {
            throw Problem(.missing, path, "no tokenizer found in the file or its folder", remedy: "Add tokenizer.json.")
        }
        self.tokenizer = tokenizer
        transformer = try Transformer.load(checkpoint)
    }

    /// One for each piece of work: it runs one text at a time.
    func runtime() throws -> RuntimeModel { try RuntimeModel(checkpoint, transformer) }

    func hooked() throws -> HookedTransformer<Float> {
        if let known = written.withLock({ $0 }) { return known }
        let model = try HookedTransformer<Float>(checkpoint)
        written.withLock { $0 = model }
        return model
    }

    func tokens(_ text: String) -> [TokenID] { text.isEmpty ? [] : tokenizer.encode(text) }
    func text(_ token: TokenID) -> String { tokenizer.text(of: token) }
    func text(_ tokens: [TokenID]) -> String { tokens.map(text).joined() }

    /// The one token that a word stands for.
    func token(_ word: String) throws -> TokenID { try TypedToken.one(word, in: tokenizer) }
}

extension RuntimeModel {
    /// What is expected after a prompt whose run is changed.
    func lastLogits(_ tokens: [TokenID], _ changes: [Intervention<Float>] = []) throws -> [Float] {
        let logits = try run(tokens, changes, keeping: .only([.logits]))[.logits]
        return try logits[tokens.count - 1].elements
    }
}

/// Logits of one place.
enum NextToken {
    static func best(_ logits: [Float], besides other: TokenID? = nil) -> TokenID {
        var best = -1
        for token in logits.indices where other.map({ Int($0) != token }) ?? true {
            if best < 0 || logits[token] > logits[best] { best = token }
        }
        return TokenID(max(0, best))
    }

    /// The most probable tokens, best first.
    static func choices(_ logits: [Float], count: Int = 5) -> [(token: TokenID, probability: Double)] {
        let most = Double(logits.max() ?? 0)
        let total = logits.reduce(0.0) { $0 + exp(Double($1) - most) }
        return logits.indices.sorted { logits[$0] > logits[$1] }.prefix(count).map {
            (TokenID($0), exp(Double(logits[$0]) - most) / total)
        }
    }
}
