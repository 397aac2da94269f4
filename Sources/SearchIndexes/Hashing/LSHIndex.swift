internal import Bytes
internal import Glibc
internal import Kernels

/// Tables of buckets that near vectors share; a search reads the query's buckets and adjacent ones.
///
/// `effort` is how many buckets of each table a search looks into; what is in them is ranked by the vectors. The
/// buckets are made from the vectors when the index is read: only the choices are kept. They are chosen again where
/// there are four times as many vectors.
///
/// ```swift
/// let index = try LSHIndex(rows, tables: 16)
/// try index.add(slots: 0..<rows.count, threads: 1) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, effort: 16))
/// ```
public final class LSHIndex: VectorIndex, @unchecked Sendable {  // tables never change during searches
    public static let kind = "lsh"
    /// Buckets of each table that a search looks into where it does not say.
    public static let defaultProbes = 16
    public let rows: VectorRows
    public let tables: Int
    /// Directions of a table; `nil` chooses by the number of vectors.
    public let directions: Int?
    public let seed: UInt64

    private var family: HashFamily?
    private var hashed: [HashTable] = []
    private var count = 0
    private var center: RowCenter
    private var spread: Float = 1
    private var isSaved = false
    private let scratch = ScratchPool()

    /// - Parameters:
    ///   - tables: 1 to 256.
    ///   - directions: Of a table, 1 to 32; `nil` chooses by the number of vectors.
    /// - Throws: `SegmentError` if a parameter is out of range.
    public init(
        _ rows: VectorRows, tables: Int = 16, directions: Int? = nil, seed: UInt64 = 1234
    ) throws(SegmentError) {
        guard (1...256).contains(tables), directions == nil || (1...32).contains(directions ?? 0) else {
            throw SegmentError(
                Self.kind, problem: "\(tables) tables of \(directions ?? 0) directions are out of range",
                remedy: "Use 1 to 256 tables of 1 to 32 directions.")
        }
        self.rows = rows
        self.tables = tables
        self.directions = directions
        self.seed = seed
        center = RowCenter(of: rows)
        center.count = 0
    }

    /// Reads what ``save(to:)`` wrote.
    ///
    /// - Throws: `SegmentError` where the segment is missing, damaged, or does not fit the vectors.
    public convenience init(_ rows: VectorRows, from store: some SegmentStore) throws(SegmentError) {
        let key = SegmentKey(Self.kind)
        let saved = try store.withSegment(key) { bytes throws(SegmentError) -> Saved in
            var reader = SegmentReader(bytes, key)
            return try Saved(&reader, rows)
        }
        try self.init(rows, tables: saved.tables, directions: saved.directions, seed: saved.seed)
        center = saved.center
        spread = saved.spread
        family = try makeFamily()
        try hash(upTo: saved.count) { _ in true }
        isSaved = true
    }

    private struct Saved {
        var center: RowCenter
        var (tables, count) = (0, 0)
        var directions: Int?
        var seed: UInt64
        var spread: Float

        init(_ reader: inout SegmentReader, _ rows: VectorRows) throws(SegmentError) {
            center = try RowCenter(&reader, rows: rows, version: 1)
            spread = try reader.readFloat()
            seed = try reader.read()
            tables = Int(try reader.read(UInt16.self))
            let directions = Int(try reader.read(UInt16.self))
            self.directions = directions == 0 ? nil : directions
            let count = try reader.read(UInt64.self)
            guard spread.isFinite, spread > 0, count <= UInt64(rows.count), reader.remaining == 0 else {
                throw reader.failure("\(count) vectors with a spread of \(spread) are out of range")
            }
            self.count = Int(count)
        }
    }

    /// Chooses the number of directions for about eight vectors per bucket; a step on a line separates as much as two
    /// planes.
    private func makeFamily() throws(SegmentError) -> HashFamily {
        let planes = max(2, min(24, Int(log2(Double(max(center.count, 8)) / 8).rounded())))
        return try HashFamily(
            rows: rows, tables: tables, directions: directions ?? (rows.metric == .l2 ? (planes + 1) / 2 : planes),
            count: center.count, center: center.center, spread: spread, seed: seed)
    }

    public func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        let end = min(slots.upperBound, rows.count)
        guard end > count else { return }
        isSaved = false
        if family == nil || rows.count >= 4 * max(center.count, 1) {
            center = RowCenter(of: rows)
            spread = meanSpread
            family = try makeFamily()
            hashed = []
            count = 0
        }
        try hash(upTo: end, progress)
    }

    /// The standard deviation of vectors along a direction of length √dimension: √(mean of |x − center|²).
    private var meanSpread: Float {
        var (sum, taken) = (0.0, 0)
        for slot in Swift.stride(from: 0, to: rows.count, by: max(1, rows.count / 16_384))
        where !rows.removed.contains(slot) {
            let row = rows.row(slot)
            for column in 0..<rows.dimension {
                let difference = Double(row[column] - center.center[column])
                sum += difference * difference
            }
            taken += 1
        }
        let spread = Float((sum / Double(max(taken, 1))).squareRoot())
        return spread.isFinite && spread > 0 ? spread : 1
    }

    private func hash(upTo end: Int, _ progress: (Int) -> Bool) throws(SegmentError) {
        guard let family else { return }
        try requireMemory((end - count) * tables * 8, for: "buckets")
        if hashed.isEmpty { hashed = [HashTable](repeating: HashTable(), count: tables) }
        let first = count
        let along = try InMemory.buffer(of: Float.self, count: family.paddedCount, for: "buckets")
        while count < end {
            family.keys(of: rows.row(count), along: along.pointer) { hashed[$0].append($1) }
            count += 1
            if count % 8192 == 0, !progress(count - first) { break }
        }
        // A tenth may wait unsorted: a few added vectors cost no more than these.
        if count - hashed[0].builtCount > 256 + count / 10 {
            for table in 0..<tables { hashed[table].build() }
        }
        _ = progress(count - first)
    }

    /// Removed vectors are passed over; there is nothing else to repair.
    public func repair(removed slots: [Int]) {}

    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        let k = min(request.k, rows.count)
        guard k > 0, count > 0, let family else { return [] }
        let probes = max(1, request.effort ?? Self.defaultProbes)
        return try scratch.with { scratch throws(SegmentError) in
            let (x, along, bits) = scratch.floats(rows.dimension, family.paddedCount, (count + 31) / 32)
            try rows.prepare(query, into: x)
            scratch.nearest.reset(capacity: k)
            let visited = UnsafeMutableRawPointer(bits).assumingMemoryBound(to: UInt32.self)
            visited.update(repeating: 0, count: (count + 31) / 32)
            let removed = rows.removed
            rows.withLabels { labels in
                scratch.withSlots(SearchScratch.block) { waiting in
                    var pending = 0
                    func rank() {
                        rows.distances(to: x, slots: waiting, count: pending, into: scratch.distances)
                        scratch.keep(waiting, pending, rows, nil, labels)
                        pending = 0
                    }
                    func take(_ slot: UInt32) {
                        let bit: UInt32 = 1 << (slot & 31)
                        guard visited[Int(slot >> 5)] & bit == 0 else { return }
                        visited[Int(slot >> 5)] |= bit
                        guard !removed.contains(Int(slot)), request.allowed?.contains(Int(slot)) ?? true else { return }
                        waiting[pending] = slot
                        pending += 1
                        if pending == SearchScratch.block { rank() }
                    }
                    var keys = [UInt32](repeating: 0, count: tables)
                    family.keys(of: x, along: along) { keys[$0] = $1 }
                    var (steps, sequence): ([HashStep], ProbeSequence) = ([], ProbeSequence())
                    for table in 0..<tables {
                        hashed[table].forEach(of: keys[table], take)
                        guard probes > 1 else { continue }
                        family.steps(table: table, along: along, into: &steps)
                        sequence.forEach(probes - 1, of: steps) { hashed[table].forEach(of: keys[table] &+ $0, take) }
                    }
                    rank()
                }
                scratch.nearest.sort(labels)
            }
            return rows.neighbors(scratch.nearest)
        }
    }

    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        guard !isSaved, family != nil else { return }
        var writer = ByteWriter()
        center.write(to: &writer, rows: rows, version: 1)
        writer.write(spread)
        writer.write(seed)
        writer.write(UInt16(tables))
        writer.write(UInt16(directions ?? 0))
        writer.write(UInt64(count))
        try store.put(SegmentKey(Self.kind), writer.bytes)
        isSaved = true
    }
}

extension LSHIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] {
        [
            IndexParameter("tables", default: 16, help: "number of hash tables"),
            IndexParameter("directions", help: "random directions per table (default: from the number of vectors)"),
        ]
    }
    package static var effort: SearchEffort { .lists }
    package static var isCompressed: Bool { true }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> LSHIndex {
        try LSHIndex(rows, tables: values[integer: "tables"] ?? 16, directions: values[integer: "directions"])
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> LSHIndex {
        try LSHIndex(VectorRows(from: store), from: store)
    }
}
