internal import GRDB
internal import Glibc
internal import JSON
internal import System
public import Workspace

extension CorpusStore {
    /// Brings the documents of files and folders into a corpus: new ones are added, changed ones replaced, and what is
    /// as it was is not read again.
    ///
    /// Everything happens in transactions of a few megabytes. Ended at any moment, even by kill -9, the corpus is as
    /// the last of them left it, and the same call goes on from there.
    /// - Parameters:
    ///   - job: Counts bytes of files; canceling it ends the add.
    ///   - progress: Called with every file and batch.
    /// ``undo()`` reverts it.
    /// - Throws: `Problem` if a path cannot be opened; what cannot be read below it is in the report.
    @discardableResult
    public func add(
        _ paths: [String], to corpus: Int64, options: AddOptions = AddOptions(), job: JobHandle? = nil,
        cancellation: Cancellation? = nil, progress: (AddProgress) -> Void = { _ in }
    ) throws -> AddReport {
        let begun = Clock.now(.monotonic)
        let roots = paths.map(Self.absolute)
        let journal = options.isUndoable ? EditJournal(corpus, .add, of: roots, paths: roots) : nil
        let filling = try CorpusFilling(self, self.corpus(corpus), options, journal: journal)
        let isCancelled = { job?.isCancelled == true || cancellation?.isCancelled == true }
        var listings: [(root: String, listing: SourceListing)] = []
        for root in roots {
            let listing = try Extraction.files(of: root, options: options.extraction)
            for skipped in listing.report.skipped { filling.report.skip(skipped.sentence) }
            filling.report.skippedCount += listing.report.skippedCount - listing.report.skipped.count
            listings.append((root, listing))
        }
        var state = AddProgress(
            path: "", files: 0, totalFiles: listings.reduce(0) { $0 + $1.listing.files.count }, bytes: 0,
            totalBytes: Int64(listings.reduce(0) { $0 + $1.listing.bytes }), documents: 0)
        do {
            for (root, listing) in listings {
                for file in listing.files {
                    state.path = file.path
                    progress(state)
                    guard
                        try filling.read(
                            file, root, isCancelled,
                            progress: {
                                state.documents += 1
                                if state.documents.isMultiple(of: 64) { progress(state) }
                            })
                    else { throw CancellationError() }
                    state.files += 1
                    state.bytes += Int64(file.size)
                    try job?.advance(by: Int64(file.size), of: state.totalBytes, unit: "bytes")
                }
                try filling.commit()
                try filling.settleVanished(root, listing, prunes: options.prunes)
            }
            try filling.commit()
        } catch is CancellationError {
            filling.report.isCancelled = true
        }
        progress(state)
        filling.report.seconds = Clock.now(.monotonic) - begun
        if !filling.report.isCancelled, let journal { try workspace.write { db in try journal.end(db) } }
        filling.report.edit = journal?.known
        try filling.keepReport()
        return filling.report
    }

    /// Brings documents into a corpus that a program made; those with an id that is there replace it.
    @discardableResult
    public func add(
        documents: [SourceDocument], to corpus: Int64, options: AddOptions = AddOptions()
    ) throws -> AddReport {
        let begun = Clock.now(.monotonic)
        let filling = try CorpusFilling(self, self.corpus(corpus), options)
        for document in documents { try filling.add(document) }
        try filling.commit()
        filling.report.seconds = Clock.now(.monotonic) - begun
        return filling.report
    }

    /// Removes documents with their chunks; indexes follow in the same transaction. ``undo()`` brings them back.
    public func remove(documents ids: [Int64], from corpus: Int64) throws {
        let names = try ids.prefix(1).compactMap { try document($0)?.name }
        let subjects = names + ids.dropFirst().map { _ in "" }
        let journal = EditJournal(corpus, .remove, of: subjects)
        try CorpusFilling(self, self.corpus(corpus), AddOptions(), journal: journal).remove(ids)
    }

    /// Returns the reports of the last adds as JSON, the newest first.
    public func reports(of corpus: Int64, limit: Int = 20) throws -> [String] {
        try workspace.read { db in
            try String.fetchAll(
                db, sql: "SELECT report FROM retrieval_report WHERE corpus = ? ORDER BY id DESC LIMIT ?",
                arguments: [corpus, limit])
        }
    }

    /// Returns a path that means the same file wherever the process goes.
    static func absolute(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        return path
    }
}

extension CorpusFilling {
    /// Imports the contents of a file, unless the file is unchanged.
    ///
    /// - Returns: `false` if the add was canceled; documents gathered from the file are then not written.
    func read(
        _ file: SourceFile, _ root: String, _ isCancelled: () -> Bool, progress: () -> Void
    ) throws -> Bool {
        if isCancelled() { return false }
        var row = SourceRow(
            corpus: corpus.id, namespace: namespace, path: file.path, root: root, size: file.size,
            modified: SourceRow.trusted(file.modified), digest: 0, settings: dependencies)
        if try isUnchanged(file, &row) { return true }
        begin(row)
        var reading = ExtractionReport()
        var isEnded = false
        try Extraction.read(file, options: options.extraction, report: &reading) { document in
            if isCancelled() {
                isEnded = true
                return false
            }
            try add(document)
            progress()
            return true
        }
        report.bytesRead += Int64(file.size)
        for skipped in reading.skipped { report.skip(skipped.sentence) }
        report.skippedCount += reading.skippedCount - reading.skipped.count
        for note in reading.read.flatMap(\.notes) { report.note("\(file.path): \(note)") }
        guard !isEnded else { return false }
        // What could not be read is not taken for read: its documents stay, and the next add tries again.
        if reading.skipped.contains(where: { $0.path == file.path }) {
            try commit()
        } else {
            try end(row)
        }
        return true
    }

    /// Whether all of a file's documents are in the corpus as the file has them.
    private func isUnchanged(_ file: SourceFile, _ row: inout SourceRow) throws -> Bool {
        let known = try store.workspace.read { [row] db in try row.known(db) }
        if let known, known.isWhole, known.isSameStamp, !options.readsAll {
            report.unchanged += try count(known.id)
            return true
        }
        do throws(Problem) {
            row.digest = try Extraction.digest(of: file)
        } catch {
            // Reading it will say the same, with its place in the report.
            return false
        }
        guard let known, known.isWhole, !options.readsAll,
            try store.workspace.read({ [row] db in try row.known(db) })?.isSameContent == true
        else { return false }
        report.unchanged += try count(known.id)
        // Only its time is another: the next add need not even read it.
        try store.workspace.write { [row] db in _ = try row.save(isWhole: true, db) }
        return true
    }

    private func count(_ source: Int64) throws -> Int {
        try store.workspace.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM retrieval_document WHERE source = ?", arguments: [source])
                ?? 0
        }
    }

    /// Digest of everything that documents depend on in addition to their file.
    private var dependencies: ContentDigest {
        let metadata = options.metadata.keys.sorted().map { "\($0)=\(options.metadata[$0]!)" }
        let fields = options.extraction.fields
        return ContentDigest(
            corpus.settings.json, options.namespaceKey ?? "", metadata.joined(separator: "\u{1}"),
            "\(fields.text) \(fields.title) \(fields.id) \(options.extraction.pdf.keepsLayout)")
    }

    /// Finds files of an earlier add that are gone, and takes their documents away where that is wanted.
    func settleVanished(_ root: String, _ listing: SourceListing, prunes: Bool) throws {
        let present = Set(listing.files.map(\.path))
        let known = try store.workspace.read { db in
            try Row.fetchAll(
                db, sql: "SELECT id, path FROM retrieval_source WHERE corpus = ? AND namespace = ? AND root = ?",
                arguments: [corpus.id, namespace, root]
            ).map { (id: $0[0] as Int64, path: $0[1] as String) }
        }
        // Files in a folder that could not be listed are not treated as deleted.
        let unlisted = listing.report.skipped.map { $0.path + "/" }
        let gone = known.filter { source in
            !present.contains(source.path) && !unlisted.contains { source.path.hasPrefix($0) }
        }
        for source in gone { report.vanish(source.path) }
        guard prunes, !gone.isEmpty else { return }
        for start in stride(from: 0, to: gone.count, by: 200) {
            let some = gone[start..<min(gone.count, start + 200)]
            let documents = try store.workspace.read { db in
                try some.flatMap { source in
                    try Int64.fetchAll(
                        db, sql: "SELECT id FROM retrieval_document WHERE source = ?", arguments: [source.id])
                }
            }
            try remove(documents, sources: some.map(\.id))
        }
    }

    /// Stores the report of the corpus. The last hundred reports are kept.
    func keepReport() throws {
        try store.workspace.write { db in
            try db.execute(
                sql: "INSERT INTO retrieval_report (corpus, created, report) VALUES (?, ?, ?)",
                arguments: [corpus.id, Clock.nanoseconds(.wall), report.json()])
            try db.execute(
                sql: """
                    DELETE FROM retrieval_report WHERE corpus = ?1 AND id NOT IN
                        (SELECT id FROM retrieval_report WHERE corpus = ?1 ORDER BY id DESC LIMIT 100)
                    """,
                arguments: [corpus.id])
        }
    }
}
