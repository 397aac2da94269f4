internal import Glibc
internal import System

extension Sandbox {
    /// Returns whether a folder is a user's home or contains homes. Programs must not see such a folder as a whole.
    ///
    /// Homes are the folders in the system's list of users and the value of `HOME`, with links resolved.
    public static func isHome(_ path: String) -> Bool {
        let resolved = resolve(path)
        if ["/", "/home", "/root", "/Users"].contains(resolved) { return true }
        let parts = resolved.split(separator: "/")
        if parts.count == 2, parts[0] == "home" { return true }
        var homes = listed()
        if let home = getenv("HOME") { homes.append(String(cString: home)) }
        return homes.contains { home in
            let home = resolve(home)
            return home == resolved || home.hasPrefix(resolved + "/")
        }
    }

    /// Homes of people and root; a service's folder, such as /usr/sbin, is not one.
    private static func listed() -> [String] {
        let text = String(decoding: SmallFile.head("/etc/passwd", 4 << 20) ?? [], as: UTF8.self)
        var homes: [String] = []
        for line in text.split(separator: "\n") where homes.count < 10_000 {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count > 5, let user = UInt32(fields[2]), user == 0 || user >= 1000, user != 65534 else {
                continue
            }
            if fields[5].hasPrefix("/"), fields[5] != "/" { homes.append(String(fields[5])) }
        }
        return homes
    }

    private static func resolve(_ path: String) -> String {
        guard let text = realpath(path, nil) else { return path }
        defer { free(text) }
        return String(cString: text)
    }
}
