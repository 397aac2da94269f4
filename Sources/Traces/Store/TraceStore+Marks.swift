internal import Configuration
import GRDB
import Workspace

/// What a person left at a span: a letter to come back to it, or a note.
public struct SpanMark: Hashable, Sendable {
    /// The span's ordinal.
    public var span: Int
    /// `nil` for a note.
    public var letter: Character?
    public var note: String

    public init(span: Int, letter: Character?, note: String = "") {
        self.span = span
        self.letter = letter
        self.note = note
    }
}

extension TraceStore {
    /// The marks and notes of a run, by span.
    public func marks(of trace: Int64) throws -> [SpanMark] {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db, "SELECT span, letter, note FROM mark WHERE trace = ? ORDER BY span, letter")
            row.bind(1, trace)
            var marks: [SpanMark] = []
            try row.forEach { row in
                marks.append(SpanMark(span: row.int(0), letter: row.text(1).first, note: row.text(2)))
            }
            return marks
        }
    }

    /// Sets a letter to a span: a letter stands at one span of a run, and moves when it is set again.
    public func mark(_ letter: Character, span: Int, of trace: Int64) throws {
        try workspace.write { db in
            try Self.removeMark(letter, of: trace, db)
            try db.run(
                "INSERT INTO mark (trace, span, letter, note) VALUES (?, ?, ?, '')", .integer(trace),
                .integer(Int64(span)), .text(String(letter)))
        }
    }

    public func removeMark(_ letter: Character, of trace: Int64) throws {
        try workspace.write { db in try Self.removeMark(letter, of: trace, db) }
    }

    /// Writes a note to a span; an empty one removes it.
    public func setNote(_ note: String, span: Int, of trace: Int64) throws {
        try workspace.write { db in
            let place = [SQLPiece.Value.integer(trace), .integer(Int64(span))]
            try db.run("DELETE FROM mark WHERE trace = ? AND span = ? AND letter = ''", place[0], place[1])
            if note.isEmpty { return }
            try db.run(
                "INSERT INTO mark (trace, span, letter, note) VALUES (?, ?, '', ?)", place[0], place[1], .text(note))
        }
    }

    private static func removeMark(_ letter: Character, of trace: Int64, _ db: Database) throws {
        try db.run("DELETE FROM mark WHERE trace = ? AND letter = ?", .integer(trace), .text(String(letter)))
    }
}
