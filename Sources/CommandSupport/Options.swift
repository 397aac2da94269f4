package import ArgumentParser
package import Console
import Glibc
import Presentation
import System
import Traces
package import Workspace

/// Options that select the workspace.
package struct WorkspaceOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: "Workspace file (default: in the XDG data folder).",
        completion: .file(extensions: ["orrery"]))
    package var workspace: String?

    package init() {}

    /// Opens the workspace, and creates it if allowed.
    package func open(creating: Bool = true) throws -> Workspace {
        let workspace = try Workspace.open(
            path(creating: creating), migrations: .workbench, access: .readWrite, create: creating)
        if let note = workspace.conversion { Output.note(note) }
        return workspace
    }

    /// Opens an existing workspace for writing.
    package func openExisting() throws -> Workspace {
        try refuseIfUnused()
        return try open(creating: false)
    }

    /// Opens the workspace read-only, even on read-only media. A workspace of an earlier version is upgraded.
    package func openForReading() throws -> Workspace {
        try refuseIfUnused()
        do {
            return try Workspace.open(
                path(creating: false), migrations: .workbench, access: .readOnly, create: false)
        } catch WorkspaceError.olderSchema {
            return try open(creating: false)
        }
    }

    /// Opens the workspace for writing if possible, and otherwise read-only.
    ///
    /// - Parameter needsWriting: Whether there is something to import, so read-only access is not enough.
    package func openAsFarAsPossible(needsWriting: Bool) throws -> Workspace {
        do { return try open() } catch let error as WorkspaceError {
            switch error {
            case .readOnlyLocation, .permission:
                // Problem is harmless: the first error explains more than a second one from reading.
                guard !needsWriting, let workspace = try? openForReading() else { throw error }
                return workspace
            default: throw error
            }
        }
    }

    /// Whether the default workspace is selected and does not exist yet.
    package var isUnused: Bool { named == nil && access(Workspace.defaultPath(), F_OK) != 0 }

    private func refuseIfUnused() throws {
        guard isUnused else { return }
        throw Problem(
            .missing, "", "no workspace at \(Workspace.defaultPath()) yet",
            remedy: "To create one, run: orrery trace import PATH")
    }

    /// Returns the path: the option, `$ORRERY_WORKSPACE`, or the default, whose folder is created if necessary.
    package func path(creating: Bool) throws -> String {
        if let named { return named }
        let path = Workspace.defaultPath()
        if creating { try Workspace.makeFolder(for: path) }
        return path
    }

    /// Explicitly selected workspace; `nil` for the default.
    package var named: String? { workspace ?? Workspace.variable("ORRERY_WORKSPACE") }
}

/// Options for the appearance of a screen.
package struct AppearanceOptions: ParsableArguments {
    @Option(help: "Theme: dark, light, high-contrast, mono, or your own.")
    package var theme: String?

    @Flag(help: "Draw with ASCII only.")
    package var ascii = false

    @Option(help: "Colors: auto, never, 8, 16, or 256.")
    package var color: String?

    package init() {}

    package func validate() throws {
        if let theme, let problem = Themes.problem(with: theme) { throw ValidationError(problem) }
    }

    /// Returns the settings in effect: defaults, then the settings file, the environment, and these options.
    package func settings() -> Settings {
        var overrides: [String: String] = [:]
        overrides["theme"] = theme
        if ascii { overrides["ascii"] = "true" }
        overrides["color"] = color
        return Settings.workbench(commandLine: overrides)
    }
}

/// An option for results as one JSON object.
package struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON with stable keys.")
    package var json = false

    package init() {}
}
