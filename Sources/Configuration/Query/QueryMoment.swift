/// A year, month, day, hour, minute, or second in UTC, as written in a filter: the interval [`first`, `next`).
package struct QueryMoment: Hashable, Sendable {
    /// Start of the interval, in seconds since 1970.
    package var first: Int64
    /// End of the interval, which is excluded, in seconds since 1970.
    package var next: Int64

    /// Creates an interval from text: `2026`, `2026-03`, `2026-03-01`, `2026-03-01T09:30`, or `2026-03-01T09:30:15`.
    ///
    /// A `Z` may follow, and a space may replace the `T`.
    ///
    /// - Parameter years: Years that are accepted.
    package init?(_ text: String, years: ClosedRange<Int64> = 1...9999) {
        var plain = Substring(text)
        if plain.last == "Z" || plain.last == "z" { plain = plain.dropLast() }
        let halves = plain.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" || $0 == " " }
        guard let dayText = halves.first, let date = Self.numbers(dayText, "-", sizes: [4, 2, 2]) else { return nil }
        var clock: [Int64] = []
        if halves.count == 2 {
            guard date.count == 3, let read = Self.numbers(halves[1], ":", sizes: [2, 2, 2]) else { return nil }
            clock = read
        }
        let (year, month, day) = (date[0], date.count > 1 ? date[1] : 1, date.count > 2 ? date[2] : 1)
        guard years.contains(year), (1...12).contains(month), (1...Self.length(year, month)).contains(day),
            clock.isEmpty || clock[0] < 24, clock.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        let start = Self.day(year, month, day)
        let time = zip(clock, [3_600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        let width: Int64 =
            switch (date.count, clock.count) {
            case (1, _): (Self.day(year + 1, 1, 1) - start) * 86_400
            case (2, _): Self.length(year, month) * 86_400
            default: [86_400, 3_600, 60, 1][clock.count]
            }
        first = start * 86_400 + time
        next = first + width
    }

    private static func length(_ year: Int64, _ month: Int64) -> Int64 {
        day(month == 12 ? year + 1 : year, month % 12 + 1, 1) - day(year, month, 1)
    }

    /// Returns the days from 1970-01-01 to a date in the Gregorian calendar.
    ///
    /// Years start in March, so the leap day is the last day of a year.
    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = month > 2 ? year : year - 1
        let leapDays = years / 4 - years / 100 + years / 400
        return years * 365 + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 719_469
    }

    /// Returns one to three numbers, each with a fixed number of digits; `nil` for any other text.
    private static func numbers(_ text: Substring, _ separator: Character, sizes: [Int]) -> [Int64]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= sizes.count else { return nil }
        var numbers: [Int64] = []
        for (part, size) in zip(parts, sizes) {
            guard part.utf8.count == size, part.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
