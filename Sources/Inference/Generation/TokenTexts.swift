public import Tokenizers

/// A conversion of tokens to text.
public protocol TokenTexts: Sendable {
    /// Tokens that end an answer.
    var endOfGeneration: Set<TokenID> { get }
    /// Returns the text of a single token for display, with invalid UTF-8 replaced.
    func text(of id: TokenID) -> String
    /// Returns a decoder for tokens that arrive one by one.
    func stream() -> any TokenTextStream
}

/// Tokens become text as they come; the bytes of a character that is not whole yet wait for the next token.
public protocol TokenTextStream: Sendable {
    mutating func append(_ id: TokenID) -> String
    /// Returns the pending text.
    mutating func finish() -> String
}
