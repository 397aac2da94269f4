import Console
import FeatureLab
import Glibc
import Interpretability
import KernelLab
import LanguageModels
import ModelLab
import Presentation
import Retrieval
import System
import Traces
import Training
import TrainingLab
package import Workspace

/// Sample data for the first start.
package enum SampleData {
    /// Fills a new default workspace from `sample-data/`.
    ///
    /// If several processes start at once, one fills the workspace, and the others wait until it is complete.
    package static func fillIfNew(_ workspace: Workspace) throws {
        let turn = FolderTurn(besides: workspace.path)
        defer { turn.end() }
        let store = TraceStore(workspace)
        guard try store.isUnused(), let folder = InstalledFiles.folder("sample-data") else { return }
        try store.importTraces([folder + "/traces"])
        try SampleRuns.describe(in: store)
        try store.indexText()
        let profiles = ProfileStore(workspace)
        // A comparison in the panel starts with the profile imported first.
        for name in ["step.json", "before.csv", "after.csv"] {
            try profiles.importProfile("\(folder)/profiles/\(name)")
        }
        // A recorded ladder, to show before the first measurement.
        try KernelHistory(workspace).addRecorded(folder + "/kernels/recorded.json")
        try OwnKernelStore(workspace).add(OwnKernel(contentsOf: folder + "/kernels/rms.toml"))
        let model = try addModel(folder + "/models/\(SampleTexts.model)", to: workspace)
        _ = try RunFollower.open(folder + "/training/orrery-mini-run.jsonl").follow(into: RunStore(workspace))
        try addCorpus(folder + "/corpus", to: workspace)
        let logs = ["before", "after"].map { "\(folder)/evals/recorded/\($0).jsonl" }
        PanelScreen.evalLogs(at: try PanelScreen.openEvalLogs(in: workspace) + logs).keep(in: workspace)
        try addFeatures(of: model, to: workspace)
        try recordGenerations(of: model, in: workspace)
    }

    /// Adds the model, next to a user's model with the same name.
    private static func addModel(_ path: String, to workspace: Workspace) throws -> ModelEntry {
        let house = ModelHouse(workspace)
        let name = try freeName(SampleTexts.model) { name in
            try house.registry.entry(named: name).map { $0.specification != ModelPath.absolute(path) } ?? false
        }
        return try house.add(path, name: name, at: Clock.nanoseconds(.wall))
    }

    /// Returns the usual name of a part of the sample, or the name with a suffix if the user has a part with this name.
    private static func freeName(_ name: String, isTaken: (String) throws -> Bool) rethrows -> String {
        var (free, number) = (name, 1)
        while try isTaken(free) {
            free = name + SampleTexts.suffix + (number > 1 ? "-\(number)" : "")
            number += 1
        }
        return free
    }

    /// Adds features of orrery-mini, indexed on texts of its world.
    private static func addFeatures(of model: ModelEntry, to workspace: Workspace) throws {
        let store = FeatureStore(workspace)
        // Under its usual name, the dictionary finds the model without a path.
        let modelPath = model.name == SampleTexts.model ? nil : model.specification
        guard let added = try store.addInstalled("orrery-mini-features", modelPath: modelPath)?.dictionary else {
            return
        }
        let record = store.located(added)
        guard record.index == nil, let path = record.path, let modelPath = record.modelPath else { return }
        let texts = path + "/texts.txt"
        let model = try InspectedModel(path: modelPath)
        let sequences = try TokenSequences.read([texts], with: model.tokenizer, length: model.contextLength - 1)
        var settings = FeatureIndexBuilder.Settings(source: texts)
        settings.fingerprint = "the texts beside the dictionary"
        try store.index(
            record, weights: try DictionaryFile.open(path), model: model, hook: try model.hook(named: record.hook),
            over: sequences.sequences, settings: settings)
    }

    /// Records generations of orrery-mini, token by token.
    private static func recordGenerations(of entry: ModelEntry, in workspace: Workspace) throws {
        let store = GenerationStore(workspace)
        let model = try ModelHouse(workspace).model(entry.name)
        for recording in SampleTexts.recordings {
            var document = PromptDocument(model: entry.name, input: .text(recording.prompt))
            document.sampling.temperature = recording.temperature
            document.sampling.maximumTokens = recording.tokens
            document.sampling.seed = recording.seeds.last
            let session = try store.save(
                Session(
                    title: recording.title, created: Clock.nanoseconds(.wall), changed: Clock.nanoseconds(.wall),
                    draft: document.text))
            for seed in recording.seeds {
                document.sampling.seed = seed
                let generation = Generation(
                    session: session.id, document: document, model: model.name, started: Clock.nanoseconds(.wall))
                _ = try GenerationRun(store, model: model, now: { Clock.nanoseconds(.wall) }).run(
                    generation, isCancelled: { false })
            }
        }
    }

    /// Adds the papers of an observatory, with questions that they answer.
    private static func addCorpus(_ folder: String, to workspace: Workspace) throws {
        let store = CorpusStore(workspace)
        let corpora = Set(try store.corpora().map(\.name))
        let corpus = try store.create(freeName("northfold", isTaken: corpora.contains), isSample: true)
        var options = AddOptions()
        options.isUndoable = false
        try store.add([folder + "/northfold"], to: corpus.id, options: options)
        _ = try CorpusAdding(store).embed(corpus)
        let questions = try Retriever(workspace).questions(folder + "/questions.jsonl", of: corpus)
        let sets = Set(try store.questionSets().map(\.name))
        _ = try store.saveQuestions(
            questions, as: freeName("northfold", isTaken: sets.contains), corpus: corpus.id)
    }
}

/// A lock on a folder. One process or thread holds the lock at a time, and the lock leaves no file behind.
private struct FolderTurn {
    private let descriptor: Int32

    /// Creates a lock, and waits for it. If the folder cannot be locked, as on some network drives, does not wait.
    init(besides path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    /// Releases the lock at once, even if a child process being started inherits the open folder.
    func end() {
        guard descriptor >= 0 else { return }
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
