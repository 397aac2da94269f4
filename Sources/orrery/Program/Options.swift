import ArgumentParser
import Console
import Glibc
import Traces
import Workbench
import Workspace

/// Which workspace a command works on.
struct WorkspaceOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "The workspace file; by default the one under the XDG data folder.",
        completion: .file(extensions: ["orrery"]))
    var workspace: String?

    /// Opens it, making it where a command may.
    func open(creating: Bool = true) throws -> Workspace {
        let workspace = try Workspace.open(
            path(creating: creating), migrations: Workbench.migrations, access: .readWrite, create: creating)
        if let note = workspace.conversion { Output.note(note) }
        return workspace
    }

    /// Opens it for a change of what is in it, and never makes one.
    func openExisting() throws -> Workspace {
        try refuseIfUnused()
        return try open(creating: false)
    }

    /// Opens it for looking only: also where nothing can be written. One of an earlier version is brought up to date.
    func openForReading() throws -> Workspace {
        try refuseIfUnused()
        do {
            return try Workspace.open(
                path(creating: false), migrations: Workbench.migrations, access: .readOnly, create: false)
        } catch WorkspaceError.olderSchema {
            return try open(creating: false)
        }
    }

    /// Opens the workspace for writing if possible, and otherwise read-only.
    ///
    /// - Parameter needsWriting: whether there is something to import, so read-only access is not enough.
    func openAsFarAsPossible(needsWriting: Bool) throws -> Workspace {
        do { return try open() } catch let error as WorkspaceError {
            switch error {
            case .readOnlyPlace, .permission:
                // Failure is harmless: the first error explains more than a second one from reading.
                guard !needsWriting, let workspace = try? openForReading() else { throw error }
                return workspace
            default: throw error
            }
        }
    }

    /// Whether the default workspace is meant and nothing has made it yet.
    var isUnused: Bool { named == nil && access(Workspace.defaultPath(), F_OK) != 0 }

    private func refuseIfUnused() throws {
        guard isUnused else { return }
        throw Failure("there is no workspace at \(Workspace.defaultPath()) yet: orrery trace import PATH makes it.")
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
        return Settings.workbench(commandLine: overrides)
    }
}

/// Results as one JSON object instead of a table.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON with stable keys.")
    var json = false
}
