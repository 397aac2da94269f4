import GRDB

extension Workspace {
    /// Looks at every page, reference and payload of the file, and changes nothing.
    ///
    /// The checksum of every page comes first, then SQLite's own check (indexes, values of columns), references between
    /// rows, and the checks of the modules. Writers are not kept waiting.
    ///
    /// - Parameters:
    ///   - checks: those of all modules that keep something.
    ///   - job: counts the rows of `checks`, and ends the check at once when it is cancelled.
    /// - Throws: `CancellationError`; damage is no error but a finding.
    public func check(_ checks: [Check] = [], job: JobHandle? = nil) throws -> CheckReport {
        let findings = Examination.Findings()
        let parts = [
            Check("checksums") { [self] db, examination in try checkChecksums(db, examination) },
            Check("the file", run: Self.checkPages), Check("references", run: Self.checkReferences),
        ]
        for part in parts + checks {
            try job?.cancellation.check()
            try look(at: part, Examination(job: job, findings: findings))
        }
        return CheckReport(
            problems: findings.sentences, omitted: findings.omitted, mismatches: findings.mismatches)
    }

    /// Compares the checksum of every page of a file that is too damaged to open.
    public static func checkChecksums(at path: String) throws -> CheckReport {
        try PageChecksums.install()
        let pages = try DamagedPage.find(in: FilePlace.canonical(path), limit: mostMismatches)
        return CheckReport(problems: pages.map(\.finding), omitted: 0, mismatches: pages.count)
    }

    private static let mostMismatches = 1000

    // A page that cannot be read ends one part of the check and its transaction, not the other parts.
    private func look(at part: Check, _ examination: borrowing Examination) throws {
        try read(until: examination.job?.cancellation ?? Cancellation()) { db in
            do {
                try part.run(db, examination)
                _ = db.takeDamagedOffset()
            } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
                // A page that does not match its checksum is already reported, with its table.
                if db.takeDamagedOffset() != nil { return }
                examination.report("\(part.name): \(error.message ?? "SQLite error \(error.resultCode.rawValue)")")
            }
        }
    }

    private func checkChecksums(_ db: Database, _ examination: borrowing Examination) throws {
        guard db.verifyChecksums() else {
            return examination.report(
                "the pages have no checksums yet: opening the workspace for writing adds them, except on a network")
        }
        let limit = Self.mostMismatches
        let pages = try DamagedPage.find(in: path, limit: limit, cancellation: examination.job?.cancellation)
        examination.findings.mismatches = pages.count
        for page in pages {
            examination.report(page.finding)
        }
        if pages.count == limit { examination.report("more than \(limit) pages: the rest were not read") }
    }

    static func checkPages(_ db: Database, _ examination: borrowing Examination) throws {
        // Everything that refers to a page that cannot be read would be reported once more.
        guard examination.findings.mismatches == 0 else { return }
        let rows = try String.fetchCursor(db, sql: "PRAGMA integrity_check(200)")
        while let finding = try rows.next() {
            if finding == "ok" { continue }
            // One row may hold several lines, the first of which only names the database.
            for line in finding.split(separator: "\n") where !line.hasPrefix("***") { examination.report(String(line)) }
        }
    }

    static func checkReferences(_ db: Database, _ examination: borrowing Examination) throws {
        let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
        while let row = try rows.next() {
            let table: String = row[0]
            let id: Int64? = row[1]
            let parent: String = row[2]
            examination.report("\(table)\(id.map { " \($0)" } ?? ""): refers to a row of \(parent) that is not there")
        }
    }
}
