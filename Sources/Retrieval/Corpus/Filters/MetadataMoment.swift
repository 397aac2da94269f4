internal import Formatting

/// A year, month, day, minute or second as filters write it: everything from `first` until just before `next`, UTC.
struct MetadataMoment: Hashable, Sendable {
    /// Seconds since 1970.
    var first: Double
    var next: Double

    /// `2026`, `2026-03`, `2026-03-01`, `2026-03-01T09:30`, `2026-03-01T09:30:15`, with an optional `Z`; a space may
    /// stand for the `T`.
    init?(_ text: String) {
        var plain = Substring(text)
        if plain.last == "Z" || plain.last == "z" { plain = plain.dropLast() }
        let halves = plain.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == "t" || $0 == " " }
        guard let dayText = halves.first, let date = Self.numbers(dayText, "-", sizes: [4, 2, 2]) else { return nil }
        var clock: [Int] = []
        if halves.count == 2 {
            guard date.count == 3, let read = Self.numbers(halves[1], ":", sizes: [2, 2, 2]) else { return nil }
            clock = read
        }
        let (year, month, day) = (date[0], date.count > 1 ? date[1] : 1, date.count > 2 ? date[2] : 1)
        guard (1...9999).contains(year), (1...12).contains(month), (1...Self.length(year, month)).contains(day),
            clock.isEmpty || clock[0] < 24, clock.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        let start = Self.day(year, month, day)
        var seconds = start * 86_400
        for (value, unit) in zip(clock, [3_600, 60, 1]) { seconds += value * unit }
        let width: Int =
            switch (date.count, clock.count) {
            case (1, _): (Self.day(year + 1, 1, 1) - start) * 86_400
            case (2, _): Self.length(year, month) * 86_400
            default: [86_400, 3_600, 60, 1][clock.count]
            }
        first = Double(seconds)
        next = Double(seconds + width)
    }

    /// `2026-03-01`, or with the time of day where that is not midnight.
    static func text(_ nanoseconds: Int64) -> String {
        let time = Format.timestamp(Int((Double(nanoseconds) / 1e9).rounded(.down)), zone: .utc)
        let (date, clock) = (time.prefix(10), time.suffix(8))
        return clock == "00:00:00" ? String(date) : "\(date)T\(clock)Z"
    }

    private static func length(_ year: Int, _ month: Int) -> Int {
        day(month == 12 ? year + 1 : year, month % 12 + 1, 1) - day(year, month, 1)
    }

    /// Days since 1970-01-01 in the Gregorian calendar, years counted from March so that the leap day is their last.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let years = month > 2 ? year : year - 1
        let leapDays = years / 4 - years / 100 + years / 400
        return years * 365 + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 719_469
    }

    private static func numbers(_ text: Substring, _ separator: Character, sizes: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= sizes.count else { return nil }
        var numbers: [Int] = []
        for (part, size) in zip(parts, sizes) {
            guard part.utf8.count == size, part.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
