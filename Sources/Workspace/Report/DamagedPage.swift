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
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { db in db.verifyChecksums(false) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }  // Failure is harmless: nothing was written.
        return try queue.unsafeRead { db in
            var owners: [Int64: Owner] = [:]
            for number in try freePages(db) where numbers.contains(number) { owners[number] = .nothing }
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
