internal import JSON

extension LookupTable {
    /// Reads a table from a file: JSON if it starts with a bracket, otherwise lines of values separated by tabs or
    /// commas.
    ///
    /// - JSON: `{"Norway capital": "Oslo"}`, `{"Norway": {"capital": "Oslo"}}`, or an array of objects with `key` and
    ///   `value`.
    /// - Lines: `key,value` or `subject,attribute,value`; quotes as RFC 4180 has them; a first line of these words is
    ///   skipped.
    ///
    /// - Throws: `ToolError` that names the file and the line.
    public init(contentsOf path: String) throws(ToolError) {
        let text = try TextFile.text(path)
        do throws(ToolError) {
            try self.init(text: text)
        } catch {
            throw ToolError("\(path): \(error.sentence)")
        }
    }

    /// Reads a table as `init(contentsOf:)` does.
    public init(text: String) throws(ToolError) {
        self.init()
        switch text.first(where: { !$0.isWhitespace }) {
        case "{", "[": try addJSON(text)
        default: try addLines(text)
        }
    }

    private mutating func addJSON(_ text: String) throws(ToolError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: text, maximumDepth: 16)
        } catch {
            throw ToolError("byte \(error.offset): the table is not valid JSON")
        }
        try document.withRoot { (root) throws(ToolError) in
            if root.kind == .array {
                for (index, element) in root.elements.enumerated() {
                    guard let key = element["key"]?.string, let value = element["value"].flatMap(Self.text) else {
                        throw ToolError("entry \(index + 1) of the table needs a key and a value")
                    }
                    try add(key, value)
                }
                return
            }
            for (key, value) in root.members {
                let subject = key.string ?? ""
                if value.kind == .object {
                    for (attribute, inner) in value.members {
                        let name = "\(subject) \(attribute.string ?? "")"
                        guard let text = Self.text(inner) else { throw Self.noValue(name) }
                        try add(name, text)
                    }
                } else {
                    guard let text = Self.text(value) else { throw Self.noValue(subject) }
                    try add(subject, text)
                }
            }
        }
    }

    /// Strings as they are, numbers and truth values as they are written; `nil` for anything else.
    private static func text(_ node: JSONNode) -> String? {
        switch node.kind {
        case .string: node.string
        case .number, .boolean: String(decoding: node.source, as: UTF8.self)
        case .null, .array, .object: nil
        }
    }

    private static func noValue(_ key: String) -> ToolError {
        ToolError("the value of \"\(key.prefix(100))\" must be a string, a number, or a Boolean")
    }

    private mutating func addLines(_ text: String) throws(ToolError) {
        let separator: Unicode.Scalar = text.prefix { !$0.isNewline }.unicodeScalars.contains("\t") ? "\t" : ","
        var reader = SeparatedValues(text, separator: separator)
        var isFirst = true
        while let (fields, line) = try reader.next() {
            defer { isFirst = false }
            if fields.count == 1, fields[0].trimmed.isEmpty { continue }
            if isFirst,
                [["key", "value"], ["subject", "attribute", "value"]].contains(fields.map { $0.lowercased() })
            {
                continue
            }
            do throws(ToolError) {
                switch fields.count {
                case 2: try add(fields[0], fields[1].trimmed)
                case 3: try add(fields[0] + " " + fields[1], fields[2].trimmed)
                default:
                    let columns = fields.count == 1 ? "1 column" : "\(fields.count) columns"
                    throw ToolError("\(columns); expected key,value or subject,attribute,value")
                }
            } catch {
                throw ToolError("line \(line): \(error.sentence)")
            }
        }
    }
}

/// Records of separated values as RFC 4180 has them: fields in quotes may hold separators, line breaks and doubled
/// quotes.
struct SeparatedValues {
    private let scalars: String.UnicodeScalarView
    private var index: String.UnicodeScalarView.Index
    private let separator: Unicode.Scalar
    private var line = 1

    init(_ text: String, separator: Unicode.Scalar) {
        scalars = text.unicodeScalars
        index = scalars.startIndex
        self.separator = separator
        if scalars.first == "\u{FEFF}" { index = scalars.index(after: index) }
    }

    /// The next record and the line on which it begins; `nil` at the end.
    mutating func next() throws(ToolError) -> (fields: [String], line: Int)? {
        guard index < scalars.endIndex else { return nil }
        let first = line
        var fields: [String] = []
        var field = String.UnicodeScalarView()
        var isQuoted = false
        while index < scalars.endIndex {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            if scalar == "\n" { line += 1 }
            if isQuoted {
                if scalar != "\"" {
                    field.append(scalar)
                } else if index < scalars.endIndex, scalars[index] == "\"" {
                    field.append(scalar)
                    index = scalars.index(after: index)
                } else {
                    isQuoted = false
                }
            } else if scalar == "\"", field.isEmpty {
                isQuoted = true
            } else if scalar == separator {
                fields.append(String(field))
                field = String.UnicodeScalarView()
            } else if scalar == "\n" {
                break
            } else if scalar != "\r" {
                field.append(scalar)
            }
        }
        if isQuoted { throw ToolError("line \(first): unclosed quote") }
        fields.append(String(field))
        return (fields, first)
    }
}
