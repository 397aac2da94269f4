public import System
public import Tokenizers

/// The tokens that a typed word stands for: people type "the" and mean the " the" of a running text.
public enum TypedToken {
    /// Returns the single token of a word: with a leading space, or as typed, or by number.
    ///
    /// - Throws: `Problem` if the word is empty, or if it consists of several tokens, which the message lists.
    public static func one(_ word: String, in tokenizer: Tokenizer) throws(Problem) -> TokenID {
        let readings = readings(of: word, tokenizer)
        if let single = readings.first(where: { $0.count == 1 }) { return single[0] }
        if let number = TokenID(word), number >= 0, Int(number) < tokenizer.vocabularySize { return number }
        let parts = (readings.last ?? []).map { "\($0) \(tokenizer.piece($0))" }.joined(separator: ", ")
        throw Problem(
            .limit, "\"\(word)\"", parts.isEmpty ? "not a token" : "more than one token in this model (\(parts))",
            remedy: parts.isEmpty
                ? "Use a word that is a single token." : "Use one of these tokens, by its text or its number."
        )
    }

    /// All tokens of a word that stand alone: with a space before it and without; of a longer word the last one of each.
    ///
    /// A word that is neither can be the number of a token.
    public static func all(_ word: String, in tokenizer: Tokenizer) -> [TokenID] {
        let readings = readings(of: word, tokenizer)
        let whole = Set(readings.filter { $0.count == 1 }.map { $0[0] })
        if !whole.isEmpty { return whole.sorted() }
        if let number = TokenID(word), number >= 0, Int(number) < tokenizer.vocabularySize { return [number] }
        return Set(readings.compactMap(\.last)).sorted()
    }

    private static func readings(of word: String, _ tokenizer: Tokenizer) -> [[TokenID]] {
        guard !word.isEmpty else { return [] }
        let typed = word.first == " " ? [word] : [" " + word, word]
        return typed.map { tokenizer.encode($0, addingSpecialTokens: false) }
    }
}
