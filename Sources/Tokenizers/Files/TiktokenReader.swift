extension Tokenizer {
    /// A tokenizer from a tiktoken file: lines of a token's bytes in base64, a space, and its rank.
    ///
    /// Two neighbors merge if they are a token together, the lowest rank first.
    /// - Parameters:
    ///   - pre: how text is cut, by the name that GGUF files give it, such as `gpt-4o`.
    ///   - specialTokens: tokens that the file does not hold.
    public convenience init(
        tiktoken: [UInt8], pre: String, specialTokens: [String: TokenID]
    ) throws(TokenizerError) {
        self.init(try TiktokenReader(tiktoken).parts(pre, specialTokens))
    }
}

/// Reads a tiktoken file.
struct TiktokenReader {
    private var entries: [(rank: Int, bytes: [UInt8])] = []

    static func error(_ problem: String) -> TokenizerError { TokenizerError("tiktoken file", problem: problem) }

    init(_ bytes: [UInt8]) throws(TokenizerError) {
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            number += 1
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count == 2, let token = Base64.decode(fields[0]), !token.isEmpty,
                let rank = Int(String(decoding: fields[1], as: UTF8.self).filter { $0 != "\r" }), rank >= 0,
                rank < 1 << 24
            else { throw Self.error("line \(number) must be a token and its rank") }
            entries.append((rank, token))
        }
        if entries.isEmpty { throw Self.error("the file has no tokens") }
    }

    func parts(_ pre: String, _ specialTokens: [String: TokenID]) throws(TokenizerError) -> TokenizerParts {
        guard let cutting = NamedPatterns.of(pre) else {
            throw Self.error("unknown pre-tokenizer \(pre.prefix(40))")
        }
        let last = max(entries.map(\.rank).max() ?? 0, specialTokens.values.map { Int($0) }.max() ?? 0)
        guard last < (entries.count + specialTokens.count) * 4 + 65_536 else {
            throw Self.error("ranks go up to \(last), but the token count is \(entries.count)")
        }
        var byID = [[UInt8]?](repeating: nil, count: last + 1)
        var kinds = [UInt8](repeating: TokenKind.unused.rawValue, count: last + 1)
        for entry in entries {
            byID[entry.rank] = entry.bytes
            kinds[entry.rank] = TokenKind.normal.rawValue
        }
        var verbatim: [[UInt8]: TokenID] = [:]
        for (content, id) in specialTokens {
            guard id >= 0, byID[Int(id)] == nil else { throw Self.error("invalid or duplicate token ID \(id)") }
            byID[Int(id)] = Array(content.utf8)
            kinds[Int(id)] = TokenKind.control.rawValue
            verbatim[Array(content.utf8)] = id
        }
        var strings = ByteStrings()
        for bytes in byID { strings.append(bytes ?? []) }
        let pieces = PieceTable(strings) { kinds[$0] == TokenKind.normal.rawValue }
        // The rank of a merge is that of the token it makes.
        let model = MergeModel(
            vocabulary: pieces, symbols: .bytes,
            rule: .scored(ranks: (0...last).map { UInt32($0) }, unused: []),
            byteIDs: (0...255).map { pieces.find([UInt8($0)]) })
        model.ignoresMerges = true
        var parts = TokenizerParts(
            family: .byteLevelBPE, pieces: pieces, kinds: kinds, added: AddedTokens([], normalize: { $0 }),
            model: .merges(model))
        parts.isByteLevel = true
        parts.verbatim = verbatim
        for step in cutting.steps { parts.preTokenizers.append(try PreTokenizer.splitting(step)) }
        parts.special = SpecialTokens(eos: specialTokens["<|endoftext|>"])
        parts.complete()
        parts.added = AddedTokens(
            specialTokens.map { AddedToken(id: $0.value, content: Array($0.key.utf8), isStructural: true) },
            normalize: { $0 })
        return parts
    }
}
