/// Line numbers of the keys and tables of a TOML file, which the parser does not report.
///
/// Names have dots between their parts and no quotes, such as `data.file`. Tables of an array are numbered from 0, such
/// as `scorers[1].kind`; `scorers` alone is the first table.
package struct TOMLLines: Sendable {
    private var lines: [String: Int] = [:]

    init(_ statements: TOMLStatements) {
        var table: [String] = []
        var counts: [String: Int] = [:]
        for (line, statement) in statements.statements {
            switch statement {
            case .table(let path, let isList):
                note(path, line)
                table = path
                guard isList, let last = path.last else { continue }
                let name = path.joined(separator: ".")
                table[path.count - 1] = "\(last)[\(counts[name, default: 0])]"
                counts[name, default: 0] += 1
                note(table, line)
            case .key(let path): note(table + path, line)
            }
        }
    }

    /// Creates the line numbers of TOML text; some or all may be missing if the text is invalid.
    package init(_ text: String) { self.init(TOMLStatements(text)) }

    /// Line number of a name, starting at 1; the first line if the name occurs several times.
    package subscript(name: String) -> Int? { lines[name] }

    /// Line number, starting at 1, of the key at a path: table names followed by the key.
    package subscript(path: [String]) -> Int? { lines[path.joined(separator: ".")] }

    private mutating func note(_ path: [String], _ line: Int) {
        var name = ""
        for part in path {
            name += name.isEmpty ? part : ".\(part)"
            if lines[name] == nil { lines[name] = line }
        }
    }
}
