/// The bytes of tokens, for finding positions of a text among the tokens.
package struct TokenBytes: Sendable {
    private let bytes: [UInt8]
    /// End of each token in ``bytes``.
    private let ends: [Int]

    package init(_ tokens: some Sequence<[UInt8]>) {
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        for token in tokens {
            bytes += token
            ends.append(bytes.count)
        }
        self.bytes = bytes
        self.ends = ends
    }

    package var count: Int { ends.count }

    /// Returns the token with a byte of a text, ignoring what the tokenizer adds before the text.
    package func token(holding byte: Int, of text: String) -> Int {
        let lead = bytes.firstRange(of: Array(text.utf8))?.lowerBound ?? 0
        return token(holding: lead + byte)
    }

    /// Returns the tokens that contain a passage; `nil` if the text does not contain it.
    package func tokens(of stretch: String) -> Range<Int>? {
        let wanted = Array(stretch.utf8)
        guard !wanted.isEmpty, let range = bytes.firstRange(of: wanted) else { return nil }
        return token(holding: range.lowerBound)..<token(holding: range.upperBound - 1) + 1
    }

    private func token(holding byte: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= byte { low = middle + 1 } else { high = middle }
        }
        return max(0, min(low, ends.count - 1))
    }
}
