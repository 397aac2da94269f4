public import System

/// Words of a command line, split as a shell splits them; nothing is expanded.
public enum CommandWords {
    /// Splits at spaces, tabs and line ends; single and double quotes and a backslash keep what they enclose.
    public static func split(_ text: String) throws(Problem) -> [String] {
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
        guard quote == nil else { throw Problem(.invalid, "", "unclosed quotation mark") }
        guard !isEscaped else { throw Problem(.invalid, "", "unexpected backslash at the end") }
        if let word { words.append(word) }
        return words
    }
}
