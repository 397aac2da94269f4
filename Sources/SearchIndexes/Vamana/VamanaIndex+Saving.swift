internal import Bytes

extension VamanaIndex {
    /// Writes the nodes that changed, the codes and labels of new ones, and what describes them.
    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        let count = graph.count
        let isNew = coding == nil
        // What was measured on few vectors fits badly once there are many.
        let isOutgrown = count > 4 * measured
        let coding: VamanaCoding
        if let known = self.coding, !isOutgrown {
            coding = known
        } else {
            coding = VamanaCoding(measuring: rows, bits: settings.codeBits)
            measured = count
        }
        if isNew {
            for slot in 0..<count { unsaved.insert(slot) }
        }
        try saveNodes(to: &store)
        try saveLabels(from: isNew ? 0 : savedCount, to: &store)
        try saveCodes(from: isNew || isOutgrown ? 0 : savedCount, coding, to: &store)
        var removed = ByteWriter(reserving: count / 4 + 16)
        for set in [rows.removed, released] {
            for word in 0..<(count + 63) / 64 { removed.write(word < set.words.count ? set.words[word] : 0) }
        }
        try store.put(VamanaLayout.removed, removed.bytes)
        let header = VamanaHeader(
            metric: rows.metric, dimension: rows.dimension, settings: settings, count: count, linked: linked,
            entry: graph.entry, coding: coding, measured: measured)
        var writer = ByteWriter(reserving: 64 + 4 * rows.dimension)
        header.write(into: &writer)
        try store.put(VamanaLayout.header, writer.bytes)
        self.coding = coding
        savedCount = count
        unsaved = SlotSet(capacity: count)
    }

    private func saveNodes(to store: inout some SegmentStore) throws(SegmentError) {
        let width = 4 + 4 * rows.dimension
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: width + 4 * graph.width, alignment: 64)
        defer { bytes.deallocate() }
        for word in unsaved.words.indices {
            var rest = unsaved.words[word]
            while rest != 0 {
                let slot = word << 6 | rest.trailingZeroBitCount
                rest &= rest - 1
                guard slot < graph.count else { continue }
                guard !released.contains(slot) else {
                    try store.put(VamanaLayout.node(slot), UnsafeRawBufferPointer(start: nil, count: 0))
                    continue
                }
                let degree = graph.degree(slot)
                bytes.storeBytes(of: UInt32(degree).littleEndian, as: UInt32.self)
                let row = rows.row(slot)
                for column in 0..<rows.dimension {
                    bytes.storeBytes(
                        of: row[column].bitPattern.littleEndian, toByteOffset: 4 + 4 * column, as: UInt32.self)
                }
                let list = graph.list(slot)
                for place in 0..<degree {
                    bytes.storeBytes(
                        of: list[place].littleEndian, toByteOffset: width + 4 * place, as: UInt32.self)
                }
                let used = UnsafeRawBufferPointer(rebasing: bytes[..<(width + 4 * degree)])
                try store.put(VamanaLayout.node(slot), used)
            }
        }
    }

    private func saveLabels(from first: Int, to store: inout some SegmentStore) throws(SegmentError) {
        let size = VamanaLayout.labelsPerSegment
        guard first < graph.count else { return }
        for number in first / size...(graph.count - 1) / size {
            var writer = ByteWriter(reserving: size * 8)
            for slot in number * size..<min(graph.count, (number + 1) * size) { writer.write(rows.labels[slot]) }
            try store.put(SegmentKey("labels", number), writer.bytes)
        }
    }

    private func saveCodes(
        from first: Int, _ coding: VamanaCoding, to store: inout some SegmentStore
    ) throws(SegmentError) {
        let size = VamanaLayout.codesPerSegment(coding)
        guard first < graph.count else { return }
        let codes = UnsafeMutablePointer<UInt8>.allocate(capacity: size * coding.byteCount)
        defer { codes.deallocate() }
        for number in first / size...(graph.count - 1) / size {
            let slots = number * size..<min(graph.count, (number + 1) * size)
            for slot in slots {
                coding.encode(rows.row(slot), into: codes + (slot - slots.lowerBound) * coding.byteCount)
            }
            let raw = UnsafeRawBufferPointer(start: codes, count: slots.count * coding.byteCount)
            try store.put(SegmentKey("codes", number), raw)
        }
        // Shorter codes need fewer segments.
        for key in try store.keys(of: "codes") where key.number > (graph.count - 1) / size { try store.remove(key) }
    }

    /// Reads an index with its vectors into memory, to change it.
    public convenience init(from store: some SegmentStore) throws(SegmentError) {
        let header = try VamanaHeader(from: store)
        let rows = try VectorRows(dimension: header.dimension, metric: header.metric)
        let labels = try VamanaTables.labels(from: store, count: header.count)
        let (removed, released) = try VamanaTables.removed(from: store, count: header.count)
        self.init(rows, header.settings)
        graph.grow(to: header.count)
        graph.entry = header.entry
        (linked, coding, savedCount, self.released) = (header.linked, header.coding, header.count, released)
        measured = header.measured
        // A released vector is gone; its slot stays, with any vector that a metric takes.
        var vector = [Float](repeating: 0, count: header.dimension)
        var list = [UInt32](repeating: 0, count: settings.width)
        for slot in 0..<header.count {
            var degree = 0
            if released.contains(slot) {
                for column in vector.indices { vector[column] = column == 0 ? 1 : 0 }
            } else {
                degree = try store.withSegment(VamanaLayout.node(slot)) { bytes throws(SegmentError) in
                    try VamanaNode(bytes, slot, header.dimension).copy(
                        into: &vector, &list, below: header.count, width: settings.width)
                }
            }
            try rows.append(vector, label: labels[slot])
            list.withUnsafeBufferPointer { graph.set(slot, to: UnsafeBufferPointer(rebasing: $0[..<degree])) }
            // A label that came again later is removed by its second coming.
            if removed.contains(slot) { rows.remove(labels[slot]) }
        }
    }
}

/// The bytes of a node.
struct VamanaNode {
    let degree: Int
    private let bytes: UnsafeRawBufferPointer
    private let slot: Int
    private let dimension: Int

    init(_ bytes: UnsafeRawBufferPointer, _ slot: Int, _ dimension: Int) throws(SegmentError) {
        var degree = 0
        if bytes.count >= 4 { degree = Int(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))) }
        guard bytes.count == 4 + 4 * dimension + 4 * degree else {
            throw SegmentError(VamanaLayout.node(slot), problem: "not a node of \(dimension) dimensions")
        }
        (self.bytes, self.slot, self.dimension, self.degree) = (bytes, slot, dimension, degree)
    }

    /// Copies the vector and the links, which must lie below `count`; returns how many links there are.
    func copy(
        into vector: inout [Float], _ list: inout [UInt32], below count: Int, width: Int
    ) throws(SegmentError) -> Int {
        guard degree <= width else {
            throw SegmentError(VamanaLayout.node(slot), problem: "the node has \(degree) links, more than \(width)")
        }
        for column in 0..<dimension {
            let bits = bytes.loadUnaligned(fromByteOffset: 4 + 4 * column, as: UInt32.self)
            vector[column] = Float(bitPattern: UInt32(littleEndian: bits))
        }
        for place in 0..<degree {
            let raw = bytes.loadUnaligned(fromByteOffset: 4 + 4 * (dimension + place), as: UInt32.self)
            list[place] = UInt32(littleEndian: raw)
            guard Int(list[place]) < count else {
                throw SegmentError(VamanaLayout.node(slot), problem: "the node links to a missing slot")
            }
        }
        return degree
    }
}
