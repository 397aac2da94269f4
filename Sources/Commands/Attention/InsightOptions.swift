import ArgumentParser
import CommandSupport
import Interpretability
import Models
import System
import Tensors
import Tokenizers

/// Options for a local model and a prompt.
struct PromptOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Prompt; - reads standard input, @FILE a file.")
    var prompt: String

    /// Returns the prompt text.
    func text() throws -> String { try Self.text(prompt) }

    /// Returns the text of an argument; for a file, without the final line break.
    static func text(_ word: String) throws -> String {
        if word == "-" { return String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self) }
        guard word.count > 1, word.hasPrefix("@") else { return word }
        let text = try SmallFile.text(String(word.dropFirst()))
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

/// A model file opened for inspection: weights, tokenizer, and two implementations.
struct OpenedCheckpoint {
    let path: String
    let checkpoint: any Checkpoint
    let tokenizer: Tokenizer

    init(path: String) throws {
        self.path = path
        checkpoint = try Checkpoints.open(path)
        guard checkpoint.configuration.pooling == nil else {
            throw Problem(
                .invalid, "", "\(path) is an encoder and cannot predict the next token", remedy: "Use a decoder.")
        }
        guard let tokenizer = try checkpoint.tokenizer() else {
            throw Problem(.missing, path, "no tokenizer in the model file or folder", remedy: "Add a tokenizer.json.")
        }
        self.tokenizer = tokenizer
    }

    /// Returns the production implementation: float32, with weights of any format.
    func runtime() throws -> RuntimeModel { try RuntimeModel(checkpoint) }

    /// Returns the implementation with hooks and gradients.
    func hooked<Scalar: FloatingAccumulator>(_: Scalar.Type) throws -> HookedTransformer<Scalar> {
        try HookedTransformer(checkpoint)
    }

    func tokens(_ text: String) -> [TokenID] { tokenizer.encode(text) }

    /// Returns a prompt's tokens.
    ///
    /// - Throws: `Problem` if the prompt is empty or longer than the context.
    func prompt(_ text: String) throws -> [TokenID] {
        let tokens = tokens(text)
        try check(tokens)
        return tokens
    }

    /// Returns the display text of a token.
    func text(_ token: TokenID) -> String { tokenizer.piece(token) }

    /// Returns the token that a word stands for, preferably the token with a leading space.
    ///
    /// - Throws: An error that lists the tokens if the text has several.
    func token(_ word: String) throws -> TokenID { try TypedToken.one(word, in: tokenizer) }

    private func check(_ tokens: [TokenID]) throws {
        let most = checkpoint.configuration.contextLength
        guard !tokens.isEmpty else {
            throw Problem(.missing, "", "the prompt is empty", remedy: "Provide a prompt of at least one token.")
        }
        guard tokens.count <= most else {
            throw Problem(
                .limit, path, "\(tokens.count) tokens exceed the context length of \(most)", remedy: "Shorten the text."
            )
        }
    }
}

/// A token position: a number from 0, or a negative number from the end.
enum TextPosition {
    static func resolve(_ position: Int, of count: Int) throws -> Int {
        let resolved = position < 0 ? count + position : position
        guard (0..<count).contains(resolved) else {
            throw Problem(
                .invalid, "",
                "position \(position) is out of range for \(count) tokens. 0 is the first, and -1 the " + "last")
        }
        return resolved
    }
}
