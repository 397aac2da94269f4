/// A year, month, day, hour, minute, or second in UTC, as written in a filter: the interval [`first`, `next`).
struct FilterMoment {
    var text: String
    /// Start of the interval, in nanoseconds since 1970.
    var first: Int64
    /// End of the interval, which is excluded, in nanoseconds since 1970.
    var next: Int64

    /// Creates an interval from text: `2026`, `2026-03`, `2026-03-01`, `2026-03-01T09:30`, or `2026-03-01T09:30:15`.
    ///
    /// A `Z` may follow, and a space may replace the `T`.
    init?(_ text: String) {
        self.text = text
        var plain = Substring(text)
        if plain.last == "Z" || plain.last == "z" { plain = plain.dropLast() }
        let halves = plain.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" || $0 == " " }
        guard let dayText = halves.first, let date = Self.numbers(dayText, by: "-", sizes: [4, 2, 2]) else {
            return nil
        }
        let clock: [Int64]
        if halves.count == 2 {
            guard date.count == 3, let read = Self.numbers(halves[1], by: ":", sizes: [2, 2, 2]) else { return nil }
            clock = read
        } else {
            clock = []
        }
        let (year, month, day) = (date[0], date.count > 1 ? date[1] : 1, date.count > 2 ? date[2] : 1)
        guard (1678...2260).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let start = Self.days(year, month, day)
        guard date.count < 3 || day <= Self.days(year + month / 12, month % 12 + 1, 1) - Self.days(year, month, 1)
        else {
            return nil
        }
        var seconds = start * 86_400
        var width: Int64
        switch (date.count, clock.count) {
        case (1, _): width = (Self.days(year + 1, 1, 1) - start) * 86_400
        case (2, _): width = (Self.days(year + month / 12, month % 12 + 1, 1) - start) * 86_400
        case (_, 0): width = 86_400
        case (_, 1): width = 3_600
        case (_, 2): width = 60
        default: width = 1
        }
        for (value, (unit, limit)) in zip(clock, [(Int64(3_600), Int64(24)), (60, 60), (1, 60)]) {
            guard value < limit else { return nil }
            seconds += value * unit
        }
        first = seconds * 1_000_000_000
        next = (seconds + width) * 1_000_000_000
    }

    /// Returns the days from 1970-01-01 to a date in the Gregorian calendar.
    ///
    /// Years start in March, so the leap day is the last day of a year.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let leapDays = years / 4 - years / 100 + years / 400
        return years * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }

    /// Returns one to three numbers, each with a fixed number of digits; `nil` for any other text.
    private static func numbers(_ text: Substring, by separator: Character, sizes: [Int]) -> [Int64]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= sizes.count else { return nil }
        var numbers: [Int64] = []
        for (part, size) in zip(parts, sizes) {
            guard part.utf8.count == size, part.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            guard let number = Int64(part) else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
