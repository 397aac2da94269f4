import GRDB
public import Workspace

extension TraceStore {
    /// How many runs a filter keeps.
    public func count(matching filter: Filter = .everything, until cancellation: Cancellation? = nil) throws -> Int {
        try listing(filter, until: cancellation) { query in
            try query.select("count(*)", filtered: true) { row in try row.first { $0.int(0) } ?? 0 }
        }
    }

    /// The rows of all runs that a filter keeps, in order: what a list of any length scrolls over.
    ///
    /// For a million runs about 0.1 s without a filter and a second with one, 8 bytes each; show the first page of
    /// `summaries(matching:by:limit:)` meanwhile.
    public func identifiers(
        matching filter: Filter = .everything, by order: TraceOrder = .newest, until cancellation: Cancellation? = nil
    ) throws -> [Int64] {
        try listing(filter, until: cancellation) { query in try query.identifiers(by: order) }
    }

    /// The first runs that a filter keeps, in order.
    ///
    /// Without a filter an index gives them at once. With one, the first few thousand runs of the order are tried
    /// before all are looked at.
    public func summaries(
        matching filter: Filter = .everything, by order: TraceOrder = .newest, limit: Int = 100,
        until cancellation: Cancellation? = nil
    ) throws -> [TraceSummary] {
        try listing(filter, until: cancellation) { query in
            var reader = try TraceRowReader(query.database, words: words.all)
            let summaries = try query.summaries(by: order, limit: max(0, limit), &reader)
            words.keep(reader.words)
            return summaries
        }
    }

    /// The runs of these rows, in the order of the ids; rows that are gone are left out.
    public func summaries(_ ids: some Collection<Int64>) throws -> [TraceSummary] {
        try workspace.read { db in
            let row = try Workspace.Statement(db, "SELECT \(TraceRowReader.summaryColumns) FROM trace t WHERE id = ?")
            var reader = try TraceRowReader(db, words: words.all)
            var summaries: [TraceSummary] = []
            summaries.reserveCapacity(ids.count)
            for id in ids {
                row.bind(1, id)
                if let summary = try row.first({ try reader.summary($0) }) { summaries.append(summary) }
            }
            words.keep(reader.words)
            return summaries
        }
    }

    /// Returns a run; `nil` if it no longer exists.
    public func summary(_ id: Int64) throws -> TraceSummary? { try summaries(CollectionOfOne(id)).first }

    /// Totals over the runs that a filter keeps, for the foot of a list.
    public func totals(
        matching filter: Filter = .everything, until cancellation: Cancellation? = nil
    ) throws -> ListTotals {
        try listing(filter, until: cancellation) { query in
            let columns = "count(*), total(t.spans), total(t.tokens), total(t.cost), total(t.errors)"
            return try query.select(columns, filtered: true) { row in
                try row.first {
                    ListTotals(
                        runs: $0.int(0), spans: Int($0.double(1)), tokens: Int($0.double(2)), cost: $0.double(3),
                        errors: Int($0.double(4)))
                } ?? ListTotals()
            }
        }
    }

    /// Counts the runs of each origin that match a filter, and whether they span several projects.
    public func census(
        matching filter: Filter = .everything, until cancellation: Cancellation? = nil
    ) throws -> TraceCensus {
        try listing(filter, until: cancellation) { query in try query.census() }
    }

    /// The words that a field's completion offers, at most `limit`, those of the newest runs first.
    public func values(of field: FilterField, limit: Int = 50) throws -> [String] {
        let sql: String
        switch field {
        case .model: sql = "SELECT model, max(id) FROM trace WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 2 DESC"
        case .format: sql = "SELECT format, max(id) FROM trace WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 2 DESC"
        case .project: sql = "SELECT project, max(id) FROM trace WHERE deleted_at IS NULL GROUP BY 1 ORDER BY 2 DESC"
        case .name:
            // Tools are what people filter by; those of the newest runs are enough to offer.
            sql = """
                SELECT s.name, count(*) FROM span s
                WHERE s.trace IN (SELECT id FROM trace WHERE deleted_at IS NULL ORDER BY id DESC LIMIT 50)
                    AND s.kind = 3
                GROUP BY 1 ORDER BY 2 DESC
                """
        default: return []
        }
        return try workspace.read { db in
            let row = try Workspace.Statement(db, "\(sql) LIMIT \(max(0, limit))")
            var reader = try WordReader(db)
            var values: [String] = []
            while try row.step() {
                if let text = try reader.optionalText(row, 0), !text.isEmpty { values.append(text) }
            }
            return values
        }
    }

    func read<Result>(until cancellation: Cancellation?, _ body: (Database) throws -> Result) throws -> Result {
        guard let cancellation else { return try workspace.read(body) }
        return try workspace.read(until: cancellation, body)
    }

    private func listing<Result>(
        _ filter: Filter, until cancellation: Cancellation?, _ body: (TraceListQuery) throws -> Result
    ) throws -> Result {
        let places = try places(of: filter, until: cancellation)
        return try read(until: cancellation) { db in
            if !filter.isEmpty { try FilterFunctions.install(in: db) }
            return try body(TraceListQuery(db, filter.expression, places: places))
        }
    }
}

/// Sums over a list of runs.
public struct ListTotals: Hashable, Sendable {
    public var runs = 0
    public var spans = 0
    public var tokens = 0
    /// US dollars, of the calls whose price is known.
    public var cost = 0.0
    public var errors = 0

    public init(runs: Int = 0, spans: Int = 0, tokens: Int = 0, cost: Double = 0, errors: Int = 0) {
        self.runs = runs
        self.spans = spans
        self.tokens = tokens
        self.cost = cost
        self.errors = errors
    }
}

/// The runs of a list by origin, and whether they span several projects.
public struct TraceCensus: Hashable, Sendable {
    /// Numbers of runs by origin; origins without runs are absent.
    public var counts: [TraceOrigin: Int] = [:]
    /// First and last project of each origin, as row numbers that only show whether they differ.
    var projects: [TraceOrigin: ClosedRange<Int64>] = [:]

    public init(counts: [TraceOrigin: Int] = [:]) { self.counts = counts }

    /// Number of runs with these origins; `nil` counts all.
    public func count(of origins: Set<TraceOrigin>? = nil) -> Int {
        counts.reduce(0) { $0 + (origins?.contains($1.key) ?? true ? $1.value : 0) }
    }

    /// Whether runs with these origins span several projects; `nil` stands for all origins.
    public func hasSeveralProjects(of origins: Set<TraceOrigin>? = nil) -> Bool {
        let ranges = projects.filter { origins?.contains($0.key) ?? true }.values
        guard let lowest = ranges.map(\.lowerBound).min(), let highest = ranges.map(\.upperBound).max() else {
            return false
        }
        return lowest != highest
    }
}
