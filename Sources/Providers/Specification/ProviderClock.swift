internal import Glibc
internal import Synchronization

/// What time it is, and how to let some pass: the system's, or a simulated one.
public struct ProviderClock: Sendable {
    /// Seconds of a clock that never goes back.
    public var now: @Sendable () -> Double
    /// Nanoseconds since 1970.
    public var wallClock: @Sendable () -> Int64
    /// Waits for some seconds, or until the closure returns `true`; calls it at least every 20 ms.
    public var sleep: @Sendable (Double, () -> Bool) -> Void

    public init(
        now: @escaping @Sendable () -> Double, wallClock: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Double, () -> Bool) -> Void
    ) {
        self.now = now
        self.wallClock = wallClock
        self.sleep = sleep
    }

    /// The clocks of this machine.
    public static let system = ProviderClock(
        now: { monotonicSeconds() },
        wallClock: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        },
        sleep: { seconds, isDone in
            let end = monotonicSeconds() + seconds
            while !isDone() {
                let rest = end - monotonicSeconds()
                guard rest > 0 else { return }
                var slice = timespec(tv_sec: 0, tv_nsec: Int(min(rest, 0.01) * 1e9))
                nanosleep(&slice, nil)
            }
        })
}

/// A clock that advances only when a caller sleeps, and then at once.
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

    /// A clock at 0 seconds, which is `epoch` in nanoseconds since 1970.
    public init(epoch: Int64 = 0) { self.epoch = epoch }

    /// Every sleep so far, in seconds, in its order.
    public var slept: [Double] { state.withLock { $0.slept } }

    /// Makes it later without a sleep.
    public func advance(by seconds: Double) { state.withLock { $0.seconds += seconds } }

    /// This clock as providers take it.
    public var clock: ProviderClock {
        ProviderClock(
            now: { self.state.withLock { $0.seconds } },
            wallClock: { self.epoch + Int64(self.state.withLock { $0.seconds } * 1e9) },
            sleep: { seconds, isDone in
                if isDone() { return }
                self.state.withLock {
                    $0.seconds += max(0, seconds)
                    $0.slept.append(seconds)
                }
            })
    }
}

/// Seconds of the system's clock that never goes back.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
