public import System
public import Workspace

/// Reads runs that other programs record, and goes on reading as their files grow.
///
/// ```swift
/// let follower = try RunFollower.open("logs/")
/// let report = try follower.follow(into: store)       // "20000 new points in 3 runs."
/// // later, when something was written:
/// try follower.follow(into: store)                    // only what is new
/// ```
///
/// A folder is searched for TensorBoard event files (each folder of them is a run), `.wandb` files, JSONL logs and
/// `trainer_state.json`; new runs in it are found at the next look. How far each file was read is kept in the workspace,
/// together with the points: a follower that dies imports nothing twice. Files are believed nothing: what is damaged is
/// passed over with a sentence, what is being written is read the next time, and memory stays bounded.
public struct RunFollower: Sendable {
    /// Absolute and without links.
    public let path: String
    /// The format of the first run that was found.
    public let format: RunFormat

    /// Recognizes what is at a path.
    ///
    /// - Throws: `Problem`, a sentence, where nothing can be read or nothing is known.
    public static func open(_ path: String) throws(Problem) -> RunFollower {
        guard let canonical = FilePath.canonical(path) else {
            throw Problem(.missing, "", "\(path) does not exist", remedy: "Check the path.")
        }
        guard let first = RunSearch(canonical).found.first else {
            let isFolder = FilePath.kind(of: canonical) == .folder
            throw Problem(
                .missing, "", "\(path) \(isFolder ? "has no" : "is not a") supported training log",
                remedy: "Orrery reads TensorBoard event files, W&B offline runs, JSONL logs of metrics, and "
                    + "trainer_state.json.")
        }
        return RunFollower(path: canonical, format: first.format)
    }

    /// Imports what is new, and reports how much that was.
    ///
    /// - Throws: `CancellationError` if the caller cancels, `WorkspaceError` where the workspace cannot be written. What
    ///   was imported until then stays. What is wrong with a file is a note of the report.
    @discardableResult
    public func follow(into store: RunStore, until cancellation: Cancellation = Cancellation()) throws -> FollowReport {
        var report = FollowReport()
        for found in RunSearch(path).found {
            try cancellation.check()
            do {
                try Self.follow(found, into: store, cancellation, &report)
            } catch let error as Problem {
                report.notes.append(error.sentence)
            }
        }
        return report
    }

    private static func follow(
        _ found: FoundRun, into store: RunStore, _ cancellation: Cancellation, _ report: inout FollowReport
    ) throws {
        var intake = try RunIntake(store, source: found.source, format: found.format)
        if intake.run == nil { intake.head.name = found.name }
        defer {
            report.points += intake.points
            report.notes += intake.notes
            if let run = intake.run { report.runs.append(run) }
        }
        if found.format != .trainerState, try found.files.contains(where: { try isAnother($0, intake.place(of: $0)) }) {
            intake.note("\(found.source) was replaced and is being read again from the start.")
            try intake.restart()
        }
        do {
            for file in found.files {
                try cancellation.check()
                let before = intake.place(of: file).position
                switch found.format {
                case .tensorBoard: try TensorBoardReader().read(file, into: &intake)
                case .jsonLines: try JSONLogReader().read(file, into: &intake)
                case .trainerState: try TrainerStateReader().read(file, key: found.source, into: &intake)
                case .weightsAndBiases:
                    var reader = WeightsAndBiasesReader()
                    try reader.read(file, into: &intake)
                }
                report.bytes += max(0, intake.place(of: file).position - before)
            }
        } catch let failure as Problem where failure.kind != .busy {
            // The data read from the other files stays.
            intake.note(failure.sentence)
        }
        try intake.commit()
    }

    /// Whether a file is shorter than what was read of it.
    private static func isAnother(_ file: String, _ place: RunIntake.Place) throws -> Bool {
        guard place.position > 0 else { return false }
        return try FileWindow(file, from: 0).size < place.position
    }
}
