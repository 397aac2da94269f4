internal import Formatting
internal import Traces

extension TracePanel {
    package static let commands = ["step"]

    /// Runs `:step 69`, or just `:69`, which goes to a step by its number, starting at 1.
    package mutating func run(command: String, words: [String]) -> [Effect<TraceAnswer>]? {
        let number = command == "step" ? words.first.flatMap { Int($0) } : Int(command)
        guard command == "step" || number != nil else { return nil }
        guard let run else { return [.notify("open a run first", .warning)] }
        guard let number, (1...max(1, run.replay.count)).contains(number), run.replay.count > 0 else {
            return [.notify("The run has steps 1 to \(Format.count(run.replay.count)).", .warning)]
        }
        return go(to: run.replay.steps[number - 1])
    }
}
