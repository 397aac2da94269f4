import GRDB

extension Workspace {
    /// Looks at every page, reference and payload of the file, and changes nothing.
    ///
    /// SQLite's own check (pages, indexes, values of columns) comes first, then references between rows, then what the
    /// modules contribute. Writers are not kept waiting.
    ///
    /// - Parameters:
    ///   - checks: those of all modules that keep something.
    ///   - job: counts the rows of `checks`, and ends the check at once when it is cancelled.
    /// - Throws: `CancellationError`; damage is no error but a finding.
    public func check(_ checks: [Check] = [], job: JobHandle? = nil) throws -> CheckReport {
        let findings = Examination.Findings()
        try read(until: job?.cancellation ?? Cancellation()) { db in
            let examination = Examination(job: job, findings: findings)
            try looking(at: "the file", examination) { try checkPages(db, examination) }
            try looking(at: "references", examination) { try checkReferences(db, examination) }
            for check in checks {
                try job?.cancellation.check()
                try looking(at: check.name, examination) { try check.run(db, examination) }
            }
        }
        return CheckReport(problems: findings.sentences, omitted: findings.omitted)
    }

    // A page that cannot be read ends one part of the check, not the others.
    private func looking(at part: String, _ examination: borrowing Examination, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
            examination.report("\(part): \(error.message ?? "SQLite error \(error.resultCode.rawValue)")")
        }
    }

    private func checkPages(_ db: Database, _ examination: borrowing Examination) throws {
        let rows = try String.fetchCursor(db, sql: "PRAGMA integrity_check(200)")
        while let finding = try rows.next() {
            if finding == "ok" { continue }
            // One row may hold several lines, the first of which only names the database.
            for line in finding.split(separator: "\n") where !line.hasPrefix("***") { examination.report(String(line)) }
        }
    }

    private func checkReferences(_ db: Database, _ examination: borrowing Examination) throws {
        let rows = try Row.fetchCursor(db, sql: "PRAGMA foreign_key_check")
        while let row = try rows.next() {
            let table: String = row[0]
            let id: Int64? = row[1]
            let parent: String = row[2]
            examination.report("\(table)\(id.map { " \($0)" } ?? ""): refers to a row of \(parent) that is not there")
        }
    }
}
