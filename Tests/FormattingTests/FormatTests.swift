import Formatting
import Testing

@Suite("Number formats")
struct FormatTests {
    @Test(
        "counts have thousands separators",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (61_204, "61,204"), (-1_234_567, "-1,234,567"),
            (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func count(value: Int, text: String) { #expect(Format.count(value) == text) }

    @Test(
        "compact numbers have at most three digits",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1k"), (1_234, "1.23k"), (12_100, "12.1k"), (412_345, "412k"),
            (999_499, "999k"), (999_500, "1M"), (1_240_000, "1.24M"), (9_996, "10k"), (99_960, "100k"), (88_000, "88k"),
            (3_100_000_000, "3.1G"), (-1_500, "-1.5k"), (Int.max, "9.22E"), (Int.min, "-9.22E"),
        ])
    func compact(value: Int, text: String) { #expect(Format.compact(value) == text) }

    @Test(
        "decimal numbers have a few significant digits and a prefix",
        arguments: [
            (0.0, "0"), (412, "412"), (1_240_000, "1.24M"), (88_000, "88k"), (999_950, "1M"), (0.035, "0.035"),
            (3.1e-5, "3.1e-05"), (2.5, "2.5"), (-1_500, "-1.5k"), (1e21, "1e+21"),
            (9.999e-4, "0.001"), (9.99e-4, "9.99e-04"), (9.999e-5, "1e-04"), (-9.999e-5, "-1e-04"),
            (9.999e14, "1e+15"), (Double.leastNonzeroMagnitude, "4.94e-324"),
        ])
    func compactDecimals(value: Double, text: String) {
        #expect(Format.compact(value) == text)
    }

    @Test(
        "scientific notation has a mantissa from 1 to below 10",
        arguments: [(9.999e-4, "1.00e-03"), (4.09e-3, "4.09e-03"), (-9.996, "-1.00e+01"), (0.0, "0"), (.nan, "–")])
    func scientific(value: Double, text: String) { #expect(Format.scientific(value) == text) }

    @Test(
        "numbers in formulas are exact below 10 million if they are whole",
        arguments: [
            (0.0, "0"), (8192, "8192"), (-9_999_999, "-9999999"), (10_000_000, "1e7"), (8.094e22, "8.09e22"),
            (0.4, "0.4"), (0.012_34, "0.0123"), (123_456.7, "123000"), (9.999e-5, "1e-4"), (99.96, "100"), (2.5, "2.5"),
        ])
    func factor(value: Double, text: String) { #expect(Format.factor(value) == text) }

    @Test("whole numbers have no fraction in full notation")
    func plain() {
        #expect([3, 0.125, -2, 1e300].map(Format.plain) == ["3", "0.125", "-2", "1e+300"])
    }

    @Test("signs, leading zeros, and hexadecimal digits")
    func notation() {
        #expect(Format.signed(0.0631, digits: 3) == "+0.063" && Format.signed(-0.1, digits: 1) == "-0.1")
        #expect(Format.padded(7, digits: 3) == "007" && Format.padded(1_234, digits: 3) == "1234")
        #expect(Format.hexadecimal(0xc0ffee as UInt64, digits: 16) == "0000000000c0ffee")
    }

    @Test("a count whose total is unknown or 0 is shown alone")
    func totals() {
        #expect(Format.count(244, of: 1_000) == "244 of 1,000")
        #expect(Format.count(244, of: nil) == "244" && Format.count(244, of: 0) == "244")
    }

    @Test(
        "metrics have three significant digits or three decimals",
        arguments: [
            (0.873, "0.873"), (12.345, "12.35"), (0.010_64, "0.0106"), (12_345, "12,345"), (1.16e-30, "1.16e-30"),
            (0, "0.000"), (-0.5, "-0.500"), (1_000, "1000"), (999.96, "1000"), (123.45, "123.5"), (.nan, "–"),
        ])
    func metric(value: Double, text: String) { #expect(Format.metric(value) == text) }

    @Test("scores of one sample are whole numbers or metrics")
    func score() { #expect([1, 0.25, .nan].map(Format.score) == ["1", "0.250", ""]) }

    @Test(
        "a share close to 1 is never 100 %",
        arguments: [(0.95, "95 %"), (0.8667, "86.7 %"), (0.999, "99.9 %"), (0.999_9, "99.99 %"), (1, "100 %")])
    func share(fraction: Double, text: String) { #expect(Format.share(fraction) == text) }

    @Test(
        "p values show which side of .05 they are on",
        arguments: [
            (0.034, ".034"), (0.39, ".39"), (0.000_4, "< .001"), (0.997, "1"), (0.049_99, ".04999"), (0.050_1, ".050"),
        ])
    func pValue(value: Double, text: String) { #expect(Format.pValue(value) == text) }

    @Test("an interval needs two finite bounds")
    func interval() {
        #expect(Format.interval(0.851, 0.893) == "[0.851, 0.893]")
        #expect(Format.interval(nil, 0.893) == nil && Format.interval(0, .infinity) == nil)
    }

    @Test("losses have four significant digits, norms three")
    func training() {
        #expect([0.694_32, 8.317, 12.04, .nan].map(Format.loss) == ["0.6943", "8.317", "12.04", "NaN"])
        #expect([12.44, 1.07, 0.034, 4.09e-3].map(Format.norm) == ["12.4", "1.07", "0.034", "4.09e-03"])
    }

    @Test("sizes, operations, and rates have prefixes")
    func units() {
        #expect([512, 48 << 10, 3 << 19, 2 << 30].map(Format.binaryBytes) == ["512 B", "48 KiB", "1.5 MiB", "2 GiB"])
        #expect(Format.bytes(274e6) == "274 MB" && Format.bytes(1e20) == "1e+20 B")
        #expect(Format.operations(268e9) == "268 GFLOP" && Format.operations(7, isFloatingPoint: false) == "7 OP")
        #expect(Format.rate(operationsPerSecond: 218e9) == "218 GFLOP/s")
        #expect(Format.rate(operationsPerSecond: 0, isFloatingPoint: false) == "0 OP/s")
    }

    @Test(
        "durations have a suitable unit",
        arguments: [
            (0, "0 ns"), (840, "840 ns"), (4_500, "4.5 µs"), (45_000, "45 µs"), (300_000, "300 µs"),
            (999_400, "999 µs"), (999_600, "1.0 ms"),
            (8_120_000, "8.1 ms"), (38_000_000, "38 ms"), (140_400_000, "140 ms"), (999_400_000, "999 ms"),
            (999_600_000, "1.0 s"), (8_100_000_000, "8.1 s"), (59_940_000_000, "59.9 s"), (59_960_000_000, "1 m 00 s"),
            (842_000_000_000, "14 m 02 s"), (3_599_600_000_000, "1 h 00 m"), (11_100_000_000_000, "3 h 05 m"),
            (187_200_000_000_000, "2 d 04 h"), (-8_100_000_000, "-8.1 s"), (Int.max, "106,752 d 00 h"),
        ])
    func duration(nanoseconds: Int, text: String) { #expect(Format.duration(nanoseconds: nanoseconds) == text) }

    @Test(
        "durations in seconds have the same format, and out-of-range values are shown as a dash",
        arguments: [(0.0383, "38 ms"), (8.1, "8.1 s"), (842, "14 m 02 s"), (.nan, "–"), (.infinity, "–"), (1e10, "–")])
    func duration(seconds: Double, text: String) { #expect(Format.duration(seconds: seconds) == text) }

    @Test(
        "seconds have one decimal below a minute",
        arguments: [(0, "0.0 s"), (100_000_000, "0.1 s"), (41_200_000_000, "41.2 s"), (130_000_000_000, "2 m 10 s")])
    func seconds(nanoseconds: Int, text: String) { #expect(Format.seconds(nanoseconds: nanoseconds) == text) }

    @Test(
        "byte units are powers of 1,000",
        arguments: [
            (0, "0 B"), (512, "512 B"), (999, "999 B"), (1_000, "1 kB"), (4_100, "4.1 kB"), (118_000_000, "118 MB"),
            (1_240_000_000, "1.24 GB"), (-2_000, "-2 kB"),
        ])
    func bytes(value: Int, text: String) { #expect(Format.bytes(value) == text) }

    @Test("rates are per second")
    func rates() {
        #expect(Format.rate(bytesPerSecond: 118_400_000) == "118 MB/s")
        #expect(Format.rate(52_300, "spans") == "52.3k spans/s")
        #expect(Format.rate(3.25, "tokens") == "3.3 tokens/s")
        #expect(Format.rate(40, "") == "40/s")
        #expect(Format.rate(.infinity, "x") == "–" && Format.rate(bytesPerSecond: .nan) == "–")
    }

    @Test(
        "shares are percentages",
        arguments: [
            (0.0, "0 %"), (0.006, "0.6 %"), (0.42, "42 %"), (0.93, "93 %"), (1, "100 %"), (0.0995, "10 %"),
            (-0.05, "-5 %"), (.nan, "–"),
        ])
    func percent(fraction: Double, text: String) {
        #expect(Format.percent(fraction) == text)
        #expect(Format.percent(0.4381, digits: 1) == "43.8 %")
    }

    @Test(
        "progress is rounded down and reaches 100 % only at the end",
        arguments: [
            (0.0, "0 %"), (0.083, "8 %"), (0.2499, "24 %"), (0.29, "29 %"), (0.57, "57 %"), (0.9999, "99 %"),
            (1.0.nextDown, "99 %"), (1, "100 %"), (1.2, "100 %"), (-0.1, "0 %"), (.nan, "–"),
        ])
    func progress(fraction: Double, text: String) { #expect(Format.progress(fraction) == text) }

    @Test("whole percentages stay the same, however the fraction is computed")
    func wholeProgress() {
        for step in 0...100 {
            #expect(Format.progress(Double(step) / 100) == "\(step) %")
            #expect(Format.progress(Double(step) * 0.01) == "\(step) %")
        }
    }

    @Test(
        "measured times have three significant digits",
        arguments: [
            (0.000_442_4, "442 µs"), (0.001_77, "1.77 ms"), (0.302, "302 ms"), (1.2e-9, "1.20 ns"), (2.5, "2.50 s"),
            (90, "1 m 30 s"), (-1, "–"), (.nan, "–"),
        ])
    func time(seconds: Double, text: String) { #expect(Format.time(seconds: seconds) == text) }

    @Test("a share with a range shows both ends")
    func range() {
        #expect(Format.percent(0.252, from: 0.182, to: 1.078) == "25 % 18–108")
        #expect(Format.percent(0.05, from: 0.012, to: 0.11) == "5.0 % 1.2–11")
    }

    @Test("decimal counts up to 1e15 are rounded to whole numbers")
    func decimalCounts() {
        #expect(Format.count(61_204.4) == "61,204" && Format.count(2e15) == "2e+15" && Format.count(Double.nan) == "–")
    }

    @Test(
        "amounts are in dollars",
        arguments: [
            (0.0, "$0.00"), (3.18, "$3.18"), (0.05, "$0.05"), (0.0042, "$0.0042"), (0.000_081, "$0.000081"),
            (999.994, "$999.99"), (1_204.4, "$1,204"), (-3.5, "-$3.50"), (.infinity, "–"),
        ])
    func money(dollars: Double, text: String) { #expect(Format.money(dollars) == text) }

    @Test(
        "decimals are rounded and padded",
        arguments: [
            (4.8, 2, "4.80"), (0.05, 1, "0.1"), (-0.04, 1, "0.0"), (1.005, 0, "1"), (12.999, 2, "13.00"),
            (1e300, 2, "1e+300"), (.nan, 2, "–"), (-.infinity, 2, "-∞"), (0.000_1, 3, "0.000"),
        ])
    func fixed(value: Double, digits: Int, text: String) { #expect(Format.fixed(value, digits: digits) == text) }

    /// 2026-10-03 09:14:22 UTC was a Saturday.
    private let morning = 1_791_018_862

    @Test(
        "a time is shown as hour and minute, weekday, or date",
        arguments: [
            (0, "09:14"), (-33_000, "00:04"), (-40_000, "Fri"), (-6 * 86_400, "Sun"), (-7 * 86_400, "2026-09-26"),
            (3_600, "10:14"), (86_400, "2026-10-04"), (-1_791_018_862, "1970-01-01"), (Int.max / 2, "–"),
        ])
    func clock(difference: Int, text: String) {
        #expect(Format.clock(morning + difference, now: morning, zone: .utc) == text)
    }

    @Test("times are in the given time zone")
    func timeZones() {
        #expect(Format.timestamp(morning, zone: .utc) == "2026-10-03 09:14:22")
        #expect(Format.timestamp(morning, zone: .offset(-10 * 3_600)) == "2026-10-02 23:14:22")
        #expect(Format.clock(morning, now: morning, zone: .offset(19_800)) == "14:44")
        #expect(Format.timestamp(951_782_400, zone: .utc) == "2000-02-29 00:00:00")
        #expect(Format.timestamp(-1, zone: .utc) == "1969-12-31 23:59:59")
        #expect(Format.timestamp(-62_167_219_200, zone: .utc) == "0000-01-01 00:00:00")
    }

    @Test("probabilities have two decimals, except 0 % and 100 %")
    func probabilities() {
        let written = [0, 0.000_04, 0.000_1, 0.034, 0.5, 0.999_949, 0.999_96, 1, .nan].map(Format.probability)
        #expect(written == ["0 %", "<0.01 %", "0.01 %", "3.40 %", "50.00 %", "99.99 %", "100 %", "100 %", "–"])
    }

    @Test("a count of 1 has a singular noun, all others a plural")
    func things() {
        #expect(Format.count(1, "token") == "1 token" && Format.count(0, "token") == "0 tokens")
        #expect(Format.count(61_204, "token") == "61,204 tokens")
    }
}
