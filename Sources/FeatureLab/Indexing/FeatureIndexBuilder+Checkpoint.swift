internal import Bytes
internal import Foundation
internal import GRDB
internal import Interpretability
internal import System
internal import Workspace

extension FeatureIndexBuilder {
    /// What rows of `feature_state` hold.
    private enum Part: Int {
        case counts, features, sample
    }

    /// Features of a row.
    private static let featuresPerRow = 256

    /// Puts all that was learnt so far into the workspace; it is on the disk when this returns. Nothing cancels it.
    ///
    /// - Throws: An error if another builder has written this index meanwhile.
    public func checkpoint() throws {
        if checkpoints > 0, sequencesDone == sequencesKept { return }
        let begun = ContinuousClock.now
        let compressor = try Compressor()
        var rows: [(part: Part, number: Int, data: Data)] = []
        var counts = ByteWriter()
        for count in [sequencesDone, tokensDone, counted] { counts.write(Int64(count)) }
        text.write(to: &counts)
        rows.append((.counts, 0, try Frame.packed(counts.bytes, compressor)))
        var sampled = ByteWriter()
        sample.write(to: &sampled)
        for (number, piece) in Self.pieces(sampled.bytes).enumerated() {
            rows.append((.sample, number, try Frame.packed(piece, compressor)))
        }
        for (number, range) in ranges.enumerated() {
            rows.append((.features, number, try Frame.packed(features.bytes(of: range), compressor)))
        }
        let texts = try text.full.map { ($0.number, try Frame.packed($0.text, compressor)) }
        try claiming { db in
            try db.execute(sql: "DELETE FROM feature_state WHERE index_id = ?", arguments: [index])
            let state = try db.makeStatement(
                sql: "INSERT INTO feature_state (index_id, part, number, data) VALUES (?, ?, ?, ?)")
            for row in rows {
                try state.execute(arguments: [index, row.part.rawValue, row.number, row.data])
            }
            try Self.write(texts, of: index, db)
        }
        text.removeFull()
        noteKept(since: begun)
    }

    static func write(_ texts: [(Int, Data)], of index: Int64, _ db: Database) throws {
        let statement = try db.makeStatement(
            sql: "INSERT OR REPLACE INTO feature_text (index_id, number, data) VALUES (?, ?, ?)")
        for (number, data) in texts { try statement.execute(arguments: [index, number, data]) }
    }

    /// Runs a write transaction that counts as a checkpoint, if no other builder has counted one since this builder's
    /// last.
    func claiming(complete: Bool = false, _ body: (Database) throws -> Void) throws {
        try store.workspace.bulkWrite { db in
            try db.execute(
                sql: """
                    UPDATE feature_index
                    SET checkpoint = checkpoint + 1, tokens = ?, sequences = ?, counted = ?, complete = ?
                    WHERE id = ? AND checkpoint = ? AND complete = 0
                    """,
                arguments: [tokensDone, sequencesDone, counted, complete, index, checkpoints])
            guard db.changesCount == 1 else {
                throw Problem(
                    .busy, "the index of \(dictionary.name)", "another process has changed or discarded it",
                    remedy: "Wait until the other process finishes, or start again.")
            }
            try body(db)
        }
        checkpoints += 1
    }

    /// Reads the position of the last checkpoint.
    func restore() throws {
        let name = "the unfinished index of \(dictionary.name)"
        let state = try store.workspace.read { db in
            try Row.fetchAll(
                db, sql: "SELECT part, number, data FROM feature_state WHERE index_id = ? AND part != ?",
                arguments: [index, Part.features.rawValue])
        }
        guard let counts = state.first(where: { $0[0] == Part.counts.rawValue }) else { throw Frame.damage(name) }
        var sampled: [UInt8] = []
        let pieces = state.filter { $0[0] == Part.sample.rawValue }.sorted { ($0[1] as Int) < ($1[1] as Int) }
        for piece in pieces { sampled += try Frame.unpacked(piece[2], name) }
        do {
            try Frame.unpacked(counts[2], name).withRawBytes { bytes in
                var bytes = ByteReader(bytes)
                let numbers = (try bytes.read(Int64.self), try bytes.read(Int64.self), try bytes.read(Int64.self))
                guard numbers.0 >= 0, 0..<Int64(UInt32.max) ~= numbers.1, 0...numbers.1 ~= numbers.2 else {
                    throw ByteDamage()
                }
                restored(sequences: Int(numbers.0), tokens: Int(numbers.1), counted: Int(numbers.2))
                try text.read(from: &bytes)
            }
            guard text.count == tokensDone else { throw ByteDamage() }
            try sampled.withRawBytes { (bytes) throws(ByteDamage) in
                var bytes = ByteReader(bytes)
                try sample.read(from: &bytes)
            }
            guard sample.features.allSatisfy({ (0..<Int32(dictionary.featureCount)).contains($0) }) else {
                throw ByteDamage()
            }
            for (number, range) in ranges.enumerated() {
                let data = try store.workspace.read { db in
                    try Data.fetchOne(
                        db, sql: "SELECT data FROM feature_state WHERE index_id = ? AND part = ? AND number = ?",
                        arguments: [index, Part.features.rawValue, number])
                }
                guard let data else { throw ByteDamage() }
                try Frame.unpacked(data, name).withRawBytes { (bytes) throws(ByteDamage) in
                    try features.restore(range, from: ByteReader(bytes), tokens: tokensDone)
                }
            }
        } catch is ByteDamage {
            throw Frame.damage(name)
        }
        try job?.advance(by: Int64(tokensDone), unit: "tokens")
    }

    private var ranges: [Range<Int>] {
        stride(from: 0, to: dictionary.featureCount, by: Self.featuresPerRow).map {
            $0..<min(dictionary.featureCount, $0 + Self.featuresPerRow)
        }
    }

    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        let size = 8 << 20
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min(bytes.count, $0 + size)]) }
    }
}
