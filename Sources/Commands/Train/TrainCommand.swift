import ArgumentParser
import CommandSupport
import JSON
import System
import Traces
import Training
import TrainingLab
import Workspace

/// The `orrery train` command: training and recorded runs.
struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train", abstract: "Train models, follow runs, and control runs in progress.",
        usage: """
            orrery train CONFIG.toml
            orrery train <verb> ...
            """,
        discussion: """
            A run resumes from its last checkpoint, with the same numbers as without the interruption. orrery train \
            --defaults prints a configuration with every key.
            """,
        subcommands: [
            Run.self, List.self, Show.self, Resume.self, Stop.self, Pause.self, Continue.self, Rate.self, Follow.self,
            Export.self, Delete.self, Undo.self, Data.self, Card.self, Gradient.self, Ladder.self,
        ],
        defaultSubcommand: Run.self)
}

/// A run of the workspace: its number or name.
struct RunArgument: ParsableArguments {
    @Argument(help: "Run number or name; the newest if several match.")
    var run: String

    /// Returns the selected run.
    func find(in store: RunStore) throws -> RunSummary {
        let runs = try store.runs()
        if let id = Int64(run), let found = runs.first(where: { $0.id == id }) { return found }
        if let found = runs.filter({ $0.name == run }).max(by: { $0.id < $1.id }) { return found }
        let known = runs.prefix(8).map(\.name).joined(separator: ", ")
        throw runs.isEmpty
            ? Problem(
                .missing, "", "no runs in this workspace yet", remedy: "To start one, run: orrery train CONFIG.toml")
            : Problem(
                .unknown, "", "unknown run \"\(run)\"; known runs: \(known)",
                remedy: "To list runs, use: orrery train list")
    }
}

extension RunOrigin {
    /// - Throws: `Problem` if the run's folder does not record its origin.
    init(of run: RunSummary) throws {
        guard let folder = run.folder else {
            throw Problem(
                .missing, "", "\(run.name) was trained elsewhere, so it has no checkpoints here",
                remedy: "Choose a run trained in this workspace.")
        }
        guard let origin = RunOrigin(in: folder) else {
            throw Problem(
                .missing, "", "\(folder)/run.json is missing or contains no configuration",
                remedy: "Start the run with orrery train CONFIG.toml.")
        }
        self = origin
    }
}
