extension Tokenizer {
    /// A tokenizer from what a GGUF file says of it. O(tokens + merges).
    ///
    /// - Throws: a sentence about the first thing that is wrong, or that is not supported.
    public convenience init(_ description: VocabularyDescription) throws(TokenizerError) {
        self.init(try DescriptionReader(description).parts())
    }
}

/// Checks a description and makes a tokenizer's parts of it.
struct DescriptionReader {
    let description: VocabularyDescription
    let count: Int
    var kinds: [UInt8] = []

    init(_ description: VocabularyDescription) throws(TokenizerError) {
        self.description = description
        count = description.tokens.count
        let (types, scores) = (description.types, description.scores)
        guard count > 0 else {
            throw Self.error("tokens", "the vocabulary is empty", "Use the complete model file.")
        }
        guard count <= 1 << 24 else { throw Self.error("tokens", "more than 16 million tokens") }
        guard types.isEmpty || types.count == count else {
            throw Self.error("token_type", "there are \(types.count) types for \(count) tokens")
        }
        guard scores.isEmpty || scores.count == count else {
            throw Self.error("scores", "there are \(scores.count) scores for \(count) tokens")
        }
        kinds = types.isEmpty ? [UInt8](repeating: 1, count: count) : []
        for type in types {
            guard let kind = UInt8(exactly: type).flatMap(TokenKind.init(rawValue:)) else {
                // 0 is "undefined" to those who write such files.
                guard type == 0 else { throw Self.error("token_type", "unknown token type \(type)") }
                kinds.append(TokenKind.normal.rawValue)
                continue
            }
            kinds.append(kind.rawValue)
        }
    }

    static func error(_ key: String, _ problem: String, _ remedy: String = "") -> TokenizerError {
        TokenizerError("tokenizer.ggml.\(key)", problem: problem, remedy: remedy)
    }

    func parts() throws(TokenizerError) -> TokenizerParts {
        var parts =
            switch description.model {
            case "gpt2": try byteLevel()
            case "llama": try sentencePiece()
            case "t5": try unigram()
            case "bert": try wordPiece()
            default:
                throw Self.error(
                    "model", "unknown tokenizer model \(description.model.prefix(40))",
                    "Supported: gpt2, llama, t5, bert.")
            }
        parts.special = try checked(description.special)
        parts.chatTemplates = description.chatTemplates
        parts.template = template(parts.special)
        parts.complete()
        parts.added = AddedTokens(addedTokens(parts), normalize: { $0 })
        return parts
    }

    private func checked(_ special: SpecialTokens) throws(TokenizerError) -> SpecialTokens {
        let all = [
            special.bos, special.eos, special.eot, special.eom, special.unknown, special.separator, special.padding,
            special.classification, special.mask,
        ]
        for case .some(let id) in all where id < 0 || Int(id) >= count {
            throw Self.error("..._token_id", "token ID \(id) is out of range; the vocabulary has \(count) tokens")
        }
        return special
    }

    private func addedTokens(_ parts: TokenizerParts) -> [AddedToken] {
        var tokens: [AddedToken] = []
        for (id, kind) in kinds.enumerated() {
            let isControl = kind == TokenKind.control.rawValue || kind == TokenKind.unknown.rawValue
            guard isControl || kind == TokenKind.userDefined.rawValue else { continue }
            let isStructural = isControl || parts.structural.contains(TokenID(id))
            tokens.append(
                AddedToken(id: TokenID(id), content: Array(parts.pieces[id]), isStructural: isStructural))
        }
        return tokens
    }

    /// What is written round texts.
    private func template(_ special: SpecialTokens) -> EncodingTemplate {
        if description.model == "bert" {
            let cls = (special.classification ?? special.bos).map { [$0] } ?? []
            let sep = (special.separator ?? special.eos).map { [$0] } ?? []
            return EncodingTemplate.joined(before: cls, after: sep, between: [], secondTypeID: 1)
        }
        let adds = NamedPatterns.of(description.pre ?? "default")?.addsBOS ?? false
        let addsBOS = description.addsBOS ?? (description.model == "llama" || (description.model == "gpt2" && adds))
        let addsEOS = description.addsEOS ?? (description.model == "t5")
        return EncodingTemplate.joined(
            before: addsBOS ? special.bos.map { [$0] } ?? [] : [],
            after: addsEOS ? special.eos.map { [$0] } ?? [] : [],
            between: description.addsSeparator == true ? special.separator.map { [$0] } ?? [] : [], secondTypeID: 0)
    }

    /// Symbols of a byte-level vocabulary are bytes, so its pieces are turned into bytes first.
    private func byteLevel() throws(TokenizerError) -> TokenizerParts {
        let name = description.pre ?? "default"
        guard let cutting = NamedPatterns.of(name) else {
            throw Self.error(
                "pre", "unknown pre-tokenizer \(name.prefix(40))",
                "Supported: \(NamedPatterns.names.joined(separator: ", ")), and their aliases.")
        }
        let raw = RawPieces(description.tokens, kinds)
        let pieces = PieceTable(raw.strings) { kinds[$0] != TokenKind.control.rawValue && kinds[$0] != 2 }
        var reader = MergeReader(
            pieces: pieces, kinds: kinds, count: description.merges.count, subject: "tokenizer.ggml.merges")
        reader.structural = Set(raw.verbatim.keys)
        try RawPieces.read(description.merges, into: reader)
        let model = MergeModel(
            vocabulary: pieces, symbols: .bytes, rule: .listed(reader.table),
            byteIDs: (0...255).map { pieces.find([UInt8($0)]) })
        model.ignoresMerges = cutting.ignoresMerges
        var parts = TokenizerParts(
            family: .byteLevelBPE, pieces: pieces, kinds: kinds, added: AddedTokens([], normalize: { $0 }),
            model: .merges(model))
        parts.isByteLevel = true
        parts.verbatim = raw.verbatim
        for step in cutting.steps { parts.preTokenizers.append(try PreTokenizer.splitting(step)) }
        return parts
    }

    private func sentencePiece() throws(TokenizerError) -> TokenizerParts {
        guard description.scores.count == count else {
            throw Self.error("scores", "a llama vocabulary needs a score for each token")
        }
        return try SentencePieceParts(
            tokens: description.tokens, scores: description.scores, kinds: kinds,
            unknown: description.special.unknown ?? -1
        ).merges(addsPrefix: description.addsSpacePrefix ?? true, normalizers: [])
    }

    private func unigram() throws(TokenizerError) -> TokenizerParts {
        guard description.scores.count == count else {
            throw Self.error("scores", "a t5 vocabulary needs a score for each token")
        }
        var normalizers: [Normalizer] = []
        if !description.charactersMap.isEmpty {
            normalizers.append(.charactersMap(try CharactersMap(description.charactersMap, findsLongest: true)))
        }
        if description.removesExtraWhitespace == true { normalizers.append(.collapseSpaces) }
        return try SentencePieceParts(
            tokens: description.tokens, scores: description.scores, kinds: kinds,
            unknown: description.special.unknown ?? -1
        ).unigram(addsPrefix: description.addsSpacePrefix ?? true, normalizers: normalizers)
    }

    private func wordPiece() throws(TokenizerError) -> TokenizerParts {
        let pieces = PieceTable(description.tokens) { kinds[$0] != TokenKind.control.rawValue && kinds[$0] != 2 }
        var initial = ByteTrieBuilder(expectedBytes: count * 8)
        var continuing = ByteTrieBuilder(expectedBytes: count * 4)
        let mark = Metaspace.lowerBlock
        for id in 0..<count where kinds[id] == TokenKind.normal.rawValue || kinds[id] == TokenKind.unused.rawValue {
            let piece = pieces[id]
            let isInitial = piece.starts(with: mark)
            let text = UnsafeBufferPointer(rebasing: isInitial ? piece.dropFirst(mark.count) : piece[...])
            if text.isEmpty { continue }
            let fits =
                isInitial
                ? initial.insert(text, value: TokenID(id)) : continuing.insert(text, value: TokenID(id))
            guard fits else {
                throw Self.error("tokens", "the tokens exceed 16 million bytes")
            }
        }
        let unknown = description.special.unknown ?? pieces.find("[UNK]")
        var parts = TokenizerParts(
            family: .wordPiece, pieces: pieces, kinds: kinds, added: AddedTokens([], normalize: { $0 }),
            model: .wordPiece(
                WordPieceModel(initial: ByteTrie(initial), continuing: ByteTrie(continuing), unknown: unknown)))
        var normalizer = BertNormalizer()
        normalizer.lowercases = description.lowercases ?? true
        normalizer.stripsAccents = description.stripsAccents ?? normalizer.lowercases
        parts.normalizers = [.bert(normalizer)]
        parts.preTokenizers = [.bert]
        parts.decoding = [.markedWords(mark, cleansUp: true)]
        return parts
    }
}

extension EncodingTemplate {
    /// `before A after`, and `before A after between B after`.
    static func joined(
        before: [TokenID], after: [TokenID], between: [TokenID], secondTypeID: UInt8
    ) -> EncodingTemplate {
        func tokens(_ ids: [TokenID], _ typeID: UInt8) -> [Item] { ids.isEmpty ? [] : [.tokens(ids, typeID: typeID)] }
        let single = tokens(before, 0) + [.text(isSecond: false, typeID: 0)] + tokens(after, 0)
        let second = [.text(isSecond: true, typeID: secondTypeID)] + tokens(after, secondTypeID)
        return EncodingTemplate(single: single, pair: single + tokens(between, 0) + second)
    }
}

extension PreTokenizer {
    /// Splits by a published pattern: every match is a piece, and so is the text between matches.
    static func splitting(_ pattern: String) throws(TokenizerError) -> PreTokenizer {
        if let known = KnownPattern(rawValue: pattern) { return .known(known) }
        return .split(.pattern(try Pattern(pattern)), .isolated, inverted: false)
    }
}
