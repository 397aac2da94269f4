import GRDB
import Synchronization
import Workspace

/// Words by number, as one access to the database reads them.
struct WordReader {
    /// Words by their numbers, which are given from 1 on.
    private(set) var known: [String?]
    private let statement: Workspace.Statement

    /// Words with higher numbers are looked up each time they are met.
    static let remembered = 1 << 16

    init(_ database: Database, known: [String?] = []) throws {
        self.known = known
        statement = try Workspace.Statement(database, "SELECT text FROM word WHERE id = ?")
    }

    mutating func text(_ id: Int64) throws -> String {
        let place = Int(truncatingIfNeeded: id)
        if place >= 0, place < known.count, let text = known[place] { return text }
        statement.bind(1, id)
        let text = try statement.first { $0.text(0) } ?? ""
        if place >= 0, place < Self.remembered {
            if place >= known.count { known += [String?](repeating: nil, count: place + 64 - known.count) }
            known[place] = text
        }
        return text
    }

    mutating func optionalText(_ statement: Workspace.Statement, _ column: Int32) throws -> String? {
        statement.isNull(column) ? nil : try text(statement.int64(column))
    }
}

/// Numbers of words, as one transaction gives them.
///
/// After a rollback the numbers of new words are void: make another.
struct WordWriter {
    private var known: [String: Int64] = [:]
    /// The word asked for last: neighbors are often called alike.
    private var last: (text: String, id: Int64) = ("", 0)
    private let select: Workspace.Statement
    private let insert: Workspace.Statement

    /// Beyond these a word is looked up again, so that a million names of one use each take no memory.
    private static let remembered = 1 << 16

    init(_ database: Database) throws {
        select = try Workspace.Statement(database, "SELECT id FROM word WHERE text = ?")
        insert = try Workspace.Statement(database, "INSERT INTO word (text) VALUES (?) RETURNING id")
    }

    mutating func id(_ text: String) throws -> Int64 {
        if last.id != 0, last.text == text { return last.id }
        if let id = known[text] {
            last = (text, id)
            return id
        }
        select.bind(1, text)
        var found = try select.first { $0.int64(0) }
        if found == nil {
            insert.bind(1, text)
            found = try insert.first { $0.int64(0) }
        }
        let id = found ?? 0
        if known.count >= Self.remembered { known.removeAll(keepingCapacity: true) }
        known[text] = id
        return id
    }

    mutating func id(_ text: String?) throws -> Int64? {
        guard let text else { return nil }
        return try id(text)
    }

    mutating func forget() {
        known.removeAll(keepingCapacity: true)
        last = ("", 0)
    }
}

/// Committed words that reads share; words are never changed or removed.
final class WordCache: Sendable {
    private let words = Mutex<[String?]>([])

    var all: [String?] { words.withLock { $0 } }

    func keep(_ reader: WordReader) {
        words.withLock { words in
            if reader.known.count >= words.count { words = reader.known }
        }
    }
}
