/// Tokens by the bytes that they stand for: places of a text are found among them.
package struct TokenBytes: Sendable {
    private let bytes: [UInt8]
    /// Where each token ends in ``bytes``.
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

    /// The token that holds a byte of a text; what a tokenizer puts before the text is no part of it.
    package func token(holding byte: Int, of text: String) -> Int {
        let lead = bytes.firstRange(of: Array(text.utf8))?.lowerBound ?? 0
        return token(holding: lead + byte)
    }

    /// The tokens that a stretch of text runs over; nil where it does not stand there.
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
