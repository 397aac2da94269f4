/// The columns that text takes when a surface draws it, escapes included.
public enum DisplayWidth {
    /// The columns of one line of text.
    public static func of(_ text: some StringProtocol) -> Int {
        withUTF8(of: text) { bytes in measure(bytes, upTo: .max).columns }
    }

    /// The columns of one grapheme cluster.
    public static func of(_ character: Character) -> Int {
        if let byte = character.utf8.first, byte >= 0x20, byte < 0x7F, character.utf8.count == 1 { return 1 }
        return ClusterShape(character.unicodeScalars).columns
    }

    /// Gives the bytes of a text without copying where it lies in one piece.
    @inline(__always)
    static func withUTF8<Result>(
        of text: some StringProtocol, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = String(text)
        return copy.withUTF8(body)
    }

    /// The longest prefix of whole clusters that takes at most `limit` columns: its bytes, its columns, and whether it
    /// is all. O(prefix).
    static func measure(
        _ bytes: UnsafeBufferPointer<UInt8>, upTo limit: Int
    ) -> (bytes: Int, columns: Int, isAll: Bool) {
        let plain = printablePrefix(bytes, upTo: limit)
        if plain == bytes.count { return (plain, plain, true) }
        // The last byte may carry a mark, so that it is left to the scanner.
        let settled = max(0, plain - 1)
        if plain >= limit, bytes[plain] < 0xCC { return (plain, plain, false) }
        var scanner = ClusterScanner(UnsafeBufferPointer(rebasing: bytes[settled...]))
        var columns = settled
        var end = settled
        while let cluster = scanner.next() {
            guard columns + cluster.columns <= limit else { return (end, columns, false) }
            columns += cluster.columns
            end = settled + cluster.range.upperBound
        }
        return (end, columns, true)
    }

    /// How many bytes from the start are printable ASCII, looking no further than the limit.
    @inline(__always)
    static func printablePrefix(_ bytes: UnsafeBufferPointer<UInt8>, upTo limit: Int) -> Int {
        let count = min(bytes.count, max(0, limit))
        var index = 0
        while index < count, bytes[index] &- 0x20 < 0x5F { index += 1 }
        return index
    }
}
