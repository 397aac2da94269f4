internal import Console
internal import Glibc
internal import KernelLab
internal import Kernels
internal import Presentation
internal import System
internal import Traces
internal import Training
internal import TrainingLab
internal import Workspace

/// Operations outside the UI thread: reading runs, requests to runs, and training in this process.
package struct TrainingEngine: Sendable {
    let store: RunStore
    let history: KernelHistory
    let now: @Sendable () -> Int64

    /// Number of points in a layer's small curve.
    static let trend = 16
    /// Maximum number of samples to read.
    static let samples = 200

    init(_ workspace: Workspace, now: @escaping @Sendable () -> Int64) {
        store = RunStore(workspace)
        history = KernelHistory(workspace)
        self.now = now
    }

    func open(_ id: Int64) throws -> OpenTrainingRun {
        guard let summary = try store.run(id) else { throw Problem.gone("run \(id)") }
        let series = try store.series(of: id)
        return OpenTrainingRun(
            summary: summary, description: try store.description(of: id), series: series,
            least: try store.least(of: id, OpenTrainingRun.losses(of: series)),
            samples: try store.samples(of: id, limit: Self.samples), events: try store.events(of: id),
            layers: try store.layers(of: id, columns: Self.trend), pending: try store.pendingOrders(of: id),
            arithmetic: try TrainingArithmetic(of: summary, in: store, ceilings: try history.latestCeilings()))
    }

    // MARK: Runs of our own

    /// A validated plan of a training run.
    struct Plan: Sendable {
        var configuration: TrainingConfiguration
        var origin: RunOrigin

        /// Checkpoint folder, which identifies the run in the list.
        var folder: String { configuration.checkpoints.folder }
    }

    func plan(_ path: String, overrides: [String]) throws -> Plan {
        let path = Self.canonical(path) ?? path
        return Plan(
            configuration: try TrainingConfiguration(contentsOf: path, overriding: overrides),
            origin: RunOrigin(configuration: path, overrides: overrides))
    }

    /// The end of training in this process.
    struct Ending: Sendable {
        var sentence: String
        var isGood: Bool
        var run: Int64?
    }

    /// Trains until the run finishes, stops, or is canceled; resumes from a checkpoint if there is one.
    func train(_ plan: Plan, job: JobHandle) throws -> Ending {
        let recorder = RunRecorder(store)
        defer { recorder.close() }
        // Use the configured number of threads, so the share refers to the roof for that number.
        let result = try ThreadPool.sharing(threads: plan.configuration.run.threads) {
            let trainer = try Trainer(plan.configuration, version: ProgramVersion.number)
            try plan.origin.write(into: plan.folder)
            var counted: Int64?
            return try trainer.run(
                into: recorder, starting: .resuming, isCancelled: { job.isCancelled },
                report: { progress in
                    let step = Int64(progress.step)
                    // A resumed run starts at its checkpoint.
                    if counted == nil { job.restart(at: step) }
                    // The trainer checks for cancellation itself. A note may announce a pause.
                    // Progress that is not shown costs the run nothing.
                    try? job.advance(
                        by: step - (counted ?? step), of: Int64(progress.steps), unit: "steps",
                        isNotable: progress.note != nil)
                    counted = step
                })
        }
        let run = recorder.run
        let problem = recorder.close()
        return Ending(
            sentence: [result.sentence, problem].compactMap(\.self).joined(separator: " "),
            isGood: result.end != .diverged && problem == nil, run: run)
    }

    func curves(_ question: CurveQuestion) throws -> CurveSet {
        func sources(_ series: String) -> [CurveSource] { question.order.map { CurveSource(run: $0, series: series) } }
        let lines = try store.curves(sources(question.series), question.request)
        var heldOut: [RunCurve] = []
        if let companion = question.companion {
            var plain = question.request
            plain.smoothing = 0
            plain.range = lines.first?.range ?? plain.range
            heldOut = try store.curves(sources(companion), plain)
        }
        let unit = question.summaries.first?.unit ?? ""
        return CurveSet(
            question: question, axis: lines.first?.axis ?? question.request.axis,
            lines: lines.map { Trend($0, unit: unit) }, heldOut: heldOut.map { Trend($0, unit: unit) })
    }

    // MARK: Runs of others

    func follow(_ path: String) throws -> FollowReport { try RunFollower.open(path).follow(into: store) }

    /// Checks whether the log of a run has grown.
    ///
    /// - Returns: The problem if the log is no longer readable, and whether there were new values.
    func look(at source: String, until cancellation: Cancellation) throws -> (fault: String?, isNew: Bool) {
        do {
            let report = try RunFollower.open(source).follow(into: store, until: cancellation)
            return (report.notes.first, report.points > 0)
        } catch let error as CancellationError {
            throw error
        } catch {
            return ("\(error)", false)
        }
    }

    static func canonical(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    // MARK: Files

    /// Exports the curves of a run.
    ///
    /// - Returns: A message for the user.
    func export(_ id: Int64, to path: String) throws -> String {
        try ExportFile.write(path, replacing: false) { write in
            try store.export(id, as: path.hasSuffix(".jsonl") ? .jsonLines : .csv) { bytes in
                try write(String(decoding: bytes, as: UTF8.self))
            }
        }
        return "written to \(path)"
    }
}
