import Console
import Testing

@Suite("Table")
struct TableTests {
    private let table = Table(
        [
            .init("when", minimum: 5, priority: 2), .init("run", minimum: 8, weight: 1),
            .init("tok", alignment: .right, minimum: 5, priority: 1),
            .init("err", alignment: .right, minimum: 3, priority: 3),
        ], sort: .init(column: 2, isAscending: false))

    private let rows: [[Table.Cell]] = [
        [.init("09:14", .dim), .init("fix the failing parser test"), .init("1.2M"), .init("3", .failure)],
        [.init("08:55", .dim), .init("add a cache"), .init("412k"), .init("·", .faint)],
        [.init("Wed", .dim), .init("再試行を説明する"), .init("88k"), .init("·", .faint)],
    ]

    private func draw(_ columns: Int, _ height: Int, selection: Int = 0) -> Surface {
        picture(columns, height) {
            table.draw(
                ListView(count: rows.count, selection: selection), into: &$0, in: $0.bounds, theme: .dark,
                isFocused: true
            ) { row, column in rows[row][column] }
        }
    }

    @Test("cells are aligned with the titles of their columns")
    func alignment() {
        #expect(
            draw(40, 4).textDump == """
                  when   run                 ▾ tok  err
                ▌ 09:14  fix the failing p…   1.2M    3
                  08:55  add a cache          412k    ·
                  Wed    再試行を説明する      88k    ·
                """)
    }

    @Test("the sort arrow does not truncate the title")
    func sortedTitle() {
        var sorted = table
        sorted.sort = .init(column: 3)
        #expect(sorted.layout(width: 38).last?.width == 5)
    }

    @Test("only columns that fit are shown")
    func shownColumns() {
        #expect(table.shownColumns(in: Rect(Size(40, 4))) == [0, 1, 2, 3])
        #expect(table.shownColumns(in: Rect(Size(26, 4))) == [0, 1, 2])
    }

    @Test("a single line shows a row instead of the header")
    func oneLine() {
        #expect(draw(40, 1).textDump == "▌ 09:14  fix the failing p…   1.2M    3")
        #expect(table.rowsArea(in: Rect(Size(40, 1))).rows == 1)
    }

    @Test(
        "the least important columns are left out first",
        arguments: [
            (32, "  when   run         ▾ tok  err"), (30, "  when   run       ▾ tok  err"),
            (29, "  when   run           ▾ tok"), (25, "  when   run       ▾ tok"), (24, "  run             ▾ tok"),
            (18, "  run       ▾ tok"), (17, "  run"), (8, "  run"), (4, "  …"), (3, "  …"), (1, ""), (0, ""),
        ])
    func narrow(columns: Int, header: String) {
        let lines = draw(columns, 2).textDump.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == header)
    }

    @Test("cells keep their roles under the cursor, but are never dim there")
    func selectedRow() {
        let surface = draw(40, 4)
        #expect(surface[Point(column: 36, row: 1)].style == Style(foreground: .indexed(204), background: .indexed(236)))
        #expect(surface[Point(column: 36, row: 2)].style == Theme.dark[.faint])
        // Dim text is legible on the selection.
        #expect(surface[Point(column: 2, row: 1)].style == Theme.dark[.selection])
        #expect(surface[Point(column: 2, row: 0)].style == Theme.dark[.columnHeader])
    }

    @Test("sorting twice by the same column reverses the order")
    func sorting() {
        var table = table
        table.toggleSort(1)
        #expect(table.sort == .init(column: 1))
        table.toggleSort(1)
        #expect(table.sort == .init(column: 1, isAscending: false))
        table.toggleSort(9)
        #expect(table.sort?.column == 1)
    }

    @Test("a point is mapped to the header of its column")
    func columnAtPoint() {
        let area = Rect(column: 10, row: 3, columns: 40, rows: 4)
        #expect(table.column(at: Point(column: 13, row: 3), in: area) == 0)
        #expect(table.column(at: Point(column: 20, row: 3), in: area) == 1)
        #expect(table.column(at: Point(column: 46, row: 3), in: area) == 3)
        #expect(table.column(at: Point(column: 20, row: 4), in: area) == nil)
    }

    @Test("without a header, all lines are rows")
    func noHeader() {
        var bare = table
        bare.hasHeader = false
        let text = drawn(30, 2) {
            bare.draw(ListView(count: 2), into: &$0, in: $0.bounds, theme: .dark, isFocused: false) { row, column in
                rows[row][column]
            }
        }
        #expect(text == "  09:14  fix the…   1.2M    3\n  08:55  add a c…   412k    ·")
    }
}
