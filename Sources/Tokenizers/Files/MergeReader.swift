/// Reads a list of merges into a table.
struct MergeReader {
    let pieces: PieceTable
    let kinds: [UInt8]
    let subject: String
    /// Dropped from the right part of a merge where it stands before every continuing symbol.
    var continuingPrefix: [UInt8] = []
    /// Control tokens by their text, which are not in `pieces`: merges of them and into them are left out, for text
    /// would become structure by them.
    var structural: Set<[UInt8]> = []
    let table: PairTable

    init(pieces: PieceTable, kinds: [UInt8], count: Int, subject: String) {
        self.pieces = pieces
        self.kinds = kinds
        self.subject = subject
        table = PairTable(count: count)
    }

    /// Adds merge `rank` of two pieces that stand one after the other in `text`, as the table of pieces has them.
    func add(_ text: UnsafeBufferPointer<UInt8>, leftLength: Int, rank: Int) throws(TokenizerError) {
        guard let base = text.baseAddress, leftLength > 0, leftLength < text.count else {
            throw TokenizerError(subject, problem: "merge \(rank) must be two tokens")
        }
        let left = pieces.find(base, leftLength)
        let right = pieces.find(base + leftLength, text.count - leftLength)
        let merged: TokenID
        if continuingPrefix.isEmpty {
            merged = pieces.find(base, text.count)
        } else {
            let rest = text[leftLength...]
            let bare = rest.starts(with: continuingPrefix) ? rest.dropFirst(continuingPrefix.count) : rest
            merged = pieces.find(Array(text[..<leftLength]) + Array(bare))
        }
        guard left >= 0, right >= 0, merged >= 0 else {
            let parts = [Array(text[..<leftLength]), Array(text[leftLength...]), Array(text)]
            if !structural.isDisjoint(with: parts) { return }
            throw TokenizerError(
                subject, problem: "merge \(rank) has a token that is not in the vocabulary",
                remedy: "Use the vocabulary and the merges from the same source.")
        }
        let kind = kinds[Int(merged)]
        if kind == TokenKind.control.rawValue || kind == TokenKind.unknown.rawValue { return }
        table.insert(left, right, rank: rank, merged: merged)
    }
}
