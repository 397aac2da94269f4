import GRDB
import Glibc
import JSON
internal import System
public import Workspace

extension ProfileStore {
    /// Imports the file of a profiler: all of it or, whatever happens, nothing.
    ///
    /// The same bytes are imported once: a second import says so and changes nothing. Memory does not grow with the
    /// launches of the tools that write tables; a trace of PyTorch takes about 60 bytes an operator and 100 a kernel.
    ///
    /// - Parameters:
    ///   - job: gets the bytes that were read, and ends the import when it is cancelled.
    ///   - progress: called on this thread, at most twenty times per second.
    /// - Throws: `Problem`, `WorkspaceError`; `CancellationError` when the caller cancels.
    @discardableResult
    public func importProfile(
        _ path: String, options: ProfileImportOptions = ProfileImportOptions(), job: JobHandle? = nil,
        cancellation: Cancellation? = nil, progress: (ProfileImportProgress) -> Void = { _ in }
    ) throws -> ProfileImportReport {
        try refuseOwnFile(path)
        let isCancelled = { job?.isCancelled ?? false || cancellation?.isCancelled ?? false }
        let source = try ProfileSource(path: path, isCancelled: isCancelled)
        if let known = try known(digest: source.digest(), size: source.size) {
            return ProfileImportReport(summary: known, isNew: false)
        }
        return try withoutActuallyEscaping(progress) { progress in
            try workspace.bulkWrite { db in
                let writer = try ProfileWriter(db)
                var summary = try ProfileReader.read(
                    path, options: options, isCancelled: isCancelled,
                    progress: { state in
                        job?.report(done: Int64(state.bytesDone), of: Int64(state.bytesTotal), unit: "bytes")
                        progress(state)
                    },
                    keep: { try writer.add($0) })
                // Another process may have imported the same file meanwhile.
                if let known = try Self.find(digest: summary.digest, size: summary.size, db) {
                    try writer.undo()
                    return ProfileImportReport(summary: known, isNew: false)
                }
                summary.imported = Clock.now(.wall)
                try writer.finish(&summary)
                return ProfileImportReport(summary: summary, isNew: true)
            }
        }
    }

    /// SQLite loses its locks on a file that the same process opens and closes once more.
    private func refuseOwnFile(_ path: String) throws {
        var own = stat()
        var other = stat()
        guard stat(workspace.path, &own) == 0, stat(path, &other) == 0, own.st_ino == other.st_ino,
            own.st_dev == other.st_dev
        else { return }
        throw Problem(
            .invalid, path, "the file is the currently open workspace", remedy: "Use a profiler's output file.")
    }

    private func known(digest: UInt64, size: Int) throws -> ProfileSummary? {
        try workspace.read { db in try Self.find(digest: digest, size: size, db) }
    }

    private static func find(digest: UInt64, size: Int, _ db: Database) throws -> ProfileSummary? {
        let row = try Workspace.Statement(db, "SELECT \(summaryColumns) FROM profile WHERE digest = ? AND size = ?")
        row.bind(1, Int64(bitPattern: digest))
        row.bind(2, size)
        return try row.first { summary($0) }
    }
}

/// Writes the rows of one profile within a transaction.
private final class ProfileWriter {
    private let db: Database
    private let id: Int64
    private let launches: Workspace.Statement
    private let counters: Workspace.Statement
    private let newWord: Workspace.Statement
    private var words = WordTable()
    private var writtenWords = 0
    private var json = JSONWriter()
    private var block = CounterBlock()
    private var blockFirst = 0
    private let compressor: Compressor

    init(_ db: Database) throws {
        self.db = db
        compressor = try Compressor()
        let row = try Workspace.Statement(
            db,
            """
            INSERT INTO profile (title, tool, format, path, size, digest, imported, launches, kernels, seconds,
                untimed, devices, notes, counters)
            VALUES ('', '', '', '', -1, abs(random()), 0, 0, 0, 0, 0, '', '', '') RETURNING id
            """)
        id = try row.first { $0.int64(0) } ?? 0
        launches = try Workspace.Statement(
            db,
            "INSERT INTO launch (profile, ordinal, name, device, start, duration, detail) VALUES (?, ?, ?, ?, ?, ?, ?)")
        counters = try Workspace.Statement(db, "INSERT INTO launch_counter (profile, first, data) VALUES (?, ?, ?)")
        newWord = try Workspace.Statement(db, "INSERT INTO profile_word (profile, id, text) VALUES (?, ?, ?)")
    }

    func add(_ launch: Launch) throws {
        let name = words.place(launch.name)
        LaunchCoding.detail(of: launch, words: &words, into: &json)
        while writtenWords < words.words.count {
            newWord.bind(1, id)
            newWord.bind(2, writtenWords)
            newWord.bind(3, words.words[writtenWords])
            try newWord.run()
            writtenWords += 1
        }
        launches.bind(1, id)
        launches.bind(2, launch.ordinal)
        launches.bind(3, name)
        launches.bind(4, launch.device)
        launches.bind(5, launch.start)
        launches.bind(6, launch.duration)
        launches.bind(7, json.text)
        try launches.run()
        if block.count == 0 { blockFirst = launch.ordinal }
        block.append(launch.counters)
        if block.isFull { try flushCounters() }
    }

    /// Writes the counters of the last launches; nothing where the tool has none.
    private func flushCounters() throws {
        defer { block.removeAll() }
        guard block.bytes.count > 4 * block.count else { return }
        counters.bind(1, id)
        counters.bind(2, blockFirst)
        try block.bytes.withUnsafeBytes { bytes in
            try compressor.withCompressed(bytes) { counters.bind(3, copying: $0) }
        }
        try counters.run()
    }

    func undo() throws { _ = try ProfileStore.delete(id, db) }

    func finish(_ summary: inout ProfileSummary) throws {
        try flushCounters()
        summary.id = id
        let row = try Workspace.Statement(
            db,
            """
            UPDATE profile SET title = ?, tool = ?, format = ?, path = ?, size = ?, digest = ?, imported = ?,
                launches = ?, kernels = ?, seconds = ?, untimed = ?, devices = ?, notes = ?, counters = ?
            WHERE id = ?
            """)
        row.bind(1, summary.title)
        row.bind(2, summary.tool)
        row.bind(3, summary.format)
        row.bind(4, summary.path)
        row.bind(5, summary.size)
        row.bind(6, Int64(bitPattern: summary.digest))
        row.bind(7, summary.imported)
        row.bind(8, summary.launchCount)
        row.bind(9, summary.kernelCount)
        row.bind(10, summary.seconds)
        row.bind(11, summary.untimedLaunches)
        row.bind(12, SummaryCoding.text(summary.devices))
        row.bind(13, summary.notes.json())
        row.bind(14, summary.counterNames.json())
        row.bind(15, id)
        try row.run()
    }
}
