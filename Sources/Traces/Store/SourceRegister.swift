import GRDB
import Glibc
import Workspace

/// Finds out what the workspace already has of a file.
struct SourceRegister {
    /// What is known of a file.
    enum Standing: Equatable {
        /// Nothing.
        case new
        /// Every byte of it, under this source.
        case unchanged(source: Int64)
        /// The first bytes of it, under this source.
        case grown(source: Int64, known: Int)
    }

    private let reader: SourceReader
    private let byPath: Workspace.Statement
    private let byContent: Workspace.Statement
    private let insert: Workspace.Statement
    private let update: Workspace.Statement

    /// Number of leading bytes that distinguish files of equal size before they are compared completely.
    static let headSize = 4 << 10

    init(_ database: Database) throws {
        reader = try SourceReader(database, cache: nil)
        byPath = try Workspace.Statement(
            database,
            "SELECT id, size, device, inode, modified FROM source WHERE path = ? ORDER BY id DESC LIMIT 8")
        byContent = try Workspace.Statement(database, "SELECT id FROM source WHERE size = ? AND head = ? LIMIT 64")
        insert = try Workspace.Statement(
            database,
            """
            INSERT INTO source (path, format, size, head, device, inode, modified) VALUES (?, ?, 0, 0, 0, 0, -1)
            RETURNING id
            """)
        update = try Workspace.Statement(
            database,
            "UPDATE source SET size = ?, head = ?, device = ?, inode = ?, modified = ?, skipped = ? WHERE id = ?")
    }

    /// Compares a file with what is archived.
    ///
    /// A file of the same path whose size, modification time (in nanoseconds), device and inode are all unchanged is
    /// taken to be unchanged without being read, unless it had been written within two seconds of being imported
    /// (`FileStamp.trusted`). In every other case bytes are compared with bytes: first with what came from the same
    /// path, then with sources of equal size and beginning, so that a copy of an imported file is recognized.
    func standing(of file: ImportPlan.File) throws -> Standing {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImportError(path: file.name, code: errno) }
        defer { close(descriptor) }
        let stamp = try FileStamp(descriptor: descriptor)
        var known: [(source: Int64, size: Int)] = []
        if file.name != "-" {
            byPath.bind(1, file.name)
            var trusted: Int64?
            try byPath.forEach { row in
                let old = FileStamp(
                    size: row.int(1), device: row.int64(2), inode: row.int64(3), modified: row.int64(4))
                if old == stamp, trusted == nil { trusted = row.int64(0) }
                known.append((row.int64(0), row.int(1)))
            }
            if let trusted { return .unchanged(source: trusted) }
            for (source, size) in known where size > 0 {
                guard try agrees(descriptor, source, upTo: min(size, stamp.size)) else { continue }
                return size >= stamp.size ? .unchanged(source: source) : .grown(source: source, known: size)
            }
        }
        byContent.bind(1, stamp.size)
        byContent.bind(2, Self.headDigest(descriptor))
        var twins: [Int64] = []
        try byContent.forEach { twins.append($0.int64(0)) }
        for source in twins where !known.contains(where: { $0.source == source }) {
            if try agrees(descriptor, source, upTo: stamp.size) { return .unchanged(source: source) }
        }
        return .new
    }

    /// Returns the source that consists of exactly these bytes; `nil` if there is none.
    func source(of bytes: [UInt8]) throws -> Int64? {
        byContent.bind(1, bytes.count)
        byContent.bind(2, Self.headDigest(bytes))
        var twins: [Int64] = []
        try byContent.forEach { twins.append($0.int64(0)) }
        return try twins.first { source in
            try stride(from: 0, to: bytes.count, by: SourceBlocks.size).allSatisfy { offset in
                let piece = bytes[offset..<min(offset + SourceBlocks.size, bytes.count)]
                return try reader.block(source, offset / SourceBlocks.size, needing: piece.count).starts(with: piece)
            }
        }
    }

    /// Makes a row for a new source; what is known of it comes with `finish`.
    func begin(_ name: String, format: Int64) throws -> Int64 {
        insert.bind(1, name)
        insert.bind(2, format)
        return try insert.first { $0.int64(0) } ?? 0
    }

    /// Remembers what was read.
    func finish(_ source: Int64, _ file: ImportPlan.File, stamp: FileStamp, size: Int, skipped: Int) throws {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        let head = descriptor >= 0 ? Self.headDigest(descriptor, limit: size) : 0
        try finish(source, head: head, stamp: stamp, size: size, skipped: skipped)
    }

    /// Remembers what was stored without a file.
    func finish(_ source: Int64, _ bytes: [UInt8], skipped: Int) throws {
        try finish(source, head: Self.headDigest(bytes), stamp: .unknown, size: bytes.count, skipped: skipped)
    }

    private func finish(_ source: Int64, head: Int64, stamp: FileStamp, size: Int, skipped: Int) throws {
        update.bind(1, size)
        update.bind(2, head)
        update.bind(3, stamp.device)
        update.bind(4, stamp.inode)
        update.bind(5, stamp.modified)
        update.bind(6, skipped)
        update.bind(7, source)
        try update.run()
    }

    /// Whether the first `length` bytes of a file are those of a source.
    private func agrees(_ descriptor: Int32, _ source: Int64, upTo length: Int) throws -> Bool {
        var piece = [UInt8](repeating: 0, count: SourceBlocks.size)
        var offset = 0
        while offset < length {
            let count = min(SourceBlocks.size, length - offset)
            guard Self.read(descriptor, &piece, count, at: offset) == count else { return false }
            let block = try reader.block(source, offset / SourceBlocks.size, needing: count)
            guard block.count >= count, memcmp(block, piece, count) == 0 else { return false }
            offset += count
        }
        return true
    }

    private static func headDigest(_ descriptor: Int32, limit: Int = .max) -> Int64 {
        var head = [UInt8](repeating: 0, count: min(headSize, limit))
        let count = read(descriptor, &head, head.count, at: 0)
        return headDigest(head[..<max(0, count)])
    }

    private static func headDigest(_ bytes: some Collection<UInt8>) -> Int64 {
        Array(bytes.prefix(headSize)).withUnsafeBufferPointer { Int64(bitPattern: Digest.of($0)) }
    }

    private static func read(_ descriptor: Int32, _ bytes: inout [UInt8], _ count: Int, at offset: Int) -> Int {
        bytes.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < count {
                let got = pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset + done))
                if got == 0 || got < 0 && errno != EINTR { break }
                done += max(0, got)
            }
            return done
        }
    }
}
