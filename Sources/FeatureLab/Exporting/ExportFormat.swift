/// How features are written for other programs.
public enum ExportFormat: String, CaseIterable, Sendable {
    case json, csv
}

/// Lines of comma-separated values: RFC 4180, with line feeds.
struct CSVTable {
    private(set) var text = ""

    mutating func append(_ cells: [String?]) {
        text += cells.map { Self.cell($0 ?? "") }.joined(separator: ",") + "\n"
    }

    private static func cell(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
