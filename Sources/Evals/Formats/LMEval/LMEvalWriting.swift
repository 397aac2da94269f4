internal import JSON
internal import System
internal import Tokenizers

/// A text, target, or list of choices of a task, as a column name or a template.
struct LMEvalField {
    enum Kind {
        case column(String)
        case template(TextTemplate)
        case constant(JSONValue)
    }

    let kind: Kind
    let node: YAMLNode

    /// - Parameter columns: Names of the dataset's columns; a field with one of these names is that column.
    init(_ node: YAMLNode, columns: Set<String>) throws(Problem) {
        self.node = node
        guard let value = node.value else { throw node.error("expected a string") }
        guard case .string(let text) = value else {
            kind = .constant(value)
            return
        }
        if columns.contains(text) {
            kind = .column(text)
        } else {
            do {
                kind = .template(try TextTemplate(text))
            } catch {
                throw node.error(String(error.sentence.dropLast(error.sentence.hasSuffix(".") ? 1 : 0)))
            }
        }
    }

    /// Returns the value for a row: the column's value, the rendered text, or the literal in the task.
    func value(_ row: JSONValue) throws(Problem) -> JSONValue {
        switch kind {
        case .column(let name): return row[name] ?? .null
        case .constant(let value): return value
        case .template(let template):
            do {
                return .string(try template.render(row))
            } catch {
                throw node.error(String(error.sentence.dropLast(error.sentence.hasSuffix(".") ? 1 : 0)))
            }
        }
    }

    var isTemplate: Bool { if case .template = kind { true } else { false } }
}

/// Text, target, and choices of rows, with the harness's rules for rendered text.
struct LMEvalWriting {
    var text: LMEvalField
    var target: LMEvalField?
    var choice: LMEvalField?
    var prefix: LMEvalField?
    /// Whether the task has choices; a target of digits is then an index.
    var hasChoices: Bool

    init(_ wording: LMEvalDefinition.Wording, of task: LMEvalDefinition, columns: Set<String>) throws(Problem) {
        guard let text = wording.text else {
            throw Problem(.missing, task.path, line: task.line, "the key `doc_to_text` is missing")
        }
        self.text = try LMEvalField(text, columns: columns)
        target = try wording.target.map { node throws(Problem) in try LMEvalField(node, columns: columns) }
        choice = try wording.choice.map { node throws(Problem) in try LMEvalField(node, columns: columns) }
        prefix = try wording.prefix.map { node throws(Problem) in try LMEvalField(node, columns: columns) }
        hasChoices = task.own.choice != nil
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    /// Returns the question.
    func question(_ row: JSONValue) throws(Problem) -> String {
        let value = try text.value(row)
        guard let text = value.string else {
            throw self.text.node.error("`doc_to_text` must produce a string, not \(PythonLiteral.printed(value))")
        }
        if self.text.isTemplate, hasChoices, Self.isDigits(text) {
            throw self.text.node.error("a `doc_to_text` that selects one of the choices is not supported")
        }
        return text
    }

    /// Returns the target: a text, an index of a choice, or a list of either; null if the task has none.
    func target(_ row: JSONValue) throws(Problem) -> JSONValue {
        guard let target else { return .null }
        let value = try target.value(row)
        guard target.isTemplate, let text = value.string else { return value }
        if hasChoices, Self.isDigits(text), let place = Int(text) { return .integer(place) }
        if text.utf8.count >= 2, text.hasPrefix("["), text.hasSuffix("]") { return PythonLiteral.value(text) ?? value }
        return value
    }

    /// Returns the choices.
    func choices(_ row: JSONValue) throws(Problem) -> [String] {
        guard let choice else { return [] }
        var value = try choice.value(row)
        if choice.isTemplate, let text = value.string { value = PythonLiteral.value(text) ?? .null }
        let list = value.elements ?? value.members?.map(\.value)
        guard let list, !list.isEmpty else { throw choice.node.error("`doc_to_choice` must produce a list") }
        var texts: [String] = []
        for element in list {
            guard let text = element.string else {
                throw choice.node.error("a choice must be a string, not \(PythonLiteral.printed(element))")
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the beginning of the answer; `nil` if none is given.
    func prefix(_ row: JSONValue) throws(Problem) -> String? {
        guard let prefix else { return nil }
        return PythonLiteral.printed(try prefix.value(row))
    }
}
