/// What a search does with the documents that it scores.
protocol HitCollector {
    /// Documents with lower scores need not be brought.
    var threshold: Double { get }
    mutating func add(_ hit: LexicalHit)
}

/// Keeps the best of many hits: a heap with the worst of them on top.
struct TopHits: HitCollector {
    let capacity: Int
    private var heap: [LexicalHit] = []

    init(_ capacity: Int) {
        self.capacity = max(capacity, 0)
        heap.reserveCapacity(min(self.capacity, 1024))
    }

    var threshold: Double {
        if capacity == 0 { return .infinity }
        return heap.count == capacity ? heap[0].score : 0
    }

    mutating func add(_ hit: LexicalHit) {
        if heap.count < capacity {
            heap.append(hit)
            var child = heap.count - 1
            while child > 0, heap[(child - 1) >> 1].isBefore(heap[child]) {
                heap.swapAt(child, (child - 1) >> 1)
                child = (child - 1) >> 1
            }
        } else if capacity > 0, hit.isBefore(heap[0]) {
            heap[0] = hit
            sink()
        }
    }

    @inline(__always)
    private mutating func sink() {
        heap.withUnsafeMutableBufferPointer { heap in
            let count = heap.count
            let hit = heap[0]
            var place = 0
            while true {
                var child = 2 * place + 1
                guard child < count else { break }
                if child + 1 < count, heap[child].isBefore(heap[child + 1]) { child += 1 }
                guard hit.isBefore(heap[child]) else { break }
                heap[place] = heap[child]
                place = child
            }
            heap[place] = hit
        }
    }

    /// Best first.
    func sorted() -> [LexicalHit] { heap.sorted { $0.isBefore($1) } }
}

/// Counts the documents that come before one.
struct RankCounter: HitCollector {
    let hit: LexicalHit
    private(set) var before = 0
    private(set) var all = 0

    init(_ hit: LexicalHit) { self.hit = hit }

    var threshold: Double { 0 }

    mutating func add(_ other: LexicalHit) {
        all += 1
        if other.isBefore(hit) { before += 1 }
    }
}
