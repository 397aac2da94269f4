import Console
import Testing

@Suite("Layout")
struct LayoutTests {
    @Test("rows are stacked from top to bottom") func rows() {
        let rows = Layout.rows([.fixed(1), .weight(1), .fixed(2)], in: Rect(column: 3, row: 5, columns: 7, rows: 10))
        #expect(
            rows == [
                Rect(column: 3, row: 5, columns: 7, rows: 1), Rect(column: 3, row: 6, columns: 7, rows: 7),
                Rect(column: 3, row: 13, columns: 7, rows: 2),
            ])
    }

    @Test("columns run from left to right, separated by spacing") func columns() {
        let columns = Layout.columns(
            [.weight(1), .weight(1)], in: Rect(column: 0, row: 0, columns: 9, rows: 2), spacing: 1)
        #expect(columns.map(\.column) == [0, 5])
        #expect(columns.map(\.columns) == [4, 4])
    }

    @Test(
        "parts get their fixed lengths, weights, and minimums",
        arguments: [
            (10, [Extent.weight(1), .weight(1), .weight(1)], [4, 3, 3]),
            (10, [.weight(2), .weight(3)], [4, 6]),
            (10, [.fixed(4), .weight(1, minimum: 3), .weight(1)], [4, 3, 3]),
            (12, [.weight(1, minimum: 8), .weight(1)], [8, 4]),
            (12, [.weight(1, minimum: 8), .weight(3, minimum: 8)], [8, 4]),
            (3, [.fixed(2), .fixed(2), .weight(1)], [2, 1, 0]),
            (0, [.fixed(2), .weight(1, minimum: 3)], [0, 0]),
            (7, [.weight(0), .weight(1)], [0, 7]),
            (7, [.weight(0, minimum: 2), .weight(.nan)], [2, 0]),
            (-4, [.weight(1)], [0]), (9, [], []), (5, [.fixed(-3), .weight(1)], [0, 5]),
        ])
    func shares(length: Int, extents: [Extent], lengths: [Int]) {
        #expect(Layout.divide(length, extents) == lengths)
    }

    @Test("parts never exceed the available length", arguments: 0..<200)
    func total(seed: Int) {
        var state = UInt64(seed)
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let extents: [Extent] = (0..<random(7)).map { _ in
            random(2) == 0 ? .fixed(random(20)) : .weight(Double(random(5)), minimum: random(12))
        }
        let length = random(60)
        let spacing = random(3)
        let lengths = Layout.divide(length, extents, spacing: spacing)
        let whole = lengths.reduce(0, +) + spacing * max(0, extents.count - 1)
        #expect(lengths.allSatisfy { $0 >= 0 })
        #expect(lengths.reduce(0, +) <= length)
        let sharesAll = extents.contains { if case .weight(let weight, _) = $0 { weight > 0 } else { false } }
        if sharesAll, spacing * max(0, extents.count - 1) <= length { #expect(whole == length) }
    }

    private let tree: PaneTree<String> = .rows([
        .init(.weight(2), .columns([.init(.fixed(10), "runs"), .init(.weight(1), "run")])), .init(.weight(1), "detail"),
    ])

    @Test("panes divide the screen in reading order") func panes() {
        let areas = tree.areas(in: Rect(Size(40, 12)))
        #expect(areas.map(\.pane) == ["runs", "run", "detail"])
        #expect(
            areas.map(\.area) == [
                Rect(column: 0, row: 0, columns: 10, rows: 8), Rect(column: 10, row: 0, columns: 30, rows: 8),
                Rect(column: 0, row: 8, columns: 40, rows: 4),
            ])
        #expect(tree.pane(after: "detail") == "runs")
        #expect(tree.pane(after: "runs", by: -1) == "detail")
    }

    @Test("a zoomed pane gets the whole area") func zoom() {
        let screen = Rect(Size(40, 12))
        #expect(tree.areas(in: screen, zoomed: "run").map(\.pane) == ["run"])
        #expect(tree.areas(in: screen, zoomed: "run").map(\.area) == [screen])
        #expect(tree.areas(in: screen, zoomed: "nowhere").count == 3)
    }
}
