import Console
import Testing

@Suite struct `Axes` {
    @Test(
        "linear ticks are 1, 2, or 5 times a power of ten",
        arguments: [
            (0.0...100.0, 5, [0.0, 50, 100]),
            (0...100, 6, [0, 20, 40, 60, 80, 100]),
            (0.13...0.91, 5, [0.2, 0.4, 0.6, 0.8]),
            (-3...3, 4, [-2, 0, 2]),
            (0...0.3, 4, [0, 0.1, 0.2, 0.3]),
            (1e9...3e9, 3, [1e9, 2e9, 3e9]),
            (7...7, 3, [7]),
        ])
    func linearTicks(range: ClosedRange<Double>, count: Int, ticks: [Double]) {
        #expect(AxisScale.linear.ticks(in: range, atMost: count) == ticks)
    }

    @Test func `logarithmic ticks are decades, with 2 and 5 if there is room`() {
        #expect(AxisScale.logarithmic.ticks(in: 1...1_000, atMost: 5) == [1, 10, 100, 1_000])
        #expect(AxisScale.logarithmic.ticks(in: 1...20, atMost: 6) == [1, 2, 5, 10, 20])
        #expect(AxisScale.logarithmic.ticks(in: 1e-3...1e9, atMost: 5) == [1e-3, 1, 1e3, 1e6, 1e9])
        #expect(AxisScale.logarithmic.ticks(in: -1...10, atMost: 5) == [])
    }

    @Test(arguments: 0..<50)
    func `ticks are in range, in order, and within the limit`(seed: Int) {
        var generator = SeededGenerator(seed)
        let lower = Double.random(in: -1e6...1e6, using: &generator)
        let range = lower...lower + Double.random(in: 1e-3...1e7, using: &generator)
        let count = Int.random(in: 1...20, using: &generator)
        let ticks = AxisScale.linear.ticks(in: range, atMost: count)
        #expect(ticks.count <= count)
        #expect(ticks.allSatisfy { range.contains($0) })
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 })
        // The next smaller step would give too many ticks, so at least a third of the limit is used.
        if count >= 5 { #expect(ticks.count * 3 >= count - 2) }
    }

    @Test(arguments: 0..<50)
    func `a widened range has ticks at both ends`(seed: Int) {
        var generator = SeededGenerator(seed)
        let lower = Double.random(in: -10...10, using: &generator)
        let range = lower...lower + Double.random(in: 1e-3...1e4, using: &generator)
        let limit = Int.random(in: 3...12, using: &generator)
        let widened = AxisScale.linear.widened(range, atMost: limit)
        #expect(widened.lowerBound <= range.lowerBound && range.upperBound <= widened.upperBound)
        #expect(
            (2...limit).contains { count in
                let ticks = AxisScale.linear.ticks(in: widened, atMost: count)
                return ticks.first == widened.lowerBound && ticks.last == widened.upperBound
            })
    }

    @Test func `ranges of length 0 and logarithmic ranges are not widened`() {
        #expect(AxisScale.linear.widened(3...3, atMost: 4) == 3...3)
        #expect(AxisScale.logarithmic.widened(0.3...70, atMost: 4) == 0.3...70)
        #expect(AxisScale.linear.widened(0.709...0.865, atMost: 7) == 0.7...0.9)
        #expect(AxisScale.linear.widened(0.954...0.9996, atMost: 5) == 0.94...1)
    }

    @Test(
        "number labels have a few significant digits and a prefix",
        arguments: [
            (0.0, "0"), (412, "412"), (1_240_000, "1.24M"), (88_000, "88k"), (999_950, "1M"), (0.035, "0.035"),
            (3.1e-5, "3.1e-05"), (2.5, "2.5"), (-1_500, "-1.5k"), (1e21, "1e+21"),
            (9.999e-4, "0.001"), (9.99e-4, "9.99e-04"), (9.999e-5, "1e-04"), (-9.999e-5, "-1e-04"),
            (9.999e14, "1e+15"), (Double.leastNonzeroMagnitude, "4.94e-324"),
        ])
    func numberLabels(value: Double, text: String) {
        #expect(AxisLabel.text(value) == text)
    }

    private static let second: Int64 = 1_000_000_000

    @Test(
        "time ticks are round numbers of clock units",
        arguments: [
            (0..<842 * second, 80, "0|2 m|4 m|6 m|8 m|10 m|12 m|14 m"),
            (0..<100, 40, "0|20 ns|40 ns|60 ns|80 ns"),
            (0..<2 * second, 50, "0|500 ms|1 s|1.5 s"),
            (60 * second..<61 * second, 60, "1 m|1 m 0.2 s|1 m 0.4 s|1 m 0.6 s|1 m 0.8 s"),
            (0..<86_400 * 9 * second, 60, "0|1 d|2 d|3 d|4 d|5 d|6 d|7 d|8 d"),
            (3_600 * second..<3_660 * second, 50, "1 h|1 h 15 s|1 h 30 s|1 h 45 s"),
            (5 * second..<5 * second + 10_000, 60, "5 s|+2 µs|+4 µs|+6 µs|+8 µs"),
        ])
    func timeTicks(window: Range<Int64>, columns: Int, labels: String) {
        let ticks = TimeAxis.ticks(in: window, columns: columns)
        #expect(ticks.map(\.label).joined(separator: "|") == labels)
    }

    @Test(arguments: 0..<80)
    func `labels of time ticks never touch and always differ`(seed: Int) {
        var generator = SeededGenerator(seed)
        let length = Int64(Double.random(in: 2...17, using: &generator).power10)
        let start = Int64.random(in: 0...(1 << 50), using: &generator)
        let columns = Int.random(in: 10...200, using: &generator)
        let ticks = TimeAxis.ticks(in: start..<start + length, columns: columns)
        #expect(!ticks.isEmpty || columns < 24)
        for (tick, next) in zip(ticks, ticks.dropFirst()) {
            let distance = Double(next.time - tick.time) / Double(length) * Double(columns)
            #expect(distance >= Double(DisplayWidth.of(tick.label) + 2) - 1e-6, "\(tick) \(next)")
            #expect(tick.label != next.label)
        }
    }
}

extension Double {
    /// Ten to the power of the value, with linear interpolation between whole powers.
    fileprivate var power10: Double {
        var value = 1.0
        for _ in 0..<Int(self) { value *= 10 }
        return value * (1 + (self - self.rounded(.down)) * 9)
    }
}
