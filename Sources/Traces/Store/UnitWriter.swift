import GRDB
import Workspace

/// What became of one unit of an import.
struct UnitOutcome {
    /// A trace that was written.
    struct Change {
        var trace: Int64
        var before: TraceSummary?
        var after: TraceSummary
    }

    var bytes = 0
    var files = 0
    var unchangedFiles = 0
    var skipped = 0
    var skippedRecords: [ImportReport.Skipped] = []
    var changes: [Change] = []
}

/// Imports units within one transaction.
final class UnitWriter {
    private let database: Database
    private let options: ImportOptions
    private let lane: CompressionLane
    private let rows: TraceRows
    private let register: SourceRegister
    private let revive: Workspace.Statement
    private let regroup: Workspace.Statement

    init(_ database: Database, options: ImportOptions, lane: CompressionLane) throws {
        self.database = database
        self.options = options
        self.lane = lane
        rows = try TraceRows(database, project: options.project)
        register = try SourceRegister(database)
        revive = try Workspace.Statement(
            database,
            """
            UPDATE trace SET deleted_at = NULL
            WHERE deleted_at IS NOT NULL AND id IN (SELECT trace FROM trace_source WHERE source = ?)
            """)
        regroup = try Workspace.Statement(
            database,
            "UPDATE trace SET custom_project = ? WHERE id IN (SELECT trace FROM trace_source WHERE source = ?)")
    }

    /// Forgets what the rollback of a unit made void.
    func forget() {
        rows.forget()
        lane.discard()
    }

    /// Imports a unit: nothing if every byte is known; otherwise, its traces are made again from all of its files.
    func write(
        _ unit: ImportPlan.Unit, isCancelled: @escaping () -> Bool, progress: @escaping (String, Int) -> Void
    ) throws -> UnitOutcome {
        var outcome = UnitOutcome()
        outcome.files = unit.files.count
        let standings = try unit.files.map { try register.standing(of: $0) }
        let known = standings.compactMap(\.source)
        outcome.unchangedFiles = standings.count { if case .unchanged = $0 { true } else { false } }
        if outcome.unchangedFiles == unit.files.count {
            for source in known { try takeBack(source) }
            for file in unit.files { outcome.bytes += try FileStamp(path: file.path).size }
            return outcome
        }
        var importer = unit.importer.init()
        let merge = try TraceMerge(database, format: try rows.wordID(unit.importer.format), sources: Set(known))
        var assembly = TraceAssembly(format: unit.importer.format, prices: options.prices) { merge.stored($0) }
        for (file, standing) in zip(unit.files, standings) {
            let read = try read(
                file, standing, with: &importer, into: &assembly, isCancelled: isCancelled,
                progress: { [bytes = outcome.bytes] in progress(file.name, bytes + $0) })
            if let failure = merge.failure { throw failure }
            outcome.bytes += read.bytes
            outcome.skipped += read.skipped
            for record in read.problems where outcome.skippedRecords.count < 100 {
                outcome.skippedRecords.append(
                    ImportReport.Skipped(
                        path: file.name, line: record.line, offset: record.offset, reason: record.reason))
            }
        }
        outcome.changes = try write(&assembly, merge)
        return outcome
    }

    /// Stores the traces of an OTLP/JSON document in memory, unless a source already contains all of its bytes.
    ///
    /// - Parameter fill: Adds the spans of the document, which are archived under the given source.
    func write(_ document: [UInt8], _ fill: (inout OTLPImporter, Int64, inout TraceAssembly) throws -> Void) throws {
        if let known = try register.source(of: document) { return try takeBack(known) }
        let format = try rows.wordID(OTLPImporter.format)
        let source = try register.begin("orrery", format: format)
        let archive = try SourceArchive(database, source: source, lane: lane)
        try document.withUnsafeBytes { try archive.append($0) }
        try archive.finish()
        let merge = try TraceMerge(database, format: format)
        var assembly = TraceAssembly(format: OTLPImporter.format, prices: options.prices) { merge.stored($0) }
        var importer = OTLPImporter()
        try fill(&importer, source, &assembly)
        try register.finish(source, document, skipped: 0)
        if let failure = merge.failure { throw failure }
        _ = try write(&assembly, merge)
    }

    private func write(_ assembly: inout TraceAssembly, _ merge: TraceMerge) throws -> [UnitOutcome.Change] {
        // Out of the assembly, so that totals are computed in place and not in a copy.
        var traces: [Trace] = []
        swap(&traces, &assembly.traces)
        return try traces.indices.compactMap { i in
            defer { traces[i] = Trace(summary: traces[i].summary) }
            return try write(&traces[i], merge)
        }
    }

    /// Restores the deleted runs of a fully imported source, and sets their project.
    private func takeBack(_ source: Int64) throws {
        revive.bind(1, source)
        try revive.run()
        guard let project = options.project else { return }
        regroup.bind(1, try rows.wordID(project))
        regroup.bind(2, source)
        try regroup.run()
    }

    private struct Read {
        var bytes: Int
        var skipped: Int
        var problems: [SkippedRecord]
    }

    private func read(
        _ file: ImportPlan.File, _ standing: SourceRegister.Standing, with importer: inout some TraceImporter,
        into assembly: inout TraceAssembly, isCancelled: @escaping () -> Bool, progress: @escaping (Int) -> Void
    ) throws -> Read {
        let stamp = try FileStamp(path: file.path)
        let format = try rows.wordID(type(of: importer).format)
        let id = try standing.source ?? register.begin(file.name, format: format)
        var archive: SourceArchive?
        switch standing {
        case .new: archive = try SourceArchive(database, source: id, lane: lane)
        case .grown(_, let known): archive = try SourceArchive(database, source: id, known: known, lane: lane)
        case .unchanged: archive = nil
        }
        let monitor = SourceMonitor(
            onBytes: archive.map { archive in { try archive.append($0) } }, onProgress: progress,
            isCancelled: isCancelled)
        let input = try RecordInput(path: file.path, monitor: monitor)
        var source = TraceSource(path: file.name, id: id, isStrict: options.isStrict, input: input)
        do throws(ImportError) {
            try importer.read(&source, into: &assembly)
        } catch {
            throw source.archiveError ?? error
        }
        if let archive {
            // An importer may stop before the end; the archive never does.
            try finishReading(input, of: file)
            try archive.finish()
            try register.finish(id, file, stamp: stamp.trusted, size: archive.size, skipped: source.skipped)
        }
        return Read(bytes: source.bytesRead, skipped: source.skipped, problems: source.problems)
    }

    private func finishReading(_ input: RecordInput, of file: ImportPlan.File) throws {
        var rest = [UInt8](repeating: 0, count: 64 << 10)
        do throws(RecordInput.Interruption) {
            while try Self.read(input, &rest) > 0 {}
        } catch {
            switch error {
            case .archive(let error): throw error
            case .system(let code): throw ImportError(path: file.name, code: code)
            case .cancelled:
                throw ImportError(
                    path: file.name, problem: "the import was canceled",
                    remedy: "Nothing from the file was saved. Import it again.",
                    isCancellation: true)
            }
        }
    }

    private static func read(
        _ input: RecordInput, _ bytes: inout [UInt8]
    ) throws(RecordInput.Interruption) -> Int {
        var result = Result<Int, RecordInput.Interruption>.success(0)
        bytes.withUnsafeMutableBytes { buffer in
            result = Result { () throws(RecordInput.Interruption) in try input.read(into: buffer) }
        }
        return try result.get()
    }

    private func write(_ trace: inout Trace, _ merge: TraceMerge) throws -> UnitOutcome.Change? {
        if trace.spans.isEmpty && trace.messages.isEmpty && trace.events.isEmpty { return nil }
        let before = try merge.before(trace.summary.externalID)
        if let before { merge.dropRepeatedEvents(in: &trace, before: before) }
        trace.clampNumbers()
        trace.summary.tally(trace)
        trace.summary.origin = before?.summary.origin ?? options.origin
        let id = try rows.write(trace, replacing: before, sources: trace.sources)
        return UnitOutcome.Change(trace: id, before: before?.summary, after: trace.summary)
    }
}

extension SourceRegister.Standing {
    /// The source that has some or all of the file's bytes.
    var source: Int64? {
        switch self {
        case .new: nil
        case .unchanged(let source), .grown(let source, _): source
        }
    }
}

extension Trace {
    /// Sources of its records, ascending.
    var sources: [Int64] {
        var found: Set<Int64> = []
        var last: Int64 = 0
        func add(_ source: Int64) {
            if source == last { return }
            last = source
            found.insert(source)
        }
        for span in spans { for record in span.records { add(record.source) } }
        for message in messages { add(message.record.source) }
        for event in events { add(event.record.source) }
        return found.sorted()
    }
}
