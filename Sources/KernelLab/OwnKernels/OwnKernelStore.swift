internal import Configuration
internal import GRDB
internal import System
public import Workspace

/// The kernels of its owner that a workspace knows: where their TOML files are.
public struct OwnKernelStore: Sendable {
    public let workspace: Workspace

    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// The steps that make its table.
    public static let migrations = [
        Migration(
            "kernels: own kernels",
            sql: "CREATE TABLE own_kernel (id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE) STRICT")
    ]

    /// Whole paths of the TOML files, in the order in which they were added.
    public func paths() throws -> [String] {
        try workspace.read { db in try String.fetchAll(db, sql: "SELECT path FROM own_kernel ORDER BY id") }
    }

    /// Remembers a kernel; one that is known already stays where it is.
    ///
    /// - Returns: the whole path.
    @discardableResult
    public func add(_ kernel: OwnKernel) throws -> String {
        let path = kernel.name
        try workspace.write { db in
            try db.execute(sql: "INSERT OR IGNORE INTO own_kernel (path) VALUES (?)", arguments: [path])
        }
        return path
    }

    /// The kernel that screens list under a title such as `own/saxpy`; of several, the one measured last.
    ///
    /// - Throws: `Problem` if no kernel has the title, or if several have it and none was measured.
    public func kernel(titled title: String) throws -> OwnKernel {
        // Failure is harmless: a description that cannot be read has no title, and opening it by its path says why.
        let kernels = try paths().compactMap { try? OwnKernel(contentsOf: $0) }
        let found = kernels.filter { $0.title == title }
        if found.count == 1 { return found[0] }
        let history = KernelHistory(workspace)
        let measured = try found.compactMap { kernel in
            try history.runs(.init(operation: kernel.name), limit: 1).first.map { (kernel: kernel, run: $0.id) }
        }
        guard let last = measured.max(by: { $0.run < $1.run }) else {
            guard found.isEmpty else {
                throw Problem(
                    .invalid, title, "several kernels have this name",
                    remedy: "Use one of the files: \(found.map(\.path).joined(separator: ", ")).")
            }
            throw Problem(
                .unknown, title, "this workspace has no kernel with this name",
                remedy: NearestName.remedy(
                    title, among: kernels.map(\.title), none: "To add one, use orrery kernel run FILE.c."))
        }
        return last.kernel
    }

    /// The path under a number; `nil` if it was forgotten.
    public func path(_ id: Int64) throws -> String? {
        try workspace.read { db in
            try String.fetchOne(db, sql: "SELECT path FROM own_kernel WHERE id = ?", arguments: [id])
        }
    }

    /// The number of a path that was added.
    public func id(of path: String) throws -> Int64? {
        try workspace.read { db in
            try Int64.fetchOne(db, sql: "SELECT id FROM own_kernel WHERE path = ?", arguments: [path])
        }
    }

    /// Forgets a kernel; its files and its measurements stay.
    public func remove(_ path: String) throws {
        try workspace.write { db in try db.execute(sql: "DELETE FROM own_kernel WHERE path = ?", arguments: [path]) }
    }
}
