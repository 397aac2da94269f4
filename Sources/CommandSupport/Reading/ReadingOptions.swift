package import ArgumentParser
package import Workspace

/// Options of a command that reads.
package protocol ReadingOptions: ParsableArguments {
    var form: OutputForm { get }
}

/// Forms of output.
package enum OutputForm: Sendable {
    case text, json, csv, markdown
}

extension JSONOption: ReadingOptions {
    package var form: OutputForm { json ? .json : .text }
}

/// Options for the form of a table.
package struct TableOptions: ReadingOptions {
    @OptionGroup private var output: JSONOption

    @Flag(help: "Print CSV.")
    package var csv = false

    @Flag(help: "Print a Markdown table.")
    package var markdown = false

    package init() {}

    package func validate() throws {
        guard [output.json, csv, markdown].count(where: \.self) < 2 else {
            throw ValidationError("only one of --json, --csv, and --markdown can be used.")
        }
    }

    package var form: OutputForm { csv ? .csv : markdown ? .markdown : output.form }

    /// Rejects the forms of tables where the command prints something else.
    ///
    /// - Parameter what: What the command then prints, such as `one pipeline`.
    package func refuseTable(for what: String) throws {
        guard csv || markdown else { return }
        throw ValidationError("--csv and --markdown print lists only, not \(what).")
    }
}

/// Options of a command that reads the workspace.
package struct WorkspaceReading<Form: ReadingOptions>: ReadingOptions {
    @OptionGroup package var place: WorkspaceOptions
    @OptionGroup package var output: Form

    package init() {}

    package var form: OutputForm { output.form }

    /// Returns the workspace; `nil` if the default workspace does not exist yet.
    package func workspace() throws -> Workspace? { place.isUnused ? nil : try place.openForReading() }
}

package typealias WorkspaceTable = WorkspaceReading<TableOptions>
package typealias WorkspaceJSON = WorkspaceReading<JSONOption>
