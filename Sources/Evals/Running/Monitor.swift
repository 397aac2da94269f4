internal import Glibc
internal import System

/// A value that several threads share, with conditions to wait for its changes.
///
/// Each kind of waiter has its own condition, so that the right ones are woken.
final class Monitor<State>: @unchecked Sendable {
    // Unchecked: `state` is touched only between lock and unlock of `mutex`, and the pointers never change.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let conditions: UnsafeMutablePointer<pthread_cond_t>
    private let count: Int

    init(_ state: State, conditions count: Int) {
        self.state = state
        self.count = count
        pthread_mutex_init(mutex, nil)
        conditions = .allocate(capacity: count)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        for index in 0..<count { pthread_cond_init(conditions + index, &attributes) }
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        for index in 0..<count { pthread_cond_destroy(conditions + index) }
        conditions.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Calls `body` now and after every wake-up, until it has a result.
    func wait<Result>(on condition: Int, _ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            pthread_cond_wait(conditions + condition, mutex)
        }
    }

    /// Waits for a wake-up, for at most `seconds`, unless `body` returns that there is no need.
    func pause(on condition: Int, seconds: Double, unless body: (inout State) -> Bool) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if body(&state) { return }
        var until = Clock.time(.monotonic)
        let nanoseconds = Int(min(max(0, seconds), 3600) * 1e9) + until.tv_nsec
        until.tv_sec += nanoseconds / 1_000_000_000
        until.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(conditions + condition, mutex, &until)
    }

    func wakeOne(_ condition: Int) { pthread_cond_signal(conditions + condition) }
    func wakeAll(_ condition: Int) { pthread_cond_broadcast(conditions + condition) }
}

/// Threads with small stacks that run the same function, because a model blocks the thread that calls it.
final class RunThreads {
    private final class Body: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Enough for the deepest JSON and regular expressions; unused stack takes no memory.
    private static let stackSize = 1 << 20
    private var threads: [pthread_t] = []

    var count: Int { threads.count }

    /// Starts threads until there are `count`.
    ///
    /// - Returns: Whether there is at least one.
    func grow(to count: Int, _ work: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setstacksize(attributes, Self.stackSize)
        while threads.count < count {
            var thread = pthread_t()
            let argument = Unmanaged.passRetained(Body(work)).toOpaque()
            let failed = pthread_create(
                &thread, attributes,
                { @Sendable argument in
                    guard let argument else { return nil }
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().work()
                    return nil
                }, argument)
            guard failed == 0 else {
                Unmanaged<Body>.fromOpaque(argument).release()
                break
            }
            threads.append(thread)
        }
        return !threads.isEmpty
    }

    /// Waits until all have ended.
    func join() {
        for thread in threads { pthread_join(thread, nil) }
        threads = []
    }
}
