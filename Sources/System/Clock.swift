public import Glibc
internal import Synchronization

/// The time, and a way to wait: the system's clocks or a simulated clock.
public struct Clock: Sendable {
    /// Returns monotonic seconds: they never go back, and their zero is arbitrary.
    public var seconds: @Sendable () -> Double
    /// Returns wall clock time in nanoseconds since 1970.
    public var wall: @Sendable () -> Int64
    /// Waits for the given seconds, or until the closure returns `true`; calls the closure at least every 20 ms.
    public var sleep: @Sendable (_ seconds: Double, _ isDone: () -> Bool) -> Void

    /// Creates a clock from closures; without `sleep`, a wait ends at once.
    public init(
        seconds: @escaping @Sendable () -> Double, wall: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Double, () -> Bool) -> Void = { _, _ in }
    ) {
        self.seconds = seconds
        self.wall = wall
        self.sleep = sleep
    }

    /// The clocks of this machine.
    public static let system = Clock(
        seconds: { Clock.now(.monotonic) }, wall: { Clock.nanoseconds(.wall) },
        sleep: { seconds, isDone in
            let end = now(.monotonic) + seconds
            while !isDone() {
                let rest = end - now(.monotonic)
                guard rest > 0 else { return }
                pause(min(rest, 0.01))
            }
        })
}

extension Clock {
    /// A clock of the operating system.
    public enum Source: Sendable {
        /// Time since 1970, which can jump when the system's time is set.
        case wall
        /// Time that never goes back.
        case monotonic
        /// Monotonic time with a resolution of a few milliseconds, for checks in hot loops.
        case coarse
        /// Processor time of all threads of this process.
        case process
        /// Processor time of this thread.
        case thread

        fileprivate var identifier: clockid_t {
            switch self {
            case .wall: CLOCK_REALTIME
            case .monotonic: CLOCK_MONOTONIC
            case .coarse: CLOCK_MONOTONIC_COARSE
            case .process: CLOCK_PROCESS_CPUTIME_ID
            case .thread: CLOCK_THREAD_CPUTIME_ID
            }
        }
    }

    /// Returns the time of a clock as the system reports it.
    public static func time(_ source: Source) -> timespec {
        var time = timespec()
        // Failure is impossible: the system has all of these clocks, and the pointer is valid.
        clock_gettime(source.identifier, &time)
        return time
    }

    /// Returns the time of a clock in nanoseconds.
    public static func nanoseconds(_ source: Source) -> Int64 {
        let time = time(source)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Returns the time of a clock in seconds.
    public static func now(_ source: Source) -> Double {
        let time = time(source)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Waits for the given seconds, or until a signal arrives.
    public static func pause(_ seconds: Double) {
        let seconds = max(seconds, 0)
        var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
        nanosleep(&rest, nil)
    }
}

/// A clock for tests: a sleep returns at once and advances the time by its duration.
///
/// ```swift
/// let clock = SimulatedClock()
/// clock.clock.sleep(60, { false })
/// clock.slept   // [60]
/// ```
public final class SimulatedClock: Sendable {
    private struct State {
        var seconds = 0.0
        var slept: [Double] = []
    }

    private let state = Mutex(State())
    private let epoch: Int64

    /// Creates a clock at 0 s.
    ///
    /// - Parameter epoch: Wall clock time at 0 s, in nanoseconds since 1970.
    public init(epoch: Int64 = 0) { self.epoch = epoch }

    /// Durations of all sleeps so far, in seconds, oldest first.
    public var slept: [Double] { state.withLock { $0.slept } }

    /// Advances the clock without a sleep.
    public func advance(by seconds: Double) { state.withLock { $0.seconds += seconds } }

    /// The clock to pass to the code under test.
    public var clock: Clock {
        Clock(
            seconds: { self.state.withLock { $0.seconds } },
            wall: { self.epoch + Int64(self.state.withLock { $0.seconds } * 1e9) },
            sleep: { seconds, isDone in
                if isDone() { return }
                self.state.withLock {
                    $0.seconds += max(0, seconds)
                    $0.slept.append(seconds)
                }
            })
    }
}
