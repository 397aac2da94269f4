/// A name from outside as one word of a heading: what would end the word or the line is written as `%` and its code.
enum HeadingWord {
    static func encode(_ name: String) -> String {
        // A word cannot be empty.
        guard !name.isEmpty else { return "%" }
        var word = ""
        for scalar in name.unicodeScalars {
            if scalar == "%" || scalar.value <= 0x20 || scalar.properties.isWhitespace {
                word += "%\(String(scalar.value, radix: 16));"
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return word
    }

    static func decode(_ word: String) -> String {
        guard word != "%" else { return "" }
        var name = ""
        var rest = word[...]
        while let mark = rest.firstIndex(of: "%") {
            name += rest[..<mark]
            let code = rest[rest.index(after: mark)...].prefix { $0 != ";" }
            guard let value = UInt32(code, radix: 16), let scalar = Unicode.Scalar(value), code.endIndex < rest.endIndex
            else {
                // Not written by `encode`: a person's own percent sign.
                name += rest[mark...]
                return name
            }
            name.unicodeScalars.append(scalar)
            rest = rest[rest.index(after: code.endIndex)...]
        }
        return name + rest
    }
}
