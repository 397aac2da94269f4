internal import Configuration
import GRDB
import Workspace

/// Why a reference names no single run.
public struct TraceReferenceError: Error, Hashable, Sendable {
    public var reference: String
    /// Matching runs, newest first, at most ten; empty if there are none.
    public var candidates: [TraceSummary]

    /// What is wrong and what to write.
    public var sentence: String {
        if reference.isEmpty { return "Missing run. Use #number, the start of its ID, or its name." }
        guard !candidates.isEmpty else {
            return
                "Unknown run \(reference). Use #number, the start of its ID, or its full name."
        }
        let list = candidates.map { "#\($0.id) \($0.externalID) (\($0.name))" }.joined(separator: "\n  ")
        return "\(reference) matches several runs. Use a longer prefix of the ID, or #number:\n  \(list)"
    }
}

extension TraceStore {
    /// The run that a person means by `#12`, an id or the beginning of one, or a whole name.
    ///
    /// A whole id goes before a name, a name before the beginning of an id.
    ///
    /// - Throws: `TraceReferenceError` if the reference matches no run, or more than one.
    public func find(_ reference: String) throws -> TraceSummary {
        if reference.hasPrefix("#"), let row = Int64(reference.dropFirst()) {
            let found = try matching("t.id = ?", .integer(row))
            if let run = found.first { return run }
            throw TraceReferenceError(reference: reference, candidates: [])
        }
        guard !reference.isEmpty else { throw TraceReferenceError(reference: reference, candidates: []) }
        // Hexadecimal ids are stored in lower case.
        for id in [reference, reference.lowercased()] {
            if let run = try only(matching("t.external_id = ?", .text(id)), reference) { return run }
        }
        if let run = try only(matching("t.name = ? COLLATE NOCASE", .text(reference)), reference) { return run }
        for id in [reference, reference.lowercased()] {
            let prefix = "t.external_id >= ? AND t.external_id < ? || char(1114111)"
            if let run = try only(matching(prefix, .text(id), .text(id)), reference) { return run }
        }
        throw TraceReferenceError(reference: reference, candidates: [])
    }

    private func only(_ found: [TraceSummary], _ reference: String) throws -> TraceSummary? {
        if found.count > 1 { throw TraceReferenceError(reference: reference, candidates: found) }
        return found.first
    }

    private func matching(_ condition: String, _ values: SQLPiece.Value...) throws -> [TraceSummary] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db,
                """
                SELECT \(TraceRowReader.summaryColumns) FROM trace t
                WHERE t.deleted_at IS NULL AND \(condition) ORDER BY t.start DESC, t.id DESC LIMIT 10
                """)
            row.bind(values)
            var reader = try TraceRowReader(db)
            var found: [TraceSummary] = []
            while try row.step() { found.append(try reader.summary(row)) }
            return found
        }
    }
}

extension TraceReferenceError: CustomStringConvertible {
    public var description: String { sentence }
}
