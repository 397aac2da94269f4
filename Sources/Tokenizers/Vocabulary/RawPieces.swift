/// The pieces of a byte-level vocabulary as bytes.
struct RawPieces {
    private(set) var strings = ByteStrings()
    /// Tokens that are not written in the alphabet, or are text as they stand.
    private(set) var verbatim: [[UInt8]: TokenID] = [:]

    init(_ written: ByteStrings, _ kinds: [UInt8]) {
        strings.reserve(count: written.count, byteCount: written.bytes.count)
        var bytes: [UInt8] = []
        written.bytes.withUnsafeBufferPointer { all in
            for id in 0..<written.count {
                let piece = UnsafeBufferPointer(rebasing: all[written.range(id)])
                bytes.removeAll(keepingCapacity: true)
                let kind = kinds[id]
                let isText =
                    kind == TokenKind.control.rawValue || kind == TokenKind.userDefined.rawValue
                    || kind == TokenKind.unknown.rawValue
                if !isText, ByteAlphabet.decode(piece, into: &bytes) {
                    strings.append(bytes)
                } else {
                    verbatim[Array(piece)] = TokenID(id)
                    strings.append(piece)
                }
            }
        }
    }

    /// Reads merges `left right` in the alphabet, which has no space.
    static func read(_ merges: ByteStrings, into reader: MergeReader) throws(TokenizerError) {
        var bytes: [UInt8] = []
        try merges.bytes.withUnsafeBufferPointer { (all) throws(TokenizerError) in
            for rank in 0..<merges.count {
                bytes.removeAll(keepingCapacity: true)
                let merge = UnsafeBufferPointer(rebasing: all[merges.range(rank)])
                var space = 1
                while space < merge.count, merge[space] != UInt8(ascii: " ") { space &+= 1 }
                guard space < merge.count else {
                    throw TokenizerError(reader.subject, problem: "merge \(rank) must be two tokens")
                }
                let left = append(UnsafeBufferPointer(rebasing: merge[..<space]), to: &bytes)
                _ = append(UnsafeBufferPointer(rebasing: merge[(space + 1)...]), to: &bytes)
                try reader.add(bytes, leftLength: left, rank: rank)
            }
        }
    }

    /// Appends a piece as bytes, or as it stands where it is not written in the alphabet; its length.
    static func append(_ piece: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) -> Int {
        let before = bytes.count
        if !ByteAlphabet.decode(piece, into: &bytes) { bytes.append(contentsOf: piece) }
        return bytes.count - before
    }
}

extension MergeReader {
    func add(_ bytes: [UInt8], leftLength: Int, rank: Int) throws(TokenizerError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(TokenizerError) in
            try add(buffer, leftLength: leftLength, rank: rank)
        }
    }
}
