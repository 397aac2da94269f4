/// Texts of several lines as a person types them into one: `\\n` for a new line.
enum TypedText {
    static func line(_ text: String) -> String { text.replacing("\n", with: "\\n") }
    static func text(_ line: String) -> String { line.replacing("\\n", with: "\n") }
}
