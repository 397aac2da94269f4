import Console
import Formatting
import Testing

private let steps = TrendUnit("step") { "step \(Int($0))" }

private func trend(_ values: [Double], id: Int64 = 1, from start: Double = 1) -> Trend {
    Trend(id: id, points: values.enumerated().map { (start + Double($0.offset), $0.element) }, unit: steps)
}

private func labels(_ curve: String? = "loss", companion: String? = nil, marks: [TrendMark] = []) -> TrendLabels {
    TrendLabels(curve, companion: companion, marks: marks, value: { Format.compact($0) }, name: { "run \($0)" })
}

private func chart(_ trends: [Trend], companions: [Trend] = [], order: [Int64]? = nil) -> TrendChart {
    var chart = TrendChart()
    chart.smoothing = 0
    chart.show(trends, companions: companions, order: order ?? trends.map(\.id))
    return chart
}

private func text(
    _ chart: TrendChart, _ labels: TrendLabels = labels(), _ columns: Int = 40, _ rows: Int = 10, theme: Theme = .mono
) -> String {
    drawn(columns, rows) { chart.draw(into: &$0, in: $0.bounds, labels, theme: theme) }
}

private func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

@Suite struct `Trend charts` {
    // MARK: Curves

    @Test func `a band spans the minimum and maximum of each column, behind the line`() {
        let buckets = (0..<5).map {
            Trend.Bucket(
                count: 9, minimum: 0, maximum: 10, mean: 5, smoothed: 5, nonFinite: 0, lastX: Double($0))
        }
        let trend = Trend(id: 1, range: 0...4, buckets: buckets, last: nil, unit: steps)
        let screen = picture(20, 8) { chart([trend]).draw(into: &$0, in: $0.bounds, labels(), theme: .dark) }
        #expect(
            screen.textDump == """
                ── loss  5   step 4
                10┤⡇   ⡇   ⢸   ⢸   ⢸
                  │⡇   ⡇   ⢸   ⢸   ⢸
                  │⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒
                  │⡇   ⡇   ⢸   ⢸   ⢸
                 0┤⡇   ⡇   ⢸   ⢸   ⢸
                  └┬────────── step
                   0               4
                """)
        // The last column of the plot, from the maximum to the minimum.
        let colors = (1...5).map { screen[Point(column: 19, row: $0)].style }
        #expect(colors[0] == Theme.dark[.faint] && colors[4] == Theme.dark[.faint])
        #expect(colors.contains(Theme.dark[.series1]))
    }

    @Test func `a NaN value breaks the line and is marked on the axis`() {
        let screen = text(chart([trend([4, 3, .nan, 2, 1])]), labels(), 24, 8, theme: .mono.with(.ascii))
        #expect(
            screen == """
                ** loss  1   step 5
                4+***
                 |   ***
                 |
                 |                ***
                1+                   ***
                 ++----+-----x---- step
                  1    2          4    5
                """)
    }

    @Test func `buckets without points are ignored`() {
        let empty = Trend.Bucket(
            count: 0, minimum: .nan, maximum: .nan, mean: .nan, smoothed: .nan, nonFinite: 0, lastX: 0)
        let trend = Trend(id: 1, range: 0...1, buckets: [empty], last: nil, unit: steps)
        #expect(trend.buckets.isEmpty && trend.reading(at: nil) == nil)
    }

    @Test func `companion curves have rings some columns apart`() {
        let both = chart([trend([9, 8, 7, 6])], companions: [trend([5, 4, 3, 2])])
        let screen = text(both, labels("train", companion: "validation"), 60, 12)
        #expect(lines(screen)[0] == "── train  6   ○ validation  2   step 4")
        #expect(lines(screen).dropFirst().joined().count { $0 == "○" } == 4)
    }

    @Test func `numbers at the ends distinguish several curves without colors`() {
        let three = chart([trend([9, 5]), trend([9, 3], id: 2), trend([9, 1], id: 3)])
        // The table has four rows, the axis two.
        let plot = lines(text(three, labels(), 40, 16)).dropFirst(4).dropLast(2)
        #expect(plot.compactMap(\.last).filter { "123".contains($0) } == ["1", "2", "3"])
    }

    // MARK: Axes

    @Test func `a logarithmic scale of values leaves out values that are not positive`() {
        var chart = chart([trend([100, 10, 1, 0, -5])])
        chart.isLogVertical = true
        let screen = lines(text(chart, labels(), 40, 14))
        let ticks = screen.filter { $0.contains("┤") }.map { $0.prefix { $0 != "┤" }.filter { $0 != " " } }
        #expect(ticks == ["100", "10", "1"])
    }

    @Test func `a logarithmic axis starts at the first positive position`() {
        var chart = chart([trend([5, 4, 3, 2, 1], from: 0)])
        chart.isLogHorizontal = true
        #expect(lines(text(chart)).last?.split(separator: " ").first == "1")
    }

    @Test func `the axis is labeled in its unit`() {
        let hours = TrendUnit("hours", factor: 3_600) { "\(Int($0 / 3_600)) h" }
        let trend = Trend(id: 1, points: [(0, 2), (36_000, 1)], unit: hours)
        let screen = lines(text(chart([trend])))
        #expect(screen[0] == "── loss  1   10 h")
        #expect(screen[8].hasSuffix(" hours"))
        #expect(screen[9].split(separator: " ").last == "10")
    }

    @Test func `marks replace the axis line, and the unit leaves room for them`() {
        let marks = [TrendMark(at: 1, \.diamond, .warning), TrendMark(at: 5, \.failed, .failure)]
        let marked = chart([trend([5, 4, 3, 2, 1])])
        let axis = lines(text(marked, labels(marks: marks)))[8]
        #expect(axis.contains("└◇") && axis.hasSuffix("✗") && axis.contains(" step "))
        #expect(lines(text(marked))[8].hasSuffix(" step"))
        let outside = [TrendMark(at: 99, \.diamond, .warning)]
        #expect(!text(marked, labels(marks: outside)).contains("◇"))
    }

    // MARK: Legend

    @Test func `the legend of one curve drops its last parts if they do not fit`() {
        let both = chart([trend([2.5, 1.25])], companions: [trend([3, 2])])
        let words = labels("train", companion: "validation")
        let legends = [41, 40, 20].map { lines(text(both, words, $0, 10))[0] }
        #expect(
            legends == [
                "── train  1.25   ○ validation  2   step 2", "── train  1.25   ○ validation  2", "── train  1.25",
            ])
    }

    @Test func `the legend of a smoothed curve adds the recorded value`() {
        let bucket = Trend.Bucket(
            count: 1, minimum: 2, maximum: 2, mean: 2, smoothed: 3, nonFinite: 0, lastX: 10)
        var smoothed = chart([Trend(id: 1, range: 0...10, buckets: [bucket], last: (10, 2), unit: steps)])
        smoothed.smooth(by: 1)
        #expect(smoothed.smoothing == 0.3)
        #expect(lines(text(smoothed))[0] == "── loss  3 (2)   step 10")
    }

    @Test func `the legend of several curves is a table`() {
        let several = chart([trend([2, 1]), trend([8, 4], id: 2)], companions: [trend([3, 2])], order: [1, 2, 7])
        let screen = lines(text(several, labels("train", companion: "validation"), 60, 15))
        #expect(
            screen[0...3].joined(separator: "\n") == """
                                at  train    validation
                1 ── run 1  step 2      1  ○          2
                2 ── run 2  step 2      4  ○          ·
                3 ── run 7  not recorded
                """)
    }

    @Test func `a curve without values has a legend that says so`() {
        let empty = Trend(id: 1, range: 0...1, buckets: [], last: nil, unit: steps)
        #expect(lines(text(chart([empty])))[0] == "── loss  no value yet")
        #expect(lines(text(chart([], order: [1])))[0] == "── loss  not recorded")
    }

    // MARK: Nothing to draw

    @Test func `a chart without curves says why`() {
        #expect(text(chart([]), labels(nil)).contains("no curve yet"))
        #expect(text(chart([], order: [1])).contains("no such curve"))
        let broken = chart([trend([.nan, .infinity])])
        #expect(text(broken).contains("no finite values"))
        var negative = chart([trend([-1, -2])])
        negative.isLogVertical = true
        #expect(text(negative, labels(), 60).contains("no positive values for a logarithmic scale"))
    }

    @Test func `a small area is returned to the caller`() {
        let chart = chart([trend([2, 1])])
        var surface = Surface(Size(11, 8))
        let small = chart.draw(into: &surface, in: surface.bounds, labels(), theme: .mono)
        #expect(small == Rect(column: 0, row: 1, columns: 11, rows: 7))
        surface = Surface(Size(40, 8))
        #expect(chart.draw(into: &surface, in: surface.bounds, labels(), theme: .mono) == nil)
    }

    @Test(arguments: 0..<60)
    func `areas and values of any size are drawn within the area`(seed: Int) {
        var generator = SeededGenerator(seed)
        let values = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
            [0, .nan, .infinity, 1e300, -1e300, .leastNonzeroMagnitude, Double.random(in: -9...9, using: &generator)]
                .randomElement(using: &generator) ?? 0
        }
        var chart = chart([trend(values), trend(values.reversed(), id: 2)], companions: [trend(values)])
        chart.isLogVertical = Bool.random(using: &generator)
        chart.isLogHorizontal = Bool.random(using: &generator)
        chart.moveCursor(by: -Int.random(in: 0...9, using: &generator))
        let size = Size(Int.random(in: 1...70, using: &generator), Int.random(in: 1...24, using: &generator))
        let area = Rect(column: 2, row: 1, columns: size.columns, rows: size.rows)
        var surface = Surface(Size(size.columns + 5, size.rows + 3))
        chart.draw(into: &surface, in: area, labels(companion: "held out"), theme: .mono)
        for row in 0..<surface.size.rows {
            for column in 0..<surface.size.columns where surface[Point(column: column, row: row)] != .blank {
                #expect(area.contains(Point(column: column, row: row)))
            }
        }
    }
}
