import GRDB
import Glibc

extension Workspace {
    /// Opens a workspace file and brings it up to date.
    ///
    /// A file that is up to date is only looked at: one connection and three short queries. Before any of `migrations`
    /// changes an existing file, a copy `NAME.before-N` is made beside it (N steps were applied then; the two newest
    /// copies are kept). All missing steps run in one transaction: after a crash the file has its old shape or the new.
    /// Jobs whose process is gone are marked as interrupted.
    ///
    /// - Parameters:
    ///   - path: the file; its folder must exist.
    ///   - migrations: the steps of all modules that keep something, in any order that respects each module's own.
    ///   - create: whether a missing file is made, with mode 0600.
    /// - Throws: the case of ``WorkspaceError`` that says why not; the file is then as it was.
    public static func open(
        _ path: String, migrations: [Migration], access: Access = .readWrite, create: Bool = false
    ) throws(WorkspaceError) -> Workspace {
        try open(path, migrations: migrations, access: access, create: create, circumstances: Circumstances())
    }

    /// What opening otherwise finds out or takes as given, for those who must not wait or have no such disk.
    package struct Circumstances: Sendable {
        /// The file system of the folder; nil asks the mount table.
        package var fileSystem: FileSystem?
        /// How long to wait for another process that writes, in milliseconds.
        package var patience: Int32

        package init(fileSystem: FileSystem? = nil, patience: Int32 = 5000) {
            self.fileSystem = fileSystem
            self.patience = patience
        }
    }

    /// As the public function, under `circumstances`.
    package static func open(
        _ path: String, migrations: [Migration], access: Access = .readWrite, create: Bool = false,
        circumstances: Circumstances
    ) throws(WorkspaceError) -> Workspace {
        try PageChecksums.install()
        let path = FilePlace.canonical(path)
        var isNew = false
        if FilePlace.size(of: path) == nil {
            guard errno == ENOENT, create, access == .readWrite else {
                if errno == EACCES { throw .permission(path: path) }
                throw .notFound(path: path)
            }
            isNew = try makeFile(path)
        }
        let (identity, finding) = try OpenFiles.add(path)
        do {
            try judge(finding, path: path, create: create && access == .readWrite)
            let place = circumstances.fileSystem ?? FileSystem.of(FilePlace.folder(of: path))
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
            // Nothing of it came onto the disk: the empty file would only be in the way.
            if isNew, case .diskFull = problem, FilePlace.size(of: path) == 0 { unlink(path) }
            OpenFiles.remove(identity)
            throw problem
        }
    }

    /// Names the damaged pages if damage prevents opening.
    private static func naming(_ problem: WorkspaceError, _ path: String) -> WorkspaceError {
        // If the pages cannot be read at all, the first error says more.
        guard problem == .corrupt(path: path, place: DamagedPage.anyPage),
            let pages = try? DamagedPage.find(in: path, limit: 100), !pages.isEmpty
        else {
            return problem
        }
        return DamagedPage.error(pages, path: path)
    }

    /// - Returns: false where another process was faster, and is filling it.
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
            throw .notAWorkspace(path: path, found: what == "no SQLite file" ? "some other file" : what)
        case .empty where !create:
            throw .notAWorkspace(path: path, found: "an empty file")
        case .truncated(let size):
            throw .corrupt(path: path, place: "only \(size) bytes are left of it")
        case .damaged where !isLogged(path):
            throw DamagedPage.error([.first], path: path)
        case .database(let header):
            try judge(header, path: path)
        case nil, .empty, .damaged:
            // With a log beside it, the first page may be half written: the log has the whole one.
            break
        }
    }

    private static func judge(_ header: FileHeader, path: String) throws(WorkspaceError) {
        guard header.applicationID == Self.applicationID else {
            throw .notAWorkspace(path: path, found: "the SQLite database of another program")
        }
        guard header.userVersion <= Self.generation else {
            throw .newerSchema(path: path, unknown: ["generation \(header.userVersion)"])
        }
        let expected = header.pageCount * Int64(header.pageSize)
        let size = FilePlace.size(of: path) ?? 0
        // With a log or journal beside it, the file may be shorter than its header says.
        if !isLogged(path), size < expected {
            throw .corrupt(path: path, place: "it is truncated: expected \(expected) bytes, found \(size)")
        }
    }

    private static func isLogged(_ path: String) -> Bool {
        ["-wal", "-journal"].contains { (FilePlace.size(of: path + $0) ?? 0) > 0 }
    }
}
