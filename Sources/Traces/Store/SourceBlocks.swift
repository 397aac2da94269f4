import GRDB
import Workspace

/// Where the bytes of sources lie: pieces of 256 KiB, the last of a source shorter.
enum SourceBlocks {
    /// Bytes of a source in one block.
    static let size = 256 << 10

    /// The key of the block with a number: sources have at most 2^20 blocks (256 GiB).
    static func key(source: Int64, number: Int) -> Int64 { source << 20 | Int64(number) }

    static let mostBlocks = 1 << 20
}

/// Takes the bytes of one source and writes the blocks they fill.
///
/// Bytes are compressed on a second thread if a processor is available, otherwise on this one.
final class SourceArchive {
    private let source: Int64
    private let store: Workspace.Statement
    private let lane: CompressionLane
    /// Bytes from the start that are archived already and are not taken again.
    private var known: Int
    private var number: Int
    private var piece: [UInt8] = []
    /// Bytes of the source met so far.
    private(set) var size = 0
    /// Bytes that the compressed blocks of this source take.
    private(set) var stored = 0

    /// - Parameter known: Bytes that the workspace has already; the last block, if it is not full, is written again.
    init(_ database: Database, source: Int64, known: Int = 0, lane: CompressionLane) throws {
        self.source = source
        self.lane = lane
        number = known / SourceBlocks.size
        self.known = number * SourceBlocks.size
        store = try Workspace.Statement(database, "INSERT OR REPLACE INTO source_block (id, data) VALUES (?, ?)")
    }

    /// Takes the next bytes of the source.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        if size < known {
            let skipped = min(known - size, rest.count)
            size += skipped
            rest = UnsafeRawBufferPointer(rebasing: rest[skipped...])
        }
        size += rest.count
        while !rest.isEmpty {
            if piece.capacity < SourceBlocks.size { piece.reserveCapacity(SourceBlocks.size) }
            let count = min(SourceBlocks.size - piece.count, rest.count)
            piece.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            if piece.count == SourceBlocks.size { try finishPiece() }
        }
    }

    /// Writes what is left; every block is in the database when this returns.
    func finish() throws {
        if !piece.isEmpty { try finishPiece() }
        try lane.drain(into: keep)
    }

    private func finishPiece() throws {
        guard number < SourceBlocks.mostBlocks else {
            throw WorkspaceError.other(path: "", reason: "sources larger than 256 GiB cannot be stored")
        }
        let key = SourceBlocks.key(source: source, number: number)
        number += 1
        try lane.compress(&piece, key: key, into: keep)
    }

    private func keep(_ key: Int64, _ data: UnsafeRawBufferPointer) throws {
        stored += data.count
        store.bind(1, key)
        store.bind(2, copying: data)
        try store.run()
    }
}
