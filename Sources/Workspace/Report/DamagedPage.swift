import GRDB
import Glibc
import Synchronization

/// A page that does not match its checksum, with its table or index.
struct DamagedPage {
    enum Owner: Equatable {
        /// A table or index, such as "table span" or "index span_by_name of table span".
        case named(String)
        /// No owner: the page is on the free list, so its contents are never read.
        case nothing
        /// An unknown owner.
        case unknown
    }

    /// Page number, starting at 1.
    let number: Int64
    /// Table or index that owns the page.
    let owner: Owner

    /// Page number with its owner, such as "page 812 (table span)".
    var name: String {
        switch owner {
        case .named(let name): "page \(number) (\(name))"
        case .nothing: "page \(number) (unused, so no data is lost)"
        case .unknown: "page \(number)"
        }
    }

    private var isNamed: Bool { if case .named = owner { true } else { false } }

    /// Sentence for a check's report.
    var finding: String { "\(name): the checksum does not match" }

    /// Description of damage if the damaged page is not known yet.
    static let anyPage = "the checksum of a page does not match"

    /// Page 1, which contains the file header.
    static let first = DamagedPage(number: 1, owner: .named("table sqlite_schema"))

    /// Returns the error for damaged pages; there must be at least one.
    static func error(_ pages: [DamagedPage], path: String) -> WorkspaceError {
        // If a schema page is damaged, most owners are unknown, so name the first page with a known owner.
        let first = (pages.first(where: \.isNamed) ?? pages[0]).name
        let others = pages.count - 1
        let place =
            switch others {
            case 0: "the checksum of \(first) does not match"
            case 1: "the checksums of \(first) and 1 other page do not match"
            default: "the checksums of \(first) and \(others) other pages do not match"
            }
        return .corrupt(path: path, place: place)
    }

    /// Returns at most `limit` damaged pages of a file, which may be too damaged to open.
    static func find(in path: String, limit: Int, cancellation: Cancellation? = nil) throws -> [DamagedPage] {
        describe(try PageFile(path).mismatches(limit: limit, cancellation: cancellation), path: path)
    }

    /// Cache of described pages: the owner of a page that is read repeatedly is looked up only once.
    private static let described = Mutex<[String: [Int64: DamagedPage]]>([:])

    /// Returns one damaged page with its owner, looked up at the first request for this page of this file.
    static func describe(_ number: Int64, path: String) -> DamagedPage {
        if let known = described.withLock({ $0[path]?[number] }) { return known }
        let page = describe([number], path: path)[0]
        described.withLock { $0[path, default: [:]][number] = page }
        return page
    }

    /// Returns damaged pages with their owners.
    ///
    /// A page that no complete table contains belongs to a table that could not be read to its end, because one of its inner
    /// pages is damaged. The owner is unknown if there is no such table, or more than three. Use this method only for
    /// messages.
    ///
    /// - Complexity: O(pages of the file).
    static func describe(_ numbers: [Int64], path: String) -> [DamagedPage] {
        var owners: [Int64: Owner] = [1: .named("table sqlite_schema")]
        // Page numbers are useful even without owners; if the schema is damaged, no owner can be found.
        if let file = try? PageFile(path) {
            for number in file.freePages() { owners[number] = .nothing }
            for number in file.schemaPages() { owners[number] = .named("table sqlite_schema") }
        }
        // If the walk fails, pages remain without owners.
        let incomplete = (try? walk(path) { number, name in owners[number] = .named(name) }) ?? []
        let possible: Owner =
            (1...3).contains(incomplete.count) ? .named(incomplete.joined(separator: " or ")) : .unknown
        return numbers.map { DamagedPage(number: $0, owner: owners[$0] ?? possible) }
    }

    /// Visits the pages of all tables, without verifying checksums.
    ///
    /// - Returns: Tables and indexes whose pages could not all be found.
    private static func walk(_ path: String, _ visit: (Int64, String) -> Void) throws -> [String] {
        // Use a separate connection, so that unverified pages do not stay in the cache of another connection.
        let isTidy = access(path, W_OK) == 0 && access(FileLocation.folder(of: path), W_OK) == 0
        let configuration = ConnectionSettings().reader(tidy: isTidy, isVerifying: false)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }  // A failed close is harmless: nothing was written.
        return try queue.unsafeRead { db in
            var incomplete: [String] = []
            let size = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let schema = try Row.fetchAll(db, sql: "SELECT name, tbl_name, type FROM sqlite_schema WHERE rootpage > 0")
            for row in schema {
                let (name, table, type): (String, String, String) = (row[0], row[1], row[2])
                let owner = type == "index" ? "index \(name) of table \(table)" : "table \(name)"
                let pages = try Int64.fetchCursor(
                    db, sql: "SELECT pageno FROM dbstat WHERE name = ?", arguments: [name])
                // A damaged inner page can point back to itself, so limit the number of visited pages.
                var left = size
                do {
                    while left > 0, let page = try pages.next() {
                        visit(page, owner)
                        left -= 1
                    }
                    if left == 0 { incomplete.append(owner) }
                } catch {
                    // This table is damaged, but the next one can still be visited.
                    incomplete.append(owner)
                }
            }
            return incomplete
        }
    }
}
