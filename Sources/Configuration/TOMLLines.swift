/// The lines on which keys and tables of a TOML text stand, which its parser does not tell.
///
/// A name is written as its parts with dots between them, without quotes: `data.file`. Tables of a list are numbered from 0:
/// `scorers[1].kind`; `scorers` is the first of them.
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

    /// Those of a text; none where it is no TOML.
    package init(_ text: String) { self.init(TOMLStatements(text)) }

    /// From 1; the first where a name stands several times.
    package subscript(name: String) -> Int? { lines[name] }

    /// From 1, by the names of the tables that hold a key, and its own.
    package subscript(path: [String]) -> Int? { lines[path.joined(separator: ".")] }

    private mutating func note(_ path: [String], _ line: Int) {
        var name = ""
        for part in path {
            name += name.isEmpty ? part : ".\(part)"
            if lines[name] == nil { lines[name] = line }
        }
    }
}
