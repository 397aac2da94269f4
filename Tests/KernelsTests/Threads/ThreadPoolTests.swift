import Kernels
import Synchronization
import Testing

@Suite("the thread pool")
struct ThreadPoolTests {
    /// How often each chunk ran.
    private final class Tally: Sendable {
        let counts: Mutex<[Int]>

        init(_ chunks: Int) { counts = Mutex(Array(repeating: 0, count: chunks)) }

        func add(_ chunk: Int) { counts.withLock { $0[chunk] += 1 } }
        var all: [Int] { counts.withLock { $0 } }
    }

    @Test("runs every chunk once, on threads that it has", arguments: [1, 2, 3, 8], [0, 1, 2, 7, 1000])
    func everyChunk(threads: Int, chunks: Int) {
        let pool = ThreadPool(threads: threads)
        let tally = Tally(chunks)
        pool.run(chunks: chunks) { chunk, worker in
            #expect((0..<threads).contains(worker))
            tally.add(chunk)
        }
        #expect(tally.all.allSatisfy { $0 == 1 })
    }

    @Test("no two threads have the same number at the same time, nested calls included")
    func numbers() {
        let pool = ThreadPool(threads: 4)
        let users = Mutex([Int](repeating: 0, count: 4))
        let clashes = Mutex(0)
        for _ in 0..<200 {
            pool.run(chunks: 12) { _, outer in
                pool.run(chunks: 3) { _, inner in
                    if inner != outer { clashes.withLock { $0 += 1 } }
                    let first = users.withLock { users in
                        users[inner] += 1
                        return users[inner]
                    }
                    if first != 1 { clashes.withLock { $0 += 1 } }
                    users.withLock { $0[inner] -= 1 }
                }
            }
        }
        #expect(clashes.withLock { $0 } == 0)
    }

    @Test("sharing gives the calling thread a pool of N threads, then restores its previous pool")
    func sharing() {
        let before = ThreadPool.shared.threads
        ThreadPool.sharing(threads: 1) {
            #expect(ThreadPool.shared.threads == 1)
            ThreadPool.sharing(threads: 0) { #expect(ThreadPool.shared.threads == 1) }
        }
        #expect(ThreadPool.shared.threads == before)
    }

    @Test("a body may call its own pool, and another")
    func nested() {
        let pool = ThreadPool(threads: 3), other = ThreadPool(threads: 2)
        let tally = Tally(6 * 5 * 4)
        pool.run(chunks: 6) { first, _ in
            pool.run(chunks: 5) { second, _ in
                other.run(chunks: 4) { third, _ in tally.add((first * 5 + second) * 4 + third) }
            }
        }
        #expect(tally.all.allSatisfy { $0 == 1 })
    }

    @Test("many callers at once each get all of their chunks")
    func callers() async {
        let pool = ThreadPool(threads: 3)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for caller in 0..<4 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<300 {
                        let chunks = (round + caller) % 23
                        let tally = Tally(chunks)
                        pool.run(chunks: chunks) { chunk, _ in tally.add(chunk) }
                        if !tally.all.allSatisfy({ $0 == 1 }) { wrong += 1 }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("short pieces of work follow each other, between spinning and sleeping threads")
    func manyShortRuns() {
        let pool = ThreadPool(threads: 4)
        let sum = Mutex(0)
        for round in 0..<3000 {
            // Every hundredth piece comes after a pause that puts the threads to sleep.
            if round % 100 == 0 { spin(thousands: 200) }
            pool.run(chunks: 4) { chunk, _ in sum.withLock { $0 += chunk } }
        }
        #expect(sum.withLock { $0 } == 3000 * 6)
    }

    private func spin(thousands: Int) {
        var numbers = SeededNumbers(seed: 1)
        var sum = 0.0
        for _ in 0..<thousands * 100 { sum += numbers.next() }
        #expect(sum != 0)
    }

    @Test("pools come and go, used or not")
    func lifetimes() {
        for threads in 1...40 {
            let pool = ThreadPool(threads: threads)
            if threads % 2 == 0 {
                let tally = Tally(threads)
                pool.run(chunks: threads) { chunk, _ in tally.add(chunk) }
                #expect(tally.all.allSatisfy { $0 == 1 })
            }
        }
        #expect(ThreadPool(threads: -3).threads == 1)
        #expect(ThreadPool.single.threads == 1)
        #expect(ThreadPool.shared.threads == ThreadPool.usableProcessors)
    }
}
