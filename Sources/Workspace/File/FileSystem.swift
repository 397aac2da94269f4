/// The file system that holds a file, as far as it matters for locks and shared memory.
///
/// A write-ahead log needs memory shared by all processes that have the file open. Over a network there is none, and
/// locks may be pretended: such a place gets a rollback journal instead.
package struct FileSystem: Equatable, Sendable {
    /// The type as the mount table names it: "ext4", "nfs4", "fuse.sshfs".
    package let type: String

    package init(type: String) {
        self.type = type
    }

    /// The file system of a file or folder; "" where the mount table does not tell.
    package static func of(_ path: String) -> FileSystem {
        guard let table = PrivateFile.readSmall("/proc/self/mountinfo", limit: 1 << 20) else {
            return FileSystem(type: "")
        }
        return FileSystem(type: type(of: FilePlace.canonical(path), mountTable: table) ?? "")
    }

    /// Whether other machines may have the same files open, or memory cannot be shared between processes.
    ///
    /// FUSE counts as a network unless the type is one that sits on a disk of this machine.
    package var isNetwork: Bool {
        if type.hasPrefix("fuse") { return !Self.localFUSE.contains(type) }
        return Self.networks.contains(type)
    }

    /// The name people know it by.
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

    /// The type of the mount that holds `path`, from the text of /proc/self/mountinfo (proc(5)).
    ///
    /// The longest mount point that is a prefix of the path decides; of two mounts on one point, the later.
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

    // Spaces, tabs, line ends and backslashes stand there as a backslash and three octal digits.
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
