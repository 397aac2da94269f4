import GRDB
import Workspace

/// Decides what an assembly gets to see of a trace that the workspace has already.
///
/// A trace that comes only from the unit's own files is made again: reading the same records in the same order gives
/// the same ordinals, so nothing is duplicated. A trace shared with other sources is passed to the importer, which
/// recognizes spans and messages by their identifiers. Events have no identifiers, so events of the unit's own files,
/// which are about to be read again, are removed, and new events that repeat an old one are dropped.
final class TraceMerge {
    private let format: Int64
    /// Sources of the unit that the workspace knew before.
    private let sources: Set<Int64>
    private var known: [String: Trace] = [:]
    private var missing: Set<String> = []
    private let find: Workspace.Statement
    private var reader: TraceRowReader
    private(set) var failure: (any Error)?

    /// - Parameter sources: The sources of the unit that the workspace knew before.
    init(_ database: Database, format: Int64, sources: Set<Int64> = []) throws {
        find = try Workspace.Statement(
            database,
            """
            SELECT t.id, t.recorded_name, (SELECT text FROM word WHERE id = t.recorded_project)
            FROM trace t WHERE t.external_id = ? AND t.format = ?
            """)
        reader = try TraceRowReader(database)
        self.format = format
        self.sources = sources
    }

    /// Returns the trace that the assembly starts with; `nil` if it starts empty.
    func stored(_ externalID: String) -> Trace? {
        do {
            guard var trace = try before(externalID) else { return nil }
            if !sources.isEmpty, Set(trace.sources).isSubset(of: sources) { return nil }
            trace.events.removeAll { sources.contains($0.record.source) }
            for i in trace.events.indices { trace.events[i].ordinal = i }
            return trace
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    /// Returns the trace as stored in the tables; `nil` if they do not have it.
    func before(_ externalID: String) throws -> Trace? {
        if let trace = known[externalID] { return trace }
        if missing.contains(externalID) { return nil }
        find.bind(1, externalID)
        find.bind(2, format)
        guard let (id, name, project) = try find.first({ ($0.int64(0), $0.text(1), $0.optionalText(2)) }),
            var trace = try reader.trace(id: id)
        else {
            missing.insert(externalID)
            return nil
        }
        // Custom names of the run and its project are stored separately from the recorded names, which importers
        // compare.
        trace.summary.name = name
        trace.summary.project = project
        known[externalID] = trace
        return trace
    }

    /// Drops events of new sources that the trace had already from others: a copied and changed file repeats them.
    func dropRepeatedEvents(in trace: inout Trace, before: Trace) {
        let old = Set(before.events.filter { !sources.contains($0.record.source) }.map(Moment.init))
        if old.isEmpty { return }
        let oldSources = Set(before.events.map(\.record.source))
        let count = trace.events.count
        trace.events.removeAll { !oldSources.contains($0.record.source) && old.contains(Moment($0)) }
        if trace.events.count < count {
            for i in trace.events.indices { trace.events[i].ordinal = i }
        }
    }

    private struct Moment: Hashable {
        var time: Int64
        var kind: TraceEvent.Kind
        var name: String
        var span: Int?

        init(_ event: TraceEvent) {
            (time, kind, name, span) = (event.time, event.kind, event.name, event.span)
        }
    }
}
