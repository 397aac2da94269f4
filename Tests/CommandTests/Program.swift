import Glibc
import TestFixtures

/// The program under test, as a child process with a temporary home folder.
struct Program {
    struct Result {
        var status: Int32
        var output: String
        var error: String

        /// Lines of standard error.
        var sentences: [Substring] { error.split(separator: "\n") }
    }

    let home = TemporaryFolder()
    private let path: String

    init() throws { self.init(path: try Self.found.get()) }

    init(path: String) { self.path = path }

    /// Runs the program in a temporary folder without a terminal, and waits for its end.
    func run(_ arguments: String..., input: String? = nil, environment: [String: String] = [:]) throws -> Result {
        try run(arguments, input: input, environment: environment)
    }

    func run(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) throws -> Result {
        let child = try start(arguments, input: input, environment: environment)
        return child.wait()
    }

    /// Starts the program without waiting for its end.
    ///
    /// - Parameter isPiped: Whether standard output is read line by line while the program runs.
    func start(
        _ arguments: [String], input: String? = nil, environment: [String: String] = [:], isPiped: Bool = false
    ) throws -> Child {
        try Child(
            path, arguments, input: input, environment: self.environment(environment), folder: home, isPiped: isPiped)
    }

    private func environment(_ more: [String: String]) -> [String] {
        var all = [
            "HOME": home.path, "XDG_CONFIG_HOME": home.file("config"), "XDG_DATA_HOME": home.file("data"),
            "XDG_STATE_HOME": home.file("state"), "XDG_CACHE_HOME": home.file("cache"), "TZ": "UTC",
            "LANG": "C.UTF-8", "TERM": "xterm-256color", "PATH": variable("PATH") ?? "/usr/bin:/bin",
        ]
        all.merge(more) { $1 }
        return all.map { "\($0.key)=\($0.value)" }
    }

    /// Path of the repository.
    static let root: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    /// The `orrery-bench` next to the program; `nil` if it is not built.
    static let bench: String? = (try? found.get()).flatMap { path in
        let bench = path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/orrery-bench"
        return access(bench, X_OK) == 0 ? bench : nil
    }

    /// The program in `$ORRERY_BINARY`, or the one built with these tests, or the last build.
    private static let found: Swift.Result<String, Missing> = {
        if let named = variable("ORRERY_BINARY") {
            return access(named, X_OK) == 0 ? .success(named) : .failure(Missing(place: named))
        }
        var candidates: [String] = []
        if let tests = realpath("/proc/self/exe", nil) {
            defer { free(tests) }
            let parts = String(cString: tests).split(separator: "/").dropLast()
            candidates.append("/" + parts.joined(separator: "/") + "/orrery")
        }
        candidates += [root + "/.build/release/orrery", root + "/.build/debug/orrery"]
        return candidates.first { access($0, X_OK) == 0 }.map { .success($0) }
            ?? .failure(Missing(place: candidates.joined(separator: ", ")))
    }()

    struct Missing: Error, CustomStringConvertible {
        var place: String
        var description: String { "the program is not built: searched \(place)" }
    }
}

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
