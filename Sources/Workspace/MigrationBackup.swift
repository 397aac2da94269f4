import GRDB
import Glibc
import System

/// A backup of a workspace, made before a schema update.
struct MigrationBackup {
    let path: String

    /// Copies the current file to `NAME.before-N`, and removes all but the two newest of these copies.
    ///
    /// The caller must hold the write lock and must not have written anything yet, so that a second connection sees the
    /// complete old state.
    ///
    /// - Returns: The path of the copy.
    /// - Throws: ``WorkspaceError/diskFull(path:needed:)`` before anything is written if there is too little space.
    @discardableResult
    func make(applied: Int) throws -> String {
        let target = path + Self.infix + String(applied)
        let part = target + ".part"
        let size = (FileLocation.size(of: path) ?? 0) + (FileLocation.size(of: path + "-wal") ?? 0)
        if let free = FileLocation.freeBytes(in: FileLocation.folder(of: path)), free < 2 * size + Self.margin {
            throw WorkspaceError.diskFull(path: path, needed: 2 * size + Self.margin)
        }
        unlink(part)
        try PrivateFile.create(part)
        do {
            let source = try DatabaseQueue(path: path, configuration: ConnectionSettings().reader())
            defer { try? source.close() }
            try FileCopy(from: source, path: path).run(to: part) { _, _ in }
        } catch {
            unlink(part)
            throw error
        }
        // An existing copy with the same number is from an incomplete update, so replace it.
        try PrivateFile.sync(part)
        guard rename(part, target) == 0 else {
            throw WorkspaceError.system(errno, path: target, doing: "rename the backup")
        }
        try PrivateFile.syncFolder(of: target)
        removeAllButNewest()
        return target
    }

    /// Returns the paths of the existing copies, newest first.
    static func existing(for path: String) -> [String] {
        let folder = FileLocation.folder(of: path)
        let prefix = FileLocation.name(of: path) + infix
        let numbers = Folder.readableNames(in: folder)
            .filter { $0.hasPrefix(prefix) }
            .compactMap { Int($0.dropFirst(prefix.count)) }
        return numbers.sorted(by: >).map { path + infix + String($0) }
    }

    private func removeAllButNewest() {
        for old in Self.existing(for: path).dropFirst(2) { unlink(old) }
    }

    private static let infix = ".before-"
    // Space for the migrations themselves: logs and rebuilt tables.
    private static let margin: Int64 = 1 << 20
}
