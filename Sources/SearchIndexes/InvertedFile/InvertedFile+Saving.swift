internal import Bytes

/// Inverted files in segments.
///
/// `KIND`: the header. `KIND-centers` 0, 1, ...: floats, then those of the codes. `KIND-lists`: 16 lists a group, each
/// a count, slots and codes; a group has up to 256 pieces of 16 MiB, numbered group · 256 + piece. Vectors are copied
/// from the rows, and the numbers stored with codes are computed again.
extension InvertedFile {
    private static var version: UInt32 { 1 }
    private static var listsOfGroup: Int { 16 }
    private static var piecesOfGroup: Int { 256 }

    var listSizes: [Int] { (0..<lists.count).map { lists[$0].count } }

    func save(to store: inout some SegmentStore, part: String) throws(SegmentError) {
        guard panels != nil else { return }
        if !areCentersSaved {
            var numbers = centers
            if let quantizer { numbers += quantizer.centers }
            try Self.put(numbers, "\(part)-centers", in: &store)
            areCentersSaved = true
        }
        let lists = lists
        var expected: Set<SegmentKey> = []
        let listPart = "\(part)-lists"
        for group in 0..<groupCount {
            let members = group * Self.listsOfGroup..<min(lists.count, (group + 1) * Self.listsOfGroup)
            let bytes = members.reduce(8) { $0 + bytesOfList($1) }
            let pieces = (bytes + SegmentLimits.maximumBytes - 1) / SegmentLimits.maximumBytes
            guard pieces <= Self.piecesOfGroup else {
                throw SegmentError(
                    SegmentKey(listPart, group * Self.piecesOfGroup),
                    problem: "a group of 16 lists takes \(bytes) bytes, which exceeds the size limit",
                    remedy: "Use more lists.")
            }
            for piece in 0..<pieces { expected.insert(SegmentKey(listPart, group * Self.piecesOfGroup + piece)) }
            guard members.contains(where: { lists[$0].isChanged }) else { continue }
            let written = encode(members, bytes)
            for piece in 0..<pieces {
                let range = piece * SegmentLimits.maximumBytes..<min(bytes, (piece + 1) * SegmentLimits.maximumBytes)
                try store.put(SegmentKey(listPart, group * Self.piecesOfGroup + piece), Array(written[range]))
            }
            for list in members { lists.markSaved(list) }
        }
        for key in try store.keys(of: listPart) where !expected.contains(key) { try store.remove(key) }
        if !isHeaderSaved {
            try store.put(SegmentKey(part), header)
            isHeaderSaved = true
        }
    }

    private var groupCount: Int { (lists.count + Self.listsOfGroup - 1) / Self.listsOfGroup }
    private func bytesOfList(_ list: Int) -> Int { 4 + lists[list].count * (4 + (isCoded ? choices.parts : 0)) }

    private var header: [UInt8] {
        var writer = ByteWriter()
        writer.write(Self.version)
        writer.write(UInt32(rows.dimension))
        writer.write(UInt8(Metric.allCases.firstIndex(of: rows.metric) ?? 0))
        writer.write(UInt8(isCoded ? 1 : 0))
        writer.write(UInt8(choices.isSingle ? 1 : 0))
        writer.write(UInt8(choices.lists == nil ? 0 : 1))
        writer.write(UInt32(choices.parts))
        writer.write(UInt32(lists.count))
        writer.write(choices.seed)
        writer.write(UInt32(choices.iterations))
        writer.write(UInt64(trainedCount))
        writer.write(generation)
        return writer.bytes
    }

    private func encode(_ members: Range<Int>, _ bytes: Int) -> [UInt8] {
        var writer = ByteWriter(reserving: bytes)
        writer.write(generation)
        writer.write(UInt32(members.count))
        for index in members {
            let list = lists[index]
            writer.write(UInt32(list.count))
            writer.writeRaw(UnsafeRawBufferPointer(start: list.slots, count: list.count * 4))
            if isCoded {
                writer.writeRaw(UnsafeRawBufferPointer(start: list.entries, count: list.count * choices.parts))
            }
        }
        return writer.bytes
    }

    private static func put(
        _ numbers: [Float], _ part: String, in store: inout some SegmentStore
    ) throws(SegmentError) {
        let size = SegmentLimits.maximumBytes / 4
        let count = (numbers.count + size - 1) / size
        for piece in 0..<count {
            var writer = ByteWriter()
            numbers[piece * size..<min(numbers.count, (piece + 1) * size)].withUnsafeBytes { writer.writeRaw($0) }
            try store.put(SegmentKey(part, piece), writer.bytes)
        }
        for key in try store.keys(of: part) where key.number >= count { try store.remove(key) }
    }

    // MARK: Reading

    convenience init(
        _ rows: VectorRows, from store: some SegmentStore, part: String, isCoded: Bool
    ) throws(SegmentError) {
        let key = SegmentKey(part)
        var choices = Choices()
        var (listCount, trained, generation) = (0, 0, UInt32(0))
        try store.withSegment(key) { bytes throws(SegmentError) in
            var reader = SegmentReader(bytes, key)
            guard try reader.read(UInt32.self) == Self.version else {
                throw reader.failure("unsupported version")
            }
            let dimension = try reader.read(UInt32.self)
            let metric = Int(try reader.read(UInt8.self))
            guard dimension == rows.dimension, Metric.allCases.indices.contains(metric),
                Metric.allCases[metric] == rows.metric, try reader.read(UInt8.self) == (isCoded ? 1 : 0)
            else { throw reader.failure("the index does not match the vectors") }
            choices.isSingle = try reader.read(UInt8.self) != 0
            let isFixed = try reader.read(UInt8.self) != 0
            choices.parts = Int(try reader.read(UInt32.self))
            guard isCoded ? (1...rows.dimension).contains(choices.parts) : choices.parts == 0 else {
                throw reader.failure("codes of \(choices.parts) bytes are out of range")
            }
            listCount = Int(try reader.read(UInt32.self))
            guard (1...1 << 24).contains(listCount), !choices.isSingle || listCount == 1 else {
                throw reader.failure("\(listCount) lists are out of range")
            }
            choices.lists = isFixed ? listCount : nil
            choices.seed = try reader.read()
            choices.iterations = Int(try reader.read(UInt32.self))
            guard choices.iterations <= 10_000 else { throw reader.failure("iterations must be at most 10,000") }
            trained = Int(try reader.read(UInt64.self) & UInt64(UInt32.max))
            generation = try reader.read()
        }
        self.init(rows, choices, isCoded: isCoded)
        self.trainedCount = trained
        self.generation = generation
        try readCenters(store, "\(part)-centers", listCount)
        lists = emptyLists(listCount)
        known = SlotSet(capacity: rows.count)
        for group in 0..<groupCount { try readGroup(group, store, "\(part)-lists") }
        isHeaderSaved = true
        areCentersSaved = true
    }

    private func readCenters(_ store: some SegmentStore, _ part: String, _ count: Int) throws(SegmentError) {
        let wanted = count * rows.dimension + (isCoded ? ProductQuantizer.centersOfPart * rows.dimension : 0)
        var numbers: [Float] = []
        for key in try store.keys(of: part) {
            try store.withSegment(key) { bytes throws(SegmentError) in
                guard bytes.count % 4 == 0, numbers.count + bytes.count / 4 <= wanted else {
                    throw SegmentError(key, problem: "\(bytes.count) bytes do not match the centers of \(count) lists")
                }
                for index in 0..<bytes.count / 4 {
                    let bits = bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                    numbers.append(Float(bitPattern: UInt32(littleEndian: bits)))
                }
            }
        }
        guard numbers.count == wanted, numbers.allSatisfy(\.isFinite) else {
            throw SegmentError(part, problem: "\(numbers.count) numbers do not match the centers of \(count) lists")
        }
        centers = Array(numbers[..<(count * rows.dimension)])
        panels = try InMemory.panels(
            centers, count: count, dimension: rows.dimension, isInnerProduct: isInnerProduct)
        guard isCoded else { return }
        quantizer = try ProductQuantizer(
            centers: Array(numbers[(count * rows.dimension)...]), dimension: rows.dimension, parts: choices.parts)
    }

    private func readGroup(_ group: Int, _ store: some SegmentStore, _ part: String) throws(SegmentError) {
        let members = group * Self.listsOfGroup..<min(lists.count, (group + 1) * Self.listsOfGroup)
        let first = SegmentKey(part, group * Self.piecesOfGroup)
        var bytes = try store.bytes(of: first)
        var piece = 1
        while piece < Self.piecesOfGroup, bytes.count == piece * SegmentLimits.maximumBytes {
            let key = SegmentKey(part, first.number + piece)
            guard try store.keys(of: part).contains(key) else { break }
            bytes += try store.bytes(of: key)
            piece += 1
        }
        try bytes.withRawBytes { (raw) throws(SegmentError) in try decode(SegmentReader(raw, first), members) }
    }

    private func decode(_ bytes: SegmentReader, _ members: Range<Int>) throws(SegmentError) {
        var reader = bytes
        guard try reader.read(UInt32.self) == generation, try reader.read(UInt32.self) == members.count else {
            throw reader.failure("the segment belongs to another training run")
        }
        var scratch = [Float](repeating: 0, count: rows.dimension)
        for index in members {
            let count = Int(try reader.read(UInt32.self))
            guard count <= rows.count - known.count else {
                throw reader.failure("a list has \(count) vectors, more than the index")
            }
            let slots = try reader.readRaw(count * 4)
            let codes = try reader.readRaw(isCoded ? count * choices.parts : 0)
            try lists.reserve(count, in: index)
            for position in 0..<count {
                let slot = Int(UInt32(littleEndian: slots.loadUnaligned(fromByteOffset: position * 4, as: UInt32.self)))
                guard slot < rows.count, known.insert(slot) else {
                    throw reader.failure("slot \(slot) is a duplicate or has no vector")
                }
                guard isCoded, let quantizer, let code = codes.baseAddress.map({ $0 + position * choices.parts }) else {
                    try lists.append(UInt32(slot), UnsafeRawPointer(rows.row(slot)), bias: 0, to: index)
                    continue
                }
                let bias =
                    isInnerProduct
                    ? 0 : bias(of: code.assumingMemoryBound(to: UInt8.self), list: index, quantizer, &scratch)
                try lists.append(UInt32(slot), code, bias: bias, to: index)
            }
            lists.markSaved(index)
        }
        guard reader.remaining == 0 else { throw reader.failure("\(reader.remaining) extra bytes at the end") }
    }
}
