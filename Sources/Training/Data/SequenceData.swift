internal import Models
public import System
internal import Tensors
public import Tokenizers

/// Sequences to learn from and to be tested on, with the vocabulary that they are written in.
public struct SequenceData {
    public var train: SequenceBatches
    public var validation: SequenceBatches?
    /// `nil` if the data are tokens without a tokenizer.
    public let tokenizer: Tokenizer?
    /// The tokenizer's own file, for export.
    public let tokenizerJSON: [UInt8]?
    /// Ids are below it.
    public let vocabularySize: Int
    /// The token that ends documents.
    public let separator: Int32
    /// Of everything that is trained and tested on.
    public let digest: UInt64
    /// What a person should know, in sentences.
    let notes: [String]

    /// Opens, cuts and caches what a configuration names.
    public init(_ configuration: TrainingConfiguration) throws(Problem) {
        var data = configuration.data
        // A model's own vocabulary is the only one that it knows.
        if configuration.model.kind == .pretrained, data.tokenizer.path.isEmpty, data.kind == .text {
            data.tokenizer.path = configuration.model.path
        }
        switch data.kind {
        case .arrays:
            throw Problem(
                .missing, configuration.path, "arrays have no sequences",
                remedy: "Set data.kind to \"text\" or \"tokens\".")
        case .text: try self.init(texts: data, seed: configuration.run.seed)
        case .tokens: try self.init(tokens: data, seed: configuration.run.seed)
        case .generated:
            try self.init(tokens: try GeneratedData.files(configuration), seed: configuration.run.seed)
        }
    }

    private init(texts data: TrainingConfiguration.Data, seed: UInt64) throws(Problem) {
        func read(_ paths: [String]) throws(Problem) -> [(path: String, documents: [TrainingDocument], UInt64)] {
            var files: [(String, [TrainingDocument], UInt64)] = []
            for path in paths {
                let documents = try DocumentFile.read(path, separator: data.separator)
                guard !documents.isEmpty else { throw Problem(.missing, path, "the file has no text") }
                files.append((path, documents, try FileBytes.digest(path)))
            }
            return files
        }
        let train = try read(data.train)
        let held = try read(data.validation)
        try FileBytes.makeFolder(data.cache)
        let vocabulary: VocabularySource
        if data.tokenizer.path.isEmpty {
            var source = Digest()
            for file in train { source.update(file.2) }
            vocabulary = try VocabularySource(
                learningFrom: train.flatMap(\.documents), data.tokenizer, separator: data.separator,
                source: source.value, folder: data.cache)
        } else {
            vocabulary = try VocabularySource(path: data.tokenizer.path, separator: data.separator)
        }
        let cache = TokenCache(folder: data.cache, vocabulary: vocabulary)
        func store(
            _ files: [(path: String, documents: [TrainingDocument], UInt64)]
        ) throws(Problem) -> TokenStore? {
            guard let first = files.first else { return nil }
            if files.count == 1 { return try cache.tokens(of: first.path, first.documents, source: first.2) }
            var source = Digest()
            for file in files { source.update(file.2) }
            return try cache.tokens(
                of: "\(first.path) and \(files.count - 1) more", files.flatMap(\.documents), source: source.value)
        }
        guard let trained = try store(train) else {
            throw Problem(.missing, "", "data.train is empty", remedy: "Set it to one or more training files.")
        }
        try self.init(
            trained, try store(held), data, seed: seed, vocabulary: vocabulary,
            size: vocabulary.tokenizer.vocabularySize)
    }

    private init(tokens data: TrainingConfiguration.Data, seed: UInt64) throws(Problem) {
        let vocabulary: VocabularySource?
        if data.tokenizer.path.isEmpty {
            vocabulary = nil
        } else {
            vocabulary = try VocabularySource(path: data.tokenizer.path, separator: data.separator)
        }
        guard let train = try Self.joined(data.train, weights: data.weights, data, vocabulary) else {
            throw Problem(.missing, "", "data.train is empty", remedy: "Set it to one or more training files.")
        }
        let held = try Self.joined(data.validation, weights: data.validationWeights, data, vocabulary)
        let largest = max(train.largest, held?.largest ?? -1)
        guard min(train.smallest, held?.smallest ?? 0) >= 0 else {
            throw Problem(.invalid, train.name, "token IDs must not be negative")
        }
        let size = vocabulary?.tokenizer.vocabularySize ?? (data.vocabulary > 0 ? data.vocabulary : largest + 1)
        guard largest < size else {
            throw Problem(
                .invalid, train.name, "token \(largest) is not below the vocabulary size \(size)",
                remedy: "Was the file made with a different tokenizer?")
        }
        try self.init(train, held, data, seed: seed, vocabulary: vocabulary, size: size)
    }

    private init(
        _ train: TokenStore, _ held: TokenStore?, _ data: TrainingConfiguration.Data, seed: UInt64,
        vocabulary: VocabularySource?, size: Int
    ) throws(Problem) {
        guard train.isLearned || data.learnsPrompts else {
            throw Problem(
                .missing, train.name, "all tokens are excluded from the loss, so there is nothing to learn",
                remedy: "Set data.prompts = true to learn prompts too, and check the weights, which are in "
                    + "hundredths.")
        }
        let layout = SequenceBatches.Layout(
            context: data.context, packing: data.packing, separator: vocabulary?.separator ?? 0,
            learnsBoundaries: data.learnsBoundaries, learnsEverything: data.learnsPrompts)
        // The tail is held out: cut at a border of documents or rows, so that none is on both sides.
        var border = train.count
        if held == nil, data.validationShare > 0 {
            border = train.count - Int(Double(train.count) * data.validationShare)
            if data.packing == .rows { border = border / data.context * data.context }
            if let document = train.documents.last(where: { $0 <= border }), document > 0 { border = document }
        }
        let isShuffled = data.order == .shuffled
        self.train = try SequenceBatches(train, range: 0..<border, layout, isShuffled: isShuffled, seed: seed)
        if let held {
            validation = try SequenceBatches(held, range: 0..<held.count, layout, isShuffled: false, seed: seed)
        } else if border < train.count {
            validation = try? SequenceBatches(train, range: border..<train.count, layout, isShuffled: false, seed: seed)
        } else {
            validation = nil
        }
        let isMissing = validation == nil && (held != nil || data.validationShare > 0)
        notes =
            isMissing
            ? [
                "no validation: the held-out share (\(train.count - border) tokens) is shorter than one "
                    + "sequence of \(data.context)."
            ] : []
        tokenizer = vocabulary?.tokenizer
        tokenizerJSON = vocabulary?.json
        vocabularySize = size
        separator = layout.separator
        var digest = Digest()
        digest.update(train.digest)
        if let held { digest.update(held.digest) }
        self.digest = digest.value
    }

    /// The files of a list as one row of tokens; `nil` if it names none.
    private static func joined(
        _ paths: [String], weights: [String], _ data: TrainingConfiguration.Data, _ vocabulary: VocabularySource?
    ) throws(Problem) -> TokenStore? {
        var stores: [TokenStore] = []
        for (index, path) in paths.enumerated() {
            stores.append(try tokens(path, weights: index < weights.count ? weights[index] : nil))
        }
        guard let first = stores.first else { return nil }
        if data.packing == .rows, let cut = stores.dropLast().first(where: { $0.count % data.context != 0 }) {
            throw Problem(
                .invalid, cut.name,
                "\(cut.count) tokens are not a multiple of data.context (\(data.context)): with other "
                    + "files after it, the last row would continue in the next file")
        }
        let store = stores.count == 1 ? first : TokenStore(joining: stores)
        if data.packing == .documents {
            guard let separator = vocabulary?.separator else {
                throw Problem(
                    .unknown, store.name, "the document boundaries are unknown",
                    remedy: "Set data.tokenizer to the data's tokenizer, or set data.packing to \"stream\".")
            }
            store.findDocuments(endingWith: separator)
        }
        return store
    }

    private static func tokens(_ path: String, weights: String?) throws(Problem) -> TokenStore {
        if path.hasSuffix(".tokens") || path.hasSuffix(".bin") { return try TokenStore(narrow: path, weights: weights) }
        if weights != nil { throw Problem(.invalid, path, "data.weights works only with .tokens and .bin files") }
        do {
            let tensor = try TensorFile.open(path).onlyTensor()
            guard case .int32(let ids) = tensor, ids.rank == 1 || ids.rank == 2 else {
                throw Problem(
                    .invalid, path, "expected one row of integers, found \(tensor.dataType.rawValue) \(tensor.shape)")
            }
            return TokenStore(
                name: path, tokens: try ids.contiguous().reshaped([ids.count]), learned: nil, documents: [])
        } catch {
            throw Problem(error, reading: path)
        }
    }
}
