import Glibc

/// The clocks of a job: wall clock time for its row, and monotonic time for rates.
enum Clock {
    /// Returns the wall clock time in seconds since 1970.
    static func now() -> Double { read(CLOCK_REALTIME) }

    /// Returns the monotonic time in seconds.
    static func monotonic() -> Double { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
