public import GRDB
internal import Glibc

extension Workspace {
    /// Writes a note as soon as the connection is free. Only the latest value of a note matters.
    ///
    /// A later note with the same key replaces one that is still waiting. Notes do not wait for the disk, so a power
    /// failure can lose them, and errors are ignored. A waiting note can be written after a later transaction, so
    /// `write` must check its preconditions. In a read-only workspace, nothing is written.
    public func note(_ key: String, _ write: @escaping @Sendable (Database) throws -> Void) {
        writer?.note("note:" + key, write)
    }

    /// Sizes and modification times of the workspace's files; equal stamps mean that no process has written in between.
    ///
    /// The stamp can change even if no rows changed, but rows never change without a new stamp. Reading it takes about
    /// two microseconds, because it only queries the file system.
    public var lastWrite: WorkspaceStamp { WorkspaceStamp(path) }
}

/// A snapshot of the sizes and modification times of a workspace's files, for comparison with another snapshot.
public struct WorkspaceStamp: Hashable, Sendable {
    private var sizes: [Int] = []
    private var times: [Int] = []

    init(_ path: String) {
        // New data goes to the write-ahead log, or to the file itself if there is no log.
        for file in [path, path + "-wal"] {
            var status = stat()
            guard stat(file, &status) == 0 else { continue }
            sizes.append(Int(status.st_size))
            times.append(Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec))
        }
    }
}
