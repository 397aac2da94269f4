/// The type of a file system, which determines whether locks and shared memory work.
///
/// A write-ahead log needs memory that is shared by all processes that have the file open. Network file systems have no
/// shared memory, and their locks may have no effect, so files on them use a rollback journal instead.
package struct FileSystem: Equatable, Sendable {
    /// Type as in the mount table, such as "ext4", "nfs4", or "fuse.sshfs".
    package let type: String

    /// Creates a file system of a type.
    package init(type: String) {
        self.type = type
    }

    /// Returns the file system of a file or folder; its type is "" if the mount table does not list it.
    package static func of(_ path: String) -> FileSystem {
        guard let table = PrivateFile.readSmall("/proc/self/mountinfo", limit: 1 << 20) else {
            return FileSystem(type: "")
        }
        return FileSystem(type: type(of: FileLocation.canonical(path), mountTable: table) ?? "")
    }

    /// Whether other machines may have the same files open, or processes cannot share memory.
    ///
    /// FUSE file systems count as network file systems, except for the known local types.
    package var isNetwork: Bool {
        if type.hasPrefix("fuse") { return !Self.localFUSE.contains(type) }
        return Self.networks.contains(type)
    }

    /// Common name, such as "NFS".
    package var name: String {
        switch type {
        case "nfs", "nfs4": "NFS"
        case "cifs", "smb3", "smbfs": "SMB"
        case "fuse.sshfs": "SSHFS"
        case "9p": "9P"
        default: type
        }
    }

    private static let localFUSE: Set<String> = [
        "fuseblk", "fuse.fuse-overlayfs", "fuse.ntfs-3g", "fuse.exfat", "fuse.bindfs", "fuse.gocryptfs", "fuse.encfs",
    ]

    private static let networks: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "9p", "virtiofs", "afs", "kafs", "coda", "ceph", "lustre",
        "gpfs", "gfs", "gfs2", "ocfs2", "beegfs", "orangefs", "pvfs2", "vboxsf", "vmhgfs", "prl_fs", "davfs",
        "glusterfs",
    ]

    /// Returns the file system type of `path`, from the text of /proc/self/mountinfo (proc(5)).
    ///
    /// The longest mount point that is a prefix of the path applies; of two mounts at the same point, the later one
    /// applies.
    package static func type(of path: String, mountTable: String) -> String? {
        var best: (length: Int, type: String)?
        for line in mountTable.utf8.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard fields.count > 6, let dash = fields[6...].firstIndex(where: { $0.elementsEqual("-".utf8) }),
                dash + 1 < fields.count
            else { continue }
            let point = unescaped(fields[4])
            let holds = path == point || path.hasPrefix(point.hasSuffix("/") ? point : point + "/")
            if holds, point.utf8.count >= best?.length ?? 0 {
                best = (point.utf8.count, String(decoding: fields[dash + 1], as: UTF8.self))
            }
        }
        return best?.type
    }

    // The mount table writes spaces, tabs, line feeds, and backslashes as a backslash and three octal digits.
    private static func unescaped(_ field: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = field[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3).map { Int($0) - 48 }
            if byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy((0..<8).contains) {
                bytes.append(UInt8(truncatingIfNeeded: digits[0] * 64 + digits[1] * 8 + digits[2]))
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
