/// The width of text in columns, including escapes, as a surface draws it.
public enum DisplayWidth {
    /// Returns the width of one line of text.
    public static func of(_ text: some StringProtocol) -> Int {
        withUTF8(of: text) { bytes in measure(bytes, upTo: .max).columns }
    }

    /// Returns the width of one grapheme cluster.
    public static func of(_ character: Character) -> Int {
        if let byte = character.utf8.first, byte >= 0x20, byte < 0x7F, character.utf8.count == 1 { return 1 }
        return ClusterShape(character.unicodeScalars).columns
    }

    /// Calls `body` with the UTF-8 bytes of a string, without a copy if its storage is contiguous.
    @inline(__always)
    static func withUTF8<Result>(
        of text: some StringProtocol, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = String(text)
        return copy.withUTF8(body)
    }

    /// Returns the longest prefix of whole clusters with at most `limit` columns.
    ///
    /// - Returns: Bytes and columns of the prefix, and whether it is the whole text.
    /// - Complexity: O(n) in the length of the prefix.
    static func measure(
        _ bytes: UnsafeBufferPointer<UInt8>, upTo limit: Int
    ) -> (bytes: Int, columns: Int, isAll: Bool) {
        let plain = printablePrefix(bytes, upTo: limit)
        if plain == bytes.count { return (plain, plain, true) }
        // A combining mark may follow the last byte, so the scanner handles it.
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

    /// Returns the number of printable ASCII bytes at the start, at most `limit`.
    @inline(__always)
    static func printablePrefix(_ bytes: UnsafeBufferPointer<UInt8>, upTo limit: Int) -> Int {
        let count = min(bytes.count, max(0, limit))
        var index = 0
        while index < count, bytes[index] &- 0x20 < 0x5F { index += 1 }
        return index
    }
}
