import GRDB
import Workspace

extension TraceStore {
    /// Stores traces that were made rather than read, in one transaction: a run with an external id that is known is
    /// replaced. Records that refer to no source have no texts.
    ///
    /// - Returns: Rows of the traces.
    @discardableResult
    public func insert(_ traces: some Sequence<Trace>) throws -> [Int64] {
        try workspace.bulkWrite { db in
            let rows = try TraceRows(db)
            var merges: [Int64: TraceMerge] = [:]
            return try traces.map { trace in
                var trace = trace
                let format = try rows.wordID(trace.summary.format)
                if merges[format] == nil { merges[format] = try TraceMerge(db, format: format) }
                let before = try merges[format]?.before(trace.summary.externalID)
                trace.clampNumbers()
                trace.summary.tally(trace)
                return try rows.write(trace, replacing: before, sources: trace.sources.filter { $0 != 0 })
            }
        }
    }
}

extension TraceStore {
    /// How many rows each table of traces has, in the order of `countedTables`: for tests of what an import leaves.
    package func rowCounts() throws -> [Int64] {
        try workspace.read { db in
            try Self.countedTables.map { try db.number("SELECT count(*) FROM \($0)") ?? 0 }
        }
    }

    package static let countedTables = ["source", "source_block", "trace", "trace_source", "span", "message", "event"]
}
