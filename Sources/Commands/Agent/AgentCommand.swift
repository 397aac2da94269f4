import Agents
import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import JSON
import LanguageModels
import ModelLab
import System
import Tables
import Workspace

/// The `orrery agent` command: models with tools.
struct AgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Let a model answer with tools, and show each step.",
        subcommands: [Run.self, Tools.self])
}

/// The data of an agent's tools.
struct AgentToolOptions: ParsableArguments {
    @Option(
        help: "Lookup table: JSON, CSV, or TSV with keys and values.",
        completion: .file(extensions: ["json", "csv", "tsv"]))
    var table: String?

    @Option(
        help: "Folder to search, or file with one document per line.", completion: .file())
    var documents: String?

    /// Returns all tools, even those without data, and what was read for the search.
    func open() throws -> (tools: ToolBox, reading: SearchTool.Reading?) {
        if let documents, access(documents, R_OK) != 0 {
            throw Problem(
                .failed, documents, String(cString: strerror(errno)), remedy: "Check the path and its permissions.")
        }
        do throws(ToolError) {
            var lookup = LookupTool()
            if let table { lookup = LookupTool(try LookupTable(contentsOf: table)) }
            let search = try documents.map { (path) throws(ToolError) in try SearchTool(contentsOf: path) }
            return (try ToolBox([Calculator(), lookup, search ?? SearchTool()]), search?.reading)
        } catch {
            throw Problem(.failed, "", Printable.line(error.sentence))
        }
    }

    /// Reports on standard error which documents were read, and which were not.
    func note(_ reading: SearchTool.Reading) {
        let files = Format.count(reading.files, "file")
        Output.note("read \(files), \(Format.bytes(reading.bytes)) from \(Printable.line(documents ?? ""))")
        for skipped in reading.skipped.prefix(10) { Output.note("skipped \(Printable.line(skipped))") }
        if reading.skipped.count > 10 { Output.note("and \(Format.count(reading.skipped.count - 10)) more skipped") }
    }
}

extension AgentCommand {
    struct Tools: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "tools", abstract: "List tools and their parameters.")

        @OptionGroup var reading: TableOptions

        func result(in options: TableOptions) throws -> Listing<ToolDefinition> {
            let tools = try ToolBox([Calculator(), LookupTool(), SearchTool()]).definitions
            var listing = Listing(tools, "tools") { table in
                table.text("tool", json: "name", \.name)
                table.text("description", json: "description", \.description)
                table.text("parameters", \.parameters)
                table.write { tool, json in json.member("parameters") { Self.write(tool.parameters, to: &$0) } }
            }
            listing.text = tools.map { "\($0.name)  \($0.description)\n  \($0.parameters)" }.joined(separator: "\n")
            return listing
        }

        /// Writes JSON text; `null` if it is invalid.
        private static func write(_ text: String, to json: inout JSONWriter) {
            guard let document = try? JSONDocument(parsing: text) else { return json.null() }
            document.withRoot { json.copy($0) }
        }
    }
}

/// The model included with the program.
enum OwnModel {
    static let name = "orrery-mini"

    /// Returns its path in the sample data.
    static func path() throws -> String {
        if let folder = InstalledFiles.folder("sample-data/models") {
            for candidate in ["", ".gguf", ".safetensors"] {
                let path = "\(folder)/\(name)\(candidate)"
                if access(path, R_OK) == 0 { return path }
            }
        }
        throw Problem(
            .invalid, "", "\(name) is not installed with the sample data", remedy: "Choose a model with --model.")
    }
}
