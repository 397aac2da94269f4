internal import EvalLogs
internal import Traces

// The data of a sample for lists and statistics, as bytes.

extension EvalRow.Outcome {
    /// Numbers that are stored: never renumber.
    var stored: UInt8 {
        switch self {
        case .passed: 0
        case .failed: 1
        case .error: 2
        case .unscored: 3
        case .scored: 4
        }
    }

    init?(stored: UInt8) {
        switch stored {
        case 0: self = .passed
        case 1: self = .failed
        case 2: self = .error
        case 3: self = .unscored
        case 4: self = .scored
        default: return nil
        }
    }
}

/// The bytes of a row: everything except its index, which is the key of the table, with a digest at the end.
enum PackedRow {
    private static let version: UInt8 = 2

    static func bytes(of row: EvalRow) -> [UInt8] {
        var writer = PackedWriter(reserving: 512)
        writer.write(tag: version)
        writer.write(row.id)
        writer.write(row.epoch)
        writer.write(tag: row.outcome.stored)
        writer.write(row.scores)
        writer.write(row.input)
        writer.write(row.answer)
        writer.write(row.target)
        writer.write(row.cluster)
        writer.write(row.slices)
        writer.write(row.problem)
        writer.write(row.seconds)
        writer.write(row.tokens)
        writer.write(row.cost)
        writer.write(row.wasCached)
        return sealed(writer.bytes)
    }

    static func row(_ bytes: UnsafeRawBufferPointer, index: Int) throws(PackedReader.Damage) -> EvalRow {
        var reader = PackedReader(try opened(bytes))
        let found = try reader.tag()
        guard (1...version).contains(found) else { throw PackedReader.Damage() }
        let id = try reader.text()
        let epoch = try reader.int()
        guard let outcome = EvalRow.Outcome(stored: try reader.tag()) else { throw PackedReader.Damage() }
        var row = EvalRow(
            index: index, id: id, epoch: epoch, outcome: outcome, scores: try reader.array(),
            input: try reader.text(), answer: try reader.text(), target: try reader.text(),
            cluster: try reader.optional(), slices: try reader.array(), problem: try reader.optional(),
            seconds: try reader.optional(), tokens: try reader.optional(), cost: try reader.optional())
        // Version 1 rows do not record this.
        if found > 1 { row.wasCached = try reader.bool() }
        return row
    }

    /// Returns the bytes with their digest at the end.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let digest = bytes.withUnsafeBufferPointer { Digest.of($0) }
        return bytes + withUnsafeBytes(of: digest.littleEndian) { Array($0) }
    }

    /// Returns the bytes before the digest, if the digest matches.
    static func opened(_ bytes: UnsafeRawBufferPointer) throws(PackedReader.Damage) -> UnsafeRawBufferPointer {
        guard bytes.count >= 8 else { throw PackedReader.Damage() }
        let content = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 8)])
        let digest = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: content.count, as: UInt64.self))
        guard Digest.of(content.assumingMemoryBound(to: UInt8.self)) == digest else { throw PackedReader.Damage() }
        return content
    }
}
