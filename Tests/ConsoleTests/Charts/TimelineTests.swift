import Console
import Testing

private let second: Int64 = 1_000_000_000

@Suite struct `Timelines` {
    private func bar(
        _ timeline: Timeline, _ start: Double, _ end: Double, shape: BarShape = .fine, theme: Theme = .mono,
        columns: Int = 10
    ) -> String {
        var surface = Surface(Size(columns, 1))
        timeline.drawBar(
            from: Int64(start * 1e9), to: Int64(end * 1e9), in: surface.bounds, into: &surface, style: .plain,
            shape: shape, theme: theme)
        // Brackets mark a cell with reversed colors, which is filled from the right.
        return (0..<columns).map { column in
            let point = Point(column: column, row: 0)
            let text = surface.text(at: point)
            return surface[point].style.attributes.contains(.reverse) ? "[\(text)]" : text
        }.joined().trimmingBlanksAtEnd
    }

    private let ten = Timeline(length: 10 * second)

    @Test func `spans are drawn with a precision of an eighth of a cell`() {
        #expect(bar(ten, 0, 10) == "██████████")
        #expect(bar(ten, 0, 2.5) == "██▌")
        #expect(bar(ten, 1.5, 3) == " [▌]█")
        #expect(bar(ten, 2.25, 2.5) == "  ▎")
        #expect(bar(ten, 9.9, 10) == "         [▉]")
    }

    @Test func `spans of any duration are visible`() {
        #expect(bar(ten, 4, 4.000_001) == "    ▏")
        #expect(bar(ten, 4, 4.000_001, shape: .airy) == "    ▏")
        #expect(bar(ten, 4, 4.000_001, theme: .mono.with(.ascii)) == "    #")
        #expect(bar(ten, 4, 4) == "    ·")
        #expect(bar(ten, 10, 10) == "         ·")
    }

    @Test func `bars with the airy shape leave space between rows`() {
        #expect(bar(ten, 2, 5, shape: .airy) == "  ▆▆▆")
        #expect(bar(ten, 2, 5, theme: .mono.with(.ascii)) == "  ###")
    }

    @Test func `arrows point to spans outside the window`() {
        var timeline = ten
        timeline.zoom(by: 5, around: 5 * second)
        #expect(timeline.window == 4 * second..<6 * second)
        #expect(bar(timeline, 0, 1) == "←")
        #expect(bar(timeline, 8, 9) == "         →")
        #expect(bar(timeline, 0, 5) == "█████")
    }

    @Test func `zooming keeps the column of a time`() {
        var timeline = ten
        let before = timeline.column(of: 3 * second, columns: 100)
        timeline.zoom(by: 4, around: 3 * second)
        #expect(abs(timeline.column(of: 3 * second, columns: 100) - before) < 0.01)
        timeline.zoom(by: 1e12, around: 3 * second)
        #expect(timeline.window.count == Int(Timeline.shortest))
        timeline.zoom(by: 1e-12, around: 3 * second)
        #expect(timeline.isWhole && timeline.magnification == 1)
    }

    @Test func `panning stops at the ends of the run`() {
        var timeline = ten
        timeline.zoom(by: 2, around: 0)
        timeline.pan(by: 0.5)
        #expect(timeline.window == 2_500_000_000..<7_500_000_000)
        timeline.pan(by: 9)
        #expect(timeline.window == 5 * second..<10 * second)
        timeline.pan(by: -99)
        #expect(timeline.window == 0..<5 * second)
    }

    @Test func `revealing a span moves the window no further than necessary`() {
        var timeline = ten
        timeline.zoom(by: 2, around: 0)
        timeline.reveal(second...2 * second)
        #expect(timeline.window == 0..<5 * second)
        timeline.reveal(8 * second...9 * second)
        #expect(timeline.window.contains(8 * second) && timeline.window.upperBound >= 9 * second)
        timeline.reveal(0...10 * second)
        #expect(timeline.window.lowerBound == 0)
        timeline.show(4 * second...6 * second)
        #expect(timeline.window == 3_900_000_000..<6_100_000_000)
    }

    @Test func `the window follows a growing run unless it is zoomed`() {
        var timeline = ten
        timeline.setLength(20 * second)
        #expect(timeline.isWhole)
        timeline.zoom(by: 2, around: 0)
        timeline.setLength(40 * second)
        #expect(timeline.window == 0..<10 * second)
    }

    @Test func `axis labels are never clipped`() {
        var surface = Surface(Size(70, 1))
        Timeline(length: 842 * second).drawAxis(in: surface.bounds, into: &surface, theme: .mono)
        #expect(surface.textDump == "0        2 m       4 m       6 m       8 m       10 m      12 m")
    }

    @Test(arguments: 0..<200)
    func `a bar is drawn inside its row and nowhere else`(seed: Int) {
        var generator = SeededGenerator(seed)
        var timeline = Timeline(length: Int64.random(in: 0...Int64.max, using: &generator))
        timeline.zoom(
            by: Double.random(in: 0.1...1e6, using: &generator),
            around: Int64.random(in: Int64.min...Int64.max, using: &generator))
        timeline.pan(by: Double.random(in: -3...3, using: &generator))
        let start = Int64.random(in: -10...timeline.length, using: &generator)
        let end = start + Int64.random(in: 1...(1 << 40), using: &generator)
        var surface = Surface(Size(30, 3))
        let row = Rect(column: 5, row: 1, columns: Int.random(in: 1...20, using: &generator), rows: 1)
        timeline.drawBar(from: start, to: end, in: row, into: &surface, style: .plain, shape: .fine, theme: .mono)
        let used = (0..<90).map { Point(column: $0 % 30, row: $0 / 30) }.filter { surface.text(at: $0) != " " }
        #expect(!used.isEmpty)
        #expect(used.allSatisfy { row.contains($0) })
    }

    @Test func `drawing a row takes the same time for runs of any length`() {
        let timeline = Timeline(length: 86_400 * second)
        var surface = Surface(Size(100, 40))
        let time = ContinuousClock().measure {
            for span in 0..<10_000 {
                timeline.drawBar(
                    from: Int64(span) * second, to: Int64(span + 500) * second,
                    in: Rect(column: 0, row: span % 40, columns: 100, rows: 1), into: &surface, style: .plain,
                    theme: .mono)
            }
        }
        #expect(time < .seconds(1))
    }
}

extension String {
    fileprivate var trimmingBlanksAtEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
