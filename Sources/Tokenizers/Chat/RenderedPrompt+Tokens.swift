public import LanguageModels

/// What a tokenizer must tell so that a prompt keeps its provenance.
public protocol PromptTokenizer {
    /// The tokens of a text and the UTF-8 bytes that each stands for.
    func encoding(of text: String, addingSpecialTokens: Bool, parsingSpecialTokens: Bool) -> Encoding
    /// Whether a token is structure, such as `<|im_start|>`, and not text.
    func isStructural(_ id: TokenID) -> Bool
}

extension Tokenizer: PromptTokenizer {}

extension RenderedPrompt {
    /// A token of a prompt.
    public struct Token: Hashable, Sendable {
        public var id: TokenID
        /// The bytes of the prompt's UTF-8 that it stands for.
        public var range: Range<Int>
        /// Where the first of them came from.
        public var origin: TokenOrigin

        public init(id: TokenID, range: Range<Int>, origin: TokenOrigin) {
            self.id = id
            self.range = range
            self.origin = origin
        }
    }

    /// The tokens that a model reads, each with its origin.
    ///
    /// Structure comes from the template alone: a structural token counts only where the template wrote all of its text.
    /// `<|im_end|>` in a message is six or so tokens of text, and so is one that begins in a message and ends in the
    /// template.
    ///
    /// The prompt is tokenized as one text, not span by span: models were trained on tokens that cross these borders,
    /// such as a newline of the template with the first word of a message. So the ids are those of the plain text with
    /// special tokens parsed, unless text from a message has one. Only then is the text cut, and only at the template's
    /// own special tokens: between these, everything is read as text. (A tokenizer that treats the start of a text
    /// in its own way treats the start of each of these parts so.)
    ///
    /// - Returns: in order; white space that a special token swallows belongs to its range.
    public func tokens(with tokenizer: some PromptTokenizer) -> [Token] {
        let whole = tokenizer.encoding(of: text, addingSpecialTokens: false, parsingSpecialTokens: true)
        let bytes = Array(text.utf8)
        let structure = whole.ids.indices.filter { tokenizer.isStructural(whole.ids[$0]) }
        let own = structure.filter { isTemplate(trimmed(whole.offsets[$0], bytes)) }
        if own.count == structure.count { return whole.ids.indices.map { token(whole.ids[$0], whole.offsets[$0]) } }
        var tokens: [Token] = []
        var done = 0
        for index in own {
            let range = whole.offsets[index]
            tokens += plainTokens(done..<max(done, range.lowerBound), bytes, tokenizer)
            tokens.append(token(whole.ids[index], range))
            done = max(done, range.upperBound)
        }
        return tokens + plainTokens(done..<bytes.count, bytes, tokenizer)
    }

    private func token(_ id: TokenID, _ range: Range<Int>) -> Token {
        Token(id: id, range: range, origin: origin(at: range.lowerBound))
    }

    /// A part of the text as tokens none of which is structure.
    private func plainTokens(_ range: Range<Int>, _ bytes: [UInt8], _ tokenizer: some PromptTokenizer) -> [Token] {
        if range.isEmpty { return [] }
        let part = String(decoding: bytes[range], as: UTF8.self)
        let encoding = tokenizer.encoding(of: part, addingSpecialTokens: false, parsingSpecialTokens: false)
        return encoding.ids.indices.map { index in
            let offsets = encoding.offsets[index]
            return token(
                encoding.ids[index], (range.lowerBound + offsets.lowerBound)..<(range.lowerBound + offsets.upperBound))
        }
    }

    /// Returns the range of a token without the white space around it, which may have any origin.
    private func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        let text = Jinja.Text(Array(bytes[range]))
        let start = range.lowerBound + text.count - text.stripped(.start).count
        let end = range.upperBound - (text.count - text.stripped(.end).count)
        return start < end ? start..<end : range
    }
}
