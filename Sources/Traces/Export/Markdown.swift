/// Text as a part of a Markdown document that it cannot break out of.
///
/// What models, tools and people wrote may hold open fences, headings, HTML and control sequences. Quoted or fenced by
/// the rules of CommonMark, none of it reaches beyond its place.
enum Markdown {
    /// A text as a quotation: a fence or comment that it leaves open ends with it.
    static func quoted(_ text: String) -> String {
        lines(text).map { $0.isEmpty ? ">" : "> " + $0 }.joined(separator: "\n")
    }

    /// A text as a code block, in a fence longer than any in it.
    static func fenced(_ text: String, language: String = "") -> String {
        let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: text) + 1))
        let body = lines(text).joined(separator: "\n")
        return "\(fence)\(language)\n\(body)\(body.isEmpty ? "" : "\n")\(fence)"
    }

    /// A text within a line, with nothing in it that Markdown would act on there.
    static func line(_ text: String) -> String {
        var line = ""
        for character in lines(text).joined(separator: " ") {
            if "\\`*_[]<>#|~&".contains(character) { line.append("\\") }
            line.append(character == "\t" ? " " : character)
        }
        return line
    }

    /// A text as code within a line.
    static func code(_ text: String) -> String {
        let text = lines(text).joined(separator: " ")
        guard text.contains("`") || text.isEmpty else { return "`\(text)`" }
        let mark = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        return "\(mark) \(text) \(mark)"
    }

    /// Returns the language of a fence: JSON if a text looks like JSON.
    static func language(of text: String) -> String {
        let first = text.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? "json" : ""
    }

    /// Lines as CommonMark ends them, with control characters as pictures.
    private static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var afterReturn = false
        for scalar in text.unicodeScalars {
            defer { afterReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0A where afterReturn: break
            case 0x0A, 0x0D:
                lines.append(String(line))
                line = String.UnicodeScalarView()
            case 0x09: line.append(scalar)
            case 0x00..<0x20: line.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
            case 0x7F: line.append("\u{2421}")
            case 0x80..<0xA0: line.append("\u{FFFD}")
            default: line.append(scalar)
            }
        }
        if !line.isEmpty || lines.isEmpty { lines.append(String(line)) }
        return lines
    }

    private static func longestRun(of character: Character, in text: String) -> Int {
        let byte = character.asciiValue ?? 0
        var run = 0
        var longest = 0
        for next in text.utf8 {
            run = next == byte ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
