internal import Bytes
internal import Glibc

/// Which blocks of vectors a store has.
struct UnsavedBlocks: Sendable {
    /// Slots that are in the store as they are.
    var savedCount = 0
    var savedRemoved: [UInt64]?
}

/// Vectors in segments.
///
/// `removed` 0: version, metric, dimension, count. `removed` 1, 2, ...: a bit for each of 8,388,608 slots. `vectors` 0,
/// 1, ...: a number of slots, their labels, their rows one after the other; every block but the last has
/// `slotsPerBlock` of them, so that a block is about a mebibyte. A row never changes, so that only blocks with new slots
/// are written.
extension VectorRows {
    private static let version: UInt32 = 1
    private static let slotsPerMarks = 1 << 23

    /// Slots of a full block.
    package var slotsPerBlock: Int { Self.slotsPerBlock(dimension) }
    private static func slotsPerBlock(_ dimension: Int) -> Int { max(1, (1 << 20) / (dimension * 4 + 8)) }

    /// Writes vectors that were added, and which were removed, since the rows were read or written last.
    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        let perBlock = slotsPerBlock
        for block in unsaved.savedCount / perBlock..<(count + perBlock - 1) / perBlock {
            let first = block * perBlock
            let slots = first..<min(count, first + perBlock)
            var writer = ByteWriter(reserving: 4 + slots.count * (8 + dimension * 4))
            writer.write(UInt32(slots.count))
            labels.withUnsafeBufferPointer { labels in
                writer.writeRaw(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: labels[slots])))
            }
            for slot in slots { writer.writeRaw(UnsafeRawBufferPointer(start: row(slot), count: dimension * 4)) }
            try store.put(SegmentKey("vectors", block), writer.bytes)
        }
        var header = ByteWriter()
        header.write(Self.version)
        header.write(UInt32(Metric.allCases.firstIndex(of: metric) ?? 0))
        header.write(UInt32(dimension))
        header.write(UInt64(count))
        try store.put(SegmentKey("removed"), header.bytes)
        let wordsPerMarks = Self.slotsPerMarks / 64
        let old = unsaved.savedRemoved ?? []
        for block in 0..<(removed.words.count + wordsPerMarks - 1) / wordsPerMarks {
            let words = removed.words.dropFirst(block * wordsPerMarks).prefix(wordsPerMarks)
            guard Array(words) != Array(old.dropFirst(block * wordsPerMarks).prefix(wordsPerMarks)) else { continue }
            var bytes: [UInt8] = []
            words.withUnsafeBytes { bytes.append(contentsOf: $0) }
            try store.put(SegmentKey("removed", block + 1), bytes)
        }
        unsaved.savedCount = count
        unsaved.savedRemoved = removed.words
    }

    /// Reads what ``save(to:)`` wrote.
    ///
    /// - Throws: `SegmentError` where segments are missing, damaged, or do not fit each other.
    public convenience init(from store: some SegmentStore) throws(SegmentError) {
        let key = SegmentKey("removed")
        let (metric, dimension, count) = try store.withSegment(key) {
            bytes throws(SegmentError) -> (Metric, Int, Int) in
            var reader = SegmentReader(bytes, key)
            guard try reader.read(UInt32.self) == Self.version else {
                throw reader.failure("unsupported version")
            }
            let metric = Int(try reader.read(UInt32.self))
            guard Metric.allCases.indices.contains(metric) else { throw reader.failure("unknown metric") }
            let dimension = Int(try reader.read(UInt32.self))
            let count = try reader.read(UInt64.self)
            guard count <= UInt64(Self.maximumCount) else { throw reader.failure("\(count) vectors are too many") }
            return (Metric.allCases[metric], dimension, Int(count))
        }
        try self.init(dimension: dimension, metric: metric)
        try requireMemory(count * (stride * 4 + 16), for: "vectors")
        let perBlock = slotsPerBlock
        labels.reserveCapacity(count)
        for block in 0..<(count + perBlock - 1) / perBlock {
            let key = SegmentKey("vectors", block)
            try store.withSegment(key) { bytes throws(SegmentError) in
                try self.read(block: SegmentReader(bytes, key), slots: min(perBlock, count - block * perBlock))
            }
        }
        try readRemoved(store)
        table = LabelTable(reserving: count)
        for slot in 0..<count where !removed.contains(slot) {
            guard table.slot(of: labels[slot], in: labels) == nil else {
                throw SegmentError(key, problem: "duplicate label \(labels[slot])")
            }
            table.insert(labels[slot], slot: slot, labels: labels)
        }
        unsaved = UnsavedBlocks(savedCount: count, savedRemoved: removed.words)
    }

    private func read(block: SegmentReader, slots expected: Int) throws(SegmentError) {
        var reader = block
        let slots = Int(try reader.read(UInt32.self))
        // A save that was not committed may have left more than the header tells of.
        guard slots == expected else { throw reader.failure("expected \(expected) vectors, found \(slots)") }
        let raw = try reader.readRaw(slots * 8)
        for slot in 0..<slots { labels.append(raw.loadUnaligned(fromByteOffset: slot * 8, as: Int64.self)) }
        let numbers = try reader.readRaw(slots * dimension * 4)
        guard reader.remaining == 0 else { throw reader.failure("\(reader.remaining) extra bytes at the end") }
        guard let from = numbers.baseAddress else { return }
        for slot in 0..<slots {
            memcpy(memory.start + (count + slot) * stride, from + slot * dimension * 4, dimension * 4)
        }
        count += slots
    }

    private func readRemoved(_ store: some SegmentStore) throws(SegmentError) {
        for block in 0..<(count + Self.slotsPerMarks - 1) / Self.slotsPerMarks {
            let key = SegmentKey("removed", block + 1)
            guard try store.keys(of: "removed").contains(key) else { continue }
            try store.withSegment(key) { bytes throws(SegmentError) in
                let reader = SegmentReader(bytes, key)
                guard bytes.count % 8 == 0 else { throw reader.failure("the segment ends within a number") }
                for word in 0..<bytes.count / 8 {
                    var rest = bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
                    while rest != 0 {
                        let slot = block * Self.slotsPerMarks + word * 64 + rest.trailingZeroBitCount
                        guard slot < self.count else { throw reader.failure("the segment removes missing vectors") }
                        self.removed.insert(slot)
                        rest &= rest - 1
                    }
                }
            }
        }
    }
}
