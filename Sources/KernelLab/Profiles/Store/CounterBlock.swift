import Workspace

/// The counters of launches that follow each other, as `launch_counter.data` holds them: compressed together, since
/// neighbors are alike. Of each launch the number of its counters, their names' numbers, then their values.
struct CounterBlock {
    /// Launches in the block so far.
    private(set) var count = 0
    private(set) var bytes: [UInt8] = []

    private static let mostLaunches = 64
    private static let mostBytes = 512 << 10

    var isFull: Bool { count >= Self.mostLaunches || bytes.count >= Self.mostBytes }

    mutating func removeAll() {
        count = 0
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ counters: [Launch.Counter]) {
        count += 1
        append(UInt32(truncatingIfNeeded: counters.count))
        for counter in counters { append(UInt32(truncatingIfNeeded: counter.name)) }
        for counter in counters { append(counter.value.bitPattern) }
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The counters of each launch of a block, in order.
    static func counters(_ data: UnsafeRawBufferPointer, _ decompressor: Decompressor) throws -> [[Launch.Counter]] {
        let bytes = try decompressor.decompress(data)
        return bytes.withUnsafeBytes { bytes in
            var launches: [[Launch.Counter]] = []
            var offset = 0
            while offset + 4 <= bytes.count {
                let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
                let names = offset + 4
                let values = names + 4 * count
                offset = values + 8 * count
                guard offset <= bytes.count else { break }
                launches.append(
                    (0..<count).map { place in
                        let name = bytes.loadUnaligned(fromByteOffset: names + 4 * place, as: UInt32.self)
                        let value = bytes.loadUnaligned(fromByteOffset: values + 8 * place, as: UInt64.self)
                        return Launch.Counter(
                            name: Int(UInt32(littleEndian: name)),
                            value: Double(bitPattern: UInt64(littleEndian: value)))
                    })
            }
            return launches
        }
    }
}
