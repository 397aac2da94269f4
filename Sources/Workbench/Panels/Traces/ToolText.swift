internal import Console
internal import JSON

/// A tool call's arguments as readable text: commands as code, edits as diffs, other arguments by name.
enum ToolText {
    /// Returns sections for arguments that are a JSON object; other arguments are shown unchanged.
    static func arguments(_ json: String, margin: StyledLine) -> [TextSection] {
        guard let members = members(of: json) else {
            return json.isEmpty ? [] : [TextSection(json, language: Language(guessing: json), margin: margin)]
        }
        if let edit = edit(members, margin) { return edit }
        return members.flatMap { name, value in section(name: name, value: value, margin) }
    }

    /// Returns the most useful text to paste: a command, a query, or all arguments.
    static func plainest(_ json: String) -> String {
        guard let members = members(of: json) else { return json }
        for wanted in ["command", "cmd", "query", "pattern", "code", "file_path", "path", "prompt"] {
            if let value = members.first(where: { $0.0 == wanted })?.1 { return value }
        }
        return json
    }

    /// Returns the name and purpose in a tool's definition; `nil` if the JSON does not define a tool.
    static func definition(_ json: String) -> (name: String, purpose: String)? {
        guard let document = try? JSONDocument(parsing: json) else { return nil }
        return document.withRoot { root in
            let tool = root["function"] ?? root
            let parameters = tool["parameters"] ?? tool["input_schema"] ?? tool["inputSchema"]
            guard parameters?.kind == .object, let name = tool["name"]?.string else { return nil }
            return (name, tool["description"]?.string?.split(separator: "\n").first.map(String.init) ?? "")
        }
    }

    private static func members(of json: String) -> [(String, String)]? {
        guard let document = try? JSONDocument(parsing: json) else { return nil }
        return document.withRoot { root in
            guard root.kind == .object else { return nil }
            return root.members.map { key, value in
                (key.string ?? "", value.string ?? String(decoding: value.source, as: UTF8.self))
            }
        }
    }

    /// Returns the old and new text of an edit as a diff.
    private static func edit(_ members: [(String, String)], _ margin: StyledLine) -> [TextSection]? {
        let values = Dictionary(members, uniquingKeysWith: { first, _ in first })
        guard let old = values["old_string"], let new = values["new_string"] else { return nil }
        let removed = old.split(separator: "\n", omittingEmptySubsequences: false).map { "-\($0)" }
        let added = new.split(separator: "\n", omittingEmptySubsequences: false).map { "+\($0)" }
        let path = values["file_path"] ?? values["path"] ?? ""
        return [
            TextSection(StyledLine(path, .property), margin: margin),
            TextSection((removed + added).joined(separator: "\n"), language: .diff, margin: margin),
        ]
    }

    private static func section(name: String, value: String, _ margin: StyledLine) -> [TextSection] {
        if value.utf8.contains(UInt8(ascii: "\n")) {
            return [
                TextSection(StyledLine(name, .property), margin: margin),
                TextSection(value, language: language(of: name, value), margin: margin),
            ]
        }
        return [TextSection(StyledLine([.init("\(name)  ", .property), .init(value)]), margin: margin)]
    }

    private static func language(of name: String, _ value: String) -> Language {
        name == "command" || name == "cmd" ? .shell : Language(guessing: value)
    }
}
