internal import Glibc

extension Format {
    /// Returns a duration in a suitable unit: `300 µs`, `140 ms`, `8.1 s`, `14 m 02 s`, `3 h 05 m`, or `2 d 04 h`.
    public static func duration(nanoseconds: Int) -> String {
        let sign = nanoseconds < 0 ? "-" : ""
        let value = Double(nanoseconds.magnitude)
        if value < 1_000 { return "\(sign)\(Int(value)) ns" }
        if value < 999_500 { return "\(sign)\(decimals(value / 1_000)) µs" }
        if value < 999_500_000 { return "\(sign)\(decimals(value / 1_000_000)) ms" }
        return sign + seconds(value)
    }

    /// Returns a duration like ``duration(nanoseconds:)``; `–` if it is not finite or exceeds 9e9 seconds.
    public static func duration(seconds: Double) -> String {
        guard seconds.isFinite, seconds.magnitude < 9e9 else { return "–" }
        return duration(nanoseconds: Int((seconds * 1e9).rounded()))
    }

    /// Returns a measured time with three significant digits, for comparisons: `442 µs` or `1.77 ms`.
    ///
    /// Times of a minute or more have the format of ``duration(seconds:)``.
    public static func time(seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 9e9 else { return "–" }
        if seconds >= 59.95 { return duration(seconds: seconds) }
        let (factor, unit) =
            seconds >= 0.9995
            ? (1, "s") : seconds >= 0.9995e-3 ? (1e3, "ms") : seconds >= 0.9995e-6 ? (1e6, "µs") : (1e9, "ns")
        return "\(threeDigits(seconds * factor)) \(unit)"
    }

    /// Returns a duration in seconds with one decimal, for columns of comparable durations.
    ///
    /// Durations of a minute or more have the format of ``duration(nanoseconds:)``.
    public static func seconds(nanoseconds: Int) -> String {
        (nanoseconds < 0 ? "-" : "") + seconds(Double(nanoseconds.magnitude))
    }

    /// Returns a number with one decimal below 10 and none above.
    private static func decimals(_ value: Double) -> String { fixed(value, digits: value < 9.95 ? 1 : 0) }

    private static func seconds(_ nanoseconds: Double) -> String {
        if nanoseconds < 59_950_000_000 { return fixed(nanoseconds / 1e9, digits: 1) + " s" }
        let seconds = Int((nanoseconds / 1e9).rounded())
        if seconds < 3_600 { return "\(seconds / 60) m \(twoDigits(seconds % 60)) s" }
        let minutes = Int((nanoseconds / 60e9).rounded())
        if minutes < 1_440 { return "\(minutes / 60) h \(twoDigits(minutes % 60)) m" }
        let hours = Int((nanoseconds / 3_600e9).rounded())
        return "\(count(hours / 24)) d \(twoDigits(hours % 24)) h"
    }

    private static func twoDigits(_ value: Int) -> String { padded(value, digits: 2) }

    /// Time zones.
    public enum Zone: Hashable, Sendable {
        /// Coordinated Universal Time.
        case utc
        /// A fixed offset from UTC, in seconds east of Greenwich.
        case offset(Int)
        /// The time zone of this computer, including daylight saving time.
        case local

        func offset(at unixSeconds: Int) -> Int {
            switch self {
            case .utc: return 0
            case .offset(let seconds): return seconds
            case .local:
                var time = time_t(unixSeconds)
                var parts = tm()
                return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
            }
        }
    }

    /// Returns a time in a short form: `09:14` today, `Wed` in the six days before, and otherwise `2026-10-03`.
    public static func clock(_ unixSeconds: Int, now: Int, zone: Zone = .local) -> String {
        guard let moment = CivilTime(unixSeconds, zone), let today = CivilTime(now, zone) else { return "–" }
        let age = today.dayNumber - moment.dayNumber
        if age == 0 { return "\(twoDigits(moment.hour)):\(twoDigits(moment.minute))" }
        if (1...6).contains(age) { return moment.weekday }
        return moment.date
    }

    /// Returns the date and time to the second, such as `2026-10-03 09:14:22`.
    public static func timestamp(_ unixSeconds: Int, zone: Zone = .local) -> String {
        guard let moment = CivilTime(unixSeconds, zone) else { return "–" }
        return "\(moment.date) \(twoDigits(moment.hour)):\(twoDigits(moment.minute)):\(twoDigits(moment.second))"
    }

    /// Returns the date and time to the second, as in lists; empty if it is unknown.
    ///
    /// - Parameter nanoseconds: Nanoseconds since 1970; 0 if unknown.
    public static func timestamp(nanoseconds: Int64) -> String {
        nanoseconds == 0 ? "" : timestamp(Int(nanoseconds / 1_000_000_000))
    }

    /// A date and time in the Gregorian calendar.
    private struct CivilTime {
        /// Number of days since 1970-01-01.
        let dayNumber: Int
        let hour: Int
        let minute: Int
        let second: Int

        /// Creates a date and time; `nil` outside the years 0 to 9999.
        init?(_ unixSeconds: Int, _ zone: Zone) {
            guard (-62_167_219_200..<253_402_300_800).contains(unixSeconds) else { return nil }
            let local = unixSeconds + zone.offset(at: unixSeconds)
            dayNumber = Int((Double(local) / 86_400).rounded(.down))
            let seconds = local - dayNumber * 86_400
            hour = seconds / 3_600
            minute = seconds / 60 % 60
            second = seconds % 60
        }

        var weekday: String {
            let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
            return names[(dayNumber % 7 + 7) % 7]
        }

        /// Date such as `2026-10-03`, computed in years that begin in March so that the leap day is the last day.
        ///
        /// - Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
        var date: String {
            let shifted = dayNumber + 719_468
            let era = Int((Double(shifted) / 146_097).rounded(.down))
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let month = (5 * dayOfYear + 2) / 153
            let day = dayOfYear - (153 * month + 2) / 5 + 1
            let civilMonth = month < 10 ? month + 3 : month - 9
            let year = padded(yearOfEra + era * 400 + (civilMonth < 3 ? 1 : 0), digits: 4)
            return "\(year)-\(twoDigits(civilMonth))-\(twoDigits(day))"
        }
    }
}
