/// A tokenizer taken apart: what a reader of some format fills in, and what encoding works with.
struct TokenizerParts: Sendable {
    var family: Tokenizer.Family
    /// The pieces by id: bytes of a byte-level vocabulary, else as the vocabulary writes them.
    var pieces: PieceTable
    /// `TokenKind.rawValue` by id.
    var kinds: [UInt8]
    /// Whether pieces are bytes that the vocabulary writes in GPT-2's alphabet.
    var isByteLevel = false
    /// Tokens whose bytes are their text, whatever the alphabet: added ones.
    var verbatim: [[UInt8]: TokenID] = [:]
    var special = SpecialTokens()
    var endOfGeneration: Set<TokenID> = []
    var structural: Set<TokenID> = []
    var added: AddedTokens
    var normalizers: [Normalizer] = []
    var preTokenizers: [PreTokenizer] = []
    var model: TokenModel
    var template = EncodingTemplate.bare
    var decoding: [DecodingStep] = []
    var chatTemplates: [String: String] = [:]
    /// Whether encoding needs to know where normalized text comes from even where the caller does not.
    var needsOrigins = false

    /// To be called once the steps are known.
    mutating func settle() {
        let strips = normalizers.contains { if case .strip(true, _) = $0 { true } else { false } }
        let looksAtStart = preTokenizers.contains { step in
            if case .metaspace(let metaspace) = step { metaspace.prefix == .first } else { false }
        }
        needsOrigins = strips && looksAtStart
    }

    func isVerbatim(_ id: TokenID) -> Bool {
        let kind = kinds[Int(id)]
        guard
            kind == TokenKind.control.rawValue || kind == TokenKind.userDefined.rawValue
                || kind == TokenKind.unknown.rawValue
        else { return false }
        return verbatim[Array(pieces[Int(id)])] != nil
    }

    /// The pattern with a scanner of its own, where that is all that cutting takes.
    private var onlyPattern: KnownPattern? {
        if preTokenizers.count == 1, case .known(let pattern) = preTokenizers[0] { return pattern }
        return nil
    }

    /// Appends the tokens of `text`; spans are bytes of it.
    func encode(_ text: UnsafeBufferPointer<UInt8>, _ parsingStructural: Bool, _ state: inout EncoderState) {
        guard let found = added.parts(of: text, parsingStructural: parsingStructural) else {
            return encode(text, 0..<text.count, parsingStructural, &state)
        }
        for part in found {
            if let id = part.id {
                state.append(id, start: part.range.lowerBound, length: part.range.count)
            } else {
                encode(text, part.range, parsingStructural, &state)
            }
        }
    }

    /// A part without raw added tokens.
    private func encode(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ parsingStructural: Bool, _ state: inout EncoderState
    ) {
        guard let base = text.baseAddress, !range.isEmpty else { return }
        let part = UnsafeBufferPointer(rebasing: text[range])
        if let pattern = onlyPattern, !added.hasNormalized, normalizers.allSatisfy({ $0.leavesUnchanged(part) }) {
            return model.encode(pattern, base, range, text.count, &state)
        }
        var aligned = AlignedText(part, offset: range.lowerBound, tracking: state.tracksSpans || needsOrigins)
        for normalizer in normalizers { aligned = normalizer.apply(to: aligned) }
        guard let found = added.normalizedParts(of: aligned.bytes, parsingStructural: parsingStructural) else {
            return encode(aligned, &state)
        }
        for part in found {
            if let id = part.id {
                let span = aligned.origin(part.range)
                state.append(id, start: span.start, length: span.end - span.start)
            } else {
                encode(aligned.part(part.range), &state)
            }
        }
    }

    /// A normalized part without added tokens.
    private func encode(_ text: AlignedText, _ state: inout EncoderState) {
        var list = PieceList(text)
        for step in preTokenizers { step.apply(to: &list) }
        let firstSpan = state.spans.count
        list.text.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for piece in list.pieces {
                model.encodeCached(base, piece.lowerBound, piece.upperBound, bytes.count, &state)
            }
        }
        if state.tracksSpans {
            for index in firstSpan..<state.spans.count {
                state.spans[index] = list.text.origin(characters(state.spans[index], list.text.bytes))
            }
        }
    }

    /// A token's range, widened to whole characters unless the vocabulary is one of bytes.
    private func characters(_ span: EncoderState.Span, _ bytes: [UInt8]) -> Range<Int> {
        var start = span.start
        var end = span.end
        if !isByteLevel {
            while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        }
        return start..<max(start, end)
    }

    /// The normalized pieces of `text`, without added tokens.
    func pieces(of text: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
        var result: [[UInt8]] = []
        let found = added.parts(of: text, parsingStructural: false) ?? [.init(range: 0..<text.count, id: nil)]
        for part in found where part.id == nil && !part.range.isEmpty {
            var aligned = AlignedText(
                UnsafeBufferPointer(rebasing: text[part.range]), offset: part.range.lowerBound, tracking: false)
            for normalizer in normalizers { aligned = normalizer.apply(to: aligned) }
            var list = PieceList(aligned)
            for step in preTokenizers { step.apply(to: &list) }
            for piece in list.pieces { result.append(Array(list.text.bytes[piece])) }
        }
        return result
    }
}
