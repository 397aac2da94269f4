internal import Formatting

/// Times as Python's `datetime.isoformat` writes them, in UTC.
enum PythonTime {
    /// - Parameter nanoseconds: Nanoseconds since 1970.
    static func stamp(_ nanoseconds: Int64) -> String {
        let time = Format.timestamp(Int(nanoseconds / 1_000_000_000), zone: .utc)
        let micros = Int(max(0, nanoseconds % 1_000_000_000) / 1000)
        return "\(time.prefix(10))T\(time.suffix(8)).\(Format.padded(micros, digits: 6))"
    }
}
