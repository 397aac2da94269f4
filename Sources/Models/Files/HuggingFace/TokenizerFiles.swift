internal import JSON
internal import Tensors
internal import Tokenizers

/// Files of a model folder for the tokenizer and the chat template.
enum TokenizerFiles {
    /// Returns the tokenizer of tokenizer.json, or else of a SentencePiece model.
    static func tokenizer(folder: String) throws(ModelError) -> Tokenizer? {
        for name in ["tokenizer.json", "tokenizer.model", "spiece.model"] where FileNames.exists("\(folder)/\(name)") {
            return try tokenizer(file: "\(folder)/\(name)")
        }
        return nil
    }

    /// Reads one of these files, with the tokenizer_config.json next to it.
    static func tokenizer(file path: String) throws(ModelError) -> Tokenizer {
        let settings = "\(FileNames.folder(of: path))/tokenizer_config.json"
        let configuration = FileNames.exists(settings) ? try bytes(settings) : nil
        let bytes = try bytes(path)
        do {
            return path.hasSuffix(".model")
                ? try Tokenizer(sentencePiece: bytes, configuration: configuration)
                : try Tokenizer(json: bytes, configuration: configuration)
        } catch {
            throw ModelError(path, problem: String(error.sentence.dropLast()))
        }
    }

    /// chat_template.jinja, or `chat_template` of tokenizer_config.json: a text, or a list of named ones of which that
    /// called `default` counts.
    static func chatTemplate(folder: String) -> String? {
        if let bytes = try? bytes("\(folder)/chat_template.jinja") { return String(decoding: bytes, as: UTF8.self) }
        guard let document = try? HuggingFaceConfiguration.document("\(folder)/tokenizer_config.json") else {
            return nil
        }
        return document.withRoot { root in
            guard let template = root["chat_template"] else { return nil }
            if let text = template.string { return text }
            let named = template.elements.first { $0["name"]?.string == "default" } ?? template.element(at: 0)
            return named?["template"]?.string
        }
    }

    static func bytes(_ path: String) throws(ModelError) -> [UInt8] {
        let file = try MappedFile.opened(path)
        // The map must not go before its bytes are copied.
        return withExtendedLifetime(file) { Array(file.bytes) }
    }
}
