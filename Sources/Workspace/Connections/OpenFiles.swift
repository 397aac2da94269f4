import Glibc
import Synchronization

/// The workspace files that this process has open.
///
/// Closing any descriptor of a file drops all locks that the process has on it (fcntl(2), "advisory record locking"),
/// so the header of a file may be read without SQLite only while no connection to the file exists.
enum OpenFiles {
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    private static let counts = Mutex<[Identity: Int]>([:])

    /// Counts the file at `path` as open, and reads its header if it was not open before.
    static func add(_ path: String) throws(WorkspaceError) -> (identity: Identity, finding: FileHeader.Finding?) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(errno, path: path, doing: "find the file") }
        let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        let finding = try counts.withLock { (counts) throws(WorkspaceError) -> FileHeader.Finding? in
            let finding = counts[identity] == nil ? try FileHeader.read(path) : nil
            counts[identity, default: 0] += 1
            return finding
        }
        return (identity, finding)
    }

    static func remove(_ identity: Identity?) {
        guard let identity else { return }
        counts.withLock { counts in
            let left = (counts[identity] ?? 1) - 1
            counts[identity] = left > 0 ? left : nil
        }
    }
}
