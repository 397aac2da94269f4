import Console
import Glibc

/// Times of traces as lists print them.
enum Clock {
    /// - Parameter nanoseconds: since 1970; 0 where unknown.
    static func text(_ nanoseconds: Int64) -> String {
        nanoseconds == 0 ? "" : Format.timestamp(Int(nanoseconds / 1_000_000_000))
    }
}
