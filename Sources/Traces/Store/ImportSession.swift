import GRDB
import LanguageModels
import System
import Workspace

/// One run of `importTraces`: takes the units of a plan, a few to a transaction.
final class ImportSession {
    private let plan: ImportPlan
    private let options: ImportOptions
    private let job: JobHandle?
    private let isCancelled: () -> Bool
    private let progress: (ImportProgress) -> Void
    private let begun = Clock.now(.monotonic)
    private let lane: CompressionLane
    private var report = ImportReport()
    private var touched: Set<Int64> = []
    /// Bytes of files that are done.
    private var bytesDone = 0
    private var filesTotal: Int
    private var nextProgress = 0.0

    /// What may be in one transaction: the log holds it until then.
    private static let batchBytes = 256 << 20
    private static let batchSeconds = 3.0

    init(
        plan: ImportPlan, options: ImportOptions, job: JobHandle?, isCancelled: @escaping () -> Bool,
        progress: @escaping (ImportProgress) -> Void
    ) throws {
        self.plan = plan
        self.options = options
        self.job = job
        self.isCancelled = isCancelled
        self.progress = progress
        filesTotal = plan.units.reduce(0) { $0 + $1.files.count }
        lane = try CompressionLane(beside: usableProcessors() > 1)
        report.otherFiles = plan.otherFiles
        report.foreignFiles = plan.foreignFiles
        report.problems = plan.problems
    }

    func run(in workspace: Workspace) throws -> ImportReport {
        var next = 0
        while next < plan.units.count, !isCancelled() {
            let bytesBefore = bytesDone
            let failure = try workspace.bulkWrite { db in try batch(from: &next, in: db) }
            try? job?.advance(by: Int64(bytesDone - bytesBefore), of: Int64(plan.bytesTotal), unit: "bytes")
            if let failure { throw failure }
        }
        report.isCancelled = plan.isCut || isCancelled() && next < plan.units.count
        report.seconds = Clock.now(.monotonic) - begun
        report.bytes = bytesDone
        tell("", within: 0, last: true)
        return report
    }

    /// Imports units until the transaction is large enough; the error of a named file ends it, after what is done.
    private func batch(from next: inout Int, in database: Database) throws -> ImportError? {
        let writer = try UnitWriter(database, options: options, lane: lane)
        let bytesBefore = bytesDone
        let start = Clock.now(.monotonic)
        while next < plan.units.count, !isCancelled() {
            let unit = plan.units[next]
            do {
                var outcome = UnitOutcome()
                try database.inSavepoint {
                    outcome = try writer.write(
                        unit, isCancelled: isCancelled,
                        progress: { [self] file, bytes in tell(file, within: bytes) })
                    return .commit
                }
                count(outcome)
            } catch let error as ImportError {
                writer.forget()
                if error.isCancellation { return nil }
                if unit.isNamed || options.isStrict { return error }
                report.problems.append(error.sentence)
            }
            next += 1
            if bytesDone - bytesBefore > Self.batchBytes || Clock.now(.monotonic) - start > Self.batchSeconds { break }
        }
        return nil
    }

    private func count(_ outcome: UnitOutcome) {
        bytesDone += outcome.bytes
        report.files += outcome.files
        report.unchangedFiles += outcome.unchangedFiles
        report.skipped += outcome.skipped
        report.skippedRecords += outcome.skippedRecords.prefix(max(0, 100 - report.skippedRecords.count))
        for change in outcome.changes {
            let before = touched.insert(change.trace).inserted ? nil : change.before
            if before == nil { report.traces += 1 }
            if change.before == nil { report.newTraces += 1 }
            report.newSpans += change.after.spans - (change.before?.spans ?? 0)
            report.spans += change.after.spans - (before?.spans ?? 0)
            report.messages += change.after.messages - (before?.messages ?? 0)
            report.toolCalls += change.after.toolCalls - (before?.toolCalls ?? 0)
            report.inputTokens += change.after.usage.input - (before?.usage.input ?? 0)
            report.outputTokens += change.after.usage.output - (before?.usage.output ?? 0)
            report.errors += change.after.errors - (before?.errors ?? 0)
        }
    }

    private func tell(_ path: String, within bytes: Int, last: Bool = false) {
        let now = Clock.now(.monotonic)
        guard last || now >= nextProgress else { return }
        nextProgress = now + 0.1
        let done = bytesDone + bytes
        let rate = Double(done) / max(now - begun, 1e-3)
        let left = now - begun > 0.2 && rate > 0 ? Double(max(0, plan.bytesTotal - done)) / rate : nil
        if !last { job?.report(done: Int64(done), of: Int64(max(plan.bytesTotal, done)), unit: "bytes") }
        progress(
            ImportProgress(
                bytesDone: done, bytesTotal: max(plan.bytesTotal, done), rate: rate, secondsLeft: left, path: path,
                filesDone: report.files, filesTotal: filesTotal))
    }
}
