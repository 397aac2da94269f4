internal import GRDB
internal import Synchronization
internal import Workspace

/// Reads texts of documents from the workspace and caches the most recent ones.
///
/// Chunks are ranges of these texts; searching reads several chunks of one document one after the other.
final class DocumentTexts: Sendable {
    private struct Kept {
        var texts: [Int64: (text: String, used: Int)] = [:]
        var bytes = 0
        var clock = 0
    }

    private let kept = Mutex(Kept())
    private let capacity: Int

    /// - Parameter capacity: Bytes of texts that are kept; a document of more than an eighth of it never is.
    init(capacity: Int = 32 << 20) { self.capacity = capacity }

    func removeAll() { kept.withLock { $0 = Kept() } }

    /// Returns a part of a document's text.
    func text(of document: Int64, _ range: Range<Int>, _ db: Database) throws -> String {
        let known = kept.withLock { kept -> String? in
            guard let text = kept.texts[document]?.text else { return nil }
            kept.clock += 1
            kept.texts[document]?.used = kept.clock
            return text
        }
        if let known { return known.bytes(range) }
        let size =
            try Int.fetchOne(
                db, sql: "SELECT sum(bytes) FROM retrieval_text WHERE document = ?", arguments: [document]) ?? 0
        guard size <= capacity / 8 else { return try Self.read(document, db, range: range) }
        let text = try Self.read(document, db)
        keep(text, of: document)
        return text.bytes(range)
    }

    private func keep(_ text: String, of document: Int64) {
        kept.withLock { kept in
            kept.clock += 1
            if let old = kept.texts.updateValue((text, kept.clock), forKey: document) {
                kept.bytes -= old.text.utf8.count
            }
            kept.bytes += text.utf8.count
            guard kept.bytes > capacity else { return }
            // Half goes at once, so that sorting is rare.
            for (id, entry) in kept.texts.sorted(by: { $0.value.used < $1.value.used }) {
                guard kept.bytes > capacity / 2 else { break }
                kept.texts[id] = nil
                kept.bytes -= entry.text.utf8.count
            }
        }
    }

    // MARK: Rows

    /// Returns the whole text of a document.
    static func read(_ document: Int64, _ db: Database) throws -> String { try read(document, db, range: 0..<Int.max) }

    /// Returns the bytes of a range, of the rows that hold it.
    static func read(_ document: Int64, _ db: Database, range: Range<Int>) throws -> String {
        let row = try Workspace.Statement(
            db, "SELECT bytes, data FROM retrieval_text WHERE document = ? ORDER BY part")
        row.bind(1, document)
        let decompressor = try Decompressor()
        var bytes: [UInt8] = []
        var offset = 0
        while offset < range.upperBound, try row.step() {
            let size = max(0, row.int(0))
            defer { offset += size }
            guard offset + size > range.lowerBound else { continue }
            let piece = try decompressor.decompress(row.blob(1), limit: PreparedDocument.pieceBytes)
            guard piece.count == size else {
                throw PayloadError.damaged("the length of a text differs from the recorded length")
            }
            let first = max(0, range.lowerBound - offset)
            let beyond = min(size, range.upperBound - offset)
            bytes.append(contentsOf: piece[first..<max(first, beyond)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
