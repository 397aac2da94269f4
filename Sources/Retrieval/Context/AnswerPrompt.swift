/// The text that a model is asked with.
package enum AnswerPrompt {
    static let marked = """
        Answer the question using only the passages below. After each sentence, add the mark of the passage that \
        supports it, such as [1]. If the passages do not contain the answer, say so.

        Passages:

        {context}

        Question: {question}
        """
    static let plain = """
        Answer the question using only the passages below. If they do not contain the answer, say so.

        Passages:

        {context}

        Question: {question}
        """

    /// Returns the passages as the prompt holds them: marks and names in lines of their own.
    package static func context(_ pieces: [(mark: String, label: String, text: String)]) -> String {
        pieces.map { "\($0.mark) \($0.label)\n\($0.text)" }.joined(separator: "\n\n")
    }

    /// Inserts context and question at their placeholders, even if a passage contains the text of a placeholder.
    package static func filled(_ template: String, context: String, question: String) -> String {
        var filled = ""
        var rest = template[...]
        while let brace = rest.firstIndex(of: "{") {
            filled += rest[..<brace]
            rest = rest[brace...]
            if rest.hasPrefix("{context}") {
                filled += context
                rest = rest.dropFirst("{context}".count)
            } else if rest.hasPrefix("{question}") {
                filled += question
                rest = rest.dropFirst("{question}".count)
            } else {
                filled += "{"
                rest = rest.dropFirst()
            }
        }
        return filled + rest
    }
}
