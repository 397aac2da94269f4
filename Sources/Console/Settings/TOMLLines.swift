/// The lines on which the keys of a TOML text stand, which its parser does not tell.
struct TOMLLines {
    private var lines: [[String]: Int] = [:]

    init(_ text: String) {
        var table: [String] = []
        var number = 0
        var delimiter: Substring?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            if let open = delimiter {
                if Self.count(of: open, in: line) % 2 == 1 { delimiter = nil }
                continue
            }
            var rest = line.drop(while: { $0 == " " || $0 == "\t" })
            if rest.first == "[" {
                rest = rest.drop(while: { $0 == "[" })
                table = Self.path(&rest)
                note(table, number)
                continue
            }
            let key = Self.path(&rest)
            if !key.isEmpty, rest.first == "=" { note(table + key, number) }
            for mark in ["\"\"\"", "'''"] where Self.count(of: mark[...], in: rest) % 2 == 1 { delimiter = mark[...] }
        }
    }

    /// The line of a key, from 1, by the names of the tables that hold it and its own.
    func line(of path: [String]) -> Int? { lines[path] }

    private mutating func note(_ path: [String], _ number: Int) {
        for length in 1..<max(1, path.count) where lines[Array(path[..<length])] == nil {
            lines[Array(path[..<length])] = number
        }
        if lines[path] == nil { lines[path] = number }
    }

    /// Reads names with dots between them.
    private static func path(_ rest: inout Substring) -> [String] {
        var path: [String] = []
        while true {
            rest = rest.drop(while: { $0 == " " || $0 == "\t" })
            if let quote = rest.first, quote == "\"" || quote == "'" {
                let content = rest.dropFirst()
                guard let end = content.firstIndex(of: quote) else { return path }
                path.append(String(content[..<end]))
                rest = content[content.index(after: end)...]
            } else {
                let name = rest.prefix(while: { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
                guard !name.isEmpty else { return path }
                path.append(String(name))
                rest = rest[name.endIndex...]
            }
            rest = rest.drop(while: { $0 == " " || $0 == "\t" })
            guard rest.first == "." else { return path }
            rest = rest.dropFirst()
        }
    }

    private static func count(of mark: Substring, in line: Substring) -> Int {
        var count = 0
        var rest = line
        while !rest.isEmpty {
            if rest.hasPrefix(mark) {
                count += 1
                rest = rest.dropFirst(mark.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return count
    }
}
