internal import Glibc

extension SessionDiscovery {
    /// The places of the person who runs this program.
    public static var current: SessionDiscovery {
        var environment: [String: String] = [:]
        for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return SessionDiscovery(home: getenv("HOME").map { String(cString: $0) } ?? "/", environment: environment)
    }
}
