internal import Tensors
public import Tokenizers

extension Checkpoints {
    /// Returns the tokenizer of a model, a vocabulary without weights, or a tokenizer.json or SentencePiece model by
    /// itself; `nil` if the files have none.
    public static func tokenizer(_ path: String) throws(ModelError) -> Tokenizer? {
        if path.hasSuffix(".json") || path.hasSuffix(".model") { return try TokenizerFiles.tokenizer(file: path) }
        if try Kind(path) == .gguf { return try GGUFFile(path).tokenizer() }
        if FileNames.isFolder(path) { return try TokenizerFiles.tokenizer(folder: path) }
        return try directory(path).tokenizer()
    }

    /// Returns the chat template of a model, or of a vocabulary without weights; `nil` if the files
    /// have none.
    public static func chatTemplateSource(_ path: String) throws(ModelError) -> String? {
        if try Kind(path) == .gguf { return try GGUFFile(path).metadata.string("tokenizer.chat_template") }
        if FileNames.isFolder(path) { return TokenizerFiles.chatTemplate(folder: path) }
        return try directory(path).chatTemplateSource
    }

    /// Whether a file or folder looks like a model: what `orrery FILE` decides by. It may still be damaged.
    public static func recognizes(_ path: String) -> Bool {
        if FileNames.isFolder(path) { return FileNames.exists(path + "/config.json") }
        guard let kind = try? Kind(path), let file = try? MappedFile.opened(path) else { return false }
        defer { withExtendedLifetime(file) {} }
        // The first eight bytes of any text are a number that no file is as long as.
        guard kind == .safetensors else { return true }
        let headerLength = withExtendedLifetime(file) {
            file.bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return headerLength < UInt64(file.count)
    }
}
