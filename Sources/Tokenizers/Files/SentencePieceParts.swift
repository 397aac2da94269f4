/// A SentencePiece vocabulary, whichever file it came in.
struct SentencePieceParts {
    let tokens: ByteStrings
    let scores: [Float]
    let kinds: [UInt8]
    let unknown: TokenID

    private func isPiece(_ id: Int) -> Bool {
        let kind = kinds[id]
        return kind == TokenKind.normal.rawValue || kind == TokenKind.userDefined.rawValue
            || kind == TokenKind.unused.rawValue
    }

    /// Tokens of bytes; -1 if there is none.
    private var byteIDs: [TokenID] {
        var ids = [TokenID](repeating: -1, count: 256)
        for id in 0..<kinds.count where kinds[id] == TokenKind.byte.rawValue {
            if let byte = ByteToken.byte(of: tokens[id]) { ids[Int(byte)] = TokenID(id) }
        }
        return ids
    }

    /// Unknown token: the configured one, otherwise the token of that type.
    private var unknownID: TokenID {
        if unknown >= 0, Int(unknown) < kinds.count { return unknown }
        return TokenID(kinds.firstIndex(of: TokenKind.unknown.rawValue) ?? -1)
    }

    /// Whether ▁ only ever begins tokens, so that text may be cut before it without another result.
    private func wordsAreApart(_ pieces: PieceTable) -> Bool {
        for id in 0..<pieces.count where isPiece(id) {
            // Two words in it: a ▁ after something else.
            if Metaspace.words(pieces[id]).count > 1 { return false }
        }
        return true
    }

    private func parts(
        _ family: Tokenizer.Family, _ pieces: PieceTable, _ model: TokenModel, _ addsPrefix: Bool,
        _ normalizers: [Normalizer]
    ) -> TokenizerParts {
        var parts = TokenizerParts(
            family: family, pieces: pieces, kinds: kinds, added: AddedTokens([], normalize: { $0 }), model: model)
        let space = Replacement(.text([UInt8(ascii: " ")]), with: Metaspace.lowerBlock)
        parts.normalizers = normalizers
        if addsPrefix { parts.normalizers.append(.prepend(Metaspace.lowerBlock)) }
        parts.normalizers.append(.replace(space))
        if wordsAreApart(pieces) { parts.preTokenizers = [.wordStarts] }
        parts.decoding = [
            .replace(Replacement(.text(Metaspace.lowerBlock), with: [UInt8(ascii: " ")])), .byteFallback, .fuse,
        ]
        if addsPrefix { parts.decoding.append(.strip(content: [UInt8(ascii: " ")], start: 1, stop: 0)) }
        return parts
    }

    func merges(addsPrefix: Bool, normalizers: [Normalizer]) throws(TokenizerError) -> TokenizerParts {
        let pieces = PieceTable(tokens, isKey: isPiece)
        let unused = kinds.indices.filter { kinds[$0] == TokenKind.unused.rawValue }.map { UInt32($0) }
        let model = MergeModel(
            vocabulary: pieces, symbols: .scalars, rule: .scored(ranks: ranks(), unused: Set(unused)), byteIDs: byteIDs)
        model.unknown = unknownID
        return parts(.sentencePieceBPE, pieces, .merges(model), addsPrefix, normalizers)
    }

    /// Returns ranks of scores, the highest first; equal scores share a rank, and NaN comes last.
    private func ranks() -> [UInt32] {
        let order = scores.map { $0.isNaN ? -Float.infinity : $0 }
        let sorted = order.indices.sorted { order[$0] > order[$1] }
        var ranks = [UInt32](repeating: 0, count: order.count)
        var rank: UInt32 = 0
        for (place, id) in sorted.enumerated() {
            if place > 0, order[id] != order[sorted[place - 1]] { rank += 1 }
            ranks[id] = rank
        }
        return ranks
    }

    func unigram(addsPrefix: Bool, normalizers: [Normalizer]) throws(TokenizerError) -> TokenizerParts {
        let pieces = PieceTable(tokens, isKey: isPiece)
        let model = try UnigramModel(
            vocabulary: pieces, scores: scores.map { $0.isFinite ? Double($0) : -1e9 }, unknown: unknownID,
            byteIDs: byteIDs, isUsable: { isPiece($0) && kinds[$0] != TokenKind.unused.rawValue })
        return parts(.unigram, pieces, .unigram(model), addsPrefix, normalizers)
    }
}
