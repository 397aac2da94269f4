public import System
public import Tokenizers

/// Texts as sequences of tokens that a model can read: for looking into it, where nothing is learned.
///
/// Each document is a sequence of its own, cut where it is longer than the model's context; a file of tokens
/// (`train.tokens`, 16 bits each) is cut at the token that ends documents.
public struct TokenSequences: Sendable {
    public let sequences: [[TokenID]]

    public init(_ sequences: [[TokenID]]) { self.sequences = sequences }

    public var tokenCount: Int { sequences.reduce(0) { $0 + $1.count } }

    /// Reads files of texts (documents with `separator` between them), of records (`.jsonl`) and of tokens (`.tokens`).
    ///
    /// - Parameters:
    ///   - length: Maximum number of tokens per sequence.
    ///   - limit: tokens in all; what comes after is left out. nil for everything.
    /// - Throws: a sentence where a file cannot be read, holds ids that the vocabulary has not, or nothing at all.
    public static func read(
        _ paths: [String], with tokenizer: Tokenizer, separator: String = "<|endoftext|>", length: Int,
        limit: Int? = nil
    ) throws(Problem) -> TokenSequences {
        var sequences: [[TokenID]] = []
        var rest = limit ?? .max
        let end = tokenizer.id(of: separator) ?? tokenizer.eos
        func add(_ tokens: [TokenID]) {
            var start = 0
            while start < tokens.count, rest > 0 {
                let count = min(length, tokens.count - start, rest)
                // One token alone has nothing before it and nothing after.
                if count > 1 || tokens.count == 1 { sequences.append(Array(tokens[start..<start + count])) }
                rest -= count
                start += count
            }
        }
        for path in paths where rest > 0 {
            if path.hasSuffix(".tokens") {
                for document in try documents(of: path, end: end, vocabulary: tokenizer.vocabularySize, most: rest) {
                    add(document)
                }
            } else {
                for document in try DocumentFile.read(path, separator: separator) {
                    guard rest > 0 else { break }
                    var tokens = tokenizer.encode(document.text)
                    if let end { tokens.append(end) }
                    add(tokens)
                }
            }
        }
        guard !sequences.isEmpty else {
            throw Problem(.missing, paths.joined(separator: ", "), "the files have no text")
        }
        return TokenSequences(sequences)
    }

    private static func documents(
        of path: String, end: TokenID?, vocabulary: Int, most: Int
    ) throws(Problem) -> [[TokenID]] {
        let store = try TokenStore(narrow: path, weights: nil)
        guard store.largest < vocabulary else {
            throw Problem(
                .invalid, path, "token \(store.largest) is not in the model's vocabulary of \(vocabulary)",
                remedy: "Use tokens from the model's own tokenizer.")
        }
        var tokens = [TokenID](repeating: 0, count: min(store.count, most))
        let count = tokens.count
        tokens.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { store.copy(0..<count, to: base) } }
        guard let end else { return [tokens] }
        return tokens.split(after: end)
    }
}

extension [TokenID] {
    /// Parts that each end with `token`, but for the last.
    fileprivate func split(after token: TokenID) -> [[TokenID]] {
        var parts: [[TokenID]] = []
        var start = startIndex
        for place in indices where self[place] == token {
            parts.append(Array(self[start...place]))
            start = place + 1
        }
        if start < endIndex { parts.append(Array(self[start...])) }
        return parts
    }
}
