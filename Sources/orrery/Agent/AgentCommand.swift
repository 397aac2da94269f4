import Agents
import ArgumentParser
import Console
import Glibc
import JSON
import LanguageModels
import ModelLab
import Workspace

/// `orrery agent`: models that use tools.
struct AgentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Let a model answer with tools, and see each step.",
        subcommands: [Run.self, Tools.self])
}

/// What the tools of an agent answer from.
struct AgentToolOptions: ParsableArguments {
    @Option(
        help: "The table of lookup: JSON, CSV or TSV with keys and values.",
        completion: .file(extensions: ["json", "csv", "tsv"]))
    var table: String?

    @Option(
        help: "What search looks through: a file with a document a line, or a folder of files.", completion: .file())
    var documents: String?

    func open() throws -> ToolBox { try Self.tools(table: table, documents: documents) }

    /// All three, also where one has nothing to answer from: it says so then.
    static func tools(table: String? = nil, documents: String? = nil) throws -> ToolBox {
        do throws(ToolError) {
            var lookup = LookupTool()
            if let table { lookup = LookupTool(try LookupTable(contentsOf: table)) }
            var search = SearchTool()
            if let documents { search = try SearchTool(contentsOf: documents) }
            return try ToolBox([Calculator(), lookup, search])
        } catch {
            throw Failure(error.sentence + ".")
        }
    }
}

extension AgentCommand {
    struct Tools: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tools", abstract: "List the tools with what they take.")

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let tools = try AgentToolOptions.tools()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { json in
                        json.member("tools") { json in
                            json.array { json in for tool in tools.definitions { Self.write(tool, to: &json) } }
                        }
                    }
                    return Output.result(json.text)
                }
                for tool in tools.definitions {
                    Output.result("\(tool.name)  \(tool.description)\n  \(tool.parameters)")
                }
            }
        }

        private static func write(_ tool: ToolDefinition, to json: inout JSONWriter) {
            json.object { json in
                json.member("name", tool.name)
                json.member("description", tool.description)
                json.member("parameters") { json in
                    if let document = try? JSONDocument(parsing: tool.parameters) {
                        document.withRoot { json.copy($0) }
                    } else {
                        json.null()
                    }
                }
            }
        }
    }
}

/// The model that comes with the program.
enum OwnModel {
    static let name = "orrery-mini"

    /// The path under the sample data.
    static func path() throws -> String {
        if let folder = InstalledFiles.folder("sample-data/models") {
            for candidate in ["", ".gguf", ".safetensors"] {
                let path = "\(folder)/\(name)\(candidate)"
                if access(path, R_OK) == 0 { return path }
            }
        }
        throw Failure("\(name) is not among the sample data here: name a model with --model.")
    }
}
