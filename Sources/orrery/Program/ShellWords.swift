/// Words of a command line as a shell splits them: spaces, single and double quotes, backslashes.
enum ShellWords {
    static func split(_ text: String, line: Int, file: String) throws -> [String] {
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
            } else if character == " " || character == "\t" {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { throw Failure("\(file), line \(line): a quote is not closed.") }
        return words + (word.map { [$0] } ?? [])
    }
}
