/// Returns the time of an ISO 8601 timestamp in the profile of RFC 3339, in nanoseconds since 1970.
///
/// An example is `2025-01-02T03:04:05.678Z`. The separator can be `T`, `t`, or a space; the fraction has up to nine
/// digits; the zone is `Z`, `z`, or an offset such as `+hh:mm`, `-hhmm`, or `+hh`, and a missing zone means UTC. A leap
/// second (`:60`) counts as the first second of the next minute.
///
/// - Returns: `nil` for other text, for invalid dates of the Gregorian calendar, and for times outside 1677-09-21 to
///   2262-04-11, which do not fit into 64 bits.
public func nanosecondsSince1970(iso8601 text: UnsafeBufferPointer<UInt8>) -> Int64? {
    var reader = TimestampReader(text: text)
    return reader.read()
}

/// Returns the time of an ISO 8601 timestamp in the profile of RFC 3339, in nanoseconds since 1970; `nil` for other
/// text.
public func nanosecondsSince1970(iso8601 text: String) -> Int64? {
    var text = text
    return text.withUTF8 { nanosecondsSince1970(iso8601: $0) }
}

private struct TimestampReader {
    let text: UnsafeBufferPointer<UInt8>
    var position = 0

    mutating func read() -> Int64? {
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
            take("T") || take("t") || take(" "),
            let hour = digits(2), take(":"), let minute = digits(2), take(":"), let second = digits(2),
            let fraction = fraction(), let zone = zone(), position == text.count,
            (1...12).contains(month), day >= 1, day <= daysInMonth(month, year: year),
            hour <= 23, minute <= 59, second <= 60
        else { return nil }
        let seconds = daysSince1970(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - zone
        // Before 1970, the whole seconds may be out of range even if the sum is in range.
        let (scaled, tooLarge) = (seconds + (seconds < 0 ? 1 : 0)).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = scaled.addingReportingOverflow(fraction - (seconds < 0 ? 1_000_000_000 : 0))
        return tooLarge || carried ? nil : Int64(sum)
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard text.count - position >= count else { return nil }
        var value = 0
        for offset in position..<position + count {
            let digit = text[offset] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        position += count
        return value
    }

    /// Returns the fraction in nanoseconds; 0 if there is none, `nil` if it has no digits or more than nine.
    private mutating func fraction() -> Int? {
        guard take(".") || take(",") else { return 0 }
        var value = 0
        var places = 0
        while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 {
            guard places < 9 else { return nil }
            value = value * 10 + Int(text[position] &- UInt8(ascii: "0"))
            places += 1
            position += 1
        }
        guard places > 0 else { return nil }
        for _ in places..<9 { value *= 10 }
        return value
    }

    /// Returns the offset from UTC in seconds, positive to the east; `nil` if it is invalid.
    private mutating func zone() -> Int? {
        if position == text.count || take("Z") || take("z") { return 0 }
        let east = take("+")
        guard east || take("-"), let hours = digits(2) else { return nil }
        var minutes = 0
        if position < text.count {
            _ = take(":")
            guard let written = digits(2) else { return nil }
            minutes = written
        }
        guard hours <= 23, minutes <= 59 else { return nil }
        return (east ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
}

private func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
}

/// Returns the number of days since 1970, computed in cycles of 400 years and with years that start in March, so that
/// the leap day comes last.
private func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let cycle = (year >= 0 ? year : year - 399) / 400
    let yearOfCycle = year - cycle * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
    return cycle * 146_097 + dayOfCycle - 719_468
}
