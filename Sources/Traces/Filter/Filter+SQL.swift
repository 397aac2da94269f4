internal import Configuration
import LanguageModels

/// Runs and spans that contain a text, searched before the query, as JSON for `json_each`.
struct FilterTextPlaces {
    /// Trace ids, such as `[1,2]`.
    var traces: String
    /// Pairs of trace id and span ordinal, such as `[[1,0],[1,7]]`.
    var spans: String

    static let none = FilterTextPlaces(traces: "[]", spans: "[]")
}

extension Filter {
    /// Returns the `WHERE` condition of a list of runs, for rows of the table `trace` named `t`.
    ///
    /// The condition selects the same runs as ``matches(_:runHasText:spansWithText:)``. It needs the SQL functions of
    /// `FilterFunctions`. Every part is true or false, never NULL, so `not` means the same in SQL and in memory.
    ///
    /// - Parameter places: Messages that contain each of ``texts``.
    static func runCondition(_ expression: FilterExpression, places: [String: FilterTextPlaces]) -> SQLPiece {
        let run = expression.sql(FilterSQL(subject: .run, places: places).piece)
        if expression.asksOnlyAboutRuns { return run }
        let span = expression.sql(FilterSQL(subject: .span, places: places).piece)
        return "(\(run) OR EXISTS (SELECT 1 FROM span s WHERE s.trace = t.id AND \(span)))"
    }
}

private struct FilterSQL {
    enum Subject { case run, span }

    let subject: Subject
    let places: [String: FilterTextPlaces]

    func piece(_ condition: FilterCondition) -> SQLPiece {
        switch condition {
        case .kind(let kinds):
            return subject == .run ? "0" : oneOf("s.kind", kinds.map(\.rawValue))
        case .status(let statuses):
            guard subject == .run else { return oneOf("s.status", statuses.map(\.rawValue)) }
            switch (statuses.contains(.error), statuses.contains(.ok)) {
            case (true, true): return "1"
            case (true, false): return "t.errors > 0"
            case (false, true): return "t.errors <= 0"
            case (false, false): return "0"
            }
        case .origin(let origins): return oneOf("t.origin", origins.map(\.rawValue))
        case .text(let field, let test, let value): return piece(field, test, value)
        case .count(let field, let comparison, let value): return compare(column(field), comparison, .integer(value))
        case .cost(let comparison, let value):
            return compare(subject == .run ? "t.cost" : "s.cost", comparison, .real(value))
        case .duration(let comparison, let value):
            let column = subject == .run ? "t.duration" : "max(0, s.end - s.start)"
            return compare(column, comparison, .integer(value))
        case .anywhere(let text): return textPiece(text)
        case .start(let from, let before):
            let column = subject == .run ? "t.start" : "s.start"
            var edges: [SQLPiece] = []
            if let from { edges.append("\(column) >= \(value: .integer(from))") }
            if let before { edges.append("\(column) < \(value: .integer(before))") }
            return edges.isEmpty ? "1" : "(\(SQLPiece(edges, joinedBy: " AND ")))"
        }
    }

    private func compare(
        _ column: String, _ comparison: QueryComparison, _ value: SQLPiece.Value
    ) -> SQLPiece {
        "ifnull(\(column) \(comparison.rawValue) \(value: value), 0)"
    }

    private func oneOf(_ column: String, _ values: [UInt8]) -> SQLPiece {
        "\(column) IN (\(values.sorted().map(String.init).joined(separator: ", ")))"
    }

    private func column(_ field: FilterField) -> String {
        switch field {
        case .tokens: subject == .run ? "t.tokens" : "s.input + s.output"
        case .input: subject == .run ? "t.input" : "s.input"
        case .output: subject == .run ? "t.output" : "s.output"
        case .cached: subject == .run ? "t.cache_read" : "s.cache_read"
        case .errors: "t.errors"
        case .spans: "t.spans"
        case .messages: "t.messages"
        default: "NULL"
        }
    }

    /// Names, models, formats, and projects are rows of `word`, so the condition is checked once per distinct word.
    private func piece(_ field: FilterField, _ test: FilterCondition.TextTest, _ value: String) -> SQLPiece {
        switch field {
        case .name: subject == .run ? test.piece("t.name", value) : word("s.name", test, value)
        case .model: word(subject == .run ? "t.model" : "s.model", test, value)
        case .format: word("t.format", test, value)
        case .project: word("t.project", test, value)
        case .id: test.piece(subject == .run ? "t.external_id" : "s.external_id", value)
        case .error: subject == .run ? "0" : test.piece("s.error", value)
        default: "0"
        }
    }

    private func word(_ column: String, _ test: FilterCondition.TextTest, _ value: String) -> SQLPiece {
        "ifnull(\(column) IN (SELECT id FROM word WHERE \(test.piece("text", value))), 0)"
    }

    private func textPiece(_ text: String) -> SQLPiece {
        let places = places[text] ?? .none
        let contains = FilterCondition.TextTest.contains
        switch subject {
        case .run:
            return """
                (\(contains.piece("t.name", text)) \
                OR t.id IN (SELECT value FROM json_each(\(value: .text(places.traces)))))
                """
        case .span:
            return """
                (\(word("s.name", contains, text)) OR \(contains.piece("s.error", text)) \
                OR (s.trace, s.ordinal) IN
                    (SELECT value ->> 0, value ->> 1 FROM json_each(\(value: .text(places.spans)))))
                """
        }
    }
}

extension FilterCondition.TextTest {
    /// Returns the test of a column that may be NULL; the SQL functions return 0 for NULL.
    fileprivate func piece(_ column: String, _ value: String) -> SQLPiece {
        let function =
            switch self {
            case .contains: "text_holds"
            case .equals: "text_equals"
            case .differs: "text_differs"
            }
        return "\(function)(\(column), \(value: .text(value)))"
    }
}
