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
        try read(until: job?.cancellation ?? Cancellation()) { db in
            let examination = Examination(job: job, findings: findings)
            try looking(at: "checksums", db, examination) { try checkChecksums(db, examination) }
            try looking(at: "the file", db, examination) { try Self.checkPages(db, examination) }
            try looking(at: "references", db, examination) { try Self.checkReferences(db, examination) }
            for check in checks {
                try job?.cancellation.check()
                try looking(at: check.name, db, examination) { try check.run(db, examination) }
            }
        }
        return CheckReport(problems: findings.sentences, omitted: findings.omitted)
    }

    // A page that cannot be read ends one part of the check, not the others.
    private func looking(
        at part: String, _ db: Database, _ examination: borrowing Examination, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
            // The page is already reported, with its table.
            if db.takeDamagedOffset() != nil { return }
            examination.report("\(part): \(error.message ?? "SQLite error \(error.resultCode.rawValue)")")
        }
    }

    private func checkChecksums(_ db: Database, _ examination: borrowing Examination) throws {
        guard db.verifyChecksums() else {
            return examination.report("the pages have no checksums yet: open the workspace once for writing")
        }
        let limit = 1000
        let numbers = try db.damagedPages(limit: limit) { _, _ in try examination.check() }
        for page in DamagedPage.describe(numbers, path: path) {
            examination.report("\(page.name): the checksum does not match")
        }
        if numbers.count == limit { examination.report("more than \(limit) pages: the rest were not read") }
    }

    static func checkPages(_ db: Database, _ examination: borrowing Examination) throws {
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
