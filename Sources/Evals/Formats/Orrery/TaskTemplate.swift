internal import JSON
internal import System
internal import Tokenizers

/// A template in a task file, with its position.
struct TaskTemplate {
    private let template: TextTemplate
    private let key: String
    private let path: String
    private let line: Int?

    init(_ source: String, key: String, path: String, line: Int?) throws(Problem) {
        (self.key, self.path, self.line) = (key, path, line)
        do {
            template = try TextTemplate(source)
        } catch {
            throw Problem(.invalid, path, line: line, "\(key) is not a valid template: \(Self.clause(error.sentence))")
        }
    }

    /// - Parameter row: Name of the row in error messages.
    func text(_ row: JSONValue, _ name: String) throws(Problem) -> String {
        do {
            return try template.render(row)
        } catch {
            throw Problem(
                .invalid, path, line: line, "\(key) cannot be rendered for \(name): \(Self.clause(error.sentence))")
        }
    }

    private static func clause(_ sentence: String) -> String {
        sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}

/// Texts that a task file lists as templates, or that a column holds.
struct TaskTexts {
    private let column: String?
    private let templates: [TaskTemplate]

    /// Creates templates; a single text without template marks is the name of a column.
    init(_ sources: [String], key: String, _ file: TaskTOML) throws(Problem) {
        if sources.count == 1, !sources[0].contains("{{"), !sources[0].contains("{%") {
            column = sources[0]
            templates = []
            return
        }
        column = nil
        var templates: [TaskTemplate] = []
        for source in sources {
            templates.append(try TaskTemplate(source, key: key, path: file.path, line: file.line(key)))
        }
        self.templates = templates
    }

    func texts(_ row: JSONValue, _ name: String, key: String, _ file: TaskTOML) throws(Problem) -> [String] {
        guard let column else {
            var texts: [String] = []
            for template in templates { texts.append(try template.text(row, name)) }
            return texts
        }
        guard let value = row[column] else {
            let names = row.members?.map(\.key).joined(separator: ", ") ?? ""
            throw file.error(
                key, "\(name) has no column \(column)",
                "It has \(names). To use fixed texts, write a list of at least two.")
        }
        let texts = (value.elements ?? [value]).compactMap(\.plainText)
        guard texts.count == (value.elements?.count ?? 1) else {
            throw file.error(key, "column \(column) of \(name) is not a list of strings")
        }
        return texts
    }
}
