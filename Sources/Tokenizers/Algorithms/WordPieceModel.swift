/// Words from the longest pieces that fit, from the left; a word that cannot be written so is unknown as a whole.
///
/// - Source: Devlin et al. 2019, the published `WordpieceTokenizer`.
package final class WordPieceModel: Sendable {
    /// Pieces that begin a word, and pieces that continue one.
    private let initial: ByteTrie
    private let continuing: ByteTrie
    private let unknown: TokenID
    /// Longer words, in characters, are unknown.
    private let longestWord: Int

    package init(initial: ByteTrie, continuing: ByteTrie, unknown: TokenID, longestWord: Int = 100) {
        self.initial = initial
        self.continuing = continuing
        self.unknown = unknown
        self.longestWord = longestWord
    }

    package func encode(_ text: UTF8Pointer, _ start: Int, _ end: Int, into state: inout EncoderState) {
        let before = state.count
        var characters = 0
        for index in start..<end where text[index] & 0xC0 != 0x80 { characters += 1 }
        var index = start
        if characters <= longestWord {
            while index < end {
                let trie = index == start ? initial : continuing
                guard let match = trie.longest(text, index, end) else { break }
                state.append(match.value, start: index, length: match.end - index)
                index = match.end
            }
        }
        if index == end { return }
        let written = state.count - before
        state.count = before
        if state.tracksSpans { state.spans.removeLast(written) }
        if unknown >= 0 { state.append(unknown, start: start, length: end - start) }
    }
}

/// Every piece is a token or unknown.
package final class WordLevelModel: Sendable {
    private let vocabulary: PieceTable
    private let unknown: TokenID

    package init(vocabulary: PieceTable, unknown: TokenID) {
        self.vocabulary = vocabulary
        self.unknown = unknown
    }

    package func encode(_ text: UTF8Pointer, _ start: Int, _ end: Int, into state: inout EncoderState) {
        let id = vocabulary.find(text + start, end - start)
        let token = id >= 0 ? id : unknown
        if token >= 0 { state.append(token, start: start, length: end - start) }
    }
}
