internal import Bytes
internal import Glibc
internal import Kernels

/// The segments of a graph, stored next to those of its rows.
///
/// `graph` 0: version, parameters, counts, entry, how codes are made. `links` 0, 1, ...: for each of 4,096 slots its
/// level, then their lists on the lowest level, then their upper lists, in memory layout. `journal` 0, 1, ...: slots
/// whose lists changed since their block was written, each with its level and all of its lists; a later one counts.
/// Once the journal has half the size of the blocks, it becomes part of them: adding one vector writes little, however
/// large the graph is.
enum GraphSegments {
    static let version: UInt32 = 1
    static let header = SegmentKey("graph")
    static let slotsPerBlock = 4096
    static let bytesPerJournal = 1 << 20
    /// Journal segments, after which they become one.
    static let mostJournals = 64

    static func block(_ number: Int) -> SegmentKey { SegmentKey("links", number) }
    static func journal(_ number: Int) -> SegmentKey { SegmentKey("journal", number) }
}

extension HNSWIndex {
    /// Writes what changed in the graph since it was read or written last; the rows are saved by themselves.
    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        var slots: [UInt32] = []
        for slot in 0..<count where changed.start[slot] != 0 { slots.append(UInt32(slot)) }
        let listBytes = 8 * parameters.m
        let baseBytes = saved.baseCount * (listBytes + 1)
        if !slots.isEmpty {
            if (saved.journalBytes + slots.count * (listBytes + 5)) * 2 > baseBytes {
                try saveBlocks(&store, slots)
            } else {
                slots.forEach { _ = saved.journaled.insert(Int($0)) }
                if saved.journalSegments >= GraphSegments.mostJournals {
                    slots = []
                    saved.journaled.forEach { slots.append(UInt32($0)) }
                    try removeJournal(&store)
                }
                try saveJournal(&store, slots)
            }
        }
        try saveHeader(&store)
        memset(changed.start, 0, count)
    }

    private func saveHeader(_ store: inout some SegmentStore) throws(SegmentError) {
        var writer = ByteWriter()
        writer.write(GraphSegments.version)
        writer.write(UInt32(parameters.m))
        writer.write(UInt32(parameters.efConstruction))
        writer.write(UInt32(parameters.effort))
        writer.write(parameters.seed)
        writer.write(UInt8(parameters.codes == nil ? 2 : parameters.codes == true ? 1 : 0))
        writer.write(UInt64(count))
        writer.write(UInt64(saved.baseCount))
        writer.write(UInt32(saved.journalSegments))
        writer.write(UInt32(entry ?? GraphWalk.none))
        writer.write(UInt32(maximumLevel))
        let calibration = guide.calibration
        writer.write(UInt8(calibration.isUsed ? 1 : 0))
        writer.write(UInt64(calibration.count))
        writer.write(calibration.scale)
        writer.write(UInt32(calibration.center.count))
        for number in calibration.center { writer.write(number) }
        try store.put(GraphSegments.header, writer.bytes)
    }

    /// Writes the blocks of changed and journaled slots, and those that are new.
    private func saveBlocks(_ store: inout some SegmentStore, _ slots: [UInt32]) throws(SegmentError) {
        let perBlock = GraphSegments.slotsPerBlock
        var blocks = SlotSet()
        for slot in slots { blocks.insert(Int(slot) / perBlock) }
        saved.journaled.forEach { blocks.insert($0 / perBlock) }
        // A block that was not full has to grow.
        for block in saved.baseCount / perBlock..<(count + perBlock - 1) / perBlock { blocks.insert(block) }
        for block in 0..<(count + perBlock - 1) / perBlock where blocks.contains(block) {
            let slots = block * perBlock..<min(count, (block + 1) * perBlock)
            let last = slots.upperBound - 1
            let lists =
                Int(upperStarts.start[last]) + Int(levels.start[last]) - Int(upperStarts.start[slots.lowerBound])
            var writer = ByteWriter(reserving: 4 + slots.count * (1 + 8 * parameters.m) + lists * 4 * parameters.m)
            writer.write(UInt32(slots.count))
            writer.writeRaw(UnsafeRawBufferPointer(start: levels.start + slots.lowerBound, count: slots.count))
            writer.writeRaw(
                UnsafeRawBufferPointer(
                    start: lowest.start + slots.lowerBound * 2 * parameters.m, count: slots.count * 8 * parameters.m))
            writer.writeRaw(
                UnsafeRawBufferPointer(
                    start: upper.start + Int(upperStarts.start[slots.lowerBound]) * parameters.m,
                    count: lists * 4 * parameters.m))
            try store.put(GraphSegments.block(block), writer.bytes)
        }
        try removeJournal(&store)
        saved.baseCount = count
        saved.journaled = SlotSet()
    }

    private func removeJournal(_ store: inout some SegmentStore) throws(SegmentError) {
        for number in 0..<saved.journalSegments { try store.remove(GraphSegments.journal(number)) }
        saved.journalSegments = 0
        saved.journalBytes = 0
    }

    private func saveJournal(_ store: inout some SegmentStore, _ slots: [UInt32]) throws(SegmentError) {
        var at = 0
        while at < slots.count {
            var writer = ByteWriter()
            while at < slots.count, writer.bytes.count < GraphSegments.bytesPerJournal {
                let slot = slots[at]
                let level = level(of: slot)
                writer.write(slot)
                writer.write(UInt8(level))
                writer.writeRaw(UnsafeRawBufferPointer(start: list(slot, 0), count: 8 * parameters.m))
                if level > 0 {
                    writer.writeRaw(UnsafeRawBufferPointer(start: list(slot, 1), count: level * 4 * parameters.m))
                }
                at += 1
            }
            try store.put(GraphSegments.journal(saved.journalSegments), writer.bytes)
            saved.journalSegments += 1
            saved.journalBytes += writer.bytes.count
        }
    }
}
