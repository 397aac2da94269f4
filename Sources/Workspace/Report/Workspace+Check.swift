import GRDB

extension Workspace {
    /// Checks every page, reference, and payload of the file without changing anything.
    ///
    /// It checks the checksums of all pages, then runs SQLite's integrity check (indexes and column values), and then
    /// checks references between rows and runs the modules' checks. Writers do not have to wait.
    ///
    /// - Parameters:
    ///   - checks: Checks of all modules that store data.
    ///   - job: Job that counts the rows of `checks`; canceling it stops the check.
    /// - Throws: `CancellationError`. Damage is not an error; it is part of the report.
    public func check(_ checks: [Check] = [], job: JobHandle? = nil) throws -> CheckReport {
        let findings = CheckRecorder.Findings()
        let parts = [
            Check("checksums") { [self] db, examination in try checkChecksums(db, examination) },
            Check("the file", run: Self.checkPages), Check("references", run: Self.checkReferences),
        ]
        for part in parts + checks {
            try job?.cancellation.check()
            try run(part, CheckRecorder(job: job, findings: findings))
        }
        return CheckReport(
            problems: findings.sentences, omitted: findings.omitted, mismatches: findings.mismatches)
    }

    /// Verifies the checksum of every page in a file that is too damaged to open.
    public static func checkChecksums(at path: String) throws -> CheckReport {
        try PageChecksums.install()
        let pages = try DamagedPage.find(in: FileLocation.canonical(path), limit: mismatchLimit)
        return CheckReport(problems: pages.map(\.finding), omitted: 0, mismatches: pages.count)
    }

    private static let mismatchLimit = 1000

    // A page that cannot be read ends only this part of the check and its transaction.
    private func run(_ part: Check, _ examination: borrowing CheckRecorder) throws {
        try read(until: examination.job?.cancellation ?? Cancellation()) { db in
            do {
                try part.run(db, examination)
                _ = db.takeDamagedOffset()
            } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
                // The checksum check has already reported this page and its table.
                if db.takeDamagedOffset() != nil { return }
                examination.report("\(part.name): \(error.message ?? "SQLite error \(error.resultCode.rawValue)")")
            }
        }
    }

    private func checkChecksums(_ db: Database, _ examination: borrowing CheckRecorder) throws {
        guard db.verifyChecksums() else {
            return examination.report(
                "the pages have no checksums yet. Opening the workspace for writing adds them, except on a network "
                    + "file system")
        }
        let limit = Self.mismatchLimit
        let pages = try DamagedPage.find(in: path, limit: limit, cancellation: examination.job?.cancellation)
        examination.findings.mismatches = pages.count
        for page in pages {
            examination.report(page.finding)
        }
        if pages.count == limit { examination.report("stopped after \(limit) damaged pages") }
    }

    static func checkPages(_ db: Database, _ examination: borrowing CheckRecorder) throws {
        // SQLite would report a damaged page again for everything that refers to it.
        guard examination.findings.mismatches == 0 else { return }
        let rows = try String.fetchCursor(db, sql: "PRAGMA integrity_check(200)")
        while let finding = try rows.next() {
            if finding == "ok" { continue }
            // A row may have several lines, and the first one only names the database.
            for line in finding.split(separator: "\n") where !line.hasPrefix("***") { examination.report(String(line)) }
        }
    }

    static func checkReferences(_ db: Database, _ examination: borrowing CheckRecorder) throws {
        let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
        while let row = try rows.next() {
            let table: String = row[0]
            let id: Int64? = row[1]
            let parent: String = row[2]
            examination.report("\(table)\(id.map { " \($0)" } ?? ""): refers to a missing row of \(parent)")
        }
    }
}
