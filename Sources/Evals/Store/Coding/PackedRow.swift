package import Bytes
package import EvalLogs
internal import Traces

// The data of a sample for lists and statistics, as bytes.

extension EvalRow.Outcome: Packed {
    /// Outcomes at the numbers that are stored: never reorder.
    private static let stored: [Self] = [.passed, .failed, .error, .unscored, .scored]

    package func pack(into writer: inout PackedWriter) {
        writer.write(UInt8(Self.stored.firstIndex(of: self) ?? 0))
    }

    package init(from reader: inout ByteReader) throws(ByteDamage) {
        let number = Int(try reader.next(UInt8.self))
        guard Self.stored.indices.contains(number) else { throw reader.failure("unknown outcome \(number)") }
        self = Self.stored[number]
    }
}

/// The bytes of a row: everything except its index, which is the key of the table, with a digest at the end.
package enum PackedRow {
    private static let version: UInt8 = 2

    package static func bytes(of row: EvalRow) -> [UInt8] {
        var writer = PackedWriter(reserving: 512)
        writer.write(
            version, row.id, row.epoch, row.outcome, row.scores, row.input, row.answer, row.target, row.cluster)
        writer.write(row.slices, row.problem, row.seconds, row.tokens, row.cost, row.wasCached)
        return sealed(writer.bytes)
    }

    package static func row(_ bytes: UnsafeRawBufferPointer, index: Int) throws(ByteDamage) -> EvalRow {
        var reader = ByteReader(try opened(bytes))
        let version = try reader.version(upTo: version)
        var row = EvalRow(
            index: index, id: try reader.next(), epoch: try reader.next(), outcome: try reader.next(),
            scores: try reader.next(), input: try reader.next(), answer: try reader.next(), target: try reader.next(),
            cluster: try reader.next(), slices: try reader.next(), problem: try reader.next(),
            seconds: try reader.next(), tokens: try reader.next(), cost: try reader.next())
        // Version 1 rows do not record this.
        if version > 1 { row.wasCached = try reader.next() }
        return row
    }

    /// Returns the bytes with their digest at the end.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let digest = bytes.withUnsafeBufferPointer { Digest.of($0) }
        return bytes + withUnsafeBytes(of: digest.littleEndian) { Array($0) }
    }

    /// Returns the bytes before the digest, if the digest matches.
    static func opened(_ bytes: UnsafeRawBufferPointer) throws(ByteDamage) -> UnsafeRawBufferPointer {
        guard bytes.count >= 8 else { throw ByteDamage("truncated row") }
        let content = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 8)])
        let digest = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: content.count, as: UInt64.self))
        guard Digest.of(content.assumingMemoryBound(to: UInt8.self)) == digest else {
            throw ByteDamage("the digest of a row does not match")
        }
        return content
    }
}
