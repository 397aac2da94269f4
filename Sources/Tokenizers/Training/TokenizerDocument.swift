public import JSON

/// A trained tokenizer, as the `tokenizer.json` that `tokenizers` and ``Tokenizer`` read.
public struct TokenizerDocument: Hashable, Sendable {
    /// How text is cut before the model sees it, and put together again.
    public enum Pipeline: Hashable, Sendable {
        /// Bytes in GPT-2's alphabet, cut by a published pattern.
        case bytes(BPETrainer.Pattern)
        /// BERT's words.
        case bert(lowercases: Bool)
        /// Spaces become ▁, before which text is cut.
        case metaspace
    }

    /// What was learned.
    public enum Model: Hashable, Sendable {
        /// Pieces by id, and the ids of the two parts of each merge, in order.
        case bpe(pieces: [String], merges: [Merge])
        case wordPiece(pieces: [String], unknown: String)
        /// Pieces by id, each with the logarithm of its probability.
        case unigram(pieces: [String], scores: [Double], unknown: Int?)
    }

    /// Two pieces that become one.
    public struct Merge: Hashable, Sendable {
        public var left: Int
        public var right: Int

        public init(left: Int, right: Int) {
            self.left = left
            self.right = right
        }
    }

    public var pipeline: Pipeline
    public var model: Model
    /// They have the first ids.
    public var specialTokens: [String]

    public init(pipeline: Pipeline, model: Model, specialTokens: [String]) {
        self.pipeline = pipeline
        self.model = model
        self.specialTokens = specialTokens
    }

    /// The pieces by id.
    public var pieces: [String] {
        switch model {
        case .bpe(let pieces, _), .wordPiece(let pieces, _), .unigram(let pieces, _, _): pieces
        }
    }

    /// The file `tokenizer.json`.
    public var json: String { json(.pretty) }
}

extension TokenizerDocument: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("version", "1.0")
            json.key("truncation")
            json.null()
            json.key("padding")
            json.null()
            json.key("added_tokens")
            json.array { json in
                for (id, token) in specialTokens.enumerated() { writeSpecialToken(id, token, to: &json) }
            }
            json.key("normalizer")
            writeNormalizer(to: &json)
            json.key("pre_tokenizer")
            writePreTokenizer(to: &json)
            json.key("post_processor")
            writePostProcessor(to: &json)
            json.key("decoder")
            writeDecoder(to: &json)
            json.key("model")
            writeModel(to: &json)
        }
    }

    private func writeSpecialToken(_ id: Int, _ token: String, to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("content", token)
            for flag in ["single_word", "lstrip", "rstrip", "normalized"] { $0.member(flag, false) }
            $0.member("special", true)
        }
    }

    private func writeNormalizer(to json: inout JSONWriter) {
        guard case .bert(let lowercases) = pipeline else { return json.null() }
        json.object {
            $0.member("type", "BertNormalizer")
            $0.member("clean_text", true)
            $0.member("handle_chinese_chars", true)
            $0.key("strip_accents")
            $0.null()
            $0.member("lowercase", lowercases)
        }
    }

    private func writePreTokenizer(to json: inout JSONWriter) {
        switch pipeline {
        case .bytes(.gpt2): writeByteLevel(usesPattern: true, to: &json)
        case .bytes(let pattern):
            json.object { json in
                json.member("type", "Sequence")
                json.key("pretokenizers")
                json.array { json in
                    json.object {
                        $0.member("type", "Split")
                        $0.member("pattern") { $0.object { $0.member("Regex", pattern.known.rawValue) } }
                        $0.member("behavior", "Isolated")
                        $0.member("invert", false)
                    }
                    writeByteLevel(usesPattern: false, to: &json)
                }
            }
        case .bert: json.object { $0.member("type", "BertPreTokenizer") }
        case .metaspace: writeMetaspace(to: &json)
        }
    }

    private func writeByteLevel(usesPattern: Bool, to json: inout JSONWriter) {
        json.object {
            $0.member("type", "ByteLevel")
            $0.member("add_prefix_space", false)
            $0.member("trim_offsets", true)
            $0.member("use_regex", usesPattern)
        }
    }

    private func writeMetaspace(to json: inout JSONWriter) {
        json.object {
            $0.member("type", "Metaspace")
            $0.member("replacement", "▁")
            $0.member("prepend_scheme", "always")
            $0.member("split", true)
        }
    }

    /// BERT's `[CLS]` and `[SEP]`, where they are among the special tokens.
    private func writePostProcessor(to json: inout JSONWriter) {
        guard case .bert = pipeline, let first = specialTokens.firstIndex(of: "[CLS]"),
            let last = specialTokens.firstIndex(of: "[SEP]")
        else { return json.null() }
        json.object {
            $0.member("type", "BertProcessing")
            $0.member("sep") { $0.array { write("[SEP]", last, to: &$0) } }
            $0.member("cls") { $0.array { write("[CLS]", first, to: &$0) } }
        }
    }

    private func write(_ token: String, _ id: Int, to json: inout JSONWriter) {
        json.string(token)
        json.integer(id)
    }

    private func writeDecoder(to json: inout JSONWriter) {
        switch pipeline {
        case .bytes: writeByteLevel(usesPattern: true, to: &json)
        case .metaspace: writeMetaspace(to: &json)
        case .bert:
            json.object {
                $0.member("type", "WordPiece")
                $0.member("prefix", "##")
                $0.member("cleanup", true)
            }
        }
    }

    private func writeModel(to json: inout JSONWriter) {
        json.object { json in
            switch model {
            case .bpe(let pieces, let merges):
                json.member("type", "BPE")
                for name in ["dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix"] {
                    json.key(name)
                    json.null()
                }
                for flag in ["fuse_unk", "byte_fallback", "ignore_merges"] { json.member(flag, false) }
                json.member("vocab") { $0.object { writeVocabulary(pieces, to: &$0) } }
                json.member("merges", merges.map { [pieces[$0.left], pieces[$0.right]] })
            case .wordPiece(let pieces, let unknown):
                json.member("type", "WordPiece")
                json.member("unk_token", unknown)
                json.member("continuing_subword_prefix", "##")
                json.member("max_input_chars_per_word", 100)
                json.member("vocab") { $0.object { writeVocabulary(pieces, to: &$0) } }
            case .unigram(let pieces, let scores, let unknown):
                json.member("type", "Unigram")
                json.member("unk_id", unknown)
                json.member("vocab") { json in
                    json.array { json in
                        for (piece, score) in zip(pieces, scores) {
                            json.array {
                                $0.string(piece)
                                $0.number(score)
                            }
                        }
                    }
                }
                json.member("byte_fallback", false)
            }
        }
    }

    private func writeVocabulary(_ pieces: [String], to json: inout JSONWriter) {
        for (id, piece) in pieces.enumerated() { json.member(piece, id) }
    }
}
