import Inference
import Kernels
import Models
import Testing

@Suite("Keys and values in pages")
struct KVSequenceTests {
    let layout: KVLayout

    init() throws { layout = try KVLayout(layers: 3, kvHeads: 2, keyWidth: 4, valueWidth: 2) }

    @Test("a branch shares all pages, and copies one only when it writes into it")
    func branch() throws {
        let pool = KVPagePool(layout, budget: 20 * layout.bytesPerPage)
        let trunk = KVSequence(pool)
        try fill(trunk, with: Array(0..<70))
        let branch = trunk.branch()
        #expect(pool.counts.used == 3 && pool.counts.shared == 3)
        #expect(trunk.pageMap == branch.pageMap)
        #expect(trunk.pageMap.map(\.filled) == [32, 32, 6])
        #expect(trunk.pageMap.map(\.owners) == [2, 2, 2])

        try fill(branch, with: [900])
        #expect(pool.counts.used == 4 && pool.counts.shared == 2)
        #expect(branch.pageMap.map(\.owners) == [2, 2, 1])
        #expect(trunk.pageMap.map(\.owners) == [2, 2, 1])
        try fill(trunk, with: [800, 801])
        #expect(pool.counts.used == 4)  // the last page is the trunk's own by now
        #expect(contents(branch) == Array(0..<70) + [900])
        #expect(contents(trunk) == Array(0..<70) + [800, 801])
    }

    @Test("truncated pages are released, and the rest can be rewritten without changing a branch")
    func truncate() throws {
        let pool = KVPagePool(layout, budget: 20 * layout.bytesPerPage)
        let sequence = KVSequence(pool)
        try fill(sequence, with: Array(0..<100))
        let branch = sequence.branch()
        sequence.truncate(to: 40)
        #expect(sequence.length == 40 && sequence.pageCount == 2)
        try fill(sequence, with: [7, 8])
        #expect(contents(sequence) == Array(0..<40) + [7, 8])
        #expect(contents(branch) == Array(0..<100))
        branch.truncate(to: 0)
        #expect(pool.counts.used == 2 && pool.counts.shared == 0)
        #expect(pool.faults([sequence, branch]) == [])
    }

    @Test("pages come back when a sequence is gone, and the peak is remembered")
    func release() throws {
        let pool = KVPagePool(layout, budget: 20 * layout.bytesPerPage)
        do {
            let sequence = KVSequence(pool)
            try fill(sequence, with: Array(0..<200))
        }
        let counts = pool.counts
        #expect(counts.used == 0 && counts.peak == 7 && counts.limit == 20)
        let next = KVSequence(pool)
        try fill(next, with: [1])
        #expect(pool.counts.allocatedBytes == counts.allocatedBytes)
    }

    @Test("a page that does not fit into the budget is refused in a sentence, and nothing changes")
    func budget() throws {
        let pool = KVPagePool(layout, budget: 3 * layout.bytesPerPage + 100, name: "llama.gguf")
        let sequence = KVSequence(pool)
        try fill(sequence, with: Array(0..<90))
        let branch = sequence.branch()
        #expect {
            try branch.reserve(1)  // the last page would have to be copied
        } throws: {
            "\($0)".hasPrefix("llama.gguf: 1 more page of 32 positions is needed, but 3 of the 3 pages in the ")
                && "\($0)".hasSuffix("B are in use. Close a branch, use a shorter context, or raise the budget.")
        }
        #expect(branch.pageMap.map(\.owners) == [2, 2, 2])
        #expect(pool.faults([sequence, branch]) == [])
        #expect(throws: ModelError.self) { try sequence.reserve(.max) }
        #expect(throws: ModelError.self) { try sequence.reserve(-1) }
    }

    @Test("two branches that came to the same text again hold it once")
    func rejoin() throws {
        let pool = KVPagePool(layout, budget: 20 * layout.bytesPerPage)
        let (one, two) = (KVSequence(pool), KVSequence(pool))
        try fill(one, with: Array(0..<80))
        try fill(two, with: Array(0..<80))
        #expect(pool.counts.used == 6)
        two.rejoin(one, positions: 80)
        #expect(pool.counts.used == 4 && pool.counts.shared == 2)  // the last, partial pages stay apart
        try fill(two, with: [5])
        #expect(contents(two) == Array(0..<80) + [5])
        #expect(contents(one) == Array(0..<80))
        #expect(pool.faults([one, two]) == [])
    }

    @Test("any mix of branches, writes, truncations and departures keeps counts and contents right", arguments: 0..<6)
    func anything(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        func draw(_ below: Int) -> Int { Int(random.bits() % UInt64(below)) }
        let pool = KVPagePool(layout, budget: 40 * layout.bytesPerPage)
        var live: [(sequence: KVSequence, expected: [Int])] = [(KVSequence(pool), [])]
        for turn in 0..<400 {
            let index = draw(live.count)
            switch draw(8) {
            case 0 where live.count < 8:
                live.append((live[index].sequence.branch(), live[index].expected))
            case 1 where live.count > 1:
                live.remove(at: index)
            case 2:
                let length = draw(live[index].expected.count + 1)
                live[index].sequence.truncate(to: length)
                live[index].expected.removeSubrange(length...)
            case 3:
                let other = draw(live.count)
                let common = zip(live[index].expected, live[other].expected).prefix { $0 == $1 }.count
                live[index].sequence.rejoin(live[other].sequence, positions: common)
            default:
                let tokens = (0..<draw(45)).map { turn * 100 + $0 }
                do {
                    try fill(live[index].sequence, with: tokens)
                    live[index].expected += tokens
                } catch {
                    live[index].sequence.truncate(to: 0)
                    live[index].expected = []
                }
            }
            #expect(pool.faults(live.map(\.sequence)) == [])
        }
        for (sequence, expected) in live { #expect(contents(sequence) == expected) }
    }

    static let refusals: [(layers: Int, heads: Int, width: Int, pageSize: Int)] = [
        (0, 1, 1, 32), (1, -1, 1, 32), (1, 1, 1, 31), (1, 1, .max, 32), (1 << 20, 1 << 20, 1 << 20, 32),
    ]

    @Test("absurd sizes are refused before any memory is asked for", arguments: refusals)
    func layouts(layers: Int, heads: Int, width: Int, pageSize: Int) {
        #expect(throws: ModelError.self) {
            try KVLayout(layers: layers, kvHeads: heads, keyWidth: width, valueWidth: 1, pageSize: pageSize)
        }
    }

    /// Writes one number for each position, into every layer and head.
    private func fill(_ sequence: KVSequence, with numbers: [Int]) throws {
        try sequence.reserve(numbers.count)
        for layer in 0..<3 {
            let keys = numbers.flatMap { Array(repeating: Float($0 * 3 + layer), count: 8) }
            let values = numbers.flatMap { Array(repeating: Float($0 * 3 + layer), count: 4) }
            try PagedAttention.append(
                keys: keys, keyStride: 8, values: values, valueStride: 4, count: numbers.count, at: sequence.length,
                into: sequence.pages(layer: layer))
        }
        sequence.commit(numbers.count)
    }

    /// Returns the stored numbers; -1 if keys, values, heads, or layers disagree.
    private func contents(_ sequence: KVSequence) -> [Int] {
        (0..<sequence.length).map { position in
            let found = (0..<3).flatMap { layer -> [Int] in
                let pages = sequence.pages(layer: layer)
                return (0..<2).flatMap { head in
                    (pages.key(head: head, position: position) + pages.value(head: head, position: position))
                        .map { Int($0) - layer }
                }
            }
            return Set(found).count == 1 ? found[0] / 3 : -1
        }
    }
}
