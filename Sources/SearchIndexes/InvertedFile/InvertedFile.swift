internal import Glibc
internal import Kernels

/// Lists of vectors or codes around centers: what IVF-Flat, IVF-PQ and PQ share.
///
/// A coded vector is its list's center c plus a coded residual r. The distance from x is then |x − c − r|² = |x|² +
/// (|c|² − 2 x·c) + (|r|² + 2 c·r) − 2 x·r: the first bracket is a number of the list, the second a number of the
/// vector stored with its code, and the last a sum over one table of the query for all lists.
///
/// - Source: Sivic and Zisserman, "Video Google", 2003; Jégou, Douze and Schmid, 2011, section IV.
final class InvertedFile: @unchecked Sendable {  // never changes during searches
    let rows: VectorRows
    let isCoded: Bool
    var choices: Choices
    var centers: [Float] = []
    var panels: CenterPanels?
    var quantizer: ProductQuantizer?
    var lists: InvertedLists
    /// Slots that are in lists, or were removed before they came.
    var known = SlotSet()
    /// Vectors for which the centers were learned.
    var trainedCount = 0
    /// Counts trainings, so that lists of another training are not taken for this one's.
    var generation: UInt32 = 0
    var isHeaderSaved = false
    var areCentersSaved = false
    let scratch = ScratchPool()

    struct Choices {
        /// How many lists; `nil` takes 2^round(log₂(4 √n)), and again where there are four times as many vectors.
        var lists: Int?
        /// Bytes of a code.
        var parts = 0
        /// Whether the only list has its center at zero.
        var isSingle = false
        var seed: UInt64 = 1234
        var iterations = 10
    }

    init(_ rows: VectorRows, _ choices: Choices, isCoded: Bool) {
        self.rows = rows
        self.choices = choices
        self.isCoded = isCoded
        lists = InvertedLists(count: 0, entryBytes: isCoded ? choices.parts : rows.dimension * 4, hasBias: false)
    }

    /// Whether nearness to a center is the inner product.
    var isInnerProduct: Bool { rows.metric != .l2 }
    var listCount: Int { lists.count }

    /// 2^round(log₂(4 √n)): as commonly chosen.
    static func listCount(for count: Int) -> Int {
        1 << Int(log2(4 * Double(max(count, 1)).squareRoot()).rounded())
    }

    // MARK: Training

    /// Learns centers and codes from the vectors that there are, and forgets all lists.
    func train(threads: Int) throws(SegmentError) {
        let rows = rows
        let live = rows.liveCount
        guard live > 0 else { return }
        let count = choices.isSingle ? 1 : min(max(choices.lists ?? Self.listCount(for: live), 1), 1 << 24)
        // Removed vectors are left out of training only where they are many; a few do no harm.
        let copied = rows.removed.count > rows.count / 8 ? try compacted() : nil
        let points = copied.map { UnsafePointer($0.pointer) } ?? rows.base
        let (stride, pointCount) = copied == nil ? (rows.stride, rows.count) : (rows.dimension, live)
        if choices.isSingle {
            centers = [Float](repeating: 0, count: rows.dimension)
        } else {
            let means = KMeans(
                clusters: count, iterations: choices.iterations, seed: choices.seed, isSpherical: isInnerProduct)
            centers = try means.centers(
                of: points, stride: stride, count: pointCount, dimension: rows.dimension, threads: threads)
        }
        let panels = try InMemory.panels(
            centers, count: count, dimension: rows.dimension, isInnerProduct: isInnerProduct)
        if isCoded { quantizer = try trainQuantizer(points, stride, pointCount, panels, threads) }
        withExtendedLifetime(copied) {}
        self.panels = panels
        lists = emptyLists(count)
        known = SlotSet(capacity: rows.count)
        trainedCount = live
        generation &+= 1
        isHeaderSaved = false
        areCentersSaved = false
    }

    func emptyLists(_ count: Int) -> InvertedLists {
        InvertedLists(
            count: count, entryBytes: isCoded ? choices.parts : rows.dimension * 4,
            hasBias: isCoded && !isInnerProduct)
    }

    private func compacted() throws(SegmentError) -> AlignedBuffer<Float> {
        let width = rows.dimension
        let copy = try InMemory.buffer(of: Float.self, count: rows.liveCount * width, for: "training")
        var next = copy.pointer
        for slot in 0..<rows.count where !rows.removed.contains(slot) {
            next.update(from: rows.row(slot), count: width)
            next += width
        }
        return copy
    }

    private func trainQuantizer(
        _ points: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ panels: CenterPanels, _ threads: Int
    ) throws(SegmentError) -> ProductQuantizer {
        let width = rows.dimension
        var random = TrainingRandomness(seed: choices.seed &+ 1)
        let wanted = min(count, 256 * ProductQuantizer.centersOfPart)
        let residuals = try InMemory.buffer(of: Float.self, count: wanted * width, for: "training")
        var assigned: Int32 = 0
        for (row, point) in random.sample(wanted, of: count).enumerated() {
            let vector = points + Int(point) * stride
            panels.nearest(to: vector, stride: stride, count: 1, &assigned)
            subtract(center: Int(assigned), from: vector, into: residuals.pointer + row * width)
        }
        defer { withExtendedLifetime(residuals) {} }
        return try ProductQuantizer(
            training: residuals.pointer, stride: width, count: wanted, dimension: width, parts: choices.parts,
            seed: choices.seed, threads: threads)
    }

    func subtract(center: Int, from vector: UnsafePointer<Float>, into residual: UnsafeMutablePointer<Float>) {
        let width = rows.dimension
        centers.withUnsafeBufferPointer { centers in
            for column in 0..<width { residual[column] = vector[column] - centers[center * width + column] }
        }
    }
}
