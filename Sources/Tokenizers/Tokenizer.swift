internal import Synchronization

/// Text to tokens and back, for every family of vocabulary.
///
/// ```swift
/// let tokenizer = try Tokenizer(json: bytes)
/// let ids = tokenizer.encode("An orrery turns")
/// tokenizer.decode(ids)                              // "An orrery turns"
/// ```
/// Text never becomes structure such as `<|im_start|>` unless `parsingSpecialTokens` says that it may.
/// Encoding allocates nothing but its result once its memory has grown; calls from several threads do not wait for
/// each other.
public final class Tokenizer: Sendable {
    /// How text becomes tokens.
    public enum Family: Sendable, CaseIterable {
        /// Byte-pair encoding over bytes: GPT-2, Llama 3, Qwen.
        case byteLevelBPE
        /// Byte-pair encoding by score over characters: Llama 2, Mistral, Gemma.
        case sentencePieceBPE
        /// Byte-pair encoding over characters, without bytes.
        case characterBPE
        /// The most probable pieces: T5, XLM-R.
        case unigram
        /// The longest pieces of words: BERT.
        case wordPiece
        /// Whole words.
        case wordLevel

        public var name: String {
            switch self {
            case .byteLevelBPE: "byte-level BPE"
            case .sentencePieceBPE: "SentencePiece BPE"
            case .characterBPE: "BPE"
            case .unigram: "Unigram"
            case .wordPiece: "WordPiece"
            case .wordLevel: "WordLevel"
            }
        }
    }

    public let family: Family
    /// Ids are below it.
    public let vocabularySize: Int
    public let special: SpecialTokens
    /// Tokens that end an answer.
    public let endOfGeneration: Set<TokenID>
    /// Whether `encode` begins a text with BOS, and ends it with EOS, when special tokens are added.
    public let addsBOS: Bool
    public let addsEOS: Bool
    /// Templates in Jinja by name; `default` is the one to take.
    public let chatTemplates: [String: String]

    let parts: TokenizerParts
    /// Memory of past calls, ready for the next.
    private let idle = Mutex<[EncoderStateBox]>([])

    /// A tokenizer of parts that a reader of some format has checked.
    init(_ parts: TokenizerParts) {
        self.parts = parts
        family = parts.family
        vocabularySize = parts.pieces.count
        special = parts.special
        endOfGeneration = parts.endOfGeneration
        addsBOS = parts.template.begins(with: parts.special.bos)
        addsEOS = parts.template.ends(with: parts.special.eos)
        chatTemplates = parts.chatTemplates
    }

    /// The tokens of a text.
    ///
    /// - Parameters:
    ///   - addingSpecialTokens: writes BOS, `[CLS]` and the like round it, as the vocabulary says.
    ///   - parsingSpecialTokens: text that reads like a structural token becomes it. Never for text from outside.
    /// - Complexity: O(n log n) for whatever text.
    public func encode(
        _ text: String, addingSpecialTokens: Bool = true, parsingSpecialTokens: Bool = false
    ) -> [TokenID] {
        var text = text
        return withState { state in
            let template = addingSpecialTokens ? parts.template : .bare
            for item in template.single {
                switch item {
                case .tokens(let ids, _): for id in ids { state.append(id, start: 0, length: 0) }
                case .text: text.withUTF8 { parts.encode($0, parsingSpecialTokens, &state) }
                }
            }
            return state.copiedIDs()
        }
    }

    /// The tokens of a text and where each comes from.
    public func encoding(
        of text: String, addingSpecialTokens: Bool = true, parsingSpecialTokens: Bool = false
    ) -> Encoding {
        let template = addingSpecialTokens ? parts.template : .bare
        return encoding(template.single, text, "", parsingSpecialTokens)
    }

    /// The tokens of a pair of texts, such as a question and a passage; offsets are those of each text alone.
    public func encoding(
        of first: String, and second: String, addingSpecialTokens: Bool = true, parsingSpecialTokens: Bool = false
    ) -> Encoding {
        let template = addingSpecialTokens ? parts.template : .bare
        return encoding(template.pair, first, second, parsingSpecialTokens)
    }

    private func encoding(
        _ items: [EncodingTemplate.Item], _ first: String, _ second: String, _ parsingSpecialTokens: Bool
    ) -> Encoding {
        var encoding = Encoding()
        for item in items {
            switch item {
            case .tokens(let ids, let typeID):
                encoding.ids += ids
                encoding.offsets += ids.map { _ in 0..<0 }
                encoding.typeIDs += ids.map { _ in typeID }
            case .text(let isSecond, let typeID):
                var text = isSecond ? second : first
                withState { state in
                    state.tracksSpans = true
                    text.withUTF8 { parts.encode($0, parsingSpecialTokens, &state) }
                    encoding.ids += state.copiedIDs()
                    encoding.offsets += state.spans.map { $0.start..<max($0.start, $0.end) }
                    encoding.typeIDs += repeatElement(typeID, count: state.count)
                    state.tracksSpans = false
                }
            }
        }
        return encoding
    }

    /// The normalized pieces that the model would encode one by one; added tokens are left out.
    package func pieces(of text: String) -> [[UInt8]] {
        var text = text
        return text.withUTF8 { parts.pieces(of: $0) }
    }

    private func withState<R>(_ body: (inout EncoderState) -> R) -> R {
        let box = idle.withLock { $0.popLast() } ?? EncoderStateBox()
        let result = body(&box.state)
        box.state.reset()
        idle.withLock { if $0.count < 4 { $0.append(box) } }
        return result
    }
}

/// A state that waits for the next call.
private final class EncoderStateBox: @unchecked Sendable {
    // Sendable because only the thread that took it from the tokenizer's list uses it.
    var state = EncoderState()
}
