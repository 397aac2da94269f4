import Glibc

/// The two clocks of a job: the one on the wall for its row, and one that is never set back for rates.
enum Clock {
    /// Seconds since 1970.
    static func now() -> Double { read(CLOCK_REALTIME) }

    /// Seconds since some moment in the past.
    static func monotonic() -> Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
