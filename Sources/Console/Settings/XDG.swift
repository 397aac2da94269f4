internal import Glibc

/// Where the files of a person's account lie, after the XDG Base Directory Specification.
///
/// ```swift
/// XDG.current.config + "/config.toml"     // "/home/ada/.config/orrery/config.toml"
/// ```
public struct XDG: Hashable, Sendable {
    /// Settings, key bindings and themes.
    public let config: String
    /// Workspaces.
    public let data: String
    /// History, the log and what was on the screen.
    public let state: String
    /// What can be made again.
    public let cache: String

    /// The folders of this process's account, all ending in "/orrery".
    public static let current = XDG(environment: { Environment[$0] }, home: accountHome)

    /// The folders that an environment names; relative paths in it are passed over, as the specification asks.
    package init(environment: (String) -> String?, home: @autoclosure () -> String?) {
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let root = absolute("HOME") ?? home() ?? "/tmp"
        func folder(_ name: String, _ fallback: String) -> String {
            let base = absolute(name) ?? root + fallback
            return (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/orrery"
        }
        config = folder("XDG_CONFIG_HOME", "/.config")
        data = folder("XDG_DATA_HOME", "/.local/share")
        state = folder("XDG_STATE_HOME", "/.local/state")
        cache = folder("XDG_CACHE_HOME", "/.cache")
    }

    /// The home folder that the account database has.
    private static var accountHome: String? {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    /// Makes a folder and those above it, mode 0700; false where that is not allowed.
    @discardableResult
    public static func makeFolder(_ path: String) -> Bool {
        if access(path, F_OK) == 0 { return true }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex, !makeFolder(String(path[..<slash])) {
            return false
        }
        return mkdir(path, 0o700) == 0 || errno == EEXIST
    }
}
