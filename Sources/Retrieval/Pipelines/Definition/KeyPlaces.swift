/// The lines on which the keys of a TOML text stand, which its parser does not tell.
struct KeyPlaces {
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var table = ""
        var open: String?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let mark = open {
                if Self.occurrences(of: mark, in: line) % 2 == 1 { open = nil }
                continue
            }
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.first == "[" {
                table = Self.name(words.drop { $0 == "[" }.prefix { $0 != "]" })
                note(table, index + 1)
            } else if words.first != "#", let equals = words.firstIndex(of: "=") {
                let key = Self.name(words[..<equals])
                note(table.isEmpty ? key : "\(table).\(key)", index + 1)
            }
            open = ["\"\"\"", "'''"].first { Self.occurrences(of: $0, in: words) % 2 == 1 }
        }
    }

    /// The line of a key such as `dense.k`, from 1.
    subscript(key: String) -> Int? { lines[key] }

    private mutating func note(_ key: String, _ line: Int) {
        if lines[key] == nil { lines[key] = line }
    }

    private static func name(_ text: Substring) -> String {
        String(text.filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" })
    }

    private static func occurrences(of mark: String, in line: Substring) -> Int {
        var count = 0
        var rest = line
        while !rest.isEmpty {
            let isMark = rest.hasPrefix(mark)
            if isMark { count += 1 }
            rest = rest.dropFirst(isMark ? mark.count : 1)
        }
        return count
    }
}
