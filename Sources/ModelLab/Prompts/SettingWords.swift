/// Settings on one line, in which quotation marks keep spaces together.
enum SettingWords {
    static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            word.append(character)
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// Returns the text between quotation marks, with escapes resolved; text without quotation marks is unchanged.
    static func unquoted(_ text: some StringProtocol) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return String(text) }
        var plain = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            guard isEscaped else {
                if character == "\\" { isEscaped = true } else { plain.append(character) }
                continue
            }
            isEscaped = false
            switch character {
            case "n": plain.append("\n")
            case "t": plain.append("\t")
            case "r": plain.append("\r")
            default: plain.append(character)
            }
        }
        return plain
    }
}

extension StringProtocol {
    var trimmingSpaces: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
