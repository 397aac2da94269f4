internal import Bytes
internal import Glibc
internal import Kernels

extension HNSWIndex {
    /// Reads the rows and the graph that ``save(to:)`` of both wrote.
    public convenience init(from store: some SegmentStore) throws(SegmentError) {
        try self.init(from: store, rows: VectorRows(from: store))
    }

    /// Reads the graph that ``save(to:)`` wrote.
    ///
    /// - Throws: `SegmentError` where segments are missing or damaged, or do not fit the rows: a graph that was read can
    ///   be walked without looking where links lead.
    public convenience init(from store: some SegmentStore, rows: VectorRows) throws(SegmentError) {
        let header = try store.withSegment(GraphSegments.header) { bytes throws(SegmentError) in
            try GraphHeader(SegmentReader(bytes, GraphSegments.header), rows)
        }
        try self.init(rows, parameters: header.parameters, calibration: header.calibration)
        try requireMemory(header.count * 9 * parameters.m, for: "links")
        try readBlocks(store, header)
        saved.baseCount = header.baseCount
        count = header.baseCount
        saved.journalSegments = header.journalSegments
        for number in 0..<header.journalSegments {
            let key = GraphSegments.journal(number)
            try store.withSegment(key) { bytes throws(SegmentError) in
                try self.readJournal(SegmentReader(bytes, key), most: header.count)
                self.saved.journalBytes += bytes.count
            }
        }
        guard count == header.count else {
            throw SegmentError(GraphSegments.header, problem: "expected \(header.count) nodes, found \(count)")
        }
        entry = header.entry
        maximumLevel = header.maximumLevel
        try checkLinks()
        try guide.restore(upTo: count)
        trim()
    }

    private func readBlocks(_ store: some SegmentStore, _ header: GraphHeader) throws(SegmentError) {
        let perBlock = GraphSegments.slotsPerBlock
        for block in 0..<(header.baseCount + perBlock - 1) / perBlock {
            let key = GraphSegments.block(block)
            let expected = min(perBlock, header.baseCount - block * perBlock)
            try store.withSegment(key) { bytes throws(SegmentError) in
                var reader = SegmentReader(bytes, key)
                let slots = Int(try reader.read(UInt32.self))
                guard slots == expected else { throw reader.failure("expected \(expected) nodes, found \(slots)") }
                let first = block * perBlock
                let newLevels = try reader.readRaw(slots)
                var lists = 0
                for slot in 0..<slots {
                    guard newLevels[slot] <= HNSWParameters.highestLevel else {
                        throw reader.failure("level \(newLevels[slot]) is too high")
                    }
                    self.levels.start[first + slot] = newLevels[slot]
                    self.upperStarts.start[first + slot] = UInt32(self.upperLists + lists)
                    lists += Int(newLevels[slot])
                }
                let low = try reader.readRaw(slots * 8 * self.parameters.m)
                let high = try reader.readRaw(lists * 4 * self.parameters.m)
                guard reader.remaining == 0 else { throw reader.failure("\(reader.remaining) extra bytes at the end") }
                if let from = low.baseAddress { memcpy(self.list(UInt32(first), 0), from, low.count) }
                if let from = high.baseAddress {
                    memcpy(self.upper.start + self.upperLists * self.parameters.m, from, high.count)
                }
                self.upperLists += lists
            }
        }
    }

    private func readJournal(_ journal: SegmentReader, most: Int) throws(SegmentError) {
        var reader = journal
        while reader.remaining > 0 {
            let slot = try reader.read(UInt32.self)
            let level = try reader.read(UInt8.self)
            guard slot < most, slot <= count, level <= HNSWParameters.highestLevel else {
                throw reader.failure("no node \(slot) at level \(level)")
            }
            if slot == count {
                levels.start[count] = level
                upperStarts.start[count] = UInt32(upperLists)
                upperLists += Int(level)
                count += 1
            }
            guard levels.start[Int(slot)] == level else { throw reader.failure("node \(slot) has a different level") }
            let low = try reader.readRaw(8 * parameters.m)
            let high = try reader.readRaw(Int(level) * 4 * parameters.m)
            if let from = low.baseAddress { memcpy(list(slot, 0), from, low.count) }
            if level > 0, let from = high.baseAddress { memcpy(list(slot, 1), from, high.count) }
            saved.journaled.insert(Int(slot))
        }
    }

    /// Every link leads to a node that has the link's level; nothing follows the end of a list.
    private func checkLinks() throws(SegmentError) {
        let place = "the graph's links"
        if let entry {
            guard entry < count, level(of: entry) == maximumLevel else {
                throw SegmentError(place, problem: "entry point \(entry) is not on level \(maximumLevel)")
            }
        }
        let count = UInt32(self.count)
        let width = 2 * parameters.m
        var fine = true
        // One pass without branches over the lowest level: a link is a slot, or none as all after it.
        for slot in 0..<self.count {
            let list = lowest.start + slot * width
            var before: UInt32 = 0
            for link in 0..<width {
                let next = list[link]
                fine = fine && (next < count || next == GraphWalk.none) && (before != GraphWalk.none || next == before)
                before = next
            }
            var level = Int(levels.start[slot])
            while level > 0 {
                let list = self.list(UInt32(slot), level)
                before = 0
                for link in 0..<parameters.m {
                    let next = list[link]
                    let isNode = next < count && Int(levels.start[Int(next)]) >= level
                    fine = fine && (isNode || next == GraphWalk.none) && (before != GraphWalk.none || next == before)
                    before = next
                }
                level -= 1
            }
            if !fine { throw SegmentError(place, problem: "node \(slot) links to a missing node") }
        }
        for slot in 0..<self.count where Int(levels.start[slot]) > maximumLevel {
            guard rows.removed.contains(slot) else {
                throw SegmentError(place, problem: "node \(slot) is above the highest level")
            }
        }
    }
}

/// What segment `graph` 0 says.
private struct GraphHeader {
    let parameters: HNSWParameters
    let count, baseCount, journalSegments: Int
    let entry: UInt32?
    let maximumLevel: Int
    let calibration: GraphGuide.Calibration

    init(_ bytes: SegmentReader, _ rows: VectorRows) throws(SegmentError) {
        var reader = bytes
        guard try reader.read(UInt32.self) == GraphSegments.version else {
            throw reader.failure("unsupported version")
        }
        var parameters = HNSWParameters()
        parameters.m = Int(try reader.read(UInt32.self))
        parameters.efConstruction = Int(try reader.read(UInt32.self))
        parameters.effort = Int(try reader.read(UInt32.self))
        parameters.seed = try reader.read()
        let codes = try reader.read(UInt8.self)
        parameters.codes = codes == 2 ? nil : codes == 1
        if let problem = parameters.problem { throw reader.failure(problem.problem) }
        self.parameters = parameters
        let count = try reader.read(UInt64.self)
        let baseCount = try reader.read(UInt64.self)
        guard count <= UInt64(rows.count), baseCount <= count else {
            throw reader.failure("\(count) nodes, \(baseCount) of them in blocks, do not match \(rows.count) vectors")
        }
        self.count = Int(count)
        self.baseCount = Int(baseCount)
        journalSegments = Int(try reader.read(UInt32.self))
        let entry = try reader.read(UInt32.self)
        self.entry = entry == GraphWalk.none ? nil : entry
        maximumLevel = Int(try reader.read(UInt32.self))
        guard maximumLevel <= HNSWParameters.highestLevel, journalSegments <= self.count + 1 else {
            throw reader.failure("level \(maximumLevel) or \(journalSegments) journals is out of range")
        }
        let isUsed = try reader.read(UInt8.self) == 1
        let calibrated = try reader.read(UInt64.self)
        let scale = try reader.readFloat()
        let dimension = try reader.read(UInt32.self)
        guard dimension == rows.dimension, calibrated <= UInt64(VectorRows.maximumCount), scale.isFinite else {
            throw reader.failure("the codes have \(dimension) dimensions, the vectors \(rows.dimension)")
        }
        var center: [Float] = []
        for _ in 0..<dimension { center.append(try reader.readFloat()) }
        guard reader.remaining == 0 else { throw reader.failure("\(reader.remaining) extra bytes at the end") }
        calibration = .init(
            center: center, scale: scale, count: Int(calibrated),
            isUsed: isUsed && parameters.keepsCodes(dimension: rows.dimension))
    }
}
