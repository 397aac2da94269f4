import Console
import Testing

@Suite("List")
struct ListViewTests {
    private func draw(_ list: ListView, _ columns: Int, _ rows: Int, isFocused: Bool = true) -> Surface {
        picture(columns, rows) {
            list.draw(into: &$0, in: $0.bounds, theme: .dark, isFocused: isFocused) { surface, row in
                surface.put(
                    "row \(row.index)", at: row.area.origin, style: row.style(.dim, .dark), width: row.area.columns)
            }
        }
    }

    @Test("the cursor is a bar and a background")
    func cursor() {
        let surface = draw(ListView(count: 3, selection: 1), 10, 4)
        #expect(surface.textDump == "  row 0\n▌ row 1\n  row 2\n")
        #expect(
            surface.styleDump == """
                2. 5a
                b 9c
                2. 5a
                a = 248
                b = 110 on 236
                c = 255 on 236
                """)
    }

    @Test("without keyboard focus, the cursor is shown only by its background color")
    func unfocusedCursor() {
        let surface = draw(ListView(count: 2), 10, 2, isFocused: false)
        #expect(surface.textDump == "  row 0\n  row 1")
        #expect(surface[Point(column: 9, row: 0)].style == Theme.dark[.selectionInactive])
    }

    @Test("the view follows the cursor with some context")
    func context() {
        var list = ListView(count: 100, height: 10)
        list.select(20)
        #expect(list.visible == 13..<23)
        list.move(by: -1)
        #expect(list.visible == 13..<23)
        list.select(14)
        #expect(list.visible == 12..<22)
        list.moveToEnd()
        #expect(list.selection == 99 && list.visible == 90..<100)
        list.moveToStart()
        #expect(list.selection == 0 && list.visible == 0..<10)
        list.select(50)
        list.center()
        #expect(list.visible == 45..<55)
    }

    @Test("moving by pages keeps the cursor at the same position on the screen")
    func pages() {
        var list = ListView(count: 1_000, height: 20)
        list.select(105)
        let place = list.selection - list.top
        list.movePages(1)
        #expect(list.selection == 123 && list.selection - list.top == place)
        list.movePages(-2)
        #expect(list.selection == 87)
        list.movePages(.max)
        #expect(list.selection == 999)
        list.movePages(.min)
        #expect(list.selection == 0)
    }

    @Test("scrolling keeps the cursor in view")
    func scrolling() {
        var list = ListView(count: 100, height: 10)
        list.scroll(by: 5)
        #expect(list.visible == 5..<15 && list.selection == 7)
        list.scroll(by: 1_000)
        #expect(list.visible == 90..<100 && list.selection == 92)
        list.scroll(by: -3)
        #expect(list.visible == 87..<97 && list.selection == 92)
    }

    @Test("a list without height has no visible rows, even after its rows change")
    func noHeight() {
        var list = ListView(count: 100, height: 10)
        list.moveToEnd()
        list.height = 0
        list.count = 3
        #expect(list.selection == 2 && list.visible.isEmpty)
        list.movePages(1)
        list.scroll(by: -2)
        list.center()
        #expect(list.visible.isEmpty)
        list.height = -1
        list.count = 0
        #expect(list.visible == 0..<0)
        list = ListView(count: 100, selection: 50, height: 2)
        list.scroll(by: 60)
        list.height = .max
        #expect(list.visible == 0..<100)
    }

    @Test("removing rows moves the cursor to the last row")
    func removedRows() {
        var list = ListView(count: 100, selection: 80, height: 10)
        list.count = 30
        #expect(list.selection == 29 && list.visible == 20..<30)
        list.count = 0
        #expect(list.selection == 0 && list.visible.isEmpty && list.isEmpty)
        list.move(by: 5)
        #expect(list.selection == 0)
        list.count = -4
        #expect(list.isEmpty)
    }

    @Test("only visible rows are drawn")
    func visibleRows() {
        var drawn: [Int] = []
        var surface = Surface(Size(10, 3))
        ListView(count: 10_000_000, selection: 5_000_000).draw(
            into: &surface, in: surface.bounds, theme: .dark, isFocused: true
        ) { _, row in drawn.append(row.index) }
        #expect(drawn == [4_999_999, 5_000_000, 5_000_001])
    }

    @Test("a point is mapped to its row")
    func rowAtPoint() {
        let list = ListView(count: 12, selection: 11, height: 5)
        let area = Rect(column: 4, row: 2, columns: 8, rows: 5)
        #expect(list.row(at: Point(column: 5, row: 2), in: area) == 7)
        #expect(list.row(at: Point(column: 5, row: 6), in: area) == 11)
        #expect(list.row(at: Point(column: 3, row: 3), in: area) == nil)
        #expect(ListView(count: 1).row(at: Point(column: 5, row: 3), in: area) == nil)
    }

    @Test(
        "small areas show the cursor",
        arguments: [
            (Size(0, 0), ""), (Size(1, 1), "▌"), (Size(2, 1), "▌"), (Size(3, 2), "  …\n▌ …"), (Size(4, 0), ""),
        ])
    func smallAreas(size: Size, seen: String) {
        #expect(draw(ListView(count: 5, selection: 4), size.columns, size.rows).textDump == seen)
    }

    @Test("the cursor stays in view after random moves", arguments: 0..<5)
    func randomMoves(seed: Int) {
        var state = UInt64(seed + 9)
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var list = ListView(count: 40, height: 7)
        for _ in 0..<3_000 {
            switch random(8) {
            case 0: list.move(by: random(21) - 10)
            case 1: list.movePages(random(5) - 2)
            case 2: list.scroll(by: random(21) - 10)
            case 3: list.count = random(60)
            case 4: list.height = random(15)
            case 5: list.select(random(80) - 10)
            case 6: list.context = random(6)
            default: list.center()
            }
            #expect(list.count == 0 ? list.selection == 0 : (0..<list.count).contains(list.selection))
            if list.height > 0, list.count > 0 {
                #expect(list.visible.contains(list.selection))
                #expect(list.visible.count == min(list.count, list.height))
            }
        }
    }
}
