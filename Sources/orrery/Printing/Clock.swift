import Console
import Glibc

/// Times as printed in lists.
enum Clock {
    /// Nanoseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// - Parameter nanoseconds: Nanoseconds since 1970; 0 if unknown.
    static func text(_ nanoseconds: Int64) -> String {
        nanoseconds == 0 ? "" : Format.timestamp(Int(nanoseconds / 1_000_000_000))
    }
}
