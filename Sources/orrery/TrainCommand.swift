import ArgumentParser
import JSON
import Traces
import Training
import TrainingLab
import Workspace

/// `orrery train`: models learn here, and runs are looked at.
struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train", abstract: "Train models, follow runs, and change them while they go on.",
        usage: """
            orrery train CONFIG.toml
            orrery train <verb> ...
            """,
        discussion: """
            A run goes on where its last checkpoint left off, with the same numbers as if it had never ended. \
            orrery train --defaults prints a configuration with every key.
            """,
        subcommands: [
            Run.self, List.self, Show.self, Resume.self, Stop.self, Pause.self, Continue.self, Rate.self, Follow.self,
            Export.self, Delete.self, Data.self, Card.self, Gradient.self, Ladder.self, Compare.self,
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

/// What a run was started with: kept in its folder, so that it can go on by its name alone.
struct RunOrigin {
    /// The configuration's file.
    var configuration: String
    var overrides: [String]

    private static let name = "run.json"

    func write(into folder: String) throws {
        var json = JSONWriter(style: .pretty)
        json.object {
            $0.member("configuration", configuration)
            $0.member("set", overrides)
        }
        try ExportFile.write("\(folder)/\(Self.name)", replacing: true) { try $0(json.text + "\n") }
    }

    init(configuration: String, overrides: [String]) {
        self.configuration = configuration
        // Of one key the last word counts.
        var met: Set<Substring> = []
        self.overrides = overrides.reversed().filter { met.insert($0.prefix { $0 != "=" }).inserted }.reversed()
    }

    /// - Throws: a sentence where the folder does not say it.
    init(of run: RunSummary) throws {
        guard let folder = run.folder else {
            throw Failure("\(run.name) was trained elsewhere: there are no checkpoints of it here.")
        }
        let path = "\(folder)/\(Self.name)"
        let document = try JSONDocument(parsing: try SmallFile.bytes(path), maximumDepth: 8)
        let read = document.withRoot { root in
            (root["configuration"]?.string, root["set"]?.elements.compactMap(\.string) ?? [])
        }
        guard let configuration = read.0 else { throw Failure("\(path): it names no configuration.") }
        self.init(configuration: configuration, overrides: read.1)
    }
}
