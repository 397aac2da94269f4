internal import Glibc
internal import Synchronization

/// Threads that all do the same until it is done: models block the thread that asks them.
enum Workers {
    private final class Body: Sendable {
        let work: @Sendable () -> Void
        let running: Atomic<Int>

        init(_ work: @escaping @Sendable () -> Void, count: Int) {
            self.work = work
            running = Atomic(count)
        }
    }

    /// Runs `work` on `count` threads and comes back when all have ended.
    ///
    /// - Parameter meanwhile: Called on the calling thread, several times per second.
    /// - Returns: how many threads could be had.
    static func run(_ count: Int, _ work: @escaping @Sendable () -> Void, meanwhile: () -> Void) -> Int {
        let body = Body(work, count: count)
        var threads: [pthread_t] = []
        for _ in 0..<count {
            var thread = pthread_t()
            let argument = Unmanaged.passRetained(body).toOpaque()
            let failed = pthread_create(
                &thread, nil,
                { @Sendable argument in
                    guard let argument else { return nil }
                    let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                    body.work()
                    body.running.subtract(1, ordering: .releasing)
                    return nil
                }, argument)
            if failed == 0 {
                threads.append(thread)
            } else {
                Unmanaged<Body>.fromOpaque(argument).release()
                body.running.subtract(1, ordering: .releasing)
            }
        }
        var ticks = 0
        while body.running.load(ordering: .acquiring) > 0 {
            usleep(2000)
            ticks += 1
            if ticks % 50 == 0 { meanwhile() }
        }
        for thread in threads { pthread_join(thread, nil) }
        return threads.count
    }
}
