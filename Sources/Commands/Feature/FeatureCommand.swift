import ArgumentParser
import CommandSupport
import FeatureLab
import Interpretability
import Models
import Providers
import System
import Tokenizers
import Training

/// The `orrery feature` command: sparse autoencoders and their features.
struct FeatureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feature", abstract: "Train sparse autoencoders, find features, and steer with them.",
        discussion: """
            orrery feature train MODEL --hook blocks.3.hook_resid_post --texts FILE -o FOLDER trains a dictionary. \
            orrery feature index NAME --texts FILE finds what activates its features; orrery feature search and orrery \
            feature show print them. orrery feature steer changes features and shows the text with and without the \
            change. Add dictionaries of sae-lens and Gemma Scope with orrery feature add; orrery-mini-features is \
            included.
            """,
        subcommands: [
            Train.self, Add.self, List.self, Evaluate.self, Index.self, Search.self, Show.self, Steer.self,
            Score.self, Vector.self, Label.self, SetOrigin.self, Import.self, Export.self, Rename.self, Delete.self,
            Toy.self, Superposition.self,
        ])
}

/// An argument that selects a dictionary.
struct DictionaryArgument: ParsableArguments {
    @Argument(help: "Dictionary name or number.")
    var dictionary: String

    @OptionGroup var place: WorkspaceOptions

    /// Returns the dictionary and its store. A dictionary that comes with the program is added at its first use.
    ///
    /// - Parameter writing: Whether the command changes the dictionary.
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
        Output.note("added \(dictionary), which comes with the program, to this workspace")
        return (store, added.dictionary)
    }

    /// Returns the model file of a dictionary: the given file, or else the recorded file.
    func modelPath(of record: FeatureDictionary, _ word: String?) throws -> String {
        if let word { return try place.modelPath(word) }
        let known = record.modelPath == nil ? FeatureStore(try place.openForReading()).located(record) : record
        guard let path = known.modelPath else {
            let name = record.model.isEmpty ? "" : ", \(Printable.line(record.model)),"
            throw Problem(
                .unknown, "", "the model file of \(record.name)\(name) is unknown",
                remedy: "Add --model FILE, or record the file with orrery feature set \(record.name) --model FILE")
        }
        return path
    }
}

/// A dictionary of the workspace with its weights and its model.
struct OpenedDictionary {
    let record: FeatureDictionary
    let weights: SparseAutoencoder

    init(_ record: FeatureDictionary) throws {
        self.record = record
        guard let path = record.path else {
            throw Problem(
                .invalid, "", "\(record.name) has labels but no weights",
                remedy: "Add its folder with orrery feature add.")
        }
        weights = try DictionaryFile.open(path)
        if let change = record.fileChange() { Output.note(change.sentence) }
    }

    func hook(in model: InspectedModel) throws -> Hook {
        guard !record.hook.isEmpty else {
            throw Problem(
                .unknown, "", "the hook of \(record.name) is unknown",
                remedy: "To set it, run: orrery feature set \(record.name) --hook HOOK")
        }
        return try model.hook(named: record.hook)
    }
}

/// Options that select texts.
struct TextsOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .upToNextOption,
        help: "Texts: .txt, .jsonl (text), or .tokens in the model's vocabulary.",
        completion: .file())
    var texts: [String] = []

    @Option(help: "Maximum number of tokens.")
    var tokens: Int?

    @Option(help: "Tokens per sequence.")
    var context = 256

    func validate() throws {
        guard (2...1_000_000).contains(context) else { throw ValidationError("--context must be 2 to 1,000,000.") }
        guard (tokens ?? 1) > 0 else { throw ValidationError("--tokens must be at least 1.") }
    }

    /// Describes the source of the sequences: two index builds with equal descriptions read the same tokens.
    func fingerprint(model: InspectedModel, _ dictionary: FeatureDictionary) -> String {
        let files = texts.map { "\($0) \((try? FeatureStore.digest(ofFile: $0)) ?? "")" }
        let weights = dictionary.path.flatMap(FeatureStore.digest(ofWeights:)) ?? ""
        return
            (files + [
                "context \(min(context, model.contextLength - 1))", "limit \(tokens ?? 0)", "model \(model.path)",
                "hook \(dictionary.hook)", "dictionary \(weights)",
            ]).joined(separator: "; ")
    }

    /// Returns the texts as sequences of tokens.
    func sequences(for model: InspectedModel) throws -> [[TokenID]] {
        try sequences(with: model.tokenizer, contextLength: model.contextLength)
    }

    func sequences(for opened: OpenedCheckpoint) throws -> [[TokenID]] {
        try sequences(with: opened.tokenizer, contextLength: opened.checkpoint.configuration.contextLength)
    }

    private func sequences(with tokenizer: Tokenizer, contextLength: Int) throws -> [[TokenID]] {
        guard !texts.isEmpty else {
            throw Problem(.invalid, "", "--texts is required", remedy: "Name at least one text file.")
        }
        return try TokenSequences.read(
            texts, with: tokenizer, length: max(1, min(context, contextLength - 1)), limit: tokens
        ).sequences
    }
}
