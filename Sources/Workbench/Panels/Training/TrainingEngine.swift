internal import Console
internal import Glibc
internal import KernelLab
internal import Kernels
internal import Traces
internal import Training
internal import TrainingLab
internal import Workspace

/// What the panel asks of the engine: the runs of a workspace, orders to them, and runs of its own.
struct TrainingEngine: Sendable {
    let store: RunStore
    let history: KernelHistory
    let now: @Sendable () -> Int64

    /// Points of a layer's small curve.
    static let trend = 16
    /// Samples that are read back.
    static let samples = 200

    init(_ workspace: Workspace, now: @escaping @Sendable () -> Int64) {
        store = RunStore(workspace)
        history = KernelHistory(workspace)
        self.now = now
    }

    func open(_ id: Int64) throws -> OpenTrainingRun {
        guard let summary = try store.run(id) else { throw TrainingRunGone(id: id) }
        let series = try store.series(of: id)
        return OpenTrainingRun(
            summary: summary, description: try store.description(of: id), series: series,
            least: try store.least(of: id, OpenTrainingRun.losses(of: series)),
            samples: try store.samples(of: id, limit: Self.samples), events: try store.events(of: id),
            layers: try store.layers(of: id, columns: Self.trend), pending: try store.pendingOrders(of: id))
    }

    /// The arithmetic that this machine can do a second, as it was measured last.
    func peaks() throws -> [Int: Double] {
        guard let ceilings = try history.latestCeilings() else { return [:] }
        var peaks: [Int: Double] = [:]
        for set in ceilings.sets {
            let peak = ceilings.roofline(threads: set.threads, arithmetic: .float32).peak
            if peak > 0 { peaks[set.threads] = peak }
        }
        return peaks
    }

    // MARK: Runs of our own

    /// What is to be trained, looked at before anything begins.
    struct Plan: Sendable {
        var configuration: TrainingConfiguration
        var origin: RunOrigin

        /// The folder of checkpoints, by which its run is known in the list.
        var folder: String { configuration.checkpoints.folder }
    }

    func plan(_ path: String, overrides: [String]) throws -> Plan {
        let path = Self.canonical(path) ?? path
        return Plan(
            configuration: try TrainingConfiguration(contentsOf: path, overriding: overrides),
            origin: RunOrigin(configuration: path, overrides: overrides))
    }

    /// Trains until it is done, stopped or cancelled; a checkpoint of it is taken up.
    func train(_ plan: Plan, job: JobHandle) throws -> TrainingAnswer {
        let trainer = try Trainer(plan.configuration, version: ProgramVersion.number)
        try plan.origin.write(into: plan.folder)
        let recorder = RunRecorder(store)
        defer { recorder.close() }
        let result = try trainer.run(
            into: recorder, starting: .resuming, isCancelled: { job.isCancelled },
            report: { progress in
                job.tell(done: Int64(progress.step), of: Int64(progress.steps), unit: "steps")
            })
        return .trained(
            title: job.job.title, sentence: result.sentence, isGood: result.end != .diverged, run: recorder.run)
    }

    // MARK: Runs of others

    func follow(_ path: String) throws -> TrainingAnswer {
        let report = try RunFollower.open(path).follow(into: store)
        return .followed(runs: report.runs, sentence: report.sentence, notes: report.notes)
    }

    /// Looks whether the log of a run has grown.
    ///
    /// - Returns: a sentence where it cannot be read any more; whether there was something new.
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

    /// - Returns: a sentence.
    func export(_ id: Int64, to path: String) throws -> String {
        try ExportFile.write(path, replacing: false) { write in
            try store.export(id, as: path.hasSuffix(".jsonl") ? .jsonLines : .csv) { bytes in
                try write(String(decoding: bytes, as: UTF8.self))
            }
        }
        return "written to \(path)"
    }
}

/// A run that another window has deleted meanwhile.
struct TrainingRunGone: Error, CustomStringConvertible {
    var id: Int64
    var description: String { "run \(id) is no longer in the workspace." }
}
