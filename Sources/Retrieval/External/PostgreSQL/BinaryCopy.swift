/// Rows in the binary form of PostgreSQL's COPY: big-endian numbers, each field behind its length.
///
/// Sources: PostgreSQL's documentation, "COPY, Binary Format"; a vector is as pgvector's `vector_recv` reads it: its
/// number of dimensions and a reserved zero in 16 bits each, then the numbers.
struct BinaryCopy {
    private(set) var bytes: [UInt8]
    private let columns: Int16

    init(rows: Int, columns: Int16) {
        self.columns = columns
        bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
        bytes.reserveCapacity(min(rows, 4_096) * 2_048)
        // No flags, no extension of the header.
        append(Int32(0))
        append(Int32(0))
    }

    mutating func beginRow() { append(columns) }

    mutating func add(_ number: Int64) {
        append(Int32(8))
        append(number)
    }

    mutating func add(_ text: String) {
        append(Int32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func add(_ vector: [Float]) {
        append(Int32(4 + 4 * vector.count))
        append(UInt16(vector.count))
        append(UInt16(0))
        for number in vector { append(number.bitPattern) }
    }

    /// Appends the end marker.
    mutating func end() { append(Int16(-1)) }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
