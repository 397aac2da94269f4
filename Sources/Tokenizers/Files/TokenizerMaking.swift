/// Rules that all readers of vocabularies share.
enum EndOfGeneration {
    /// Names of tokens that end an answer, in the vocabularies of published models.
    private static let names: Set<String> = [
        "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|eom_id|>", "<EOT>", "_<EOT>",
        "[EOT]", "[EOS]", "</s>", "<|return|>", "<|call|>", "<|end_of_text|>", "<｜end▁of▁sentence｜>",
        "<end_of_utterance>", "<|end_of_sentence|>", "<eos>",
    ]

    /// EOS, EOT and EOM, and every control or user-defined token with such a name.
    static func tokens(_ pieces: PieceTable, _ kinds: [UInt8], _ special: SpecialTokens) -> Set<TokenID> {
        var ids = Set([special.eos, special.eot, special.eom].compactMap { $0 })
        for (id, kind) in kinds.enumerated()
        where kind == TokenKind.control.rawValue || kind == TokenKind.userDefined.rawValue {
            if names.contains(String(decoding: pieces[id], as: UTF8.self)) { ids.insert(TokenID(id)) }
        }
        return ids
    }
}

/// User-defined tokens that are structure all the same.
enum Structure {
    /// Tokens in brackets that a chat template writes, such as `<tool_call>`.
    static func tokens(_ pieces: PieceTable, _ kinds: [UInt8], _ templates: [String: String]) -> Set<TokenID> {
        var ids: Set<TokenID> = []
        if templates.isEmpty { return ids }
        let sources = templates.values.map { Array($0.utf8) }
        for (id, kind) in kinds.enumerated() where kind == TokenKind.userDefined.rawValue {
            let piece = Array(pieces[id])
            guard piece.count > 2, let first = piece.first, let last = piece.last else { continue }
            guard "<[{".utf8.contains(first), ">]}".utf8.contains(last) else { continue }
            if sources.contains(where: { !Replacement.occurrences(of: piece, in: $0).isEmpty }) {
                ids.insert(TokenID(id))
            }
        }
        return ids
    }
}

extension TokenizerParts {
    /// Fills in what follows from pieces, kinds and templates.
    mutating func complete() {
        settle()
        structural = Structure.tokens(pieces, kinds, chatTemplates)
        endOfGeneration = EndOfGeneration.tokens(pieces, kinds, special)
    }
}
