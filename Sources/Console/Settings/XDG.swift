internal import Glibc

/// The folders for the user's files, according to the XDG Base Directory Specification.
///
/// ```swift
/// XDG.current.config + "/config.toml"     // "/home/ada/.config/orrery/config.toml"
/// ```
public struct XDG: Hashable, Sendable {
    /// Folder for settings and themes.
    public let config: String
    /// Folder for workspaces.
    public let data: String
    /// Folder for the history, the log, and the most recent screen.
    public let state: String
    /// Folder for files that can be recreated.
    public let cache: String

    /// The folders of the current user, all ending in "/orrery".
    public static let current = XDG(environment: { Environment[$0] }, home: accountHome)

    /// Creates the folders for an environment; relative paths are ignored, as the specification requires.
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

    /// Home folder according to the account database.
    private static var accountHome: String? {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
        return String(cString: folder)
    }

    /// Creates a folder and its parents with mode 0700; returns false if that fails.
    @discardableResult
    public static func makeFolder(_ path: String) -> Bool {
        if access(path, F_OK) == 0 { return true }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex, !makeFolder(String(path[..<slash])) {
            return false
        }
        return mkdir(path, 0o700) == 0 || errno == EEXIST
    }
}
