/// Scores the documents of one segment, those only that can be among the best.
///
/// Documents are taken in windows of 4,096. For each window every list has an upper bound from its blocks' greatest
/// weights. Lists whose bounds together stay below the threshold cannot bring a document in alone: the others are added
/// into an array of sums, and only sums that can still reach the threshold are completed from the rest. Windows that
/// can bring nothing are passed over without decoding. Weights are such that sums do not depend on their order
/// (``BM25``), so that scores are those of exhaustive search. Source: MaxScore (Turtle and Flood 1995) with block
/// maxima (Ding and Suel 2011), window-wise.
struct SegmentSearch {
    static let windowSize = 4096
    /// How many times longer a list has to be than those that bring documents, to be looked up instead of added.
    private static let worthwhile = 3

    let live: LiveSegment
    /// What adds to scores.
    var scored: [(list: PostingList, factor: Double)] = []
    /// Groups of lists; a document must be in at least one list of each group.
    var required: [[PostingList]] = []
    var excluded: [PostingList] = []
    var allowed: LabelFilter?

    /// Brings what can matter to the collector.
    ///
    /// - Parameter sums: ``windowSize`` zeros, zeros again afterwards.
    func run(into collector: inout some HitCollector, sums: UnsafeMutablePointer<Double>) throws(SegmentError) {
        if required.contains(where: \.isEmpty) { return }
        if let candidates = try candidates() {
            try score(candidates, into: &collector)
        } else if !scored.isEmpty {
            try scoreWindows(into: &collector, sums: sums)
        }
        withExtendedLifetime(self) {}
    }

    // MARK: - Windows

    private func scoreWindows(
        into collector: inout some HitCollector, sums: UnsafeMutablePointer<Double>
    ) throws(SegmentError) {
        var checks = Checks(live, excluded: excluded, allowed: allowed)
        let count = scored.count
        let cursors = UnsafeMutablePointer<PostingCursor>.allocate(capacity: count)
        let order = UnsafeMutablePointer<Int>.allocate(capacity: count)
        for index in 0..<count {
            (cursors + index).initialize(to: PostingCursor(scored[index].list, factor: scored[index].factor))
        }
        defer {
            for index in 0..<count { cursors[index].deallocate() }
            cursors.deallocate()
            order.deallocate()
            checks.deallocate()
        }
        let end = live.segment.documentCount
        var first = 0
        while first < end {
            let last = min(first + Self.windowSize, end) - 1
            var next = Int.max
            for index in 0..<count {
                next = min(next, cursors[index].enter(first, last))
                var place = index
                while place > 0, cursors[order[place - 1]].bound > cursors[index].bound {
                    order[place] = order[place - 1]
                    place -= 1
                }
                order[place] = index
            }
            if next > last {
                first = next
                continue
            }
            // Lists of the lowest bounds that together stay below the threshold.
            let threshold = collector.threshold
            var optional = 0
            var rest = 0.0
            while optional < count, rest + cursors[order[optional]].bound < threshold {
                rest += cursors[order[optional]].bound
                optional += 1
            }
            // A single list whose maximum is the threshold has to be looked at: labels decide.
            guard optional < count, cursors[order[count - 1]].bound > 0 else {
                first = last + 1
                continue
            }
            // Looking a document up costs as much as adding dozens of postings: only lists that are far longer than
            // those that bring the documents are worth it.
            var brought = 0
            for place in optional..<count { brought += cursors[order[place]].list.count }
            while optional > 0, cursors[order[optional - 1]].list.count <= Self.worthwhile * brought {
                optional -= 1
                rest -= cursors[order[optional]].bound
                brought += cursors[order[optional]].list.count
            }
            for place in optional..<count where cursors[order[place]].bound > 0 {
                try cursors[order[place]].add(to: sums, first, last)
            }
            try collect(
                sums, first, last, rest: rest, optional: optional, order, cursors, &checks, into: &collector)
            first = last + 1
        }
    }

    @inline(__always)
    private func collect(
        _ sums: UnsafeMutablePointer<Double>, _ first: Int, _ last: Int, rest: Double, optional: Int,
        _ order: UnsafeMutablePointer<Int>, _ cursors: UnsafeMutablePointer<PostingCursor>, _ checks: inout Checks,
        into collector: inout some HitCollector
    ) throws(SegmentError) {
        var limit = max(collector.threshold - rest, .leastNonzeroMagnitude)
        let width = 16
        var group = 0
        let count = last - first + 1
        while group < count {
            // A sum is zero or positive, and sums beyond the window are zero.
            let own = UnsafeMutableRawPointer(sums + group).assumingMemoryBound(to: SIMD8<Double>.self)
            let floor = SIMD8<Double>(repeating: limit)
            let reached =
                unsafeBitCast(own[0] .>= floor, to: SIMD8<Int64>.self)
                | unsafeBitCast(own[1] .>= floor, to: SIMD8<Int64>.self)
            let half = reached.lowHalf | reached.highHalf
            let quarter = half.lowHalf | half.highHalf
            if quarter.x | quarter.y != 0 {
                for place in group..<group + width where sums[place] >= limit {
                    try complete(
                        sums[place], first + place, rest: rest, optional: optional, order, cursors, &checks,
                        into: &collector)
                    limit = max(collector.threshold - rest, .leastNonzeroMagnitude)
                }
            }
            own[0] = .zero
            own[1] = .zero
            group += width
        }
    }

    /// Adds to a sum what the lists of low bounds have for the document, as long as it can reach the threshold.
    @inline(__always)
    private func complete(
        _ sum: Double, _ document: Int, rest: Double, optional: Int, _ order: UnsafeMutablePointer<Int>,
        _ cursors: UnsafeMutablePointer<PostingCursor>, _ checks: inout Checks, into collector: inout some HitCollector
    ) throws(SegmentError) {
        var score = sum
        var open = rest
        var place = optional
        let threshold = collector.threshold
        while place > 0 {
            place -= 1
            let index = order[place]
            if score + open < threshold { return }
            open -= cursors[index].bound
            if cursors[index].bound > 0, let more = try cursors[index].contribution(to: document) { score += more }
        }
        guard score >= threshold, try checks.pass(document) else { return }
        collector.add(LexicalHit(label: live.segment.table.labels[document], score: score))
    }

    // MARK: - Candidates

    /// Returns the candidates if a required word or the filter leaves few of them; `nil` if it is better to search
    /// all.
    private func candidates() throws(SegmentError) -> [UInt32]? {
        var found: [UInt32]?
        if let group = required.min(by: { Self.size($0) < Self.size($1) }) { found = try Self.union(group) }
        let most = found?.count ?? live.segment.documentCount / 8
        var labels: [Int64]?
        switch allowed {
        case .sorted(let all) where all.count <= most: labels = all
        case .set(let all) where all.count <= most: labels = all.sorted()
        default: break
        }
        guard let labels else { return found }
        return labels.compactMap { live.segment.table.number(of: $0) }.map { UInt32($0) }
    }

    private static func size(_ group: [PostingList]) -> Int { group.reduce(0) { $0 + $1.count } }

    /// Returns all documents of some lists, ascending.
    static func union(_ lists: [PostingList]) throws(SegmentError) -> [UInt32] {
        var all: [UInt32] = []
        for list in lists { try list.forEachDocument { all.append($0) } }
        if lists.count == 1 { return all }
        all.sort()
        var different: [UInt32] = []
        for document in all where document != different.last { different.append(document) }
        return different
    }

    private func score(_ candidates: [UInt32], into collector: inout some HitCollector) throws(SegmentError) {
        var checks = Checks(live, excluded: excluded, allowed: allowed)
        var cursors = scored.map { PostingCursor($0.list, factor: $0.factor) }
        var groups = required.map { $0.map { PostingCursor($0, factor: 1) } }
        defer {
            for cursor in cursors { cursor.deallocate() }
            for group in groups { for cursor in group { cursor.deallocate() } }
            checks.deallocate()
        }
        for candidate in candidates {
            let document = Int(candidate)
            var isMissing = false
            for group in groups.indices {
                var isThere = false
                for index in groups[group].indices where !isThere {
                    isThere = try groups[group][index].contribution(to: document) != nil
                }
                if !isThere {
                    isMissing = true
                    break
                }
            }
            if isMissing { continue }
            var score = 0.0
            for index in cursors.indices { score += try cursors[index].contribution(to: document) ?? 0 }
            guard score > 0, score >= collector.threshold, try checks.pass(document) else { continue }
            collector.add(LexicalHit(label: live.segment.table.labels[document], score: score))
        }
    }

    /// Conditions for a document in addition to its score.
    private struct Checks {
        private let live: LiveSegment
        private let allowed: LabelFilter?
        private var excluded: [PostingCursor]

        init(_ live: LiveSegment, excluded: [PostingList], allowed: LabelFilter?) {
            self.live = live
            self.allowed = allowed
            self.excluded = excluded.map { PostingCursor($0, factor: 1) }
        }

        func deallocate() { for cursor in excluded { cursor.deallocate() } }

        mutating func pass(_ document: Int) throws(SegmentError) -> Bool {
            if live.removed.count > 0, live.removed.contains(document) { return false }
            if let allowed, !allowed.allows(live.segment.table.labels[document]) { return false }
            for index in excluded.indices where try excluded[index].contribution(to: document) != nil { return false }
            return true
        }
    }
}

extension PostingList {
    /// Calls `body` with every document, ascending.
    func forEachDocument(_ body: (UInt32) -> Void) throws(SegmentError) {
        if let documents {
            for place in 0..<count { body(documents[place]) }
            return
        }
        let size = SegmentWriter.blockSize
        let documents = UnsafeMutablePointer<UInt32>.allocate(capacity: size)
        let weights = UnsafeMutablePointer<Double>.allocate(capacity: size)
        defer {
            documents.deallocate()
            weights.deallocate()
        }
        for block in 0..<blockCount {
            try read(block, documents, weights)
            for place in 0..<countOfBlock(block) { body(documents[place]) }
        }
    }
}
