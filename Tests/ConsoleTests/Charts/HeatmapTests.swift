import Console
import Testing

/// Parses rows of numbers; a dot becomes NaN.
private func grid(_ rows: String...) -> HeatGrid {
    let values = rows.map { $0.split(separator: " ").map { $0 == "." ? .nan : Float($0) ?? .nan } }
    return HeatGrid(rows: values.count, columns: values.first?.count ?? 0, values: values.flatMap { $0 })
}

@Suite struct `Heatmaps` {
    private let triangle = grid("1 . .", "0.5 0.5 .", "0 0.25 0.75")

    @Test func `without colors, larger values have denser characters, and masked cells are blank`() {
        let map = Heatmap(triangle, scale: .sequential(max: 1), rowLabels: ["a", "bb", "c"])
        #expect(
            drawn(9, 3) { map.draw(into: &$0, in: $0.bounds, theme: .mono) } == """
                 a ██
                bb ▒▒▒▒
                 c ··░░▓▓
                """)
        #expect(
            drawn(9, 3) { map.draw(into: &$0, in: $0.bounds, theme: .mono.with(.ascii)) } == """
                 a ##
                bb ++++
                 c ..::++
                """)
    }

    @Test func `with colors, two rows share a line if necessary`() {
        let map = Heatmap(triangle, scale: .sequential(max: 1))
        let surface = picture(3, 2) { map.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(surface.textDump == "▀▄\n▀▀▀")
        let palette = HeatPalette(.dark)
        let first = surface[Point(column: 0, row: 0)].style
        #expect(first.foreground == palette.color(of: 1, on: map.scale))
        #expect(first.background == palette.color(of: 0.5, on: map.scale))
    }

    @Test func `a diverging scale is symmetric about 0 and shows signs without color`() {
        let difference = grid("-1 -0.5", "0 1")
        let scale = HeatScale.diverging(of: difference.values)
        #expect(scale == .diverging(limit: 1))
        let map = Heatmap(difference, scale: scale)
        #expect(drawn(4, 2) { map.draw(into: &$0, in: $0.bounds, theme: .mono) } == "≡≡--\n··██")
        let palette = HeatPalette(.dark)
        #expect(palette.color(of: -1, on: scale) != palette.color(of: 1, on: scale))
        #expect(palette.color(of: 0, on: scale) == palette.color(of: 0, on: .sequential(max: 1)))
        #expect(palette.color(of: .nan, on: scale) == nil)
    }

    @Test func `wide cells show numbers, and the cursor highlights its row, column, and labels`() {
        var map = Heatmap(
            triangle, scale: .sequential(max: 1), cursor: .init(row: 2, column: 1), rowLabels: ["a", "b", "c"],
            columnLabels: ["the", "cat", "sat"])
        map.isSquare = false
        map.hasNumbers = true
        let surface = picture(28, 4) { map.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(
            surface.textDump == """
                  the     cat     sat
                a   1.00  ·
                b   0.50    0.50
                c   0.00  [ 0.25 ]  0.75
                """)
        let accent = Theme.dark[.accent]
        #expect(surface[Point(column: 0, row: 3)].style == accent && surface[Point(column: 10, row: 0)].style == accent)
        let place = map.place(at: Point(column: 11, row: 3), in: surface.bounds, theme: .dark)
        #expect(place == HeatGrid.Position(row: 2, column: 1))
        #expect(map.place(at: Point(column: 0, row: 3), in: surface.bounds, theme: .dark) == nil)
    }

    @Test(arguments: [true, false]) func `the selected cell keeps its color between two marks`(isFocused: Bool) {
        let row = "0.5 0.5 0.5"
        var map = Heatmap(
            grid(row, row, row, "0.5 1 0.5"), scale: .sequential(max: 1), cursor: .init(row: 3, column: 1))
        map.isSquare = false
        let surface = picture(3, 2) { map.draw(into: &$0, in: $0.bounds, theme: .dark, isFocused: isFocused) }
        let accent = Theme.dark[.accent].foreground
        let lower = (0..<3).map { surface[Point(column: $0, row: 1)].style.background }
        #expect(lower == [accent, HeatPalette(.dark).color(of: 1, on: map.scale), accent])
        #expect(accent != HeatPalette(.dark).color(of: 1, on: map.scale))
    }

    @Test func `cells that do not fit individually are pooled by magnitude`() {
        let wide = HeatGrid(rows: 4, columns: 4, values: (0..<16).map { Float($0 == 5 ? -9 : $0 % 4) })
        #expect(wide.pooled(rows: 2, columns: 2, by: .max).values == [-9, 3, 1, 3])
        #expect(wide.pooled(rows: 1, columns: 2, by: .mean).values[1] == 2.5)
        #expect(grid(". .", ". 2").pooled(rows: 1, columns: 1, by: .mean).values == [2])
        let map = Heatmap(wide, scale: .sequential(of: wide.values), cursor: .init(row: 3, column: 3))
        #expect(map.place(at: Point(column: 1, row: 1), in: Rect(Size(2, 2)), theme: .mono) == .init(row: 2, column: 2))
    }

    @Test(arguments: 0..<20)
    func `pooling preserves the largest magnitude or the mean`(seed: Int) {
        var generator = SeededGenerator(seed)
        let rows = Int.random(in: 1...30, using: &generator)
        let columns = Int.random(in: 1...30, using: &generator)
        let values = (0..<rows * columns).map { _ in Float.random(in: -1...1, using: &generator) }
        let whole = HeatGrid(rows: rows, columns: columns, values: values)
        let pooled = whole.pooled(
            rows: Int.random(in: 1...30, using: &generator), columns: Int.random(in: 1...30, using: &generator),
            by: .max)
        #expect(pooled.greatestMagnitude == whole.greatestMagnitude)
        let mean = whole.pooled(rows: 1, columns: 1, by: .mean).values[0]
        #expect(abs(mean - values.reduce(0, +) / Float(values.count)) < 1e-5)
    }

    @Test func `a legend shows both ends and the size of a cell`() {
        let legend = HeatLegend(.sequential(max: 0.83), note: "1 cell = 64 × 64, max")
        #expect(
            drawn(44, 1) { legend.draw(into: &$0, in: $0.bounds, theme: .mono) }
                == "0 ·░░▒▒▓▓██ 0.83   1 cell = 64 × 64, max")
        #expect(
            drawn(20, 1) { HeatLegend(.diverging(limit: 2)).draw(into: &$0, in: $0.bounds, theme: .mono) }
                == "-2 ≡=-╌·░▒▓█ 2")
    }

    @Test func `tiles contain heatmaps if there is room, otherwise scores`() {
        let scores: [Float] = [0, 0.25, 0.5, 1]
        var tiles = HeatTiles(rows: 2, columns: 2, scores: scores, scale: .sequential(max: 1))
        tiles.cursor = .init(row: 1, column: 0)
        #expect(
            drawn(17, 3) { tiles.draw(into: &$0, in: $0.bounds, theme: .mono) } == """
                   H0     H1
                L0 ·0.00· ░0.25░
                L1 [0.50] █1.00█
                """)
        tiles.heatmaps = Array(repeating: grid("1 .", "0.5 0.5"), count: 4)
        #expect(
            drawn(15, 7) { tiles.draw(into: &$0, in: $0.bounds, theme: .mono) } == """
                   H0    H1
                L0 ·0.0· ░0.3░
                   ██    ██
                   ▒▒▒▒▒ ▒▒▒▒▒
                L1 [0.5] █1.0█
                   ██    ██
                   ▒▒▒▒▒ ▒▒▒▒▒
                """)
        #expect(tiles.place(at: Point(column: 10, row: 5), in: Rect(Size(15, 7))) == .init(row: 1, column: 1))
    }

    @Test func `if not all tiles fit, tiles around the cursor are shown`() {
        var tiles = HeatTiles(
            rows: 40, columns: 40, scores: Array(repeating: 1, count: 1600), scale: .sequential(max: 1))
        tiles.cursor = .init(row: 30, column: 39)
        let text = drawn(24, 6) { tiles.draw(into: &$0, in: $0.bounds, theme: .mono) }
        #expect(text.contains("L30") && text.contains("H39") && !text.contains("L0 "))
        #expect(tiles.name(of: tiles.cursor) == "L30H39")
    }

    @Test(arguments: [8, 20, 33, 43, 60, 84, 200])
    func `a matrix fills its area, whatever its size`(count: Int) {
        var map = Heatmap(
            HeatGrid(rows: count, columns: count, values: Array(repeating: 1, count: count * count)),
            scale: .sequential(max: 1))
        map.isSquare = false
        let area = Rect(Size(84, 31))
        for theme in [Theme.dark, .mono] {
            let columns = (0..<84).count { map.place(at: Point(column: $0, row: 0), in: area, theme: theme) != nil }
            let rows = (0..<31).count { map.place(at: Point(column: 0, row: $0), in: area, theme: theme) != nil }
            #expect(columns >= 63 && rows >= 23, "\(columns) × \(rows)")
        }
    }

    @Test func `a square-root scale separates small values, and the legend names it`() {
        let scale = HeatScale.root(of: [0.01, 1])
        #expect(scale.share(of: 0.01) == 0.1 && scale.share(of: 1) == 1 && scale.share(of: -1) == 0)
        #expect(drawn(24, 1) { HeatLegend(scale).draw(into: &$0, in: $0.bounds, theme: .mono) } == "0 ·░░▒▒▓▓██ 1 sqrt")
    }

    @Test(arguments: [Size(0, 0), Size(1, 1), Size(3, 1), Size(2, 9), Size(200, 60)])
    func `heatmaps draw any number at any size`(size: Size) {
        for theme in [Theme.dark, .mono, .light, .highContrast, .mono.with(.ascii)] {
            var surface = Surface(size)
            for values in [[Float.nan, .infinity, -.infinity, 1e38], [0, 0, 0, 0], []] as [[Float]] {
                let grid = HeatGrid(rows: 2, columns: 2, values: values)
                for scale in [HeatScale.sequential(of: values), .diverging(of: values)] {
                    Heatmap(grid, scale: scale, cursor: .init(row: 9, column: 9), rowLabels: ["\u{1B}[31m"])
                        .draw(into: &surface, in: surface.bounds, theme: theme)
                    HeatTiles(rows: 2, columns: 2, scores: values, scale: scale, heatmaps: [grid])
                        .draw(into: &surface, in: surface.bounds, theme: theme)
                    HeatLegend(scale, note: "x").draw(into: &surface, in: surface.bounds, theme: theme)
                }
            }
            #expect(!surface.textDump.contains("\u{1B}"))
        }
    }
}
