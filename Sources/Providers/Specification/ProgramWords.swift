/// The words of a command line, split as a shell splits them, which none does here: nothing is expanded.
enum ProgramWords {
    /// Splits at spaces and tabs; single and double quotes and a backslash keep what they enclose.
    static func split(_ text: String) throws(LineProblem) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " || character == "\t" || character == "\n" {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { throw LineProblem("exec: a quote is not closed") }
        guard !isEscaped else { throw LineProblem("exec: a backslash stands at the end") }
        if let word { words.append(word) }
        guard let program = words.first, !program.isEmpty else { throw LineProblem("exec: needs a program") }
        guard words.allSatisfy({ !$0.utf8.contains(0) }) else { throw LineProblem("exec: a word has a zero byte") }
        return words
    }

    /// A word such that `split` gives it back.
    static func quoted(_ word: String) -> String {
        let plain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=,+%@~".contains($0) }
        if plain, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
