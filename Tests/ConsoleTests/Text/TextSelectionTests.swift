import Console
import Testing

@Suite("Selected text")
struct TextSelectionTests {
    private let area = Rect(column: 2, row: 1, columns: 10, rows: 3)

    private func view(_ sections: [TextSection]) -> TextView {
        var view = TextView(sections)
        view.layout(area.size)
        return view
    }

    private func selected(_ view: inout TextView, from: (Int, Int), to: (Int, Int)) -> String? {
        view.beginSelection(at: Point(column: from.0, row: from.1), in: area)
        view.extendSelection(to: Point(column: to.0, row: to.1), in: area)
        return view.selectedText
    }

    @Test(
        "a drag selects whole clusters in either direction, across rows and sections",
        arguments: [
            ((2, 1), (6, 1), "alpha"), ((6, 1), (2, 1), "alpha"), ((3, 1), (3, 1), "l"), ((11, 1), (2, 2), "\nb"),
            ((2, 2), (3, 2), "bé"), ((7, 2), (8, 2), "界"), ((2, 2), (40, 2), "béta 界"), ((2, 2), (2, 3), "béta 界\nγ"),
            ((4, 3), (40, 40), "mma"), ((2, 3), (0, 3), "γ"),
        ])
    func clusters(from: (Int, Int), to: (Int, Int), text: String) {
        var view = view([TextSection("alpha\nbéta 界"), TextSection("γamma")])
        #expect(selected(&view, from: from, to: to) == text)
    }

    @Test("a press selects nothing, and neither does a press outside the text's area")
    func press() {
        var view = view([TextSection("alpha")])
        view.beginSelection(at: Point(column: 3, row: 1), in: area)
        #expect(view.selectedText == nil)
        #expect(selected(&view, from: (0, 0), to: (4, 1)) == nil)
        #expect(selected(&view, from: (2, 1), to: (4, 1)) == "alp")
        view.clearSelection()
        #expect(view.selectedText == nil)
    }

    @Test("a drag below the area scrolls")
    func scrolling() {
        var view = view([TextSection((1...9).map { "row \($0)" }.joined(separator: "\n"))])
        #expect(selected(&view, from: (2, 1), to: (6, 4)) == "row 1\nrow 2\nrow 3\nrow 4")
        #expect(view.topLine == 2)
    }

    @Test("the selection is drawn like a selected row, and new text has none")
    func drawing() {
        var view = view([TextSection("alpha")])
        _ = selected(&view, from: (3, 1), to: (4, 1))
        let surface = picture(12, 4) { view.draw(into: &$0, in: area, theme: .dark) }
        let styles = (2...6).map { surface[Point(column: $0, row: 1)].style }
        #expect(styles[0] == Theme.dark[.text] && styles[3] == Theme.dark[.text])
        #expect(styles[1] == Theme.dark.style(.text, in: .selected) && styles[2] == styles[1])
        view.show([TextSection("other")])
        #expect(view.selectedText == nil)
    }

    @Test("an empty view has nothing to select")
    func empty() {
        var view = view([])
        #expect(selected(&view, from: (2, 1), to: (5, 2)) == nil)
    }
}
