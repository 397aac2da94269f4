internal import Bytes

/// The segments of a Vamana index.
///
/// - `vamana 0`: version, metric, dimension, settings, slots, linked slots, entry, coding.
/// - `labels N`: labels of 65,536 slots, 8 bytes each.
/// - `codes N`: codes of as many slots as fit into a mebibyte.
/// - `removed 0`: bits of the removed slots, then of the released ones.
/// - `nodes SLOT`: number of links, numbers of the vector, links; nothing for a released slot.
enum VamanaLayout {
    static let header = SegmentKey("vamana")
    static let removed = SegmentKey("removed")
    static let version: UInt8 = 1
    static let labelsPerSegment = 65_536
    static let codeSegmentBytes = 1 << 20

    static func node(_ slot: Int) -> SegmentKey { SegmentKey(VamanaIndex.nodePart, slot) }

    static func codesPerSegment(_ coding: VamanaCoding) -> Int { max(1, codeSegmentBytes / coding.byteCount) }
}

/// The segment that says what the others hold.
struct VamanaHeader {
    var metric: Metric
    var dimension: Int
    var settings: VamanaSettings
    var count: Int
    var linked: Int
    var entry: UInt32?
    var coding: VamanaCoding
    /// Slots that there were when the coding was measured.
    var measured: Int

    func write(into writer: inout ByteWriter) {
        writer.write(VamanaLayout.version)
        writer.write(metric.rawValue)
        writer.write(UInt32(dimension))
        writer.write(UInt32(settings.degree))
        writer.write(UInt32(settings.complexity))
        writer.write(settings.alpha)
        writer.write(UInt8(settings.passes))
        writer.write(UInt8(settings.codeBits ?? 0))
        writer.write(UInt32(count))
        writer.write(UInt32(linked))
        writer.write(entry ?? .max)
        writer.write(UInt32(measured))
        writer.write(UInt8(coding.bits))
        writer.write(coding.scale)
        for number in coding.center { writer.write(number) }
    }

    init(
        metric: Metric, dimension: Int, settings: VamanaSettings, count: Int, linked: Int, entry: UInt32?,
        coding: VamanaCoding, measured: Int
    ) {
        (self.metric, self.dimension, self.settings, self.count) = (metric, dimension, settings, count)
        (self.linked, self.entry, self.coding, self.measured) = (linked, entry, coding, measured)
    }

    init(from store: some SegmentStore) throws(SegmentError) {
        self = try store.withSegment(VamanaLayout.header) { bytes throws(SegmentError) in
            try VamanaHeader(bytes)
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(SegmentError) {
        var reader = SegmentReader(bytes, VamanaLayout.header)
        guard try reader.read(UInt8.self) == VamanaLayout.version else {
            throw reader.failure("a newer version of Orrery wrote the index")
        }
        guard let metric = Metric(rawValue: try reader.readText()) else {
            throw reader.failure("unknown metric")
        }
        self.metric = metric
        dimension = Int(try reader.read(UInt32.self))
        guard (1...VectorRows.maximumDimension).contains(dimension) else {
            throw reader.failure("dimension \(dimension) is out of range")
        }
        let degree = Int(try reader.read(UInt32.self))
        let complexity = Int(try reader.read(UInt32.self))
        let alpha = try reader.readFloat()
        let passes = Int(try reader.read(UInt8.self))
        let wishedBits = Int(try reader.read(UInt8.self))
        count = Int(try reader.read(UInt32.self))
        linked = Int(try reader.read(UInt32.self))
        let entry = try reader.read(UInt32.self)
        self.entry = entry == .max ? nil : entry
        measured = Int(try reader.read(UInt32.self))
        guard count <= VectorRows.maximumCount, linked <= count, entry == .max || Int(entry) < count else {
            throw reader.failure("inconsistent sizes")
        }
        let bits = Int(try reader.read(UInt8.self))
        guard bits == 4 || bits == 8 else { throw reader.failure("codes have 4 or 8 bits, not \(bits)") }
        let scale = try reader.readFloat()
        var center: [Float] = []
        for _ in 0..<dimension { center.append(try reader.readFloat()) }
        settings = VamanaSettings(
            degree: degree, complexity: complexity, alpha: alpha, passes: passes,
            codeBits: wishedBits == 0 ? nil : wishedBits)
        coding = VamanaCoding(dimension: dimension, bits: bits, center: center, scale: scale)
    }
}

/// Sets of slots and labels as segments.
enum VamanaTables {
    static func labels(from store: some SegmentStore, count: Int) throws(SegmentError) -> [Int64] {
        var labels: [Int64] = []
        labels.reserveCapacity(count)
        var number = 0
        while labels.count < count {
            let key = SegmentKey("labels", number)
            let wanted = min(VamanaLayout.labelsPerSegment, count - labels.count)
            labels += try store.withSegment(key) { bytes throws(SegmentError) in
                guard bytes.count == wanted * 8 else {
                    throw SegmentError(key, problem: "the labels do not match the index")
                }
                return (0..<wanted).map {
                    Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self))
                }
            }
            number += 1
        }
        return labels
    }

    /// Returns the removed slots and those of them that no list points to.
    static func removed(
        from store: some SegmentStore, count: Int
    ) throws(SegmentError) -> (removed: SlotSet, released: SlotSet) {
        try store.withSegment(VamanaLayout.removed) { bytes throws(SegmentError) in
            let words = (count + 63) / 64
            guard bytes.count == words * 16 else {
                throw SegmentError(VamanaLayout.removed, problem: "the removed slots do not match the index")
            }
            func set(_ first: Int) -> SlotSet {
                var set = SlotSet(capacity: count)
                for word in 0..<words {
                    let raw = bytes.loadUnaligned(fromByteOffset: 8 * (first + word), as: UInt64.self)
                    var rest = UInt64(littleEndian: raw)
                    while rest != 0 {
                        let slot = word << 6 | rest.trailingZeroBitCount
                        if slot < count { set.insert(slot) }
                        rest &= rest - 1
                    }
                }
                return set
            }
            return (set(0), set(words))
        }
    }
}
