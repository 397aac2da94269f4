internal import Console
internal import Formatting
internal import System
internal import Training
internal import TrainingLab
internal import Workspace

extension Departure {
    static let trainingJob = "train"

    /// Returns the training runs that end with this process.
    ///
    /// When canceled, each saves a checkpoint, where the background process continues.
    static func training(in workspace: Workspace, now: Int64) throws -> [Departure] {
        let store = RunStore(workspace)
        return try store.runsOfThisProcess().map { run in
            let checkpoint = try store.events(of: run.id).first { $0.kind == .checkpoint }
            let age = checkpoint.map { Format.duration(nanoseconds: max(0, Int(now - $0.time))) }
            return Departure(
                name: run.name,
                standing: "step \(Format.count(run.step, of: run.steps)), "
                    + (age.map { "the last checkpoint is \($0) old" } ?? "no checkpoint yet"),
                refusal: BackgroundRun.refusal(run)
            ) {
                guard let run = try store.run(run.id) else { throw Problem.gone("run \(run.id)") }
                _ = try BackgroundRun.start(run, of: store)
            }
        }
    }
}
