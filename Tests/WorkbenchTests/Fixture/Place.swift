import Console
import Glibc
import Presentation
import Synchronization
import TestFixtures
import Traces
import Workbench
import Workspace

/// The environment of tests: an empty home, time zone UTC, and the repository's sample data.
enum Place {
    /// The repository.
    static let root: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(4)
        return "/" + parts.joined(separator: "/")
    }()

    static let goldens = root + "/Tests/WorkbenchTests/Goldens"

    /// No session, setting or history of the person who runs the tests is seen or changed.
    static let isPrepared: Bool = {
        let home = TemporaryFolder()
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"] {
            setenv(name, home.path + "/" + name, 1)
        }
        for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "NO_COLOR"] { unsetenv(name) }
        setenv("TZ", "UTC", 1)
        tzset()
        return true
    }()

    /// What is built in, whatever the environment says.
    static func settings(_ values: [String: String] = [:]) -> Settings {
        precondition(isPrepared)
        return Settings.load(
            SettingDefinition.workbench, path: "/nowhere/config.toml", environment: { _ in nil }, commandLine: values)
    }

    /// Settings from the text of a file.
    static func settings(file text: String) -> Settings {
        precondition(isPrepared)
        let folder = TemporaryFolder()
        File.write(text, to: folder.file("config.toml"))
        return Settings.load(SettingDefinition.workbench, path: folder.file("config.toml"), environment: { _ in nil })
    }

    /// Wednesday, 2026-11-18 09:30:00 UTC.
    static let now: @Sendable () -> Int64 = { 1_794_994_200 * 1_000_000_000 }
}

/// A workspace in a folder of its own, gone when the value is.
final class TestWorkspace {
    let folder = TemporaryFolder()
    let workspace: Workspace
    var store: TraceStore { TraceStore(workspace) }

    /// One with nothing in it.
    init() throws {
        precondition(Place.isPrepared)
        workspace = try Self.open(folder.file("test.orrery"), create: true)
    }

    init(copying path: String, as name: String) throws {
        precondition(Place.isPrepared)
        File.copy(path, to: folder.file(name))
        workspace = try Self.open(folder.file(name), create: false)
    }

    deinit { workspace.close() }

    /// A second connection to the file, as another process has it.
    func reopened() throws -> Workspace { try Self.open(workspace.path, create: false) }

    private static func open(_ path: String, create: Bool) throws -> Workspace {
        try Workspace.open(path, migrations: .workbench, access: .readWrite, create: create)
    }

    /// One with recorded files in it, and no text index: searching reads the texts.
    static func holding(_ files: String...) throws -> TestWorkspace {
        let made = try TestWorkspace()
        let paths = files.enumerated().map { index, text in
            File.write(text, to: made.folder.file("session-\(index).jsonl"))
            return made.folder.file("session-\(index).jsonl")
        }
        try made.store.importTraces(paths)
        return made
    }

    /// A copy of the sample workspace.
    static func sample() throws -> TestWorkspace { try TestWorkspace(copying: try template.get(), as: "sample.orrery") }

    /// The sample data are read once; every test gets a copy of the file.
    private static let template: Result<String, any Error> = Result {
        let made = try TestWorkspace()
        try made.store.importTraces([Place.root + "/sample-data/traces"])
        try SampleRuns.describe(in: made.store)
        try made.store.indexText()
        return Keeper.shared.hold(made)
    }
}

/// Keeps the folders of templates as long as the tests run, and removes them with the process.
final class Keeper: @unchecked Sendable {
    static let shared = Keeper()
    private let lock = Mutex(())
    // Only touched under the lock.
    private var held: [TestWorkspace] = []

    /// Closes a workspace for good.
    ///
    /// - Returns: its file.
    func hold(_ workspace: TestWorkspace) -> String {
        workspace.workspace.close()
        lock.withLock { _ in
            if held.isEmpty { atexit { Keeper.shared.removeAll() } }
            held.append(workspace)
        }
        return workspace.folder.file("test.orrery")
    }

    private func removeAll() {
        for workspace in held { TemporaryFolder.remove(workspace.folder.path) }
    }
}
