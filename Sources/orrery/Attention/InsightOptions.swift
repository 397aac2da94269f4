import ArgumentParser
import Interpretability
import Models
import Tensors
import Tokenizers

/// A model of this machine and a text, whose insides a command looks at.
struct PromptOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The text; - reads standard input, @FILE a file.")
    var prompt: String

    /// The text that is meant.
    func text() throws -> String { try Self.text(prompt) }

    /// A text as a word of the command line means it; of a file without the line break at its end.
    static func text(_ word: String) throws -> String {
        if word == "-" { return String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self) }
        guard word.count > 1, word.hasPrefix("@") else { return word }
        let text = try SmallFile.text(String(word.dropFirst()))
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

/// A model's file, opened for computing by hand: weights, tokenizer, and both ways of running it.
struct OpenedCheckpoint {
    let path: String
    let checkpoint: any Checkpoint
    let tokenizer: Tokenizer

    init(path: String) throws {
        self.path = path
        checkpoint = try Checkpoints.open(path)
        guard checkpoint.configuration.pooling == nil else {
            throw Failure("\(path) is an encoder, which has no next token: take a decoder.")
        }
        guard let tokenizer = try checkpoint.tokenizer() else {
            throw Failure("\(path) has no tokenizer in it or beside it: a folder needs tokenizer.json.")
        }
        self.tokenizer = tokenizer
    }

    /// What the program runs: float32, any format of weights.
    func runtime() throws -> RuntimeModel { try RuntimeModel(checkpoint) }

    /// Written out hook by hook, with gradients.
    func hooked<Scalar: FloatingAccumulator>(_: Scalar.Type) throws -> HookedTransformer<Scalar> {
        try HookedTransformer(checkpoint)
    }

    func tokens(_ text: String) -> [TokenID] { tokenizer.encode(text) }

    /// A prompt's tokens.
    ///
    /// - Throws: a sentence where it is empty or longer than the context.
    func prompt(_ text: String) throws -> [TokenID] {
        let tokens = tokens(text)
        try check(tokens)
        return tokens
    }

    /// A token as a screen shows it.
    func text(_ token: TokenID) -> String { tokenizer.piece(token) }

    /// The one token that a word stands for, with a space before it where there is such a token.
    ///
    /// - Throws: a sentence with the tokens of a text that is several.
    func token(_ word: String) throws -> TokenID { try TypedToken.one(word, in: tokenizer) }

    private func check(_ tokens: [TokenID]) throws {
        let most = checkpoint.configuration.contextLength
        guard !tokens.isEmpty else { throw Failure("there is nothing to read: give a prompt of at least one token.") }
        guard tokens.count <= most else {
            throw Failure("\(path): \(tokens.count) tokens do not fit in its context of \(most). Shorten the text.")
        }
    }
}

/// A place of a text: a number from 0, or from the end where it is negative.
enum TextPosition {
    static func resolve(_ position: Int, of count: Int) throws -> Int {
        let resolved = position < 0 ? count + position : position
        guard (0..<count).contains(resolved) else {
            throw Failure("position \(position) is none of the text's \(count) tokens: 0 is the first, -1 the last.")
        }
        return resolved
    }
}
