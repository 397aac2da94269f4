internal import EvalLogs
internal import Evals

/// The runs of the workspace, and how those in progress stand.
struct EvalRunList: Sendable {
    let runs: [EvalRun]
    let progress: [Int64: EvalProgress]
    /// Runs in progress in this process.
    let own: Set<Int64>
    /// Headers of the open logs of other programs, in their order.
    let foreign: [EvalRun]
    /// First errors of runs whose samples all ended in errors.
    let causes: [Int64: String]
    /// Runs in progress that are paused.
    let paused: Set<Int64>
    /// Revision of the workspace before the runs were read.
    let revision: Int?

    /// Reads the list.
    ///
    /// - Parameter causes: Causes that are already known.
    init(_ desk: any EvalDesk, logs: [any EvalLog], causes: [Int64: String]) throws {
        foreign = logs.map(\.run)
        // A later write shows at the next look.
        revision = desk.revision
        runs = try desk.runs()
        let here = desk.progress()
        own = Set(here.map(\.run))
        let active = runs.filter { $0.state == .running }.compactMap { Int64($0.key) }
        let elsewhere = try active.filter { [own] in !own.contains($0) }.compactMap { try desk.progress(of: $0) }
        progress = Dictionary((here + elsewhere).map { ($0.run, $0) }) { _, last in last }
        paused = try Set(active.filter { try desk.isPaused($0) })
        var found: [Int64: String] = [:]
        for run in runs where run.state != .running && run.completed > 0 && run.errors == run.completed {
            guard let id = Int64(run.key), causes[id] == nil, let log = try? desk.log(id) else { continue }
            found[id] = (try? log.rows(0..<64) { false })?.lazy.compactMap(\.problem).first
        }
        self.causes = found
    }

    func entries(limits: [Int64: Int], causes: [Int64: String]) -> [EvalRunEntry] {
        runs.compactMap { run in
            guard let id = Int64(run.key) else { return nil }
            var entry = EvalRunEntry(
                id: id, run: run, progress: progress[id], most: limits[id], cause: causes[id],
                isPaused: paused.contains(id))
            entry.isElsewhere = entry.isAlive && !own.contains(id)
            // Progress from another process is a moment older than its samples.
            if entry.isElsewhere, let told = entry.progress {
                entry.progress?.completed = max(told.completed, run.completed)
            }
            return entry
        }
    }
}
