internal import GRDB

extension MetadataFilter {
    /// Returns a condition over `retrieval_document d` with its arguments.
    func sql(corpus: Int64) -> (text: String, arguments: [any DatabaseValueConvertible]) {
        var writer = FilterSQL(corpus: corpus)
        writer.write(root)
        return (writer.text, writer.arguments)
    }
}

/// Writes the tree of an expression as SQL that uses the tables' indexes.
private struct FilterSQL {
    let corpus: Int64
    var text = ""
    var arguments: [any DatabaseValueConvertible] = []

    mutating func write(_ node: MetadataFilter.Node) {
        switch node {
        case .everything: text += "1"
        case .condition(let condition): write(condition)
        case .not(let inner):
            text += "NOT ("
            write(inner)
            text += ")"
        case .and(let parts): write(parts, " AND ")
        case .or(let parts): write(parts, " OR ")
        }
    }

    private mutating func write(_ parts: [MetadataFilter.Node], _ word: String) {
        // Halves, for SQLite counts how deep an expression nests.
        if parts.count > 2 {
            let middle = parts.count / 2
            text += "(("
            write(Array(parts[..<middle]), word)
            text += ")" + word + "("
            write(Array(parts[middle...]), word)
            return text += "))"
        }
        text += "("
        for (index, part) in parts.enumerated() {
            if index > 0 { text += word }
            write(part)
        }
        text += ")"
    }

    private mutating func write(_ condition: MetadataFilter.Condition) {
        if condition.key.hasPrefix("doc."), let field = DocumentField(rawValue: String(condition.key.dropFirst(4))) {
            return write(field, condition.test)
        }
        let key = condition.key
        switch condition.test {
        case .exists: documents([("1", [])], key)
        case .contains(let part):
            documents([("text IS NOT NULL AND instr(lower(text), lower(?)) > 0", [part])], key)
        case .oneOf(let values):
            text += "("
            for (index, value) in values.enumerated() {
                if index > 0 { text += " OR " }
                documents(Self.tests(.equal, value), key)
            }
            text += ")"
        case .compare(.unequal, let value):
            text += "("
            documents([("1", [])], key)
            text += " AND NOT "
            documents(Self.tests(.equal, value), key)
            text += ")"
        case .compare(let comparison, let value): documents(Self.tests(comparison, value), key)
        }
    }

    private typealias Piece = (sql: String, arguments: [any DatabaseValueConvertible])

    /// Documents that have a row of the key with one of these tests.
    private mutating func documents(_ tests: [Piece], _ key: String) {
        guard !tests.isEmpty else { return text += "0" }
        text += "d.id IN ("
        for (index, test) in tests.enumerated() {
            if index > 0 { text += " UNION ALL " }
            text += "SELECT document FROM retrieval_metadata WHERE corpus = ? AND key = ? AND \(test.sql)"
            arguments.append(corpus)
            arguments.append(key)
            arguments += test.arguments
        }
        text += ")"
    }

    /// What a row may be to fulfill a comparison, one piece for each type.
    private static func tests(_ comparison: MetadataFilter.Comparison, _ value: MetadataFilter.Literal) -> [Piece] {
        var tests: [Piece] = []
        if comparison == .equal || value.ordersTexts {
            tests.append(("text \(comparison.rawValue) ?", [value.text]))
        }
        if let number = value.number { tests.append(("type = 1 AND number \(comparison.rawValue) ?", [number])) }
        if let bool = value.bool, comparison == .equal {
            tests.append(("type = 2 AND number = ?", [bool ? 1.0 : 0.0]))
        }
        if let moment = value.moment {
            let (sql, arguments) = Self.within("number", comparison, moment)
            tests.append(("type = 3 AND " + sql, arguments))
        }
        return tests
    }

    private static func within(
        _ column: String, _ comparison: MetadataFilter.Comparison, _ moment: MetadataMoment
    ) -> Piece {
        switch comparison {
        case .equal: ("\(column) >= ? AND \(column) < ?", [moment.first, moment.next])
        case .unequal: ("(\(column) < ? OR \(column) >= ?)", [moment.first, moment.next])
        case .less: ("\(column) < ?", [moment.first])
        case .lessOrEqual: ("\(column) < ?", [moment.next])
        case .greater: ("\(column) >= ?", [moment.next])
        case .greaterOrEqual: ("\(column) >= ?", [moment.first])
        }
    }

    // MARK: The document's own

    private mutating func write(_ field: DocumentField, _ test: MetadataFilter.Test) {
        let column = "d.\(field.column)"
        switch test {
        case .exists: text += field.isNumber || field.isDate ? "1" : "\(column) <> ''"
        case .contains(let part):
            guard !field.isNumber, !field.isDate else { return text += "0" }
            text += "instr(lower(\(column)), lower(?)) > 0"
            arguments.append(part)
        case .oneOf(let values):
            text += "("
            for (index, value) in values.enumerated() {
                if index > 0 { text += " OR " }
                write(field, .compare(.equal, value))
            }
            text += ")"
        case .compare(let comparison, let value):
            if field.isDate {
                guard let moment = value.moment else { return text += comparison == .unequal ? "1" : "0" }
                let (sql, more) = Self.within("(\(column) / 1e9)", comparison, moment)
                text += "(\(sql))"
                arguments += more
            } else if field.isNumber {
                guard let number = value.number else { return text += comparison == .unequal ? "1" : "0" }
                text += "\(column) \(comparison.rawValue) ?"
                arguments.append(number)
            } else {
                guard comparison == .equal || comparison == .unequal || value.ordersTexts else { return text += "0" }
                // What is not known is not something else.
                text += "(\(column) <> '' AND \(column) \(comparison.rawValue) ?)"
                arguments.append(value.text)
            }
        }
    }
}
