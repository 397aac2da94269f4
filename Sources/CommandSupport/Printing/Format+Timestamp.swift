package import Console

extension Format {
    /// Returns a time as printed in lists; empty if it is unknown.
    ///
    /// - Parameter nanoseconds: Nanoseconds since 1970; 0 if unknown.
    package static func timestamp(nanoseconds: Int64) -> String {
        nanoseconds == 0 ? "" : timestamp(Int(nanoseconds / 1_000_000_000))
    }
}
