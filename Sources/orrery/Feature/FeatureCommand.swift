import ArgumentParser
import FeatureLab
import Interpretability
import ModelLab
import Models
import Providers
import Tokenizers
import Training

/// `orrery feature`: sparse autoencoders, their features, and what happens when one is changed.
struct FeatureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feature", abstract: "Train sparse autoencoders, find features, and steer with them.",
        discussion: """
            orrery feature train MODEL --hook blocks.3.hook_resid_post --texts FILE -o FOLDER makes a dictionary; orrery \
            feature index NAME --texts FILE finds what its features fire on; orrery feature search and show read them; \
            orrery feature steer lets one speak, beside the text without it. Dictionaries of sae-lens and Gemma Scope are \
            added with orrery feature add; orrery-mini-features comes with the program and goes by its name.
            """,
        subcommands: [
            Train.self, Add.self, List.self, Evaluate.self, Index.self, Search.self, Show.self, Steer.self,
            Score.self, Vector.self, Label.self, SetOrigin.self, Import.self, Export.self, Rename.self, Delete.self,
            Toy.self, Superposition.self, Bench.self,
        ])
}

/// Which dictionary a command works on.
struct DictionaryArgument: ParsableArguments {
    @Argument(help: "A dictionary's name or number.")
    var dictionary: String

    @OptionGroup var place: WorkspaceOptions

    /// The dictionary in its workspace. One that comes with the program is added when it is named for the first time.
    ///
    /// - Parameter writing: whether something of it is to be changed.
    func found(writing: Bool = false) throws -> (store: FeatureStore, record: FeatureDictionary) {
        if let added = try adding() { return added }
        let store = FeatureStore(try writing ? place.openExisting() : place.openForReading())
        return (store, try store.dictionary(matching: dictionary))
    }

    private func adding() throws -> (store: FeatureStore, record: FeatureDictionary)? {
        guard FeatureStore.installed(dictionary) != nil else { return nil }
        if !place.isUnused {
            let known = FeatureStore(try place.openForReading())
            guard try !known.dictionaries().contains(where: { $0.name == dictionary }) else { return nil }
        }
        let store = FeatureStore(try place.open(creating: place.isUnused))
        guard let added = try store.addInstalled(dictionary) else { return nil }
        Output.note("\(dictionary) comes with the program: it is in this workspace now")
        return (store, added.dictionary)
    }

    /// The file of a dictionary's model: the one that was named, else the one that is known.
    func modelPath(of record: FeatureDictionary, _ word: String?) throws -> String {
        if let word { return try place.modelPath(word) }
        let known = record.modelPath == nil ? FeatureStore(try place.openForReading()).located(record) : record
        guard let path = known.modelPath else {
            let name = record.model.isEmpty ? "" : ", \(Printable.line(record.model)),"
            throw Failure(
                "where the model of \(record.name)\(name) lies is not known here: name its file with --model, or once "
                    + "for all with orrery feature set \(record.name) --model FILE.")
        }
        return path
    }
}

/// A dictionary of the workspace with its weights, and the model that it reads.
struct OpenedDictionary {
    let record: FeatureDictionary
    let weights: SparseAutoencoder

    init(_ record: FeatureDictionary) throws {
        self.record = record
        guard let path = record.path else {
            throw Failure("\(record.name) has labels and no weights: add its folder with orrery feature add.")
        }
        weights = try DictionaryFile.open(path)
        if let change = record.fileChange() { Output.note(change.sentence) }
    }

    func hook(in model: InspectedModel) throws -> Hook {
        guard !record.hook.isEmpty else {
            throw Failure(
                "which hook \(record.name) reads is not known: orrery feature set \(record.name) --hook HOOK.")
        }
        return try model.hook(named: record.hook)
    }
}

/// Texts that are read.
struct TextsOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .upToNextOption,
        help: "Texts: .txt, .jsonl (text), or .tokens of the model's own vocabulary.",
        completion: .file())
    var texts: [String] = []

    @Option(help: "Tokens that are read at most.")
    var tokens: Int?

    @Option(help: "Tokens of a sequence.")
    var context = 256

    func validate() throws {
        guard (2...1_000_000).contains(context) else { throw ValidationError("--context takes 2 to 1000000.") }
        guard (tokens ?? 1) > 0 else { throw ValidationError("--tokens takes 1 or more.") }
    }

    /// What the sequences are made of, in words: two builds of equal ones read the same tokens.
    func fingerprint(model: InspectedModel, _ dictionary: FeatureDictionary) -> String {
        let files = texts.map { "\($0) \((try? FeatureStore.digest(ofFile: $0)) ?? "")" }
        let weights = dictionary.path.flatMap(FeatureStore.digest(ofWeights:)) ?? ""
        return
            (files + [
                "context \(min(context, model.contextLength - 1))", "limit \(tokens ?? 0)", "model \(model.path)",
                "hook \(dictionary.hook)", "dictionary \(weights)",
            ]).joined(separator: "; ")
    }

    /// The texts as sequences of a model's tokens.
    func sequences(for model: InspectedModel) throws -> [[TokenID]] {
        try sequences(with: model.tokenizer, contextLength: model.contextLength)
    }

    func sequences(for opened: OpenedCheckpoint) throws -> [[TokenID]] {
        try sequences(with: opened.tokenizer, contextLength: opened.checkpoint.configuration.contextLength)
    }

    private func sequences(with tokenizer: Tokenizer, contextLength: Int) throws -> [[TokenID]] {
        guard !texts.isEmpty else { throw Failure("there is nothing to read: name texts with --texts.") }
        return try TokenSequences.read(
            texts, with: tokenizer, length: max(1, min(context, contextLength - 1)), limit: tokens
        ).sequences
    }
}

extension WorkspaceOptions {
    /// The file of the model that a word means.
    ///
    /// - Throws: a sentence where it answers elsewhere.
    func modelPath(_ word: String) throws -> String {
        let specification =
            isUnused ? try ModelHouse.unregistered(word) : try ModelHouse(try openForReading()).specification(of: word)
        guard case .local(let path) = specification else {
            throw Failure("\(word) answers elsewhere: there is no file to look into.")
        }
        return path
    }
}
