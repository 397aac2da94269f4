internal import Glibc
internal import Sandbox
internal import System

/// The Python interpreter, and the paths that the sandbox must be able to read for it: never a whole home folder.
struct CodeInterpreter: Hashable {
    let path: String
    /// Folders and files that the sandbox may read.
    let readable: [String]

    /// - Parameter chosen: Path of the interpreter; empty for the system's.
    init(_ chosen: String) throws(Problem) {
        let candidates = chosen.isEmpty ? ["/usr/bin/python3", "/usr/local/bin/python3", "/bin/python3"] : [chosen]
        guard let path = candidates.first(where: { (path: String) in access(path, X_OK) == 0 }) else {
            throw Problem(
                .missing, "sandbox",
                chosen.isEmpty ? "python3 was not found" : "the interpreter \(chosen.prefix(200)) was not found",
                remedy: "Name one with the setting \"interpreter\".")
        }
        let resolved = realpath(path, nil).map { text in
            defer { free(text) }
            return String(cString: text)
        }
        if Self.isOfSystem(path) {
            (self.path, readable) = (path, [])
            return
        }
        let prefixes = [path, resolved ?? path].map(Self.prefix)
        if let home = prefixes.first(where: { $0.isEmpty || Sandbox.isHome($0) }) {
            // A link to the system's Python in the user's own bin exposes nothing.
            if let resolved, Self.isOfSystem(resolved) {
                (self.path, readable) = (resolved, [])
                return
            }
            throw Problem(
                .missing, "sandbox",
                "\(path.prefix(200)) would give the sandbox access to \(home.isEmpty ? "/" : home)",
                remedy: "Use a Python installed in its own folder, such as one in a virtual environment.")
        }
        self.path = path
        var shown: [String] = []
        for prefix in prefixes where !Self.isOfSystem(prefix + "/") {
            for part in ["bin", "lib", "lib64", "pyvenv.cfg"] {
                let one = "\(prefix)/\(part)"
                if access(one, F_OK) == 0, !shown.contains(one) { shown.append(one) }
            }
        }
        readable = shown
    }

    private static func isOfSystem(_ path: String) -> Bool { path.hasPrefix("/usr/") || path.hasPrefix("/bin/") }

    /// Returns the folder around bin.
    private static func prefix(_ path: String) -> String {
        path.split(separator: "/").dropLast(2).map { "/\($0)" }.joined()
    }
}
