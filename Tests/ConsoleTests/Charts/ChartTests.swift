import Console
import Testing

private func plotted(_ columns: Int, _ rows: Int, _ draw: (inout Surface) -> Void) -> String {
    var surface = Surface(Size(columns, rows))
    draw(&surface)
    return surface.textDump
}

@Suite struct `Charts` {
    @Test func `a bar chart aligns labels at the left and values at the right`() {
        let chart = BarChart([
            .init("naive", 1.4, text: "0.6 %"), .init("blocked", 24, text: "9.7 %"), .init("packed", 221, text: "89 %"),
            .init("failed", .nan, text: "n/a"),
        ])
        #expect(
            plotted(32, 4) { chart.draw(into: &$0, in: $0.bounds, theme: .mono) } == """
                naive   ▏                  0.6 %
                blocked ██                 9.7 %
                packed  ██████████████████  89 %
                failed                       n/a
                """)
        #expect(
            plotted(32, 2) { chart.draw(into: &$0, in: $0.bounds, theme: .mono.with(.ascii)) }
                == """
                naive   #                  0.6 %
                blocked ################## 9.7 %
                """)
    }

    @Test func `a sparkline shows the maximum of each column and leaves gaps for missing values`() {
        #expect(
            plotted(8, 1) {
                Sparkline([1, 2, 3, 4, 5, 6, 7, 8]).draw(into: &$0, in: $0.bounds, style: .plain, theme: .mono)
            } == "▁▂▃▄▅▆▇█")
        #expect(
            plotted(4, 1) {
                Sparkline([1, 8, 0, 0, 0, 0.01, .nan, .nan]).draw(into: &$0, in: $0.bounds, style: .plain, theme: .mono)
            } == "█ ▁")
        #expect(
            plotted(2, 2) { Sparkline([2, 4]).draw(into: &$0, in: $0.bounds, style: .plain, theme: .mono) } == " █\n██")
        #expect(plotted(3, 1) { Sparkline([]).draw(into: &$0, in: $0.bounds, style: .plain, theme: .mono) } == "")
        #expect(
            plotted(3, 1) {
                Sparkline([5, 5, 5], range: 5...5).draw(into: &$0, in: $0.bounds, style: .plain, theme: .mono)
            } == "")
    }

    @Test func `a histogram counts every value once`() {
        let histogram = Histogram([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, .nan], bins: 5)
        #expect(histogram.edges == [0, 2.5, 5, 7.5, 10, 12.5])
        #expect(histogram.counts == [3, 2, 3, 2, 1])
        #expect(histogram.total == 11 && histogram.outside == 1)
        let decades = Histogram([0, 1, 5, 10, 99, 100, 2_000], bins: 4, scale: .logarithmic)
        #expect(decades.edges == [1, 10, 100, 1_000, 10_000])
        #expect(decades.counts == [2, 2, 1, 1])
        #expect(decades.outside == 1)
        #expect(Histogram([Double](), bins: 3).counts == [])
        #expect(Histogram([4.0, 4, 4], bins: 3).total == 3)
    }

    @Test(arguments: 0..<40)
    func `every random value is in exactly one bin of a histogram`(seed: Int) {
        var generator = SeededGenerator(seed)
        let values = (0..<500).map { _ in Double.random(in: 1e-3...1e5, using: &generator) }
        let bins = Int.random(in: 1...40, using: &generator)
        for scale in [AxisScale.linear, .logarithmic] {
            let histogram = Histogram(values, bins: bins, scale: scale)
            #expect(histogram.total == 500 && histogram.outside == 0)
            if scale == .linear { #expect(histogram.counts.count <= max(bins, 1) + 1) }
            for (index, count) in histogram.counts.enumerated() {
                let inBin = values.filter {
                    $0 >= histogram.edges[index]
                        && ($0 < histogram.edges[index + 1] || index == histogram.counts.count - 1)
                }
                #expect(inBin.count == count)
            }
        }
    }

    @Test func `a histogram is drawn above its axis`() {
        let values = [1.0, 1, 1, 1, 3, 3, 5, 7]
        #expect(
            plotted(22, 5) { Histogram(values, bins: 4).draw(into: &$0, in: $0.bounds, theme: .mono) } == """
                4 ████
                  ████ ▄▄▄▄
                  ████ ████ ▆▆▆▆ ▆▆▆▆
                  ┬────┬────┬────┬───┬
                  0    2    4    6   8
                """)

    }

    @Test func `labels of a histogram are evenly spaced and include both ends`() {
        let values = (0..<100).map { Double($0) / 100 }
        for columns in 40...120 {
            let text = plotted(columns, 5) {
                Histogram(values, bins: 24, whole: 0...1).draw(into: &$0, in: $0.bounds, theme: .mono)
            }
            let marks = text.split(separator: "\n").last?.split(separator: " ").compactMap { Double($0) } ?? []
            #expect(marks.first == 0 && marks.last == 1, "\(columns)")
            let gaps = zip(marks, marks.dropFirst()).map { (($1 - $0) * 100).rounded() }
            #expect(Set(gaps).count == 1, "\(columns): \(marks)")
        }
    }

    @Test func `the parts of a stacked bar fill it, and each part above 0 gets a cell`() {
        let parts = [
            StackedBar.Part("system", 12_100, role: .series1), .init("tools", 7_900, role: .series2),
            .init("user", 60, role: .series3), .init("none", 0, role: .series4),
            .init("results", 32_400, role: .series5),
        ]
        let bar = StackedBar(parts)
        for columns in 4...120 {
            let cells = bar.cells(of: columns)
            #expect(cells.reduce(0, +) == columns)
            #expect(cells[2] >= 1 && cells[3] == 0)
        }
        #expect(bar.cells(of: 2).reduce(0, +) == 2)
        let roomy = StackedBar(parts, capacity: 200_000)
        #expect(roomy.cells(of: 100) == [6, 4, 1, 0, 16])
        #expect(StackedBar([]).cells(of: 9) == [])
    }

    @Test func `parts of a stacked bar differ even without color`() {
        let bar = StackedBar(
            [.init("system", 5, text: "5k", role: .series1), .init("tools", 3, text: "3k", role: .series2)],
            capacity: 10)
        func screen(_ theme: Theme) -> String {
            plotted(20, 3) {
                var area = $0.bounds
                bar.draw(into: &$0, in: area.takeTop(1), theme: theme)
                bar.drawLegend(into: &$0, in: area, theme: theme)
            }
        }
        #expect(screen(.mono.with(.ascii)) == "##########======....\n# system 5k\n= tools 3k")
        #expect(screen(.mono) == "██████████▒▒▒▒▒▒····\n█ system 5k\n▒ tools 3k")
    }

    @Test(arguments: 0..<40)
    func `largest remainders assign every unit and stay within one unit of each exact share`(seed: Int) {
        var generator = SeededGenerator(seed)
        let weights = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
            Double.random(in: 0...100, using: &generator)
        }
        let units = Int.random(in: 0...500, using: &generator)
        let shares = LargestRemainder.shares(of: units, in: weights)
        let total = weights.reduce(0, +)
        #expect(shares.reduce(0, +) == units)
        for (share, weight) in zip(shares, weights) { #expect(abs(Double(share) - weight / total * Double(units)) < 1) }
    }

    @Test(
        "charts draw numbers of any size",
        arguments: [
            [Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude, 0], [.infinity, .nan, 1],
            [Double.leastNonzeroMagnitude, 0, Double.leastNonzeroMagnitude * 2],
            [1e16, 1e16 + 2, 1e16 + 4], [-1, -1, -1], [],
        ])
    func extremeValues(values: [Double]) {
        var surface = Surface(Size(40, 12))
        let area = surface.bounds
        Sparkline(values).draw(into: &surface, in: area, style: .plain, theme: .mono)
        BarChart(values.map { .init("x", $0) }).draw(into: &surface, in: area, theme: .mono)
        StackedBar(values.map { .init("x", $0, role: .series1) }).draw(into: &surface, in: area, theme: .mono)
        for scale in [AxisScale.linear, .logarithmic] {
            let histogram = Histogram(values, bins: 5, scale: scale)
            #expect(histogram.total + histogram.outside == values.count)
            histogram.draw(into: &surface, in: area, theme: .mono)
            LineChart([.init("x", values: values, role: .series1)], horizontal: scale, vertical: scale)
                .draw(into: &surface, in: area, theme: .mono)
        }
    }

    @Test func `braille dots are drawn at their positions`() {
        var canvas = BrailleCanvas(Size(2, 1))
        canvas.set(0, 0)
        canvas.set(3, 3)
        canvas.set(9, 9)
        #expect(plotted(2, 1) { canvas.draw(into: &$0, at: Point(column: 0, row: 0), roles: [], theme: .mono) } == "⠁⢀")
        canvas.line(from: Point(column: 0, row: 0), to: Point(column: 3, row: 3))
        #expect(plotted(2, 1) { canvas.draw(into: &$0, at: Point(column: 0, row: 0), roles: [], theme: .mono) } == "⠑⢄")
    }

    @Test func `a line chart has round labels and interrupts a line at missing values`() {
        let chart = LineChart([.init("loss", [(0, 0), (5, 10), (6, .nan), (8, 2), (10, 0)], role: .series1)])
        #expect(
            plotted(24, 7) { chart.draw(into: &$0, in: $0.bounds, theme: .mono.with(.ascii)) } == """
                10+         **
                  |       **
                  |    ***
                  |  **            **
                 0+**                ***
                  ++-------------------+
                   0                  10
                """)
    }

    @Test func `vertical ticks of a scatter plot are evenly spaced from end to end`() {
        let chart = ScatterChart([.init("before", x: 1.05e-4, y: 0.7033), .init("after", x: 9e-5, y: 0.7085)])
        let lines = plotted(60, 14) { chart.draw(into: &$0, in: $0.bounds, theme: .mono) }.split(separator: "\n")
        let ticks = lines.filter { $0.contains("┤") }.compactMap {
            Double($0.prefix { $0 != "┤" }.filter { $0 != " " })
        }
        #expect(ticks == [0.71, 0.708, 0.706, 0.704, 0.702])
    }

    @Test(arguments: [24, 31, 48, 77, 120])
    func `an interval chart has a labeled tick at each end of its scale`(columns: Int) {
        let chart = IntervalChart([
            .init("one", IntervalBar(0.791, lower: 0.719, upper: 0.864)),
            .init("two", IntervalBar(0.783, lower: 0.709, upper: 0.856)),
        ])
        let lines = plotted(columns, 4) { chart.draw(into: &$0, in: $0.bounds, theme: .mono) }
            .split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        let axis = lines.dropFirst(2).first ?? ""
        #expect(axis.first { $0 != " " } == "┬" && axis.last == "┬", "\(axis)")
        #expect((lines.last ?? "").split(separator: " ").count == axis.count { $0 == "┬" })
    }

    @Test(arguments: [20, 33, 64, 101])
    func `axes label both ends`(columns: Int) {
        let chart = LineChart([.init("loss", [(1, 9.87), (4_000, 5), (8_137, 2.4137)], role: .series1)])
        let lines = plotted(columns, 10) { chart.draw(into: &$0, in: $0.bounds, theme: .mono) }
            .split(separator: "\n").map(String.init)
        let steps = (lines.last ?? "").split(separator: " ")
        #expect(steps.first == "1" && steps.last == "8.14k", "\(steps)")
        #expect(lines.first?.hasPrefix("9.87") == true)
        #expect(lines.dropLast(2).last?.hasPrefix("2.41") == true)
    }
}
