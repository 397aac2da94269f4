import Console
import FeatureLab
import KernelLab
import ModelLab
import Retrieval
import Traces
import TrainingLab
import Workbench
import Workspace

/// What the first run opens.
enum SampleData {
    /// Fills the default workspace from `sample-data/` when it has just been made.
    static func fillIfNew(_ workspace: Workspace) throws {
        let store = TraceStore(workspace)
        guard try store.isUnused(), let folder = InstalledFiles.folder("sample-data") else { return }
        try store.importTraces([folder + "/traces"])
        try store.indexText()
        let profiles = ProfileStore(workspace)
        for name in ["step.json", "after.csv", "before.csv"] {
            try profiles.importProfile("\(folder)/profiles/\(name)")
        }
        try OwnKernelStore(workspace).add(OwnKernel(contentsOf: folder + "/kernels/rms.toml"))
        _ = try ModelHouse(workspace).add(folder + "/models/orrery-mini", name: "orrery-mini", at: Clock.now)
        _ = try RunFollower.open(folder + "/training/orrery-mini-run.jsonl").follow(into: RunStore(workspace))
        try addCorpus(folder + "/corpus", to: workspace)
        PanelScreen.evalLogs(at: ["before", "after"].map { "\(folder)/evals/recorded/\($0).jsonl" }).keep(in: workspace)
        // Features of orrery-mini, with what is known of some of them.
        try FeatureStore(workspace).addInstalled("orrery-mini-features")
    }

    /// The papers of an observatory, and questions that they answer.
    private static func addCorpus(_ folder: String, to workspace: Workspace) throws {
        let store = CorpusStore(workspace)
        let corpus = try store.create("northfold")
        try store.add([folder + "/northfold"], to: corpus.id)
        _ = try CorpusAdding(store).embed(corpus)
        let questions = try Retriever(workspace).questions(folder + "/questions.jsonl", of: corpus)
        _ = try store.saveQuestions(questions, as: "northfold", corpus: corpus.id)
    }
}
