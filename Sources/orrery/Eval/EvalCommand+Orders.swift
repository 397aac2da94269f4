import ArgumentParser
import Evals
import JSON
import Traces
import Workspace

extension EvalCommand {
    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause", abstract: "Pause a run: samples in flight end, no new ones start.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws { try answering { try send(.pause, argument, place, output, "starts no new samples") } }
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
            commandName: "cancel", abstract: "Cancel a run; finished samples stay, eval resume runs the rest.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws { try answering { try send(.cancel, argument, place, output, "stops") } }
    }

    struct Concurrency: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "concurrency", abstract: "Change how many samples of a run are in flight.")
        @OptionGroup var argument: EvalRunArgument
        @Argument(help: "Maximum number of samples in flight.") var count: Int
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (1...512).contains(count) else { throw ValidationError("COUNT must be from 1 to 512.") }
        }

        func run() throws {
            try answering {
                try send(.concurrency(count), argument, place, output, "has at most \(count) samples in flight")
            }
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a run another name.")
        @OptionGroup var argument: EvalWholeRunArgument
        @Argument(help: "The new name.") var name: String
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = EvalStore(try place.openExisting())
                let number = try argument.find(in: store)
                guard let run = try store.run(number) else { return }
                try store.rename(number, to: name)
                EvalChangeReport(run: number, name: name) { $0.member("before", run.name) }
                    .tell("run \(number) is called \(Printable.line(name))", output)
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a run with all its samples; nothing brings it back.",
            discussion: "What people said of it stays. orrery eval export keeps a copy in a file.")
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

/// What was done to a run: a sentence on standard error, or with `--json` an object on standard output.
struct EvalChangeReport: JSONRepresentable {
    /// Its number in the workspace; nil for a log of another program.
    var run: Int64?
    var name: String
    /// What else is told.
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

/// Sends an instruction to a running run, in this process or another.
private func send(
    _ instruction: EvalInstruction, _ argument: EvalRunArgument, _ place: WorkspaceOptions, _ output: JSONOption,
    _ effect: String
) throws {
    let store = EvalStore(try place.openExisting())
    let number = try argument.find(in: store)
    guard let run = try store.run(number), run.state == .running else {
        throw Failure("run \(number) is not running: only a run in progress can be changed.")
    }
    try store.send(instruction, to: number)
    EvalChangeReport(run: number, name: run.name) { json in
        json.member("command", instruction.word)
        if case .concurrency(let count) = instruction { json.member("concurrency", count) }
    }.tell("\(run.name) \(effect) within half a second.", output)
}

extension EvalInstruction {
    /// The command that gives it.
    fileprivate var word: String {
        switch self {
        case .cancel: "cancel"
        case .pause: "pause"
        case .resume: "continue"
        case .concurrency: "concurrency"
        }
    }
}
