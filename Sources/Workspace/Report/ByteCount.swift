/// Human-readable byte counts.
public enum ByteCount {
    /// Returns a size such as "512 bytes", "1.5 KB", or "20 MB", in powers of 1000.
    ///
    /// Values below 10 have one decimal place, unless it is 0.
    public static func text(_ bytes: Int64) -> String {
        guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var scaled = Double(bytes)
        var unit = 0
        let units = ["KB", "MB", "GB", "TB", "PB", "EB"]
        scaled /= 1000
        while scaled >= 999.5, unit + 1 < units.count {
            scaled /= 1000
            unit += 1
        }
        let tenths = (scaled * 10).rounded()
        if tenths < 100, tenths.truncatingRemainder(dividingBy: 10) != 0 {
            return "\(Int(tenths) / 10).\(Int(tenths) % 10) \(units[unit])"
        }
        return "\(Int(scaled.rounded())) \(units[unit])"
    }
}
