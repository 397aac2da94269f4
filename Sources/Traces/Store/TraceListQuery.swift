internal import Configuration
import GRDB
import Workspace

/// A list of runs, within one access to the database.
struct TraceListQuery {
    let database: Database
    /// Origins to list; `nil` lists all.
    let origins: Set<TraceOrigin>?
    /// Further condition; `nil` for none.
    let condition: SQLPiece?

    init(_ database: Database, _ expression: FilterExpression, places: [String: FilterTextPlaces]) throws {
        let (origins, rest) = expression.splitByOrigin
        self.database = database
        if origins?.isEmpty == true {
            // An empty set matches no run, and no index can answer it.
            (self.origins, condition) = (nil, "0")
            return
        }
        condition = rest == .everything ? nil : Filter.runCondition(rest, places: places)
        // If all runs have these origins, the list is as fast without the condition.
        self.origins = try origins.flatMap { try Self.hasOthers(database, than: $0) ? $0 : nil }
    }

    /// Runs tried in order before all are looked at: reading them by an index costs a seek each.
    private static let tried = 4_096

    private static func hasOthers(_ database: Database, than origins: Set<TraceOrigin>) throws -> Bool {
        try TraceOrigin.allCases.contains { origin in
            guard !origins.contains(origin) else { return false }
            let any = "SELECT EXISTS (SELECT 1 FROM trace WHERE deleted_at IS NULL AND origin = ?)"
            return try database.number(any, .integer(Int64(origin.rawValue))) == 1
        }
    }

    /// The whole condition on runs; `nil` for none.
    private var filter: SQLPiece? {
        let ofOrigins = origins.map { origins -> SQLPiece in
            "t.origin IN (\(origins.sorted().map { String($0.rawValue) }.joined(separator: ", ")))"
        }
        let pieces = [ofOrigins, condition].compactMap(\.self)
        return pieces.isEmpty ? nil : SQLPiece(pieces, joinedBy: " AND ")
    }

    /// The table to read for rows that pass the filter: the index on origins answers conditions on origins alone.
    private var source: String {
        origins != nil && condition == nil ? "trace t INDEXED BY trace_by_origin" : "trace t NOT INDEXED"
    }

    func select<Result>(
        _ columns: String, filtered: Bool, from source: String? = nil, _ rest: String = "",
        _ body: (Workspace.Statement) throws -> Result
    ) throws -> Result {
        let filter: SQLPiece = (filtered ? filter : nil).map { " AND \($0)" } ?? ""
        let statement = try Workspace.Statement(
            database,
            "SELECT \(columns) FROM \(source ?? self.source) WHERE t.deleted_at IS NULL\(filter.sql) \(rest)")
        statement.bind(filter.values)
        return try body(statement)
    }

    /// Returns all rows in order. Filters are evaluated in the file's row order; then an index, read from start to end,
    /// sorts the matching rows.
    func identifiers(by order: TraceOrder) throws -> [Int64] {
        guard filter != nil else { return try all(by: order) }
        var matching = RowSet()
        try select("t.id", filtered: true) { row in
            while try row.step() { matching.insert(row.int64(0)) }
        }
        if matching.count < 1_000 { return try sorted(matching.members, by: order) }
        return try all(by: order).filter { matching.contains($0) }
    }

    func summaries(by order: TraceOrder, limit: Int, _ reader: inout TraceRowReader) throws -> [TraceSummary] {
        let columns = TraceRowReader.summaryColumns
        guard filter != nil else {
            return try select(columns, filtered: false, from: "trace t", "ORDER BY \(order.sql) LIMIT \(limit)") {
                try read($0, &reader)
            }
        }
        let first = """
            (SELECT * FROM trace t WHERE t.deleted_at IS NULL ORDER BY \(order.sql) LIMIT \(Self.tried)) t
            """
        let found = try select(columns, filtered: true, from: first, "ORDER BY \(order.sql) LIMIT \(limit)") {
            try read($0, &reader)
        }
        if try found.count == limit || hasFewRuns() { return found }
        return try identifiers(by: order).prefix(limit).compactMap { try reader.summary(id: $0) }
    }

    /// Returns the numbers of runs by origin. Without a condition, only the index on origins is read.
    func census() throws -> TraceCensus {
        let source = condition == nil ? "trace t INDEXED BY trace_by_origin" : "trace t NOT INDEXED"
        let columns = "t.origin, count(*), min(t.project), max(t.project)"
        return try select(columns, filtered: true, from: source, "GROUP BY t.origin") { row in
            var census = TraceCensus()
            while try row.step() {
                let origin = TraceOrigin(rawValue: UInt8(truncatingIfNeeded: row.int(0))) ?? .agent
                census.counts[origin] = row.int(1)
                if !row.isNull(2) { census.projects[origin] = row.int64(2)...row.int64(3) }
            }
            return census
        }
    }

    private func hasFewRuns() throws -> Bool {
        let counted = "SELECT count(*) FROM (SELECT 1 FROM trace WHERE deleted_at IS NULL LIMIT ?)"
        return try database.number(counted, .integer(Int64(Self.tried + 1))) ?? 0 <= Self.tried
    }

    private func all(by order: TraceOrder) throws -> [Int64] {
        try select("t.id", filtered: false, from: "trace t", "ORDER BY \(order.sql)") { row in
            var ids: [Int64] = []
            while try row.step() { ids.append(row.int64(0)) }
            return ids
        }
    }

    private func sorted(_ ids: [Int64], by order: TraceOrder) throws -> [Int64] {
        let row = try Workspace.Statement(
            database, "SELECT t.id FROM json_each(?) j CROSS JOIN trace t ON t.id = j.value ORDER BY \(order.sql)")
        row.bind(1, "[\(ids.map(String.init).joined(separator: ","))]")
        var sorted: [Int64] = []
        try row.forEach { sorted.append($0.int64(0)) }
        return sorted
    }

    private func read(_ row: Workspace.Statement, _ reader: inout TraceRowReader) throws -> [TraceSummary] {
        var summaries: [TraceSummary] = []
        while try row.step() { summaries.append(try reader.summary(row)) }
        return summaries
    }
}

/// A set of rows as one bit each: 125 KB for a million.
private struct RowSet {
    private var words: [UInt64] = []
    private(set) var count = 0

    mutating func insert(_ row: Int64) {
        guard row >= 0 else { return }
        let place = Int(row >> 6)
        if place >= words.count { words.append(contentsOf: repeatElement(0, count: max(64, place + 1 - words.count))) }
        words[place] |= 1 << UInt64(row & 63)
        count += 1
    }

    func contains(_ row: Int64) -> Bool {
        let place = Int(row >> 6)
        return place < words.count && words[place] >> UInt64(row & 63) & 1 == 1
    }

    /// The rows, ascending.
    var members: [Int64] {
        words.indices.flatMap { place in
            (0..<64).compactMap { words[place] >> UInt64($0) & 1 == 1 ? Int64(place * 64 + $0) : nil }
        }
    }
}
