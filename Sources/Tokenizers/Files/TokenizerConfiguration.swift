internal import JSON

/// What `tokenizer_config.json` says, as far as it matters here.
struct TokenizerConfiguration {
    private(set) var tokens: [String: String] = [:]
    private(set) var addsBOS: Bool?
    private(set) var addsEOS: Bool?
    private(set) var chatTemplates: [String: String] = [:]

    init(_ bytes: [UInt8]?) throws(TokenizerError) {
        guard let bytes else { return }
        let document = try Tokenizer.document(bytes, "tokenizer_config.json")
        document.withRoot { root in read(root) }
    }

    private mutating func read(_ root: JSONNode) {
        for name in ["bos", "eos", "unk", "pad", "sep", "cls", "mask", "eot"] {
            let node = root.member(named: name + "_token")
            tokens[name] = node?.string ?? node?["content"]?.string
        }
        addsBOS = root["add_bos_token"]?.bool
        addsEOS = root["add_eos_token"]?.bool
        if let template = root["chat_template"] {
            if let source = template.string { chatTemplates["default"] = source }
            for entry in template.elements {
                if let name = entry["name"]?.string, let source = entry["template"]?.string {
                    chatTemplates[name] = source
                }
            }
        }
    }

    var unknown: String? { tokens["unk"] }

    /// The tokens with a part to play: those that the file names, else those with the usual names.
    func special(_ vocabulary: JSONVocabulary, _ postProcessor: JSONNode?) -> SpecialTokens {
        let structural = Set(vocabulary.added.filter(\.isStructural).map(\.id))
        func token(_ name: String, _ usual: [String]) -> TokenID? {
            if let written = tokens[name] { return vocabulary.id(of: written) }
            return usual.lazy.compactMap { vocabulary.id(of: $0) }.first { structural.contains($0) }
        }
        return SpecialTokens(
            bos: token("bos", ["<s>", "<bos>", "<|begin_of_text|>", "<|startoftext|>"]),
            eos: token("eos", ["</s>", "<eos>", "<|end_of_text|>", "<|endoftext|>", "<|im_end|>"]),
            eot: token("eot", ["<|eot_id|>", "<|im_end|>", "<end_of_turn>", "<|end|>"]),
            eom: token("eom", ["<|eom_id|>"]),
            unknown: vocabulary.unknownID >= 0 ? vocabulary.unknownID : nil,
            separator: token("sep", ["[SEP]"]),
            padding: token("pad", ["[PAD]", "<pad>"]),
            classification: token("cls", ["[CLS]"]),
            mask: token("mask", ["[MASK]", "<mask>"]))
    }
}
