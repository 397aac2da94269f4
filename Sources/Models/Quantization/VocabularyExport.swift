internal import JSON
internal import Tokenizers

/// The tokenizer of a checkpoint as GGUF metadata.
///
/// tokenizer.json is stored whole under `tokenizer.huggingface.json`, which Orrery reads. The export also has the
/// `tokenizer.ggml.*` keys of other programs if they can express the tokenizer: byte-level BPE with a pattern that
/// has a name, BPE of SentencePiece, WordPiece.
struct VocabularyExport {
    private let checkpoint: any WeightDirectory
    private let prefix = "tokenizer.ggml."

    init(_ checkpoint: any WeightDirectory) { self.checkpoint = checkpoint }

    func write(to header: inout GGUFEncoder) throws(ModelError) {
        if let template = checkpoint.chatTemplateSource { header.set("tokenizer.chat_template", template) }
        if let file = checkpoint as? Llama2CFile {
            if let vocabulary = try file.vocabulary() { write(vocabulary, to: &header) }
        } else if let folder = checkpoint as? HuggingFaceFolder {
            let path = "\(folder.folder)/tokenizer.json"
            guard FileNames.exists(path) else {
                let model = checkpoint.configuration
                return write(SpecialTokens(bos: model.beginToken, eos: model.endTokens.first), to: &header)
            }
            let json = try TokenizerFiles.bytes(path)
            header.set("tokenizer.huggingface.json", utf8: json)
            guard let tokenizer = try folder.tokenizer() else { return }
            if let vocabulary = described(tokenizer, try HuggingFaceConfiguration.document(path)) {
                write(vocabulary, to: &header)
            } else {
                write(tokenizer.special, to: &header)
            }
        }
    }

    // MARK: From tokenizer.json

    /// Returns the GGUF keys that describe a tokenizer; `nil` if they cannot describe it.
    private func described(_ tokenizer: Tokenizer, _ document: JSONDocument) -> VocabularyDescription? {
        let merges = document.withRoot { Self.merges($0) }
        var description: VocabularyDescription
        switch tokenizer.family {
        case .byteLevelBPE:
            guard let pre = document.withRoot({ Self.patternName($0) }) else { return nil }
            description = VocabularyDescription(model: "gpt2", pre: pre)
            for merge in merges { description.merges.append("\(merge.left) \(merge.right)") }
        case .sentencePieceBPE:
            description = VocabularyDescription(model: "llama")
            // SentencePiece joins the pair whose token scores highest: the tokens of early merges.
            var ranks: [String: Int] = [:]
            for (rank, merge) in merges.enumerated() where ranks[merge.left + merge.right] == nil {
                ranks[merge.left + merge.right] = rank
            }
            description.scores = ids(tokenizer).map { id in
                ranks[tokenizer.piece(id)].map { -Float($0) } ?? (tokenizer.kind(of: id) == .normal ? -1e6 : 0)
            }
        case .wordPiece: description = VocabularyDescription(model: "bert")
        case .characterBPE, .unigram, .wordLevel: return nil
        }
        for id in ids(tokenizer) {
            let piece = tokenizer.piece(id)
            let isPadding = Int(id) >= tokenizer.vocabularySize
            let kind: TokenKind = isPadding ? .unused : tokenizer.kind(of: id)
            description.tokens.append(
                isPadding
                    ? "[PAD\(id)]" : tokenizer.family == .wordPiece && kind == .normal ? Self.phantom(piece) : piece)
            description.types.append(Int32(kind.rawValue))
        }
        description.special = tokenizer.special
        description.addsBOS = tokenizer.addsBOS
        description.addsEOS = tokenizer.addsEOS
        return description
    }

    /// As many as the embedding has rows: what the vocabulary lacks is padding.
    private func ids(_ tokenizer: Tokenizer) -> [TokenID] {
        (0..<TokenID(max(tokenizer.vocabularySize, checkpoint.configuration.vocabularySize))).map { $0 }
    }

    /// GGUF marks the pieces that begin a word, WordPiece those that go on with one.
    private static func phantom(_ piece: String) -> String {
        piece.hasPrefix("##") ? String(piece.dropFirst(2)) : "▁" + piece
    }

    private static func merges(_ root: JSONNode) -> [(left: String, right: String)] {
        var merges: [(left: String, right: String)] = []
        for merge in root["model"]?["merges"]?.elements.map({ $0 }) ?? [] {
            if let text = merge.string, let space = text.dropFirst().firstIndex(of: " ") {
                merges.append((String(text[..<space]), String(text[text.index(after: space)...])))
            } else if let left = merge.element(at: 0)?.string, let right = merge.element(at: 1)?.string {
                merges.append((left, right))
            }
        }
        return merges
    }

    /// The name under which GGUF knows the pattern that cuts text; nil for any other.
    private static func patternName(_ root: JSONNode) -> String? {
        guard let cutter = root["pre_tokenizer"] else { return nil }
        if cutter["type"]?.equals("ByteLevel") == true { return cutter["use_regex"]?.bool == false ? nil : "gpt-2" }
        let patterns = cutter["pretokenizers"]?.elements.compactMap { $0["pattern"]?["Regex"]?.string } ?? []
        guard patterns.count == 1 else { return nil }
        let tail = #"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
        let head = #"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"#
        switch patterns[0] {
        case head + "{1,3}" + tail: return "llama-bpe"
        case head + tail: return "qwen2"
        default: return nil
        }
    }

    // MARK: To keys

    private func write(_ description: VocabularyDescription, to header: inout GGUFEncoder) {
        header.set(prefix + "model", description.model)
        if let pre = description.pre { header.set(prefix + "pre", pre) }
        header.set(prefix + "tokens", strings: (0..<description.tokens.count).map { description.tokens[$0] })
        if !description.scores.isEmpty { header.set(prefix + "scores", description.scores) }
        if !description.types.isEmpty { header.set(prefix + "token_type", description.types) }
        if description.merges.count > 0 {
            header.set(prefix + "merges", strings: (0..<description.merges.count).map { description.merges[$0] })
        }
        write(description.special, to: &header)
        let flags = [
            ("add_bos_token", description.addsBOS), ("add_eos_token", description.addsEOS),
            ("add_space_prefix", description.addsSpacePrefix),
        ]
        for case (let key, let value?) in flags { header.set(prefix + key, value) }
    }

    private func write(_ special: SpecialTokens, to header: inout GGUFEncoder) {
        let ids = [
            ("bos", special.bos), ("eos", special.eos), ("eot", special.eot), ("eom", special.eom),
            ("unknown", special.unknown), ("seperator", special.separator), ("padding", special.padding),
            ("cls", special.classification), ("mask", special.mask),
        ]
        for case (let name, let id?) in ids { header.set("\(prefix)\(name)_token_id", Int(id)) }
    }
}
