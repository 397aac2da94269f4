internal import Console

/// Texts of several lines in a field of one line, with `\\n` for a new line.
enum TypedText {
    static func line(_ text: String) -> String { text.replacing("\n", with: "\\n") }
    static func text(_ line: String) -> String { line.replacing("\\n", with: "\n") }
}

extension Work {
    /// Asks for a text of several lines, with the current one to begin with.
    static func text(
        _ title: String, verb: String, _ text: String, then: @escaping (inout P, String) -> Work
    ) -> Work {
        let field = Form.Field("text", value: TypedText.line(text), help: "Type \\n for a new line.")
        return .form(Form(title, verb: verb, [field])) { then(&$0, TypedText.text($1[field.name] ?? "")) }
    }
}
