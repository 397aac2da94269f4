internal import GRDB
internal import JSON
internal import Kernels
public import Workspace

/// What a workspace knows of kernels: ceilings of each machine, and every measured run.
///
/// ```swift
/// let workspace = try Workspace.open("team.orrery", migrations: KernelHistory.migrations, create: true)
/// let history = KernelHistory(workspace)
/// let outcome = try history.measure(operation: KernelCatalog.operation("gemm-f32"))
/// for regression in outcome.regressions { print(regression.sentence) }
/// ```
///
/// A value of this type may be used from any thread, by several at once.
public struct KernelHistory: Sendable {
    public let workspace: Workspace

    /// The history of a workspace that was opened with `migrations`.
    public init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    /// The steps that make the tables of kernels.
    public static let migrations = [
        Migration("kernels: machines, ceilings, uses, runs", sql: KernelSchema.tables),
        Migration("kernels: what each run's ceiling reached", sql: KernelSchema.ceilingRates),
    ]

    // MARK: Ceilings

    /// Keeps a measurement of the ceilings.
    public func save(_ ceilings: Ceilings) throws {
        let text = ceilings.json()
        try workspace.write { db in
            let machine = try Self.number(ofMachine: ceilings.machine.identity, db)
            try db.execute(
                sql: "INSERT INTO kernel_ceilings (machine, measured, standing, figures) VALUES (?, ?, ?, ?)",
                arguments: [machine, ceilings.measuredAt, ceilings.conditions.standing.rawValue, text])
        }
    }

    /// The newest ceilings of a machine that are not void; `nil` if none were measured.
    public func latestCeilings(machine: Machine = .current) throws -> Ceilings? {
        try latestCeilings(ofMachine: machine.identity)
    }

    /// Returns the same by `Machine.identity`.
    public func latestCeilings(ofMachine identity: String) throws -> Ceilings? {
        try ceilings(machine: identity, limit: 1, and: "AND standing != 'void'").first
    }

    /// Whether a machine has measured ceilings or kernels.
    public func hasFigures(ofMachine identity: String) throws -> Bool {
        try workspace.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM kernel_machine AS machine WHERE identity = ?
                        AND (EXISTS (SELECT 1 FROM kernel_ceilings WHERE machine = machine.id)
                            OR EXISTS (SELECT 1 FROM kernel_run WHERE machine = machine.id)))
                    """,
                arguments: [identity]) ?? false
        }
    }

    /// The ceilings of a machine, newest first.
    public func ceilings(machine: Machine = .current, limit: Int = 100) throws -> [Ceilings] {
        try ceilings(machine: machine.identity, limit: limit, and: "")
    }

    private func ceilings(machine: String, limit: Int, and condition: String) throws -> [Ceilings] {
        let texts = try workspace.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT figures FROM kernel_ceilings
                    WHERE machine = (SELECT id FROM kernel_machine WHERE identity = ?) \(condition)
                    ORDER BY id DESC LIMIT ?
                    """,
                arguments: [machine, limit])
        }
        return try texts.map { try Ceilings(json: $0) }
    }

    // MARK: Uses

    /// The number by which others refer to an operation with sizes; made at the first request.
    public func reference(operation: String, shape: String) throws -> Int64 {
        let known = try workspace.read { db in try Self.known(operation: operation, shape: shape, db) }
        return try known ?? workspace.write { db in try Self.number(ofUse: operation, shape: shape, db) }
    }

    /// The item of a number; `nil` if the number is unused.
    public func use(_ id: Int64) throws -> (operation: String, shape: String)? {
        try workspace.read { db in
            try Row.fetchOne(db, sql: "SELECT operation, shape FROM kernel_use WHERE id = ?", arguments: [id])
                .map { (operation: $0[0], shape: $0[1]) }
        }
    }

    private static func known(operation: String, shape: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT id FROM kernel_use WHERE operation = ? AND shape = ?", arguments: [operation, shape])
    }

    static func number(ofUse operation: String, shape: String, _ db: Database) throws -> Int64 {
        if let id = try known(operation: operation, shape: shape, db) { return id }
        try db.execute(
            sql: "INSERT INTO kernel_use (operation, shape) VALUES (?, ?)", arguments: [operation, shape])
        return db.lastInsertedRowID
    }

    static func number(ofMachine identity: String, _ db: Database) throws -> Int64 {
        let sql = "SELECT id FROM kernel_machine WHERE identity = ?"
        if let id = try Int64.fetchOne(db, sql: sql, arguments: [identity]) { return id }
        try db.execute(sql: "INSERT INTO kernel_machine (identity) VALUES (?)", arguments: [identity])
        return db.lastInsertedRowID
    }
}
