import ArgumentParser
import JSON
import Traces
import Training
import TrainingLab
import Workspace

/// `orrery train`: models learn here, and runs are looked at.
struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train", abstract: "Train models, follow runs, and change running ones.",
        usage: """
            orrery train CONFIG.toml
            orrery train <verb> ...
            """,
        discussion: """
            A run resumes from its last checkpoint, with the same numbers as if it had never stopped. \
            orrery train --defaults prints a configuration with every key.
            """,
        subcommands: [
            Run.self, List.self, Show.self, Resume.self, Stop.self, Pause.self, Continue.self, Rate.self, Follow.self,
            Export.self, Delete.self, Undo.self, Data.self, Card.self, Gradient.self, Ladder.self, Compare.self,
        ],
        defaultSubcommand: Run.self)
}

/// A run of the workspace: its number, or its name.
struct RunArgument: ParsableArguments {
    @Argument(help: "A run's number or name; of several with one name the newest.")
    var run: String

    /// The run that is meant.
    func find(in store: RunStore) throws -> RunSummary {
        let runs = try store.runs()
        if let id = Int64(run), let found = runs.first(where: { $0.id == id }) { return found }
        if let found = runs.filter({ $0.name == run }).max(by: { $0.id < $1.id }) { return found }
        let known = runs.prefix(8).map(\.name).joined(separator: ", ")
        throw Failure(
            runs.isEmpty
                ? "there are no runs in this workspace yet: orrery train CONFIG.toml makes one."
                : "there is no run \(run); there are \(known): see orrery train list.")
    }
}

extension RunOrigin {
    /// - Throws: a sentence where the run's folder does not say it.
    init(of run: RunSummary) throws {
        guard let folder = run.folder else {
            throw Failure("\(run.name) was trained elsewhere: there are no checkpoints of it here.")
        }
        guard let origin = RunOrigin(in: folder) else {
            throw Failure("\(folder)/run.json: it is missing or names no configuration.")
        }
        self = origin
    }
}
