import ArgumentParser
import CommandSupport
import EvalLogs
import Evals
import JSON
import System
import Traces
import Workspace

extension EvalCommand {
    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause", abstract: "Pause a run. Samples in flight finish; no new samples start.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws { try answering { try send(.pause, argument, place, output, "stops starting samples") } }
    }

    struct Continue: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "continue", abstract: "Resume a paused run.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws { try answering { try send(.resume, argument, place, output, "resumes") } }
    }

    struct Cancel: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Cancel a run. Finished samples stay; eval resume runs the rest.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws { try answering { try send(.cancel, argument, place, output, "stops") } }
    }

    struct Concurrency: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "concurrency", abstract: "Change the maximum number of samples in flight.")
        @OptionGroup var argument: EvalRunArgument
        @Argument(help: "Maximum number of samples in flight.") var count: Int
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (1...512).contains(count) else { throw ValidationError("COUNT must be 1 to 512.") }
        }

        func run() throws {
            try answering {
                try send(.concurrency(count), argument, place, output, "limits samples in flight to \(count)")
            }
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a run.")
        @OptionGroup var argument: EvalWholeRunArgument
        @Argument(help: "New name.") var name: String
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = EvalStore(try place.openExisting())
                let number = try argument.find(in: store)
                guard let run = try store.run(number) else { return }
                try store.rename(number, to: name)
                EvalChangeReport(run: number, name: name) { $0.member("before", run.name) }
                    .tell("renamed run \(number) to \(Printable.line(name))", output)
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a run and its samples permanently.",
            discussion: "Ratings by reviewers are not deleted. To save a copy first, run: orrery eval export")
        @OptionGroup var argument: EvalWholeRunArgument
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = EvalStore(try place.openExisting())
                let number = try argument.find(in: store)
                guard let run = try store.run(number) else { return }
                try store.delete(number)
                EvalChangeReport(run: number, name: run.name) { $0.member("samples", run.completed) }
                    .tell("deleted run \(number), \(Printable.line(run.name)): \(EvalText.sampleWords(run))", output)
            }
        }
    }
}

/// A change to a run, printed as a sentence on standard error or, with `--json`, as an object on standard output.
struct EvalChangeReport: JSONRepresentable {
    /// Number of the run in the workspace; `nil` for a foreign log.
    var run: Int64?
    var name: String
    /// Writes additional members.
    var more: (inout JSONWriter) -> Void

    init(run: Int64?, name: String, more: @escaping (inout JSONWriter) -> Void = { _ in }) {
        self.run = run
        self.name = name
        self.more = more
    }

    func tell(_ sentence: String, _ output: JSONOption) {
        output.json ? Output.json(self) : Output.note(sentence)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("run", ifPresent: run.map { String($0) })
            json.member("name", name)
            more(&json)
        }
    }
}

/// Sends an instruction to a run in progress, in this process or another.
private func send(
    _ instruction: EvalInstruction, _ argument: EvalRunArgument, _ place: WorkspaceOptions, _ output: JSONOption,
    _ effect: String
) throws {
    let store = EvalStore(try place.openExisting())
    let number = try argument.find(in: store)
    guard let run = try store.run(number), run.state == .running else {
        throw Problem(
            .invalid, "", "run \(number) is not running, and only a running run can be changed",
            remedy: "To resume it, use orrery eval resume.")
    }
    try store.send(instruction, to: number)
    EvalChangeReport(run: number, name: run.name) { json in
        json.member("command", instruction.word)
        if case .concurrency(let count) = instruction { json.member("concurrency", count) }
    }.tell("\(run.name) \(effect) within half a second.", output)
}

extension EvalInstruction {
    /// Name of the command that sends the instruction.
    fileprivate var word: String {
        switch self {
        case .cancel: "cancel"
        case .pause: "pause"
        case .resume: "continue"
        case .concurrency: "concurrency"
        }
    }
}
