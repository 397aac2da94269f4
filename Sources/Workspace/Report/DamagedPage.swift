internal import CPageChecksums
import GRDB
import GRDBSQLite

/// A page that does not match its checksum, and the table or index that it belongs to.
struct DamagedPage {
    enum Owner: Equatable {
        /// "table span" or "index span_by_name of table span".
        case named(String)
        /// On the free list: its contents are never read.
        case nothing
        case unknown
    }

    let number: Int64
    let owner: Owner

    /// "page 812 (table span)".
    var name: String {
        switch owner {
        case .named(let name): "page \(number) (\(name))"
        case .nothing: "page \(number) (unused, so no data is lost)"
        case .unknown: "page \(number)"
        }
    }

    /// What a check reports.
    var finding: String { "\(name): the checksum does not match" }

    /// The error that names damaged pages; there must be at least one.
    static func error(_ pages: [DamagedPage], path: String) -> WorkspaceError {
        let more = pages.count > 1 ? ", and \(pages.count - 1) more pages" : ""
        return .corrupt(path: path, place: "the checksum of \(pages[0].name)\(more) does not match")
    }

    /// Finds the damaged pages of a file that may be too damaged to open; at most `limit`.
    static func find(in path: String, limit: Int) throws -> [DamagedPage] {
        let queue = try DatabaseQueue(path: path, configuration: unverified)
        defer { try? queue.close() }  // Failure is harmless: nothing was written.
        let numbers = try queue.unsafeRead { db in try db.damagedPages(limit: limit) { _, _ in } }
        return describe(numbers, path: path)
    }

    private static var unverified: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in db.verifyChecksums(false) }
        return configuration
    }

    /// Finds the owners of damaged pages by walking the free list and all tables, without comparing checksums.
    ///
    /// The owner of a page below a damaged inner page can remain unknown.
    ///
    /// - Complexity: O(pages of the file); it is for messages.
    static func describe(_ numbers: [Int64], path: String) -> [DamagedPage] {
        // Without owners, the page number still names the place.
        var owners = (try? owners(of: Set(numbers), path: path)) ?? [:]
        owners[1] = .named("table sqlite_schema")
        return numbers.map { DamagedPage(number: $0, owner: owners[$0] ?? .unknown) }
    }

    private static func owners(of numbers: Set<Int64>, path: String) throws -> [Int64: Owner] {
        // A connection of its own: a page that it reads must not stay in the cache of another one.
        let queue = try DatabaseQueue(path: path, configuration: unverified)
        defer { try? queue.close() }  // Failure is harmless: nothing was written.
        return try queue.unsafeRead { db in
            var owners: [Int64: Owner] = [:]
            for number in try freePages(db) where numbers.contains(number) { owners[number] = .nothing }
            for number in schemaPages(db) { owners[number] = .named("table sqlite_schema") }
            // A damaged page can end the walk; what was found until then is used.
            try? walk(db) { number, name in if numbers.contains(number) { owners[number] = .named(name) } }
            return owners
        }
    }

    private static func walk(_ db: Database, _ visit: (Int64, String) -> Void) throws {
        let names = try Row.fetchAll(db, sql: "SELECT name, type, tbl_name FROM sqlite_schema").map { row in
            (row[0] as String, row[1] == "index" ? "index \(row[0] as String) of table \(row[2] as String)" : nil)
        }
        let indexes = Dictionary(names, uniquingKeysWith: { first, _ in first })
        let rows = try Row.fetchCursor(db, sql: "SELECT pageno, name FROM dbstat")
        while let row = try rows.next() {
            let name: String = row[1]
            visit(row[0], (indexes[name] ?? nil) ?? "table \(name)")
        }
    }

    /// Pages of the table of tables, which no statement can name when they are damaged: the children of page 1.
    private static func schemaPages(_ db: Database) -> [Int64] {
        // Without the size of a page, nothing can be read.
        guard let size = try? Int.fetchOne(db, sql: "PRAGMA page_size") else { return [] }
        var page = [UInt8](repeating: 0, count: size)
        let isSound = orrery_checksums_probe(db.sqliteConnection, 0, &page, Int32(size)) == 1
        guard isSound, page[100] == 5 else { return [] }
        func big(_ offset: Int, _ count: Int) -> Int {
            guard offset + count <= size else { return 0 }
            return page[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
        }
        let cells = (0..<big(103, 2)).map { big(big(112 + 2 * $0, 2), 4) }
        return (cells + [big(108, 4)]).map(Int64.init)
    }

    /// Leaf pages of the free list. Source: "Database File Format", section 1.5.
    private static func freePages(_ db: Database) throws -> [Int64] {
        let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
        var page = [UInt8](repeating: 0, count: size)
        func read(_ number: Int64) -> Bool {
            orrery_checksums_probe(db.sqliteConnection, (number - 1) * Int64(size), &page, Int32(size)) == 1
        }
        func big(_ offset: Int) -> Int64 { page[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int64($1) } }
        guard read(1) else { return [] }
        var (trunk, left) = (big(32), big(36))
        var pages: [Int64] = []
        while trunk > 0, left > 0, read(trunk) {
            let count = min(big(4), Int64(size / 4 - 2))
            pages += (0..<count).map { big(8 + 4 * Int($0)) }
            trunk = big(0)
            left -= count + 1
        }
        return pages
    }
}
