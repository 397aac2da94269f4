internal import Console

/// Texts of several lines as a person types them into one: `\\n` for a new line.
enum TypedText {
    static func line(_ text: String) -> String { text.replacing("\n", with: "\\n") }
    static func text(_ line: String) -> String { line.replacing("\\n", with: "\n") }
}

extension FormRequest {
    /// Asks for a text, with the current one to begin with.
    ///
    /// - Parameter accept: Receives the text with its line breaks and with the blanks at both ends.
    init(
        text title: String, verb: String, _ text: String, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) {
        let field = Form.Field("text", value: TypedText.line(text), help: "Type \\n for a new line.")
        self.init(Form(title, verb: verb, [field]), cancelled: cancelled) { accept(TypedText.text($0["text"] ?? "")) }
    }
}
