internal import Configuration

extension MetadataFilter {
    /// The fields of one document as a filter sees them.
    struct Subject {
        var metadata: [String: [MetadataRow]]
        var document: DocumentRow

        func rows(_ key: String) -> [MetadataRow] {
            guard let field = DocumentField(key: key) else { return metadata[key] ?? [] }
            let text: String
            switch field {
            case .bytes: return [MetadataRow(type: .number, number: Double(document.byteCount))]
            case .added: return [MetadataRow(type: .date, number: MetadataRow.seconds(document.added))]
            case .id: text = document.name
            case .title: text = document.title
            case .kind: text = document.kind
            case .language: text = document.language
            case .path: text = document.path
            case .namespace: text = document.namespace
            }
            return text.isEmpty ? [] : [MetadataRow(type: .text, text: text)]
        }
    }

    /// Whether a document is let through: the same as what the SQL finds.
    func lets(_ subject: Subject) -> Bool { root.lets(subject) }

    /// Returns the clauses that exclude a document, in order; empty if the document matches.
    func exclusions(of subject: Subject) -> [FilterExclusion] {
        var found: [FilterExclusion] = []
        root.exclusions(of: subject) { clause, isRemovable in
            let rest = isRemovable ? root.without(clause) : nil
            found.append(
                FilterExclusion(
                    clause: clause.text, actual: clause.actual(subject),
                    without: isRemovable ? rest?.text ?? "" : nil))
        }
        return found
    }
}

extension QueryExpression<MetadataFilter.Condition> {
    typealias Subject = MetadataFilter.Subject

    func lets(_ subject: Subject) -> Bool { holds { $0.holds(subject.rows($0.key)) } }

    /// Calls `body` with each clause that a document fails, and whether the expression makes sense without it.
    func exclusions(of subject: Subject, _ body: (Self, Bool) -> Void) {
        guard !lets(subject) else { return }
        if case .and(let parts) = self {
            for part in parts { part.exclusions(of: subject, body) }
        } else {
            body(self, true)
        }
    }

    /// Returns the tree without a clause joined by `and`; `nil` if nothing is left.
    func without(_ clause: Self) -> Self? {
        if self == clause { return nil }
        guard case .and(let parts) = self else { return self }
        let rest = parts.compactMap { $0.without(clause) }
        return rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest)
    }

    /// Returns the actual values of a document for the keys of a clause: `kind is manual`, `year is missing`.
    func actual(_ subject: Subject) -> String {
        keys.map { key in
            guard let value = MetadataRow.value(of: subject.rows(key)) else { return "\(key) is missing" }
            switch value {
            case .text(let text): return "\(key) is \"\(text)\""
            case .texts(let texts): return "\(key) is " + texts.map { "\"\($0)\"" }.joined(separator: ", ")
            default: return "\(key) is \(value.shown)"
            }
        }.joined(separator: "; ")
    }
}

extension MetadataFilter.Condition {
    func holds(_ rows: [MetadataRow]) -> Bool {
        switch test {
        case .exists: !rows.isEmpty
        case .contains(let part):
            rows.contains { $0.text.map { Self.contains($0, part) } ?? false }
        case .oneOf(let values):
            values.contains { value in rows.contains { value.holds(.equal, $0) } }
        case .compare(.unequal, let value):
            !rows.isEmpty && !rows.contains { value.holds(.equal, $0) }
        case .compare(let comparison, let value):
            rows.contains { value.holds(comparison, $0) }
        }
    }

    // As SQLite's lower() has it: only ASCII letters.
    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (text.utf8.map(lowered), part.utf8.map(lowered))
        guard !part.isEmpty else { return true }
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { start in
            text[start] == part[0] && text[start..<start + part.count].elementsEqual(part)
        }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 0x20 : byte }
}

extension MetadataFilter.Literal {
    func holds(_ comparison: QueryComparison, _ row: MetadataRow) -> Bool {
        switch row.type {
        case .text, .listed:
            guard let rowText = row.text, comparison == .equal || ordersTexts else { return false }
            if comparison == .equal { return Array(rowText.utf8) == Array(text.utf8) }
            let isLess = rowText.utf8.lexicographicallyPrecedes(text.utf8)
            let isMore = text.utf8.lexicographicallyPrecedes(rowText.utf8)
            return comparison.holds(isLess ? 0 : isMore ? 2 : 1, 1)
        case .number: return number.map { number in row.number.map { comparison.holds($0, number) } ?? false } ?? false
        case .bool: return comparison == .equal && bool.map { ($0 ? 1 : 0) == row.number } ?? false
        case .date:
            guard let moment, let date = row.number else { return false }
            let (first, next) = (Double(moment.first), Double(moment.next))
            switch comparison {
            case .equal: return date >= first && date < next
            case .unequal: return date < first || date >= next
            case .less: return date < first
            case .lessOrEqual: return date < next
            case .greater: return date >= next
            case .greaterOrEqual: return date >= first
            }
        }
    }
}
