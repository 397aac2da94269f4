internal import Tensors
package import Tokenizers

extension GGUFFile {
    /// Vocabulary of the metadata; `nil` if there is none.
    package var vocabulary: VocabularyDescription? {
        let prefix = "tokenizer.ggml."
        guard let model = metadata.string(prefix + "model"), model != "none", model != "no_vocab" else { return nil }
        var description = VocabularyDescription(model: model, pre: metadata.string(prefix + "pre"))
        description.tokens = byteStrings(prefix + "tokens")
        description.scores = metadata.floats(prefix + "scores") ?? []
        description.types = metadata.ints(prefix + "token_type")?.map { Int32(clamping: $0) } ?? []
        description.merges = byteStrings(prefix + "merges")
        func token(_ name: String) -> TokenID? {
            metadata.int("\(prefix)\(name)_token_id").flatMap { TokenID(exactly: $0) }
        }
        // The format spells the separator with an e.
        description.special = SpecialTokens(
            bos: token("bos"), eos: token("eos"), eot: token("eot"), eom: token("eom"), unknown: token("unknown"),
            separator: token("seperator") ?? token("separator"), padding: token("padding"),
            classification: token("cls"),
            mask: token("mask"))
        description.addsBOS = metadata.bool(prefix + "add_bos_token")
        description.addsEOS = metadata.bool(prefix + "add_eos_token")
        description.addsSeparator = metadata.bool(prefix + "add_sep_token")
        description.addsSpacePrefix = metadata.bool(prefix + "add_space_prefix")
        description.removesExtraWhitespace = metadata.bool(prefix + "remove_extra_whitespaces")
        description.lowercases = metadata.bool(prefix + "normalizer.lowercase")
        description.stripsAccents = metadata.bool(prefix + "normalizer.strip_accents")
        description.charactersMap = metadata.bytes(prefix + "precompiled_charsmap") ?? []
        description.chatTemplates = chatTemplates
        return description
    }

    /// Jinja sources by name; that without a name is `default`.
    private var chatTemplates: [String: String] {
        let key = "tokenizer.chat_template"
        var templates: [String: String] = [:]
        for name in metadata.keys where name.hasPrefix(key) {
            guard let text = metadata.string(name) else { continue }
            if name == key {
                templates["default"] = text
            } else if name.dropFirst(key.count).first == "." {
                templates[String(name.dropFirst(key.count + 1))] = text
            }
        }
        return templates
    }

    private func byteStrings(_ key: String) -> ByteStrings {
        var strings = ByteStrings()
        guard let entry = metadata.entry(key), entry.elementType == .string else { return strings }
        strings.reserve(count: entry.count, byteCount: max(0, entry.range.count - 8 * entry.count))
        metadata.forEachString(key) { strings.append($0) }
        return strings
    }

    /// That of a whole tokenizer.json where one goes along, since nothing of it is lost; else that of the vocabulary.
    func tokenizer() throws(ModelError) -> Tokenizer? {
        do {
            if let entry = metadata.entry("tokenizer.huggingface.json"), entry.type == .string {
                return try Tokenizer(json: Array(file.bytes[entry.range]))
            }
            return try vocabulary.map { (vocabulary) throws(TokenizerError) in try Tokenizer(vocabulary) }
        } catch {
            throw ModelError(path, problem: String(error.sentence.dropLast()))
        }
    }
}
