internal import Bytes

extension VectorFile {
    /// Writes vectors as an `.fvecs` or `.npy` file (float32), removed ones left out, in the order of slots.
    ///
    /// - Parameter write: Called with pieces of about a mebibyte, one after the other.
    /// - Returns: The labels of what was written, in that order.
    @discardableResult
    public static func write<Failure: Error>(
        _ rows: VectorRows, as format: Format, _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) -> [Int64] {
        var labels: [Int64] = []
        var piece = ByteWriter(reserving: 1 << 20)
        if format != .fvecs { piece = arrayHead(rows: rows.liveCount, dimension: rows.dimension) }
        for slot in 0..<rows.count where !rows.removed.contains(slot) {
            if format == .fvecs { piece.write(Int32(rows.dimension)) }
            piece.writeRaw(UnsafeRawBufferPointer(start: rows.row(slot), count: rows.dimension * 4))
            labels.append(rows.labels[slot])
            guard piece.bytes.count >= 1 << 20 else { continue }
            try piece.bytes.withRawBytes(write)
            piece = ByteWriter(reserving: 1 << 20)
        }
        try piece.bytes.withRawBytes(write)
        return labels
    }

    /// Returns the head of version 1.0: magic, length, a Python dictionary, spaces up to a multiple of 64 bytes.
    private static func arrayHead(rows: Int, dimension: Int) -> ByteWriter {
        var text = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(rows), \(dimension)), }"
        let spaces = (64 - (10 + text.utf8.count + 1) % 64) % 64
        text += String(repeating: " ", count: spaces) + "\n"
        var writer = ByteWriter(reserving: 1 << 20)
        for byte in [0x93] + Array("NUMPY".utf8) + [1, 0] { writer.write(byte) }
        writer.write(UInt16(text.utf8.count))
        for byte in text.utf8 { writer.write(byte) }
        return writer
    }
}
