internal import Console
internal import Training
internal import TrainingLab
package import Workspace

/// Moves training runs of this process to background processes when the user leaves the workbench.
///
/// ```swift
/// let departure = TrainingDeparture(workspace, now: now)
/// for run in try departure.underWay() where run.refusal == nil { try departure.goOn(run) }
/// // Then cancel the jobs as usual: each ends with a checkpoint, where the background process continues.
/// ```
package struct TrainingDeparture: Sendable {
    /// A run that this process is training.
    package struct Run: Hashable, Sendable {
        package var id: Int64
        package var name: String
        /// `step 1,204 of 5,000, the last checkpoint is 40 s old`.
        package var standing: String
        /// Why the run cannot continue in the background, or nil.
        package var refusal: String?
    }

    private let store: RunStore
    private let now: @Sendable () -> Int64

    package init(_ workspace: Workspace, now: @escaping @Sendable () -> Int64) {
        store = RunStore(workspace)
        self.now = now
    }

    /// Whether a job of this kind may continue in the background.
    package static func canGoOn(_ job: Job) -> Bool { job.kind == jobKind }

    static let jobKind = "train"

    /// The runs that end when this process does.
    package func underWay() throws -> [Run] {
        try store.runsOfThisProcess().map { run in
            Run(
                id: run.id, name: run.name, standing: try standing(of: run), refusal: BackgroundRun.refusal(run))
        }
    }

    /// Starts the process that continues a run once this process has released it.
    ///
    /// - Returns: a sentence with the process and its log file.
    @discardableResult
    package func goOn(_ run: Run) throws -> String {
        guard let summary = try store.run(run.id) else { throw TrainingRunGone(id: run.id) }
        let started = try BackgroundRun.start(summary, of: store)
        return "\(run.name) continues in process \(started.process); log: \(started.log)"
    }

    private func standing(of run: RunSummary) throws -> String {
        let step = "step \(TrainingFigure.steps(run.step, of: run.steps))"
        guard let checkpoint = try store.events(of: run.id).first(where: { $0.kind == .checkpoint }) else {
            return step + ", no checkpoint yet"
        }
        let age = Format.duration(nanoseconds: max(0, Int(now() - checkpoint.time)))
        return "\(step), the last checkpoint is \(age) old"
    }
}
