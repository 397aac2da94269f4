/// What a GGUF file says of its tokenizer: the contents of its `tokenizer.ggml.*` keys.
///
/// Nothing in it is believed before `Tokenizer.init(_:)` has checked it.
public struct VocabularyDescription: Sendable {
    /// `model`: `gpt2` (byte-level BPE), `llama` (SentencePiece BPE), `t5` (Unigram), `bert` (WordPiece).
    public var model: String
    /// `pre`: the name of the pattern that cuts text into pieces, for `gpt2`.
    public var pre: String?
    /// `tokens`: as the vocabulary writes them, by id.
    public var tokens = ByteStrings()
    /// `scores`: by id, or empty.
    public var scores: [Float] = []
    /// `token_type`: by id, or empty, which makes all tokens normal.
    public var types: [Int32] = []
    /// `merges`: `left right`, the earliest first.
    public var merges = ByteStrings()
    /// `bos_token_id` and so on, as written; numbers without a token are refused.
    public var special = SpecialTokens()
    /// `add_bos_token`; `nil` if the file does not set it, which also applies to the settings below.
    public var addsBOS: Bool?
    /// `add_eos_token`.
    public var addsEOS: Bool?
    /// `add_sep_token`.
    public var addsSeparator: Bool?
    /// `add_space_prefix`.
    public var addsSpacePrefix: Bool?
    /// `remove_extra_whitespaces`.
    public var removesExtraWhitespace: Bool?
    /// `normalizer.lowercase`.
    public var lowercases: Bool?
    /// `normalizer.strip_accents`.
    public var stripsAccents: Bool?
    /// `precompiled_charsmap`.
    public var charactersMap: [UInt8] = []
    /// `tokenizer.chat_template` under the name `default`, and `tokenizer.chat_template.NAME` under NAME.
    public var chatTemplates: [String: String] = [:]

    public init(model: String, pre: String? = nil) {
        self.model = model
        self.pre = pre
    }
}
