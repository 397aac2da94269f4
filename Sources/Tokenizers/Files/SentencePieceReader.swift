extension Tokenizer {
    /// A tokenizer from a SentencePiece `.model` file, and from `tokenizer_config.json` where it is there.
    ///
    /// Where nothing says what is written round a text, BPE models begin it with BOS and Unigram models end it with EOS,
    /// as Llama and T5 do.
    public convenience init(sentencePiece: [UInt8], configuration: [UInt8]? = nil) throws(TokenizerError) {
        let settings = try TokenizerConfiguration(configuration)
        self.init(try SentencePieceReader(sentencePiece).parts(settings))
    }
}

/// Reads the protocol buffer `ModelProto`: pieces (1), trainer (2), normalizer (3).
struct SentencePieceReader {
    private var tokens = ByteStrings()
    private var scores: [Float] = []
    private var kinds: [UInt8] = []
    private var modelType = 1
    private var special: [Int: Int] = [:]
    private var charactersMap: [UInt8] = []
    private var addsPrefix = true
    private var collapsesSpaces = true

    static func error(_ problem: String) -> TokenizerError {
        TokenizerError("SentencePiece model", problem: problem, remedy: "Download the file again.")
    }

    init(_ bytes: [UInt8]) throws(TokenizerError) {
        var message = ProtocolBuffer(bytes[...])
        while let (field, value) = try message.next() {
            switch (field, value) {
            case (1, .bytes(let piece)): try read(piece: piece)
            case (2, .bytes(let trainer)): try read(trainer: trainer)
            case (3, .bytes(let normalizer)): try read(normalizer: normalizer)
            default: break
            }
        }
        if tokens.count == 0 { throw Self.error("the model has no pieces") }
    }

    private mutating func read(piece: ArraySlice<UInt8>) throws(TokenizerError) {
        var message = ProtocolBuffer(piece)
        var text: ArraySlice<UInt8> = []
        var score: Float = 0
        var kind = TokenKind.normal
        while let (field, value) = try message.next() {
            switch (field, value) {
            case (1, .bytes(let bytes)): text = bytes
            case (2, .fixed32(let bits)): score = Float(bitPattern: bits)
            case (3, .varint(let number)):
                guard let known = UInt8(exactly: number).flatMap(TokenKind.init(rawValue:)) else {
                    throw Self.error("unknown piece type \(number)")
                }
                kind = known
            default: break
            }
        }
        tokens.append(Array(text))
        scores.append(score)
        kinds.append(kind.rawValue)
    }

    private mutating func read(trainer: ArraySlice<UInt8>) throws(TokenizerError) {
        var message = ProtocolBuffer(trainer)
        while let (field, value) = try message.next() {
            guard case .varint(let number) = value else { continue }
            // Absent ids are -1, written as ten bytes.
            let signed = Int(Int64(bitPattern: number))
            if field == 3 { modelType = signed }
            if (40...43).contains(field) { special[field] = signed }
        }
    }

    private mutating func read(normalizer: ArraySlice<UInt8>) throws(TokenizerError) {
        var message = ProtocolBuffer(normalizer)
        while let (field, value) = try message.next() {
            switch (field, value) {
            case (2, .bytes(let blob)): charactersMap = Array(blob)
            case (3, .varint(let flag)): addsPrefix = flag != 0
            case (4, .varint(let flag)): collapsesSpaces = flag != 0
            default: break
            }
        }
    }

    func parts(_ settings: TokenizerConfiguration) throws(TokenizerError) -> TokenizerParts {
        func token(_ field: Int, _ usual: Int) -> TokenID? {
            let id = special[field] ?? usual
            return id >= 0 && id < tokens.count ? TokenID(id) : nil
        }
        let unknown = token(40, 0)
        let source = SentencePieceParts(tokens: tokens, scores: scores, kinds: kinds, unknown: unknown ?? -1)
        var normalizers: [Normalizer] = []
        if !charactersMap.isEmpty {
            normalizers.append(.charactersMap(try CharactersMap(charactersMap, findsLongest: true)))
        }
        if collapsesSpaces { normalizers.append(.collapseSpaces) }
        var parts: TokenizerParts
        switch modelType {
        case 1: parts = try source.unigram(addsPrefix: addsPrefix, normalizers: normalizers)
        case 2: parts = try source.merges(addsPrefix: addsPrefix, normalizers: normalizers)
        default: throw Self.error("unknown model type \(modelType). Supported: Unigram (1), BPE (2)")
        }
        parts.special = SpecialTokens(
            bos: token(41, 1), eos: token(42, 2), unknown: unknown, padding: token(43, -1))
        let isPairs = modelType == 2
        let bos = settings.addsBOS ?? isPairs ? parts.special.bos.map { [$0] } ?? [] : []
        let eos = settings.addsEOS ?? !isPairs ? parts.special.eos.map { [$0] } ?? [] : []
        parts.template = .joined(before: bos, after: eos, between: [], secondTypeID: 0)
        parts.chatTemplates = settings.chatTemplates
        parts.complete()
        let added = kinds.indices.compactMap { id -> AddedToken? in
            let isControl = kinds[id] == TokenKind.control.rawValue || kinds[id] == TokenKind.unknown.rawValue
            guard isControl || kinds[id] == TokenKind.userDefined.rawValue else { return nil }
            let isStructural = isControl || parts.structural.contains(TokenID(id))
            var token = AddedToken(id: TokenID(id), content: tokens[id], isStructural: isStructural)
            // They are cut out after the prefix and ▁ were written.
            token.isNormalized = kinds[id] == TokenKind.userDefined.rawValue
            return token
        }
        parts.added = AddedTokens(added, normalize: { $0 })
        return parts
    }
}

/// Fields of a protocol buffer, one after the other.
struct ProtocolBuffer {
    enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case bytes(ArraySlice<UInt8>)
        case fixed32(UInt32)
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    private static let truncated = SentencePieceReader.error("the file is truncated or not a protocol buffer")

    mutating func next() throws(TokenizerError) -> (field: Int, value: Value)? {
        if rest.isEmpty { return nil }
        let key = try varint()
        guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw Self.truncated }
        let field = Int(key >> 3)
        switch key & 7 {
        case 0: return (field, .varint(try varint()))
        case 1: return (field, .fixed64(try fixed(8)))
        case 2:
            let length = try varint()
            guard length <= UInt64(rest.count) else { throw Self.truncated }
            let bytes = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            return (field, .bytes(bytes))
        case 5: return (field, .fixed32(UInt32(try fixed(4))))
        default: throw Self.truncated
        }
    }

    private mutating func varint() throws(TokenizerError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw Self.truncated }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Self.truncated
    }

    private mutating func fixed(_ count: Int) throws(TokenizerError) -> UInt64 {
        guard rest.count >= count else { throw Self.truncated }
        let value = rest.prefix(count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(count)
        return value
    }
}
