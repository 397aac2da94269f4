internal import Bytes
internal import GRDB
internal import Workspace

/// What was written last of a run, before it becomes blocks: one row a write, all series in it.
///
/// A row is a section for each series that has points in it: number of the series (8 bytes), length (4), and as many
/// bytes as `BlockCoding` made of the points.
enum Journal {
    /// When a row would make one of these pass, the rows become blocks.
    static let mostPoints = SeriesBlock.capacity
    static let mostValues = 1 << 18
    static let mostRows = 256

    /// Calls `body` with the bytes of each section; a damaged end is left out.
    static func forEachSection(
        of data: UnsafeRawBufferPointer, _ body: (_ series: Int64, _ block: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var position = 0
        while data.count - position >= 12 {
            let series = Int64(littleEndian: data.loadUnaligned(fromByteOffset: position, as: Int64.self))
            let length = Int(UInt32(littleEndian: data.loadUnaligned(fromByteOffset: position + 8, as: UInt32.self)))
            position += 12
            guard length <= data.count - position else { throw BlockCoding.damage }
            try body(series, UnsafeRawBufferPointer(rebasing: data[position..<(position + length)]))
            position += length
        }
    }

    static func appendSection(_ series: Int64, _ points: SeriesPoints, to data: inout [UInt8]) {
        data.appendFixed(series)
        let place = data.count
        data += [0, 0, 0, 0]
        BlockCoding.encode(points, into: &data)
        let length = UInt32(data.count - place - 4).littleEndian
        withUnsafeBytes(of: length) { data.replaceSubrange(place..<(place + 4), with: $0) }
    }

    /// The points of the wanted series that are in the journal of a run, in the order in which they were written.
    ///
    /// - Parameter wanted: nil takes all.
    static func points(
        of run: Int64, only wanted: Set<Int64>? = nil, _ db: Database
    ) throws -> [Int64: SeriesPoints] {
        let row = try Workspace.Statement(db, "SELECT data FROM training_journal WHERE run = ? ORDER BY id")
        row.bind(1, run)
        var found: [Int64: SeriesPoints] = [:]
        while try row.step() {
            try forEachSection(of: row.blob(0)) { series, block in
                guard wanted?.contains(series) ?? true else { return }
                try BlockCoding.decode(block, into: &found[series, default: SeriesPoints()])
            }
        }
        return found
    }
}
