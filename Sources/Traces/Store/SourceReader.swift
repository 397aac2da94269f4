import GRDB
import Synchronization
import Workspace

/// Blocks of sources that were read a moment ago, decompressed; at most 16 MiB of them.
final class BlockCache: Sendable {
    private struct Entry {
        var bytes: [UInt8]
        var lastUse: Int
    }

    private struct Shelf {
        var entries: [Int64: Entry] = [:]
        var bytes = 0
        var clock = 0
    }

    private let shelf = Mutex(Shelf())
    private let limit: Int

    init(limit: Int = 16 << 20) { self.limit = limit }

    subscript(key: Int64) -> [UInt8]? {
        shelf.withLock { shelf in
            shelf.clock += 1
            shelf.entries[key]?.lastUse = shelf.clock
            return shelf.entries[key]?.bytes
        }
    }

    func keep(_ key: Int64, _ bytes: [UInt8]) {
        shelf.withLock { shelf in
            shelf.clock += 1
            if let old = shelf.entries.updateValue(Entry(bytes: bytes, lastUse: shelf.clock), forKey: key) {
                shelf.bytes -= old.bytes.count
            }
            shelf.bytes += bytes.count
            // At most a few dozen blocks fit: looking at all of them costs less than keeping a list in order.
            while shelf.bytes > limit, let oldest = shelf.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                shelf.bytes -= oldest.value.bytes.count
                shelf.entries[oldest.key] = nil
            }
        }
    }
}

/// Reads bytes of sources within one access to the database.
final class SourceReader {
    private let select: Workspace.Statement
    private let decompressor: Decompressor
    private let cache: BlockCache?

    init(_ database: Database, cache: BlockCache?) throws {
        select = try Workspace.Statement(database, "SELECT data FROM source_block WHERE id = ?")
        decompressor = try Decompressor()
        self.cache = cache
    }

    /// Returns the bytes of a record; fewer if the source ends early.
    func bytes(_ record: RecordReference) throws -> [UInt8] {
        var result: [UInt8] = []
        try withBytes(record) { result = Array($0) }
        return result
    }

    /// Runs `body` on the bytes of a record, which are copied only if they span several blocks.
    func withBytes<Result>(
        _ record: RecordReference, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result {
        let size = SourceBlocks.size
        guard record.offset >= 0, record.length > 0, record.offset <= size * SourceBlocks.mostBlocks else {
            return try body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let first = record.offset / size
        let start = record.offset % size
        if start + record.length <= size {
            let block = try block(record.source, first, needing: start + record.length)
            return try block.withUnsafeBufferPointer { bytes in
                try body(
                    UnsafeBufferPointer(
                        rebasing: bytes[min(start, bytes.count)..<min(start + record.length, bytes.count)]))
            }
        }
        var joined: [UInt8] = []
        var number = first
        var offset = start
        while joined.count < record.length {
            let needed = min(size, offset + record.length - joined.count)
            let block = try block(record.source, number, needing: needed)
            guard block.count > offset else { break }
            joined.append(contentsOf: block[offset..<min(needed, block.count)])
            if block.count < size { break }
            number += 1
            offset = 0
        }
        return try joined.withUnsafeBufferPointer(body)
    }

    /// A block from the cache if it is there and as long as needed (the last one of a source may have grown since).
    func block(_ source: Int64, _ number: Int, needing length: Int) throws -> [UInt8] {
        let key = SourceBlocks.key(source: source, number: number)
        if let cached = cache?[key], cached.count >= length { return cached }
        select.bind(1, key)
        let found = try select.first { row in try decompressor.decompress(row.blob(0), limit: SourceBlocks.size) }
        guard let found else { return [] }
        cache?.keep(key, found)
        return found
    }
}
