public import GRDB
internal import Glibc

extension Workspace {
    /// Writes something small of which only the last matters: at once where the connection is free, else as soon as it
    /// is; a later note of the same key replaces one that waits.
    ///
    /// It never waits for the disk, so the loss of power may take it, and what fails is forgotten. A note that waited may
    /// come after a later transaction: it says itself what it depends on. In a workspace that is only read nothing is
    /// written.
    public func note(_ key: String, _ write: @escaping @Sendable (Database) throws -> Void) {
        writer?.note("note:" + key, write)
    }

    /// When and how large the files of the workspace were written last: the same as before where nobody, in this process
    /// or in another one, has written since.
    ///
    /// It may change without a change of the rows, never the other way round. It asks the file system alone: about two
    /// microseconds.
    public var lastWrite: WorkspaceStamp { WorkspaceStamp(path) }
}

/// A moment of a workspace's files, to be compared with another one.
public struct WorkspaceStamp: Hashable, Sendable {
    private var sizes: [Int] = []
    private var times: [Int] = []

    init(_ path: String) {
        // The write-ahead log takes what is new; without one it is the file itself.
        for file in [path, path + "-wal"] {
            var status = stat()
            guard stat(file, &status) == 0 else { continue }
            sizes.append(Int(status.st_size))
            times.append(Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec))
        }
    }
}
