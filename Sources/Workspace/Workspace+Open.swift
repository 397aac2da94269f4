import GRDB
import Glibc

extension Workspace {
    /// Opens a workspace file and updates its schema.
    ///
    /// For a file with the current schema, this takes one connection and three short queries. Before any of
    /// `migrations` changes an existing file, the file is copied to `NAME.before-N` in the same folder, where N is the
    /// number of migrations already applied; only the two newest copies remain. All missing migrations run in one
    /// transaction, so after a crash the file has either the old schema or the new one. Jobs whose process has ended
    /// are marked as interrupted.
    ///
    /// - Parameters:
    ///   - path: Path of the file; its folder must exist.
    ///   - migrations: Migrations of all modules that store data; the order within each module must not change.
    ///   - create: Whether to create a missing file, with mode 0600.
    /// - Throws: ``WorkspaceError``; the file is then unchanged.
    public static func open(
        _ path: String, migrations: [Migration], access: Access = .readWrite, create: Bool = false
    ) throws(WorkspaceError) -> Workspace {
        try open(path, migrations: migrations, access: access, create: create, circumstances: OpeningConditions())
    }

    /// Conditions for opening a file, set by tests and by callers that must not wait.
    package struct OpeningConditions: Sendable {
        /// File system of the folder (default: from the mount table).
        package var fileSystem: FileSystem?
        /// Maximum time to wait for another process that is writing, in milliseconds.
        package var patience: Int32

        package init(fileSystem: FileSystem? = nil, patience: Int32 = 5000) {
            self.fileSystem = fileSystem
            self.patience = patience
        }
    }

    /// Opens a workspace file under the given `circumstances`.
    package static func open(
        _ path: String, migrations: [Migration], access: Access = .readWrite, create: Bool = false,
        circumstances: OpeningConditions
    ) throws(WorkspaceError) -> Workspace {
        try PageChecksums.install()
        let path = FileLocation.canonical(path)
        var isNew = false
        if FileLocation.size(of: path) == nil {
            guard errno == ENOENT, create, access == .readWrite else {
                if errno == EACCES { throw .permission(path: path) }
                throw .notFound(path: path)
            }
            isNew = try makeFile(path)
        }
        let (identity, finding) = try OpenFiles.add(path)
        do {
            try judge(finding, path: path, create: create && access == .readWrite)
            let place = circumstances.fileSystem ?? FileSystem.of(FileLocation.folder(of: path))
            var generation: Int32?
            if case .database(let header) = finding { generation = header.userVersion }
            let opening = Opening(
                path: path, place: place, migrations: Migration.workspace + migrations,
                settings: ConnectionSettings(patience: circumstances.patience), generation: generation)
            switch access {
            case .readWrite: return try opening.forWriting(identity)
            case .readOnly: return try opening.forReading(identity)
            }
        } catch {
            let problem = naming(WorkspaceError(error, path: path), path)
            // Nothing was written, so remove the empty file.
            if isNew, case .diskFull = problem, FileLocation.size(of: path) == 0 { unlink(path) }
            OpenFiles.remove(identity)
            throw problem
        }
    }

    /// Returns an error that names the damaged pages if damage prevents opening.
    private static func naming(_ problem: WorkspaceError, _ path: String) -> WorkspaceError {
        // If the pages cannot be read at all, the first error is more informative.
        guard problem == .corrupt(path: path, place: DamagedPage.anyPage),
            let pages = try? DamagedPage.find(in: path, limit: 100), !pages.isEmpty
        else {
            return problem
        }
        return DamagedPage.error(pages, path: path)
    }

    /// - Returns: `false` if another process created the file first and is now filling it.
    private static func makeFile(_ path: String) throws(WorkspaceError) -> Bool {
        do throws(WorkspaceError) {
            try PrivateFile.create(path)
            return true
        } catch .exists {
            return false
        }
    }

    private static func judge(
        _ finding: FileHeader.Finding?, path: String, create: Bool
    ) throws(WorkspaceError) {
        switch finding {
        case .foreign(let what):
            throw .notAWorkspace(path: path, found: what == "not an SQLite file" ? "another kind of file" : what)
        case .empty where !create:
            throw .notAWorkspace(path: path, found: "an empty file")
        case .truncated(let size):
            throw .corrupt(path: path, place: "truncated to \(size) bytes")
        case .damaged where !isLogged(path):
            throw DamagedPage.error([.first], path: path)
        case .database(let header):
            try judge(header, path: path)
        case nil, .empty, .damaged:
            // If there is a log, the first page may be only partly written, but the log has the complete page.
            break
        }
    }

    private static func judge(_ header: FileHeader, path: String) throws(WorkspaceError) {
        guard header.applicationID == Self.applicationID else {
            throw .notAWorkspace(path: path, found: "another program's SQLite database")
        }
        guard header.userVersion <= Self.generation else {
            throw .newerSchema(path: path, unknown: ["generation \(header.userVersion)"])
        }
        let expected = header.pageCount * Int64(header.pageSize)
        let size = FileLocation.size(of: path) ?? 0
        // If there is a log or journal, the file may be shorter than its header says.
        if !isLogged(path), size < expected {
            throw .corrupt(path: path, place: "truncated: expected \(expected) bytes, found \(size)")
        }
    }

    private static func isLogged(_ path: String) -> Bool {
        ["-wal", "-journal"].contains { (FileLocation.size(of: path + $0) ?? 0) > 0 }
    }
}
