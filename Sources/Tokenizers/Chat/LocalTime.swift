internal import Glibc

/// A date and a time of day, as a clock on the wall shows them: what `strftime_now` of a template prints.
public struct LocalTime: Hashable, Sendable {
    public var year: Int
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int

    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The time here and now.
    public static func now() -> LocalTime {
        var seconds = time(nil)
        var fields = tm()
        localtime_r(&seconds, &fields)
        return LocalTime(
            year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
            hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: Int(fields.tm_sec))
    }

    /// This time as C's `strftime` writes it, English whatever the locale of the terminal is.
    func formatted(_ format: String) -> String {
        var fields = tm()
        fields.tm_year = Int32(clamping: year - 1900)
        fields.tm_mon = Int32(clamping: min(max(month, 1), 12) - 1)
        fields.tm_mday = Int32(clamping: min(max(day, 1), 31))
        fields.tm_hour = Int32(clamping: min(max(hour, 0), 23))
        fields.tm_min = Int32(clamping: min(max(minute, 0), 59))
        fields.tm_sec = Int32(clamping: min(max(second, 0), 60))
        fields.tm_isdst = -1
        // The day of the week and of the year follow from the date.
        var copy = fields
        if timegm(&copy) != -1 || copy.tm_wday != 0 {
            fields.tm_wday = copy.tm_wday
            fields.tm_yday = copy.tm_yday
        }
        guard !format.isEmpty, let locale = newlocale(1 << LC_TIME, "C", nil) else { return "" }
        defer { freelocale(locale) }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            let count = strftime_l(buffer.baseAddress!, buffer.count, format, &fields, locale)
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
