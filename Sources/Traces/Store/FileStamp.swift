import Glibc
import System

/// What the file system says of a file: with all of it unchanged, its content is taken to be unchanged.
package struct FileStamp: Hashable {
    package var size: Int
    package var device: Int64
    package var inode: Int64
    /// Nanoseconds since 1970.
    package var modified: Int64

    /// The stamp that no file has.
    package static let unknown = FileStamp(size: 0, device: 0, inode: 0, modified: -1)

    package init(size: Int, device: Int64, inode: Int64, modified: Int64) {
        self.size = size
        self.device = device
        self.inode = inode
        self.modified = modified
    }

    package init(descriptor: Int32) throws(ImportError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ImportError(path: "", code: errno) }
        self.init(status)
    }

    package init(path: String) throws(ImportError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ImportError(path: path, code: errno) }
        self.init(status)
    }

    private init(_ status: stat) {
        self.init(
            size: Int(status.st_size), device: Int64(bitPattern: UInt64(status.st_dev)),
            inode: Int64(bitPattern: UInt64(status.st_ino)),
            modified: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }

    /// The stamp to remember for content that was read after this stamp was taken.
    ///
    /// A file that was written in the last two seconds may be written again within the same tick of the file system's
    /// clock, which leaves its stamp as it is: its stamp is not to be trusted.
    package var trusted: FileStamp {
        let now = Clock.time(.wall)
        let seconds = Int64(now.tv_sec) - modified / 1_000_000_000
        var stamp = self
        if seconds < 2 { stamp.modified = -1 }
        return stamp
    }
}
