internal import Glibc
internal import Models
internal import System
internal import Tensors
internal import Tokenizers

/// The tokenizer of a run: read from a file, or learned from the training text and kept next to the tokens.
struct VocabularySource {
    let tokenizer: Tokenizer
    /// `tokenizer.json`, to be exported with the model; `nil` if it came from a file of another kind.
    let json: [UInt8]?
    /// The token that ends documents.
    let separator: TokenID
    /// Of pieces and kind.
    let digest: UInt64

    private init(_ tokenizer: Tokenizer, json: [UInt8]?, separator: String, path: String) throws(Problem) {
        guard let id = tokenizer.id(of: separator) ?? tokenizer.eos else {
            throw Problem(
                .missing, path, "the vocabulary has no token \(separator) to end documents",
                remedy: "Set one of its tokens in data.separator.")
        }
        self.tokenizer = tokenizer
        self.json = json
        self.separator = id
        var digest = Digest()
        digest.update(tokenizer.family.name)
        for id in 0..<tokenizer.vocabularySize { digest.update(tokenizer.piece(TokenID(id))) }
        if let json { json.withUnsafeBytes { digest.update($0) } }
        self.digest = digest.value
    }

    /// A tokenizer.json, a model's folder, a GGUF file.
    init(path: String, separator: String) throws(Problem) {
        let read: Tokenizer?
        do { read = try Checkpoints.tokenizer(path) } catch { throw Problem(error, in: "") }
        guard let read else {
            throw Problem(.missing, path, "no tokenizer found", remedy: "Use a tokenizer.json or a model folder.")
        }
        let file = path.hasSuffix(".json") ? path : path + "/tokenizer.json"
        try self.init(read, json: FileBytes.read(file), separator: separator, path: path)
    }

    /// Learned from documents, or read from `folder` where the same documents were learned from before.
    init(
        learningFrom documents: [TrainingDocument], _ settings: TrainingConfiguration.TokenizerSettings,
        separator: String, source: UInt64, folder: String
    ) throws(Problem) {
        var key = Digest()
        key.update(source)
        key.update(separator)
        key.update(
            "\(settings.vocabulary) \(settings.minimumFrequency) \(settings.pattern) \(settings.specialTokens) "
                + "\(settings.sample)")
        let path = "\(folder)/tokenizer-\(key.text).json"
        if let json = FileBytes.read(path), let kept = try? Tokenizer(json: json) {
            try self.init(kept, json: json, separator: separator, path: path)
            return
        }
        var sample: [String] = []
        var bytes = 0
        for document in documents where bytes < settings.sample {
            for part in document.parts {
                sample.append(part.text)
                bytes += part.text.utf8.count
            }
        }
        let json: [UInt8]
        let tokenizer: Tokenizer
        do {
            let document = try BPETrainer(
                vocabularySize: settings.vocabulary, minimumFrequency: settings.minimumFrequency,
                specialTokens: [separator] + settings.specialTokens,
                pattern: settings.pattern == "llama3" ? .llama3 : settings.pattern == "qwen2" ? .qwen2 : .gpt2
            ).train(on: sample)
            json = Array(document.json.utf8)
            tokenizer = try Tokenizer(json: json)
        } catch {
            throw Problem(.failed, "", "cannot learn the vocabulary: \(error)")
        }
        try FileBytes.write(json, to: path)
        try self.init(tokenizer, json: json, separator: separator, path: path)
    }
}
