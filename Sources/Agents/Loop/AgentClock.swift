internal import Glibc

/// Where a run takes the time from.
public struct AgentClock: Sendable {
    /// Seconds that only grow.
    public var now: @Sendable () -> Double
    /// Nanoseconds since 1970.
    public var wallClock: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> Double, wallClock: @escaping @Sendable () -> Int64) {
        self.now = now
        self.wallClock = wallClock
    }

    public static let system = AgentClock(
        now: { Double(time(CLOCK_MONOTONIC)) / 1e9 }, wallClock: { time(CLOCK_REALTIME) })

    private static func time(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
