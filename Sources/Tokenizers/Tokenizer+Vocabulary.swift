extension Tokenizer {
    public var bos: TokenID? { special.bos }
    public var eos: TokenID? { special.eos }

    /// The text of tokens. Ids without a token add nothing; bytes that are no UTF-8 read as U+FFFD.
    ///
    /// - Parameter skippingSpecialTokens: leaves out control and unknown tokens.
    public func decode(_ ids: some Sequence<TokenID>, skippingSpecialTokens: Bool = true) -> String {
        var decoder = StreamDecoder(self, skippingSpecialTokens: skippingSpecialTokens)
        for id in ids { decoder.push(id) }
        return decoder.finish()
    }

    /// Returns the bytes that a token adds inside a text, which may be invalid UTF-8; empty if it adds none.
    public func bytes(of id: TokenID) -> [UInt8] {
        guard contains(id) else { return [] }
        let token = Array(parts.pieces[Int(id)])
        if parts.decoding.isEmpty { return token }
        // A letter stands before it, so that it is not the first token, whose prefix goes; one after it makes steps
        // that wait for the next token are released.
        let letter = [UInt8(ascii: "x")]
        var chain = DecodingChain(parts.decoding)
        var bytes: [UInt8] = []
        chain.push(letter, into: &bytes)
        let isHeld = bytes.isEmpty
        chain.push(token, into: &bytes)
        if isHeld { chain.push(letter, into: &bytes) }
        return Array(bytes.dropFirst(letter.count))
    }

    /// Returns a token as written in the vocabulary: `Ġthe`, `▁the`, `<0x0A>`; empty if there is none.
    public func piece(_ id: TokenID) -> String {
        guard contains(id) else { return "" }
        let bytes = parts.pieces[Int(id)]
        if parts.isByteLevel, !parts.isVerbatim(id) {
            return String(decoding: ByteAlphabet.encode(bytes), as: UTF8.self)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the token with this text in the vocabulary; `nil` if there is none.
    public func id(of piece: String) -> TokenID? {
        if let id = parts.verbatim[Array(piece.utf8)] { return id }
        var bytes = Array(piece.utf8)
        if parts.isByteLevel {
            var raw: [UInt8] = []
            guard bytes.withUnsafeBufferPointer({ ByteAlphabet.decode($0, into: &raw) }) else { return nil }
            bytes = raw
        }
        let id = parts.pieces.find(bytes)
        return id >= 0 ? id : nil
    }

    public func kind(of id: TokenID) -> TokenKind {
        contains(id) ? TokenKind(rawValue: parts.kinds[Int(id)]) ?? .normal : .unused
    }

    /// Whether a token is structure: text never becomes it unless special tokens are parsed.
    ///
    /// It is if it is a control token, or a user-defined one in brackets that a chat template writes.
    public func isStructural(_ id: TokenID) -> Bool { parts.structural.contains(id) || kind(of: id) == .control }

    func contains(_ id: TokenID) -> Bool { id >= 0 && Int(id) < vocabularySize }

    /// Whether decoding leaves a token out.
    func isSkipped(_ id: TokenID) -> Bool {
        let kind = parts.kinds[Int(id)]
        return kind == TokenKind.control.rawValue || kind == TokenKind.unknown.rawValue
    }
}
