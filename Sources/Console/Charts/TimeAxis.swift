internal import Formatting

/// Ticks and labels of a time axis, in nanoseconds since the start of the recording.
public enum TimeAxis {
    private static let second: Int64 = 1_000_000_000
    private static let minute = 60 * second
    private static let hour = 60 * minute
    private static let day = 24 * hour

    /// Possible steps between ticks: 1, 2, and 5 times powers of ten below a second, then common clock intervals.
    package static let steps: [Int64] = {
        var steps: [Int64] = []
        var unit: Int64 = 1
        while unit < second {
            steps += [unit, 2 * unit, 5 * unit]
            unit *= 10
        }
        steps += [1, 2, 5, 10, 15, 30].map { $0 * second } + [1, 2, 5, 10, 15, 30].map { $0 * minute }
        steps += [1, 2, 3, 6, 12].map { $0 * hour } + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000].map { $0 * day }
        return steps
    }()

    /// A tick with its label.
    public struct Tick: Hashable, Sendable {
        /// Time in nanoseconds.
        public var time: Int64
        /// Time as displayed.
        public var label: String
    }

    /// Returns the densest ticks whose labels are at least two columns apart if the window is `columns` columns wide.
    public static func ticks(in window: Range<Int64>, columns: Int) -> [Tick] {
        let length = window.upperBound.subtractingReportingOverflow(window.lowerBound)
        guard columns > 0, !length.overflow, length.partialValue > 0 else { return [] }
        for step in steps {
            // Labels never fit if ticks are closer than three columns.
            guard length.partialValue / step <= columns / 3 else { continue }
            let ticks = ticks(in: window, step: step)
            let widest = ticks.map { DisplayWidth.of($0.label) }.max() ?? 0
            let spacing = Double(step) / Double(length.partialValue) * Double(columns)
            if Double(widest + 2) <= spacing { return ticks }
        }
        return ticks(in: window, step: steps[steps.count - 1]).prefix(1).map { $0 }
    }

    private static func ticks(in window: Range<Int64>, step: Int64) -> [Tick] {
        var time = window.lowerBound / step * step
        if time < window.lowerBound {
            let next = time.addingReportingOverflow(step)
            guard !next.overflow else { return [] }
            time = next.partialValue
        }
        var ticks: [Tick] = []
        // Far from the start, dense ticks show the distance from the first tick, which takes less space than the full
        // time.
        let isFar = step < second / 1_000 && window.lowerBound >= second
        let first = time
        while time < window.upperBound {
            let label = isFar && time != first ? "+" + text(time - first, step: step) : text(time, step: step)
            ticks.append(Tick(time: time, label: label))
            let next = time.addingReportingOverflow(step)
            guard !next.overflow else { break }
            time = next.partialValue
        }
        return ticks
    }

    /// Returns a multiple of a step, with no more precision than the step: `0`, `90 ms`, `1 m 30 s`, `2 h`, `1.25 s`.
    package static func text(_ time: Int64, step: Int64) -> String {
        if time == 0 { return "0" }
        if time < 0 { return time == .min ? "" : "-" + text(-time, step: step) }
        if time < second, step < second {
            return step >= 1_000_000
                ? "\(time / 1_000_000) ms"
                : step >= 1_000 && time % 1_000 == 0
                    ? micro(time) : "\(time) ns"
        }
        var parts: [String] = []
        var rest = time
        for (unit, name) in [(day, "d"), (hour, "h"), (minute, "m")] where rest >= unit {
            parts.append("\(rest / unit) \(name)")
            rest %= unit
        }
        if rest > 0 {
            var decimals = 0
            var precision = second
            while precision > step, decimals < 9 {
                precision /= 10
                decimals += 1
            }
            parts.append(Format.trimmed(Double(rest) / Double(second), digits: decimals) + " s")
        }
        return parts.joined(separator: " ")
    }

    private static func micro(_ time: Int64) -> String {
        time % 1_000_000 == 0 ? "\(time / 1_000_000) ms" : "\(time / 1_000) µs"
    }
}
