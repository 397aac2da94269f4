/// A token that is cut out of a text before anything else happens to it.
package struct AddedToken: Sendable {
    package var id: TokenID
    package var content: [UInt8]
    /// Structure, which text must not become unless that is asked for.
    package var isStructural: Bool
    /// Only where no letter or digit touches it.
    package var isSingleWord = false
    /// It swallows the white space before it, or after it.
    package var stripsLeft = false
    package var stripsRight = false
    /// It is looked for in the normalized text.
    package var isNormalized = false

    package init(id: TokenID, content: [UInt8], isStructural: Bool) {
        self.id = id
        self.content = content
        self.isStructural = isStructural
    }
}

/// Finds added tokens, the leftmost and of those the longest.
package final class AddedTokens: Sendable {
    /// A part of a text: a token, or what stands between tokens.
    package struct Part {
        package var range: Range<Int>
        package var id: TokenID?
    }

    private let tokens: [AddedToken]
    private let raw: ByteTrie
    private let normalized: ByteTrie
    /// Whether a raw token begins with each byte, and a normalized one.
    private let firstBytes: [Bool]
    private let firstNormalizedBytes: [Bool]
    private let hasPlain: Bool
    private let hasStructural: Bool
    package let hasNormalized: Bool

    /// - Parameter normalize: what the tokenizer does to text; tokens that are looked for in normalized text are
    ///   written so themselves.
    package init(_ tokens: [AddedToken], normalize: ([UInt8]) -> [UInt8]) {
        var tokens = tokens
        var raw = ByteTrieBuilder()
        var normalized = ByteTrieBuilder()
        var firstBytes = [Bool](repeating: false, count: 256)
        var firstNormalizedBytes = firstBytes
        for index in tokens.indices {
            if tokens[index].isNormalized { tokens[index].content = normalize(tokens[index].content) }
            guard let first = tokens[index].content.first else { continue }
            if tokens[index].isNormalized {
                firstNormalizedBytes[Int(first)] = true
            } else {
                firstBytes[Int(first)] = true
            }
            tokens[index].content.withUnsafeBufferPointer { content in
                if tokens[index].isNormalized {
                    _ = normalized.insert(content, value: TokenID(index))
                } else {
                    _ = raw.insert(content, value: TokenID(index))
                }
            }
        }
        self.tokens = tokens
        self.raw = ByteTrie(raw)
        self.normalized = ByteTrie(normalized)
        self.firstBytes = firstBytes
        self.firstNormalizedBytes = firstNormalizedBytes
        hasPlain = tokens.contains { !$0.isStructural }
        hasStructural = tokens.contains { $0.isStructural }
        hasNormalized = tokens.contains { $0.isNormalized }
    }

    /// Returns the parts of a raw text; `nil` if it has no added tokens. O(n) unless many tokens share a prefix.
    package func parts(of text: UnsafeBufferPointer<UInt8>, parsingStructural: Bool) -> [Part]? {
        guard hasPlain || (hasStructural && parsingStructural), let base = text.baseAddress else { return nil }
        return firstBytes.withUnsafeBufferPointer { parts(base, text.count, raw, $0, parsingStructural) }
    }

    /// The parts of a normalized text.
    package func normalizedParts(of text: [UInt8], parsingStructural: Bool) -> [Part]? {
        guard hasNormalized, hasPlain || parsingStructural else { return nil }
        return text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            return firstNormalizedBytes.withUnsafeBufferPointer {
                parts(base, buffer.count, normalized, $0, parsingStructural)
            }
        }
    }

    private func parts(
        _ text: UTF8Pointer, _ count: Int, _ trie: ByteTrie, _ firstBytes: UnsafeBufferPointer<Bool>,
        _ parsingStructural: Bool
    ) -> [Part]? {
        var parts: [Part] = []
        var done = 0
        var index = 0
        while index < count {
            while index < count, !firstBytes[Int(text[index])] { index &+= 1 }
            guard index < count else { break }
            guard let match = trie.longest(text, index, count) else {
                index &+= 1
                continue
            }
            let token = tokens[Int(match.value)]
            var start = index
            var stop = match.end
            index = match.end
            if token.isStructural, !parsingStructural { continue }
            if token.isSingleWord, touchesWord(text, start, stop, count) { continue }
            if token.stripsLeft {
                while start > done {
                    let length = lengthOfScalar(before: start, in: text, start: done)
                    guard isSpace(text, start - length, count) else { break }
                    start -= length
                }
            }
            if token.stripsRight {
                while stop < count, isSpace(text, stop, count) {
                    stop += scalar(text, at: stop, end: count).length
                }
            }
            guard start >= done else { continue }
            if start > done { parts.append(Part(range: done..<start, id: nil)) }
            parts.append(Part(range: start..<stop, id: token.id))
            done = stop
            index = max(index, stop)
        }
        if parts.isEmpty { return nil }
        if done < count { parts.append(Part(range: done..<count, id: nil)) }
        return parts
    }

    private func isSpace(_ text: UTF8Pointer, _ index: Int, _ end: Int) -> Bool {
        ScalarTable.shared.classes(scalar(text, at: index, end: end).value) & ScalarClass.space.rawValue != 0
    }

    private func touchesWord(_ text: UTF8Pointer, _ start: Int, _ stop: Int, _ count: Int) -> Bool {
        func isWord(_ index: Int) -> Bool {
            ScalarTable.shared.entry(scalar(text, at: index, end: count).value) & ScalarTable.wordBit != 0
        }
        if start > 0, isWord(start - lengthOfScalar(before: start, in: text, start: 0)) { return true }
        return stop < count && isWord(stop)
    }
}
