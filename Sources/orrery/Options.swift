import ArgumentParser
import Console
import Traces
import Workspace

/// Which workspace a command works on.
struct WorkspaceOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "The workspace file; by default the one under the XDG data folder.",
        completion: .file(extensions: ["orrery"]))
    var workspace: String?

    /// Opens it, making it where a command may.
    func open(creating: Bool = true) throws -> Workspace {
        try Workspace.open(
            path(creating: creating), migrations: TraceStore.migrations, access: .readWrite, create: creating)
    }

    /// Opens it for a command that has nothing to say about an empty one: a workspace that was named must be there.
    func openExisting() throws -> Workspace { try open(creating: named == nil) }

    /// Opens it for looking only.
    func openForReading() throws -> Workspace {
        try Workspace.open(
            path(creating: false), migrations: TraceStore.migrations, access: .readOnly, create: false)
    }

    /// The file that is meant: the option, `$ORRERY_WORKSPACE`, or the default, whose folder is made when needed.
    func path(creating: Bool) throws -> String {
        if let named { return named }
        let path = Workspace.defaultPath()
        if creating { try Workspace.makeFolder(for: path) }
        return path
    }

    /// The workspace that was asked for by name; nil where the default is meant.
    var named: String? { workspace ?? Workspace.variable("ORRERY_WORKSPACE") }
}

/// How a screen looks.
struct AppearanceOptions: ParsableArguments {
    @Option(help: "dark, light, high-contrast, mono, or a theme of your own.")
    var theme: String?

    @Flag(help: "Draw with ASCII only.")
    var ascii = false

    @Option(help: "auto, never, 8, 16 or 256 colors.")
    var color: String?

    /// The settings in force: defaults, the settings file, the environment, then these options.
    func settings() -> Settings {
        var overrides: [String: String] = [:]
        overrides["theme"] = theme
        if ascii { overrides["ascii"] = "true" }
        overrides["color"] = color
        return Settings.load(commandLine: overrides)
    }
}

/// Results as one JSON object instead of a table.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON with stable keys.")
    var json = false
}
