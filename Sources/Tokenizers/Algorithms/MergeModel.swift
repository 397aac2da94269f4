/// Byte-pair encoding: a piece becomes symbols, and neighbors merge until none do.
///
/// One implementation serves byte-level vocabularies (symbols are bytes), those of characters with byte fallback, and
/// SentencePiece's, where scores say what merges.
/// - Source: Sennrich, Haddow, Birch, ACL 2016; Kudo, Richardson, EMNLP 2018 (scores).
package final class MergeModel: @unchecked Sendable {
    // Sendable: nothing is written after the initializer.

    /// What a piece is made of before anything merges.
    package enum Symbols: Sendable {
        case bytes
        case scalars
    }
    package enum Rule: Sendable {
        case listed(PairTable)
        case scored(ranks: [UInt32], unused: Set<UInt32>)
    }

    package let vocabulary: PieceTable
    package let symbols: Symbols
    package let rule: Rule
    /// A piece that is a token as a whole is that token, whatever its merges would give (Llama 3).
    package var ignoresMerges = false
    /// Token of each byte, from its symbol or its fallback; -1 if there is none.
    package let byteIDs: [TokenID]
    /// Characters without a token become their bytes' tokens.
    package let fallsBackToBytes: Bool
    package var unknown: TokenID = -1
    package var fusesUnknown = true
    /// Written before every symbol but the first of a piece, and after the last.
    package var continuingPrefix: [UInt8] = []
    package var endSuffix: [UInt8] = []
    private let ranks: UnsafeMutablePointer<UInt32>?

    package init(vocabulary: PieceTable, symbols: Symbols, rule: Rule, byteIDs: [TokenID]) {
        self.vocabulary = vocabulary
        self.symbols = symbols
        self.rule = rule
        self.byteIDs = byteIDs
        fallsBackToBytes = symbols == .scalars && byteIDs.allSatisfy { $0 >= 0 }
        if case .scored(let scores, _) = rule {
            let ranks = UnsafeMutablePointer<UInt32>.allocate(capacity: scores.count)
            _ = UnsafeMutableBufferPointer(start: ranks, count: scores.count).initialize(from: scores)
            self.ranks = ranks
        } else {
            ranks = nil
        }
    }

    deinit { ranks?.deallocate() }

    /// Appends the tokens of the piece `text[start..<end]`.
    package func encode(_ text: UTF8Pointer, _ start: Int, _ end: Int, into state: inout EncoderState) {
        let piece = text + start
        let length = end &- start
        var whole: TokenID = -1
        if ignoresMerges {
            whole = vocabulary.find(piece, length)
            if whole >= 0 { return state.append(whole, start: start, length: length) }
        } else if length > PieceCache.longest {
            // Long tokens, such as indentation, are merged once; after that it is known that they come out whole.
            whole = vocabulary.find(piece, length)
            if whole >= 0, state.mergesToItself(whole, vocabulary.count) {
                return state.append(whole, start: start, length: length)
            }
        }
        let before = state.count
        state.merging.begin(length)
        switch rule {
        case .listed(let pairs):
            fill(piece, length, &state.merging)
            state.merging.merge(ListedMerges(pairs: pairs))
            let count = state.merging.count
            state.reserve(count)
            for index in 0..<count {
                let symbol = state.merging.symbols[index]
                state.append(
                    TokenID(bitPattern: symbol.id), start: start &+ Int(symbol.start), length: Int(symbol.length))
            }
        case .scored(_, let unused):
            fillForScores(piece, length, &state.merging)
            state.merging.merge(
                ScoredMerges(vocabulary: vocabulary, ranks: UnsafePointer(ranks!), unused: unused, piece: piece))
            emitScored(piece, start, unused, &state)
        }
        if whole >= 0 { state.ownMerges[Int(whole)] = state.count == before &+ 1 && state.ids[before] == whole ? 1 : 2 }
    }

    /// Symbols of listed merges; a character without a token falls back to bytes or becomes unknown.
    @inline(__always)
    private func fill(_ piece: UTF8Pointer, _ length: Int, _ workspace: inout MergeWorkspace) {
        var pending = 0
        var index = 0
        while index < length {
            let size = symbols == .bytes ? 1 : scalar(piece, at: index, end: length).length
            let id = symbols == .bytes ? byteIDs[Int(piece[index])] : symbol(piece, index, size, length)
            if id >= 0 {
                if pending > 0 { workspace.append(id: UInt32(unknown), start: index - pending, length: pending) }
                pending = 0
                workspace.append(id: UInt32(bitPattern: id), start: index, length: size)
            } else if fallsBackToBytes {
                for offset in index..<index + size {
                    // Each byte's token stands for the whole character.
                    workspace.append(
                        id: UInt32(bitPattern: byteIDs[Int(piece[offset])]), start: offset, length: 1)
                }
            } else if unknown >= 0 {
                if pending > 0, !fusesUnknown {
                    workspace.append(id: UInt32(unknown), start: index - pending, length: pending)
                    pending = 0
                }
                pending += size
            }
            index &+= size
        }
        if pending > 0 { workspace.append(id: UInt32(unknown), start: length - pending, length: pending) }
    }

    private func symbol(_ piece: UTF8Pointer, _ index: Int, _ size: Int, _ length: Int) -> TokenID {
        let isLast = index &+ size == length
        if (index == 0 || continuingPrefix.isEmpty) && (!isLast || endSuffix.isEmpty) {
            return vocabulary.find(piece + index, size)
        }
        var text = index == 0 ? [] : continuingPrefix
        text.append(contentsOf: UnsafeBufferPointer(start: piece + index, count: size))
        if isLast { text += endSuffix }
        return vocabulary.find(text)
    }

    private func fillForScores(_ piece: UTF8Pointer, _ length: Int, _ workspace: inout MergeWorkspace) {
        workspace.splits.removeAll(keepingCapacity: true)
        var index = 0
        while index < length {
            let size = symbols == .bytes ? 1 : scalar(piece, at: index, end: length).length
            let id = vocabulary.find(piece + index, size)
            workspace.append(id: UInt32(bitPattern: id), start: index, length: size)
            index &+= size
        }
    }

    /// Tokens of the symbols that are left: those that may not be used are taken apart again.
    private func emitScored(_ piece: UTF8Pointer, _ start: Int, _ unused: Set<UInt32>, _ state: inout EncoderState) {
        var pending: (start: Int, length: Int)?
        // The rightmost is taken from the end, so that parts of a symbol come out from left to right.
        var stack: [MergeSymbol] = []
        for index in 0..<state.merging.count {
            stack.append(state.merging.symbols[index])
            while let symbol = stack.popLast() {
                let place = start + Int(symbol.start)
                let length = Int(symbol.length)
                let isUsable = symbol.id != MergeSymbol.none && (unused.isEmpty || !unused.contains(symbol.id))
                if isUsable {
                    if let unknownRun = pending { append(unknownRun, &state) }
                    pending = nil
                    state.append(TokenID(bitPattern: symbol.id), start: place, length: length)
                } else if let left = state.merging.splits[symbol.id], left < symbol.length {
                    for (offset, size) in [(left, symbol.length - left), (0, left)] {
                        let id = vocabulary.find(piece + Int(symbol.start + offset), Int(size))
                        stack.append(
                            MergeSymbol(id: UInt32(bitPattern: id), start: symbol.start + offset, length: size))
                    }
                } else if fallsBackToBytes {
                    for byte in 0..<length {
                        state.append(byteIDs[Int(piece[Int(symbol.start) + byte])], start: place, length: length)
                    }
                } else {
                    pending = (pending?.start ?? place, (pending?.length ?? 0) + length)
                }
            }
        }
        if let unknownRun = pending { append(unknownRun, &state) }
    }

    private func append(_ run: (start: Int, length: Int), _ state: inout EncoderState) {
        if unknown >= 0 { state.append(unknown, start: run.start, length: run.length) }
    }
}
