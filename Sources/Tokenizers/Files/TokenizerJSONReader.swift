internal import JSON

extension Tokenizer {
    /// A tokenizer from Hugging Face's `tokenizer.json`, and from `tokenizer_config.json` where it is there: it names
    /// BOS and EOS and holds the chat template.
    ///
    /// - Throws: a sentence about the first thing that is wrong, or that is not supported.
    public convenience init(json: [UInt8], configuration: [UInt8]? = nil) throws(TokenizerError) {
        let settings = try TokenizerConfiguration(configuration)
        self.init(try Self.document(json, "tokenizer.json").read(settings))
    }

    static func document(_ bytes: [UInt8], _ subject: String) throws(TokenizerError) -> JSONDocument {
        do {
            return try JSONDocument(parsing: bytes, maximumDepth: 128)
        } catch {
            throw TokenizerError(subject, problem: "invalid JSON (\(error.sentence.dropLast()))")
        }
    }
}

extension JSONDocument {
    fileprivate func read(_ settings: TokenizerConfiguration) throws(TokenizerError) -> TokenizerParts {
        try withRoot { root throws(TokenizerError) in
            var reader = try TokenizerJSONReader(root, settings)
            return try reader.parts()
        }
    }
}

/// Reads `tokenizer.json`: vocabulary and model here, the steps round them in `TokenizerJSONReader+Steps.swift`.
struct TokenizerJSONReader {
    let root: JSONNode
    let model: JSONNode
    let settings: TokenizerConfiguration
    private var vocabulary = JSONVocabulary()

    init(_ root: JSONNode, _ settings: TokenizerConfiguration) throws(TokenizerError) {
        self.root = root
        self.settings = settings
        guard let model = root["model"], model.kind == .object else {
            throw Self.error("model", "the model is missing", "Check that the file is a tokenizer.json.")
        }
        self.model = model
    }

    static func error(_ place: String, _ problem: String, _ remedy: String = "") -> TokenizerError {
        TokenizerError("tokenizer.json, \(place)", problem: problem, remedy: remedy)
    }

    private var modelType: String {
        if let type = model["type"]?.string { return type }
        if model["merges"] != nil { return "BPE" }
        if model["vocab"]?.kind == .array { return "Unigram" }
        return model["max_input_chars_per_word"] != nil ? "WordPiece" : "WordLevel"
    }

    mutating func parts() throws(TokenizerError) -> TokenizerParts {
        guard let vocab = model["vocab"] else { throw Self.error("model", "vocab is missing") }
        vocabulary = try JSONVocabulary(vocab, added: root["added_tokens"])
        var normalizers = try Self.normalizers(root["normalizer"])
        var cutting = try Self.preTokenizers(root["pre_tokenizer"])
        var decoding = try Self.decoding(root["decoder"])
        let unknownPiece = model["unk_token"]?.string
        vocabulary.unknown = unknownPiece ?? settings.unknown
        let isRaw = isRawByteLevel(normalizers, cutting, decoding)
        if isRaw {
            cutting.removeLast()
            decoding.removeFirst()
        }
        var parts: TokenizerParts
        switch modelType {
        case "BPE": parts = try bytePairs(isRaw: isRaw)
        case "Unigram": parts = try unigram(vocab)
        case "WordPiece": parts = try wordPiece()
        case "WordLevel": parts = try wordLevel()
        default: throw Self.error("model", "unknown model type \(modelType.prefix(40))")
        }
        let writesBytes = normalizers.contains(where: \.isByteAlphabet) || cutting.contains(where: \.isByteAlphabet)
        if modelType == "BPE", writesBytes { parts.family = .byteLevelBPE }
        swap(&parts.normalizers, &normalizers)
        parts.preTokenizers = cutting
        parts.decoding = decoding
        parts.special = settings.special(vocabulary, root["post_processor"])
        parts.chatTemplates = settings.chatTemplates
        parts.template = try template(parts)
        parts.complete()
        let steps = parts.normalizers
        parts.added = AddedTokens(
            vocabulary.added.map { token in
                var token = token
                token.isStructural = token.isStructural || parts.structural.contains(token.id)
                return token
            },
            normalize: { bytes in
                let text = bytes.withUnsafeBufferPointer { AlignedText($0, offset: 0, tracking: false) }
                return steps.reduce(text) { $1.apply(to: $0) }.bytes
            })
        return parts
    }

    /// Whether text and vocabulary can both stay bytes: the alphabet is entered last and left first, and nothing else
    /// looks at it.
    private func isRawByteLevel(
        _ normalizers: [Normalizer], _ cutting: [PreTokenizer], _ decoding: [DecodingStep]
    ) -> Bool {
        guard modelType == "BPE", case .byteAlphabet? = cutting.last, case .byteLevel? = decoding.first else {
            return false
        }
        let isElsewhere =
            cutting.dropLast().contains(where: \.isByteAlphabet) || normalizers.contains(where: \.isByteAlphabet)
        let affixes = [model["continuing_subword_prefix"], model["end_of_word_suffix"]]
        return !isElsewhere && affixes.allSatisfy { ($0?.utf8Length ?? 0) == 0 } && model["byte_fallback"]?.bool != true
    }

    private func parts(
        _ family: Tokenizer.Family, _ pieces: PieceTable, _ kinds: [UInt8], _ model: TokenModel
    ) -> TokenizerParts {
        TokenizerParts(
            family: family, pieces: pieces, kinds: kinds, added: AddedTokens([], normalize: { $0 }), model: model)
    }

    private static func isKey(_ kind: UInt8) -> Bool {
        kind != TokenKind.control.rawValue && kind != TokenKind.unused.rawValue
    }

    private func bytePairs(isRaw: Bool) throws(TokenizerError) -> TokenizerParts {
        let fallsBack = model["byte_fallback"]?.bool == true
        let kinds = vocabulary.kinds(withBytes: fallsBack)
        let raw = isRaw ? RawPieces(vocabulary.strings, kinds) : nil
        let pieces = PieceTable(raw?.strings ?? vocabulary.strings) { Self.isKey(kinds[$0]) }
        guard let merges = model["merges"], merges.kind == .array else {
            throw Self.error("model", "merges are missing")
        }
        var reader = MergeReader(
            pieces: pieces, kinds: kinds, count: merges.count, subject: "tokenizer.json, model.merges")
        reader.structural = Set(vocabulary.added.filter(\.isStructural).map(\.content))
        reader.continuingPrefix = Array((model["continuing_subword_prefix"]?.string ?? "").utf8)
        try JSONMerges.read(merges, isRaw: isRaw, into: reader)
        let bytes: [TokenID] = (0...255).map { byte in
            if isRaw { return pieces.find([UInt8(byte)]) }
            return fallsBack ? pieces.find(ByteToken.piece(of: UInt8(byte))) : -1
        }
        let merging = MergeModel(
            vocabulary: pieces, symbols: isRaw ? .bytes : .scalars, rule: .listed(reader.table), byteIDs: bytes)
        merging.ignoresMerges = model["ignore_merges"]?.bool ?? false
        merging.fusesUnknown = model["fuse_unk"]?.bool ?? false
        merging.unknown = vocabulary.unknownID
        merging.continuingPrefix = reader.continuingPrefix
        merging.endSuffix = Array((model["end_of_word_suffix"]?.string ?? "").utf8)
        let family: Tokenizer.Family = isRaw ? .byteLevelBPE : fallsBack ? .sentencePieceBPE : .characterBPE
        var parts = parts(family, pieces, kinds, .merges(merging))
        parts.isByteLevel = isRaw
        parts.verbatim = raw?.verbatim ?? [:]
        return parts
    }

    private func unigram(_ vocab: JSONNode) throws(TokenizerError) -> TokenizerParts {
        let fallsBack = model["byte_fallback"]?.bool == true
        let kinds = vocabulary.kinds(withBytes: fallsBack)
        let pieces = PieceTable(vocabulary.strings) { Self.isKey(kinds[$0]) }
        var unknown: TokenID = -1
        if let id = model["unk_id"]?.int {
            guard id >= 0, id < vocab.count else { throw Self.error("model.unk_id", "token ID \(id) is out of range") }
            unknown = TokenID(id)
        }
        let bytes = (0...255).map { fallsBack ? pieces.find(ByteToken.piece(of: $0)) : -1 }
        let model = try UnigramModel(
            vocabulary: pieces, scores: vocabulary.scores, unknown: unknown, byteIDs: bytes,
            isUsable: { $0 < vocab.count && Self.isKey(kinds[$0]) })
        return parts(.unigram, pieces, kinds, .unigram(model))
    }

    private func wordPiece() throws(TokenizerError) -> TokenizerParts {
        let kinds = vocabulary.kinds(withBytes: false)
        let pieces = PieceTable(vocabulary.strings) { Self.isKey(kinds[$0]) }
        let prefix = Array((model["continuing_subword_prefix"]?.string ?? "##").utf8)
        var initial = ByteTrieBuilder(expectedBytes: pieces.count * 8)
        var continuing = ByteTrieBuilder(expectedBytes: pieces.count * 4)
        for id in 0..<pieces.count where Self.isKey(kinds[id]) && kinds[id] != TokenKind.userDefined.rawValue {
            let piece = pieces[id]
            var fits = initial.insert(piece, value: TokenID(id))
            if piece.starts(with: prefix), piece.count > prefix.count {
                let rest = UnsafeBufferPointer(rebasing: piece.dropFirst(prefix.count))
                fits = continuing.insert(rest, value: TokenID(id)) && fits
            }
            guard fits else { throw Self.error("model.vocab", "the tokens exceed 16 million bytes") }
        }
        let longest = model["max_input_chars_per_word"]?.int ?? 100
        return parts(
            .wordPiece, pieces, kinds,
            .wordPiece(
                WordPieceModel(
                    initial: ByteTrie(initial), continuing: ByteTrie(continuing), unknown: vocabulary.unknownID,
                    longestWord: Int(clamping: longest))))
    }

    private func wordLevel() throws(TokenizerError) -> TokenizerParts {
        let kinds = vocabulary.kinds(withBytes: false)
        let pieces = PieceTable(vocabulary.strings) { Self.isKey(kinds[$0]) }
        return parts(
            .wordLevel, pieces, kinds, .wordLevel(WordLevelModel(vocabulary: pieces, unknown: vocabulary.unknownID)))
    }
}
