import Kernels
import Testing

@Suite("The steps of a walk through a graph")
struct GraphWalkTests {
    @Test("keep the nearest in order, each once, and say where something came in")
    func beam() {
        var beam = [UInt64](repeating: .max, count: 6)
        var size = 0
        var links: [UInt32] = [0]
        let first = GraphWalk.insert(
            [4, 2, 9], orders: [30, 10, 20], count: 3, into: &beam, size: &size, capacity: 5, links: &links,
            linksBytes: 0)
        #expect(first == 0 && size == 3)
        #expect(beam.prefix(size).map(GraphWalk.slot) == [2, 9, 4])
        let second = GraphWalk.insert(
            [7, 1, 3, 8], orders: [25, 40, 50, -5], count: 4, into: &beam, size: &size, capacity: 5, links: &links,
            linksBytes: 0)
        #expect(second == 0 && size == 5)
        #expect(beam.prefix(size).map(GraphWalk.slot) == [8, 2, 9, 7, 4])
        #expect(beam.prefix(size).map(GraphWalk.order) == [-5, 10, 20, 25, 30])
        let none = GraphWalk.insert(
            [5], orders: [31], count: 1, into: &beam, size: &size, capacity: 5, links: &links, linksBytes: 0)
        #expect(none == 5 && size == 5 && beam[5] == .max)
    }

    @Test("agree with sorting, for any numbers")
    func sorting() {
        for capacity in [1, 2, 7, 64, 200] {
            let orders = randomNumbers(300, spread: 50, seed: UInt64(capacity)).map { Int32($0) }
            let slots = (0..<300).map { UInt32($0) }
            var beam = [UInt64](repeating: 0, count: capacity + 1)
            var size = 0
            var links: [UInt32] = [0]
            for first in stride(from: 0, to: 300, by: 30) {
                _ = GraphWalk.insert(
                    Array(slots[first..<first + 30]), orders: Array(orders[first..<first + 30]), count: 30, into: &beam,
                    size: &size, capacity: capacity, links: &links, linksBytes: 0)
            }
            let all = zip(slots, orders).map { GraphWalk.entry(order: $1, slot: $0) }.sorted()
            #expect(Array(beam.prefix(size)) == Array(all.prefix(capacity)))
        }
    }

    @Test("see a link once, and none past the end of a list")
    func unvisited() {
        let links: [UInt32] = [5, 70, 5, 64, GraphWalk.none, 9]
        var visited: [UInt64] = [0, 1]
        var found = [UInt32](repeating: 0, count: 6)
        let rows = [UInt8](repeating: 0, count: 80)
        let count = GraphWalk.unvisited(
            links, width: 6, visited: &visited, rows: rows, stride: 1, lines: 1, into: &found)
        #expect(found.prefix(count) == [5, 70])
        #expect(visited == [1 << 5, 1 | 1 << 6])
    }

    @Test("order floats as integers")
    func orders() {
        let sorted: [Float] = [
            -.infinity, -3e38, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 0.5, 1, 3e38, .infinity,
        ]
        var numbers = sorted
        GraphWalk.order(floats: &numbers, count: numbers.count)
        let orders = numbers.map { Int32(bitPattern: $0.bitPattern) }
        #expect(orders == orders.sorted() && Set(orders).count == orders.count)
        #expect(orders.map(GraphWalk.float) == sorted)
    }
}
