/// A Markdown document of all keys: the contents of KEYS.md.
public struct KeyReference: Sendable {
    private struct Row: Sendable {
        var keys: [String]
        var description: String
        var name: String
        var group: String
    }

    private struct Place: Sendable {
        var title: String
        var introduction: String
        var rows: [Row]
    }

    /// Title of the document.
    public let title: String
    /// Markdown between the title and the first chapter.
    public var introduction = ""
    private var places: [Place] = []

    /// Creates an empty document.
    public init(_ title: String = "Keys") { self.title = title }

    /// Adds a chapter with the bindings of a panel, or of the actions that all panels share.
    public mutating func add<Action>(_ title: String, _ bindings: [Binding<Action>], introduction: String = "") {
        let rows = bindings.map {
            Row(keys: $0.keys, description: $0.description, name: $0.name, group: $0.group)
        }
        places.append(Place(title: title, introduction: introduction, rows: rows))
    }

    /// Complete document, with one chapter per added list of bindings and one table per group.
    public var markdown: String {
        var text = "# \(title)\n"
        if !introduction.isEmpty { text += "\n\(introduction)\n" }
        for place in places {
            text += "\n## \(place.title)\n"
            if !place.introduction.isEmpty { text += "\n\(place.introduction)\n" }
            var groups: [String] = []
            for row in place.rows where !groups.contains(row.group) { groups.append(row.group) }
            for group in groups {
                if groups.count > 1 || group != place.title { text += "\n### \(group)\n" }
                text += "\n| Key | What it does | Name |\n|---|---|---|\n"
                for row in place.rows where row.group == group {
                    let keys = row.keys.map { Self.code(KeyLabel.text($0)) }.joined(separator: ", ")
                    text += "| \(keys) | \(Self.cell(row.description)) | `\(row.name)` |\n"
                }
            }
        }
        return text
    }

    /// Returns Markdown code for a table cell: vertical bars are escaped, and doubled backticks enclose a backtick.
    private static func code(_ text: String) -> String {
        let escaped = cell(text)
        return text.contains("`") ? "`` \(escaped) ``" : "`\(escaped)`"
    }

    private static func cell(_ text: String) -> String {
        text.split(separator: "|" as Character, omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
