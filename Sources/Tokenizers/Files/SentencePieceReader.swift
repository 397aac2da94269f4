internal import Bytes

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
        try bytes.withRawBytes { (bytes) throws(TokenizerError) in
            var message = ProtobufReader(bytes)
            while let field = try Self.next(&message) {
                switch (field.number, field.message) {
                case (1, let piece?): try read(piece: piece)
                case (2, let trainer?): try read(trainer: trainer)
                case (3, let normalizer?): try read(normalizer: normalizer)
                default: break
                }
            }
        }
        if tokens.count == 0 { throw Self.error("the model has no pieces") }
    }

    private static func next(_ message: inout ProtobufReader) throws(TokenizerError) -> ProtobufReader.Field? {
        do throws(ByteDamage) { return try message.next() } catch {
            throw Self.error("the file is truncated or not a protocol buffer")
        }
    }

    private mutating func read(piece: ProtobufReader) throws(TokenizerError) {
        var message = piece
        var text: [UInt8] = []
        var score: Float = 0
        var kind = TokenKind.normal
        while let field = try Self.next(&message) {
            switch (field.number, field.wire) {
            case (1, 2): text = Array(field.bytes)
            case (2, 5): score = field.float ?? 0
            case (3, 0):
                let number = field.word
                guard let known = UInt8(exactly: number).flatMap(TokenKind.init(rawValue:)) else {
                    throw Self.error("unknown piece type \(number)")
                }
                kind = known
            default: break
            }
        }
        tokens.append(text)
        scores.append(score)
        kinds.append(kind.rawValue)
    }

    private mutating func read(trainer: ProtobufReader) throws(TokenizerError) {
        var message = trainer
        while let field = try Self.next(&message) {
            // Absent ids are -1, written as ten bytes.
            guard let number = field.int else { continue }
            if field.number == 3 { modelType = Int(number) }
            if (40...43).contains(field.number) { special[field.number] = Int(number) }
        }
    }

    private mutating func read(normalizer: ProtobufReader) throws(TokenizerError) {
        var message = normalizer
        while let field = try Self.next(&message) {
            switch (field.number, field.wire) {
            case (2, 2): charactersMap = Array(field.bytes)
            case (3, 0): addsPrefix = field.word != 0
            case (4, 0): collapsesSpaces = field.word != 0
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
