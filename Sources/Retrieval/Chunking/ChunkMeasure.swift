/// Measures the length of chunks, in Characters or in tokens of a model.
struct ChunkMeasure {
    let bytes: UnsafeBufferPointer<UInt8>
    let borders: GraphemeBorders
    private let tokens: TokenCounter?
    /// Running average of the bytes per token.
    private var bytesPerToken = 4.0

    init(_ bytes: UnsafeBufferPointer<UInt8>, tokens: TokenCounter?) {
        self.bytes = bytes
        borders = GraphemeBorders(bytes)
        self.tokens = tokens
    }

    mutating func size(_ range: Range<Int>) -> Int {
        guard let tokens else { return borders.count(in: range) }
        let count = max(0, tokens(String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)))
        if count > 0 { bytesPerToken = min(64, max(0.25, Double(range.count) / Double(count))) }
        return count
    }

    /// Returns the farthest border at which a chunk from `start` is within `limit`, at least one Character after
    /// `start`.
    mutating func fit(from start: Int, to end: Int, limit: Int) -> Int {
        if tokens == nil { return min(end, borders.advanced(start, by: limit)) }
        let least = min(end, borders.advanced(start, by: 1))
        var fits = least
        var tooLong = end + 1
        var guess = start + Int(Double(limit) * bytesPerToken)
        for _ in 0..<16 {
            guess = max(least, borders.rounded(down: min(guess, tooLong - 1)))
            if guess <= fits, fits > least { break }
            let count = size(start..<guess)
            if count <= limit {
                fits = max(fits, guess)
                if guess >= end || Double(count) >= 0.97 * Double(limit) { break }
                guess += max(1, Int(Double(limit - count) * bytesPerToken * 0.98))
            } else {
                tooLong = guess
                if guess <= least { break }
                // By proportion, and a little less; never slower than halving.
                let proportional = start + Int(Double(guess - start) * Double(limit) / Double(count) * 0.98)
                guess = max(fits, min(proportional, (guess + fits) / 2 + (guess - fits) / 4))
                if guess <= fits { guess = (fits + tooLong) / 2 }
            }
            if tooLong - fits <= 1 { break }
        }
        return fits
    }

    /// Returns the first border from which the text up to `end` is no longer than `size`.
    mutating func back(from end: Int, size wanted: Int) -> Int {
        if wanted == 0 { return end }
        if tokens == nil { return borders.retreated(end, by: wanted) }
        var start = borders.rounded(down: max(0, end - Int(Double(wanted) * bytesPerToken)))
        for _ in 0..<8 where start < end {
            let count = size(start..<end)
            if count <= wanted { return start }
            start = borders.advanced(end - Int(Double(end - start) * Double(wanted) / Double(count) * 0.95), by: 1)
        }
        return end
    }
}
