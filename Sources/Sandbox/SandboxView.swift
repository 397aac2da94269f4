internal import Glibc

/// A folder, file or link of the machine that the cage shows at the same path.
struct SandboxView: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case folder
        case file
        /// A symbolic link, with what it holds.
        case link(String)
    }

    var path: String
    var kind: Kind

    /// What programs need to start: libraries and programs of the system, and no word about its users.
    static let system: [SandboxView] = {
        let folders = [
            "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/etc/alternatives",
        ]
        let files = ["/etc/ld.so.cache", "/etc/localtime"]
        return (folders + files).compactMap { SandboxView($0) }
    }()

    /// Creates a view of what exists at a path now; `nil` if nothing exists there.
    init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        self.path = path
        switch status.st_mode & S_IFMT {
        case S_IFDIR: kind = .folder
        case S_IFLNK:
            // A link out of the system, such as /etc/localtime, is shown as what it stands for.
            guard path.dropFirst().firstIndex(of: "/") == nil else {
                guard let view = SandboxView(path, followsLinks: true) else { return nil }
                self = view
                return
            }
            var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let length = readlink(path, &target, Int(PATH_MAX))
            guard length > 0 else { return nil }
            kind = .link(String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self))
        default: kind = .file
        }
    }
}
