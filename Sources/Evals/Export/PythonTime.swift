internal import Glibc

/// Times as Python's `datetime.isoformat` writes them, in UTC.
enum PythonTime {
    /// - Parameter nanoseconds: Nanoseconds since 1970.
    static func stamp(_ nanoseconds: Int64) -> String {
        var seconds = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : String(value) }
        let micros = String(max(0, nanoseconds % 1_000_000_000) / 1000)
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):"
            + "\(two(parts.tm_min)):\(two(parts.tm_sec))." + String(repeating: "0", count: 6 - micros.count) + micros
    }
}
