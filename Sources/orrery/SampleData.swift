import Console
import Glibc
import KernelLab
import ModelLab
import Retrieval
import Traces
import TrainingLab
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

/// The files that come with the program: themes, notebooks, sample data.
enum InstalledFiles {
    /// A folder of them: under `$ORRERY_DATA_DIR`, else beside the installed program, else in the source tree that
    /// it was built in.
    static func folder(_ name: String) -> String? {
        candidates.map { $0 + "/" + name }.first { access($0, R_OK | X_OK) == 0 }
    }

    private static var candidates: [String] {
        var found: [String] = []
        if let named = getenv("ORRERY_DATA_DIR") { found.append(String(cString: named)) }
        guard let program = realpath("/proc/self/exe", nil) else { return found }
        defer { free(program) }
        var folder = parent(String(cString: program))
        found.append(parent(folder) + "/share/orrery")
        while folder.count > 1 {
            if access(folder + "/Package.swift", R_OK) == 0 {
                found.append(folder)
                break
            }
            folder = parent(folder)
        }
        return found
    }

    private static func parent(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        return "/" + parts.dropLast().joined(separator: "/")
    }
}
