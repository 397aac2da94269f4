import JSON
import TestFixtures
import Testing

@Suite("Help of options and arguments")
struct OptionHelpTests {
    /// Help text of one option or argument, with the command line that leads to it.
    struct Entry {
        var name: String
        var text: String

        /// Whether the text has at most ten words, or two sentences with at most ten words each.
        var isShort: Bool {
            let sentences = text.split(separator: ". ").map { $0.split(separator: " ").count }
            return sentences.reduce(0, +) <= 10 || sentences.count <= 2 && sentences.allSatisfy { $0 <= 10 }
        }
    }

    @Test("help has at most ten words, or two sentences with at most ten words each")
    func length() throws {
        let dump = try Program().run("--experimental-dump-help")
        try #require(dump.status == 0, "\(dump.error)")
        var entries: [Entry] = []
        try JSONDocument(parsing: dump.output).withRoot { root in
            if let command = root["command"] { Self.collect(command, path: "orrery", into: &entries) }
        }
        #expect(entries.count > 500)
        for entry in entries where !entry.isShort { Issue.record("\(entry.name): \(entry.text)") }
    }

    private static func collect(_ command: JSONNode, path: String, into entries: inout [Entry]) {
        command["arguments"]?.elements.forEach { argument in
            guard let text = argument["abstract"]?.string else { return }
            let name = argument["preferredName"]?["name"]?.string ?? argument["valueName"]?.string ?? "?"
            let dashes = argument["kind"]?.string == "positional" ? "" : name.count == 1 ? "-" : "--"
            entries.append(Entry(name: "\(path) \(dashes)\(name)", text: text))
        }
        command["subcommands"]?.elements.forEach { subcommand in
            collect(subcommand, path: "\(path) \(subcommand["commandName"]?.string ?? "?")", into: &entries)
        }
    }
}
