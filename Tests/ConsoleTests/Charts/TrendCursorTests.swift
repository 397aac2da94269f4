import Console
import Formatting
import Testing

private let steps = TrendUnit("step") { "step \(Int($0))" }

private var labels: TrendLabels { TrendLabels("loss", value: { Format.compact($0) }, name: { "run \($0)" }) }

/// Returns a chart of `-x` at 0, 1, ..., 100.
private func hundred() -> TrendChart {
    var chart = TrendChart()
    chart.show([Trend(id: 1, points: (0...100).map { (Double($0), -Double($0)) }, unit: steps)], order: [1])
    return chart
}

@Suite struct `The cursor of a trend chart` {
    @Test func `the cursor moves by points and follows the end`() {
        var chart = hundred()
        #expect(chart.cursor == nil)
        var moved = [chart.moveCursor(by: -3)]
        #expect(chart.cursor == 97)
        let reading = chart.leading?.reading(at: chart.cursor)
        #expect(reading?.x == 97 && reading?.value == -97 && reading?.smoothed == -97)
        moved.append(chart.moveCursor(by: 99))
        #expect(chart.cursor == nil)
        moved.append(chart.moveCursor(by: 1))
        chart.moveCursorToStart()
        moved.append(chart.moveCursor(by: -1))
        #expect(chart.cursor == 0)
        #expect(moved == [true, true, false, false])
        chart.moveCursorToEnd()
        #expect(chart.cursor == nil)
    }

    @Test func `a cursor between points reads the point before it`() throws {
        let trend = try #require(hundred().leading)
        #expect(trend.reading(at: 41.9)?.x == 41)
        #expect(trend.reading(at: 1e9)?.x == 100)
        #expect(trend.reading(at: -1) == nil)
    }

    @Test func `the end reads the last point instead of the mean of its column`() {
        let bucket = Trend.Bucket(count: 2, minimum: 1, maximum: 3, mean: 2, smoothed: 2.5, nonFinite: 0, lastX: 7)
        let trend = Trend(id: 1, range: 0...7, buckets: [bucket], last: (7, 1), unit: steps)
        #expect(trend.reading(at: nil)?.value == 1 && trend.reading(at: nil)?.smoothed == 2.5)
        #expect(trend.reading(at: 7)?.value == 2)
    }

    @Test func `zooming in keeps the cursor in the middle, and zooming out ends with the whole axis`() {
        var chart = hundred()
        chart.cursor = 50
        chart.zoom(by: 0.5)
        #expect(chart.window == 25...75)
        chart.zoom(by: 0.5)
        #expect(chart.window == 37.5...62.5)
        chart.zoom(by: 2)
        chart.zoom(by: 2)
        #expect(chart.window == nil)
        chart.zoom(by: 2)
        #expect(chart.window == nil)
        for _ in 0..<99 { chart.zoom(by: 0.5) }
        let window = chart.window ?? 0...0
        #expect(window.upperBound - window.lowerBound > 100.0 / 200_001)
    }

    @Test func `the window stays within the axis`() {
        var chart = hundred()
        chart.pan(by: 1)
        #expect(chart.window == nil)
        chart.zoom(by: 0.5)
        #expect(chart.window == 50...100)
        chart.pan(by: -1)
        #expect(chart.window == 25...75)
        chart.pan(by: -9)
        #expect(chart.window == 0...50)
        chart.pan(by: 99)
        #expect(chart.window == 50...100)
        chart.showAll()
        #expect(chart.window == nil)
    }

    @Test func `in a window, the cursor stops at the last visible point`() {
        var chart = hundred()
        chart.zoom(by: 0.5)
        chart.show([Trend(id: 1, points: (50...90).map { (Double($0), 1) }, unit: steps)], order: [1])
        chart.moveCursorToEnd()
        #expect(chart.cursor == 90)
        // The window does not change the length of the whole axis.
        chart.zoom(by: 2)
        #expect(chart.window == nil)
    }

    @Test func `removing the curves forgets the cursor and the window`() {
        var chart = hundred()
        chart.zoom(by: 0.5)
        chart.moveCursorToStart()
        chart.clear()
        #expect(chart.cursor == nil && chart.window == nil && chart.leading == nil)
        chart.zoom(by: 0.5)
        chart.moveCursor(by: 1)
        #expect(chart.cursor == nil && chart.window == nil)
    }

    @Test func `smoothing moves between its limits`() {
        var chart = TrendChart()
        chart.smooth(by: 99)
        #expect(chart.smoothing == 0.99)
        chart.smooth(by: -1)
        #expect(chart.smoothing == 0.95)
        chart.smooth(by: -99)
        #expect(chart.smoothing == 0)
    }

    @Test func `signs are numbers if there are several subjects`() {
        var chart = hundred()
        #expect(chart.sign(of: 1, Theme.mono.glyphs) == "●" && chart.sign(of: 2, Theme.mono.glyphs) == nil)
        chart.show(chart.trends, order: [1, 2])
        #expect(chart.sign(of: 2, Theme.mono.glyphs) == "2" && chart.role(of: 2) == .series2)
        #expect(chart.role(of: 3) == nil)
    }

    @Test(arguments: [AxisScale.linear, .logarithmic])
    func `the value at a fraction of a range is at that fraction`(scale: AxisScale) throws {
        for share in [0, 0.25, 0.5, 1] {
            let value = scale.value(at: share, in: 2...32)
            #expect(abs(try #require(scale.fraction(of: value, in: 2...32)) - share) < 1e-12)
        }
        #expect(scale.value(at: 0.25, in: 2...32) == (scale == .linear ? 9.5 : 4))
    }

    @Test func `a click sets the position of its column`() throws {
        let chart = hundred()
        let area = Rect(column: 3, row: 2, columns: 60, rows: 12)
        let last = try #require(chart.place(at: Point(column: 62, row: 6), in: area, labels))
        let first = try #require(chart.place(at: Point(column: 3, row: 6), in: area, labels))
        #expect(first == 0 && last == 100)
        #expect(chart.place(at: Point(column: 2, row: 6), in: area, labels) == nil)
        #expect(TrendChart().place(at: Point(column: 9, row: 6), in: area, labels) == nil)
        var surface = Surface(Size(64, 16))
        var clicked = chart
        clicked.cursor = chart.place(at: Point(column: 40, row: 6), in: area, labels)
        clicked.draw(into: &surface, in: area, labels, theme: .mono)
        let rows = (3..<12).filter { surface.text(at: Point(column: 40, row: $0)) == "│" }
        #expect(rows.count > 5)
    }
}
