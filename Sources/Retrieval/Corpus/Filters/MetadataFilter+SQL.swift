internal import Configuration
internal import GRDB

extension MetadataFilter {
    /// Returns a condition over `retrieval_document d` with its arguments.
    func sql(corpus: Int64) -> (text: String, arguments: [any DatabaseValueConvertible]) {
        let piece = root.sql(FilterSQL(corpus: corpus).piece)
        return (piece.sql, piece.values.map(\.converted))
    }
}

extension SQLPiece.Value {
    fileprivate var converted: any DatabaseValueConvertible {
        switch self {
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): text
        }
    }
}

/// Writes conditions as SQL that uses the tables' indexes.
private struct FilterSQL {
    let corpus: Int64

    func piece(_ condition: MetadataFilter.Condition) -> SQLPiece {
        let key = condition.key
        if let field = DocumentField(key: key) { return piece(field, condition.test) }
        switch condition.test {
        case .exists: return documents(["1"], key)
        case .contains(let part):
            return documents(["text IS NOT NULL AND instr(lower(text), lower(\(value: .text(part)))) > 0"], key)
        case .oneOf(let values): return any(values) { documents(Self.tests(.equal, $0), key) }
        case .compare(.unequal, let value):
            return "(\(documents(["1"], key)) AND NOT \(documents(Self.tests(.equal, value), key)))"
        case .compare(let comparison, let value): return documents(Self.tests(comparison, value), key)
        }
    }

    private func any(_ values: [MetadataFilter.Literal], _ piece: (MetadataFilter.Literal) -> SQLPiece) -> SQLPiece {
        "(\(SQLPiece(values.map(piece), joinedBy: " OR ")))"
    }

    /// Documents that have a row of the key with one of these tests.
    private func documents(_ tests: [SQLPiece], _ key: String) -> SQLPiece {
        let (corpus, key) = (SQLPiece.Value.integer(corpus), SQLPiece.Value.text(key))
        let rows: SQLPiece =
            "SELECT document FROM retrieval_metadata WHERE corpus = \(value: corpus) AND key = \(value: key)"
        let selections: [SQLPiece] = tests.map { "\(rows) AND \($0)" }
        return tests.isEmpty ? "0" : "d.id IN (\(SQLPiece(selections, joinedBy: " UNION ALL ")))"
    }

    /// What a row may be to fulfill a comparison, one piece for each type.
    private static func tests(_ comparison: QueryComparison, _ value: MetadataFilter.Literal) -> [SQLPiece] {
        let sign = comparison.rawValue
        var tests: [SQLPiece] = []
        if comparison == .equal || value.ordersTexts { tests.append("text \(sign) \(value: .text(value.text))") }
        if let number = value.number { tests.append("type = 1 AND number \(sign) \(value: .real(number))") }
        if let bool = value.bool, comparison == .equal {
            tests.append("type = 2 AND number = \(value: .real(bool ? 1 : 0))")
        }
        if let moment = value.moment { tests.append("type = 3 AND \(within("number", comparison, moment))") }
        return tests
    }

    private static func within(_ column: String, _ comparison: QueryComparison, _ moment: QueryMoment) -> SQLPiece {
        let (first, next) = (SQLPiece.Value.real(Double(moment.first)), SQLPiece.Value.real(Double(moment.next)))
        return switch comparison {
        case .equal: "\(column) >= \(value: first) AND \(column) < \(value: next)"
        case .unequal: "(\(column) < \(value: first) OR \(column) >= \(value: next))"
        case .less: "\(column) < \(value: first)"
        case .lessOrEqual: "\(column) < \(value: next)"
        case .greater: "\(column) >= \(value: next)"
        case .greaterOrEqual: "\(column) >= \(value: first)"
        }
    }

    // MARK: The document's own

    private func piece(_ field: DocumentField, _ test: MetadataFilter.Test) -> SQLPiece {
        let column = "d.\(field.column)"
        switch test {
        case .exists: return field.isNumber || field.isDate ? "1" : "\(column) <> ''"
        case .contains(let part):
            guard !field.isNumber, !field.isDate else { return "0" }
            return "instr(lower(\(column)), lower(\(value: .text(part)))) > 0"
        case .oneOf(let values): return any(values) { piece(field, .compare(.equal, $0)) }
        case .compare(let comparison, let value):
            if field.isDate {
                guard let moment = value.moment else { return comparison == .unequal ? "1" : "0" }
                return "(\(Self.within("(\(column) / 1e9)", comparison, moment)))"
            }
            if field.isNumber {
                guard let number = value.number else { return comparison == .unequal ? "1" : "0" }
                return "\(column) \(comparison.rawValue) \(value: .real(number))"
            }
            guard comparison == .equal || comparison == .unequal || value.ordersTexts else { return "0" }
            // What is not known is not something else.
            return "(\(column) <> '' AND \(column) \(comparison.rawValue) \(value: .text(value.text)))"
        }
    }
}
