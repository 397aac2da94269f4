import Console
import Testing

@Suite("Title bar and footer")
struct BarsTests {
    private let footer = Footer([
        KeyHint("Space", "play"), KeyHint(".", "step"), KeyHint("]e", "next error", priority: 2),
        KeyHint("d", "diff", priority: 3), KeyHint("?", "help", priority: 0),
    ])

    @Test(
        "hints that do not fit are left out by priority, starting with the last",
        arguments: [
            (70, " Space play   . step   ]e next error   d diff   ? help"),
            (50, " Space play   . step   ]e next error   ? help"), (40, " Space play   . step   ? help"),
            (22, " Space play   ? help"), (12, " ? help"), (5, ""), (0, ""),
        ])
    func footerHints(columns: Int, line: String) {
        #expect(drawn(columns, 1) { footer.draw(into: &$0, in: $0.bounds, theme: .dark) } == line)
    }

    @Test("keys and actions have different styles")
    func hintStyles() {
        let surface = picture(12, 1) {
            Footer([KeyHint("z", "zoom")]).draw(into: &$0, in: $0.bounds, theme: .dark)
        }
        #expect(surface.styleDump == "a b 10a\na = 248\nb = 110 bold")
    }

    @Test("a note is at the right, and hints make room for it")
    func footerNote() {
        var noted = footer
        noted.note = FrameLabel("37 of 112", role: .dim)
        #expect(
            drawn(50, 1) { noted.draw(into: &$0, in: $0.bounds, theme: .dark) }
                == " Space play   . step   ? help" + "           37 of 112".paddedToColumns(20, .right))
    }

    private let tabs = TabBar(
        ["Traces", "Tokens", "Attention", "Features"].enumerated().map { .init(key: "\($0 + 1)", title: $1) },
        selected: 1)

    @Test(
        "distant tabs lose their titles first, then they disappear",
        arguments: [
            (46, "1 Traces  2 Tokens  3 Attention  4 Features"), (40, "1 Traces  2 Tokens  3 Attention  4"),
            (30, "1 Traces  2 Tokens  3  4"), (20, "1  2 Tokens  3  4"), (16, "1  2 Tokens  3"),
            (12, "1  2 Tokens"), (9, "2 Tokens"), (5, "2 To…"), (0, ""),
        ])
    func narrowTabs(columns: Int, line: String) {
        #expect(drawn(columns, 1) { tabs.draw(into: &$0, in: $0.bounds, theme: .dark) } == line)
    }

    @Test("a point is mapped to its tab")
    func tabAtPoint() {
        let area = Rect(column: 5, row: 0, columns: 46, rows: 1)
        #expect(tabs.target(at: Point(column: 5, row: 0), in: area) == .init(tab: 0))
        #expect(tabs.target(at: Point(column: 15, row: 0), in: area) == .init(tab: 1))
        #expect(tabs.target(at: Point(column: 14, row: 0), in: area) == nil)
        #expect(tabs.target(at: Point(column: 15, row: 1), in: area) == nil)
    }

    private let places = TabBar(
        [
            .init(key: "1", title: "Traces"),
            .init(key: "2", title: "Models", pages: ["Tokens", "Attention", "Features", "Training"], page: 1),
            .init(key: "3", title: "Retrieval", pages: ["Corpora", "Graphs"]), .init(key: "4", title: "Kernels"),
            .init(key: "5", title: "Evals"),
        ], selected: 1)

    @Test(
        "the selected tab shows its pages, and only the selected page if space is short",
        arguments: [
            (88, "1 Traces  2 Models Tokens [Attention] Features Training  3 Retrieval  4 Kernels  5 Evals"),
            (78, "1 Traces  2 Models Tokens [Attention] Features Training  3 Retrieval  4  5"),
            (57, "1  2 Models Tokens [Attention] Features Training  3  4  5"),
            (56, "1  2 Models [Attention]  3  4  5"), (23, "1  2 Models [Attention]"), (22, "2 Models [Attention]"),
            (19, "2 Models"),
        ])
    func pages(columns: Int, line: String) {
        #expect(drawn(columns, 1) { places.draw(into: &$0, in: $0.bounds, theme: .dark) } == line)
    }

    @Test("a point is mapped to its page")
    func pageAtPoint() {
        let area = Rect(column: 0, row: 0, columns: 88, rows: 1)
        #expect(places.target(at: Point(column: 11, row: 0), in: area) == .init(tab: 1))
        #expect(places.target(at: Point(column: 19, row: 0), in: area) == .init(tab: 1, page: 0))
        #expect(places.target(at: Point(column: 26, row: 0), in: area) == .init(tab: 1, page: 1))
        #expect(places.target(at: Point(column: 57, row: 0), in: area) == .init(tab: 2))
    }

    @Test("the selected tab has its own style")
    func selectedTab() {
        let surface = picture(46, 1) { tabs.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(surface[Point(column: 12, row: 0)].style == Theme.dark[.tabActive])
        #expect(surface[Point(column: 0, row: 0)].style == Theme.dark[.tabInactive])
    }

    private var title: TitleBar {
        TitleBar(
            program: "orrery", document: "parser.orrery", tabs: tabs,
            progress: ProgressBar("import", fraction: 0.42, details: ["118 MB/s", "3 s left"]))
    }

    @Test(
        "the tabs of the title bar take precedence over all other parts",
        arguments: [
            (
                118,
                " orrery   parser.orrery      1 Traces  2 Tokens  3 Attention  4 Features    "
                    + "      import  42 % ▕███▍    ▏ 118 MB/s 3 s left"
            ),
            (80, " orrery   1 Traces  2 Tokens  3 Attention  4 Features   import  42 % ▕███▍    ▏"),
            (60, " orrery   1 Traces  2 Tokens  3 Attention  4 Features"),
            (46, " 1 Traces  2 Tokens  3 Attention  4 Features"), (20, " 1  2 Tokens  3  4"), (2, ""), (0, ""),
        ])
    func titleLine(columns: Int, line: String) {
        let seen = drawn(columns, 1) { title.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(seen.split(separator: " ") == line.split(separator: " "))
        #expect(DisplayWidth.of(seen) <= columns)
        if columns == 118 { #expect(seen.hasSuffix("3 s left") && DisplayWidth.of(seen) == 117) }
    }

    @Test(
        "the document name is truncated to make room for its mark, which is shown in full or not at all",
        arguments: [
            (100, "a-workspace-with-a-long-name.orrery (read-only)"), (80, "a-workspace-wi… (read-only)"),
            (67, "a… (read-only)"), (63, ""),
        ])
    func mark(columns: Int, document: String) {
        let bar = TitleBar(
            program: "orrery", document: "a-workspace-with-a-long-name.orrery", mark: "(read-only)",
            tabs: TabBar([.init(key: "1", title: String(repeating: "t", count: 34))], selected: 0))
        let seen = drawn(columns, 1) { bar.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(seen.contains("(read-only)") == !document.isEmpty)
        #expect(document.isEmpty || seen.contains(" \(document) "))
    }
}

@Suite("Progress and scrolling")
struct ProgressTests {
    @Test(
        "a progress bar shows as many parts as fit: percentage, bar, speed, and remaining time",
        arguments: [
            (0.42, 44, "import  42 % ▕███▍    ▏ 118 MB/s 3 s left"), (0.42, 36, "import  42 % ▕███▍    ▏ 118 MB/s"),
            (0.42, 24, "import  42 % ▕███▍    ▏"), (0.42, 22, "import  42 %"), (0.42, 9, "import"),
            (0.42, 5, "impo…"),
            (0.999, 24, "import  99 % ▕████████▏"), (1, 24, "import 100 % ▕████████▏"),
            (0, 24, "import   0 % ▕        ▏"),
            (0.001, 24, "import   0 % ▕▏       ▏"), (-3, 24, "import   0 % ▕        ▏"),
            (7, 24, "import 100 % ▕████████▏"),
            (.nan, 24, "import   0 % ▕        ▏"), (0.42, 0, ""),
        ])
    func progress(fraction: Double, columns: Int, line: String) {
        let bar = ProgressBar("import", fraction: fraction, details: ["118 MB/s", "3 s left"])
        #expect(drawn(columns, 1) { bar.draw(into: &$0, in: $0.bounds, theme: .dark) } == line)
    }

    @Test("a progress bar without a total shows only the label and details")
    func unknownTotal() {
        let bar = ProgressBar("import", fraction: nil, details: ["4,120 spans"])
        #expect(drawn(30, 1) { bar.draw(into: &$0, in: $0.bounds, theme: .dark) } == "import 4,120 spans")
        #expect(bar.columns == 18)
    }

    @Test("a bar grows in eighths of a cell")
    func eighths() {
        for eighths in 0...16 {
            let seen = drawn(2, 1) {
                $0.bar(Double(eighths) / 16, in: $0.bounds, style: .plain, glyphs: .unicode)
            }
            let signs = Array(" ▏▎▍▌▋▊▉█")
            let expected =
                String(repeating: "█", count: eighths / 8) + (eighths % 8 > 0 ? String(signs[eighths % 8]) : "")
            #expect(seen == expected)
        }
    }

    @Test(
        "the thumb of a scroll bar touches an end only if the view does",
        arguments: [
            (100, 0, 10, 10, 0..<1), (100, 1, 10, 10, 1..<2), (100, 89, 10, 10, 8..<9), (100, 90, 10, 10, 9..<10),
            (20, 5, 10, 10, 3..<8), (11, 1, 10, 10, 1..<10), (1_000_000, 500_000, 10, 1, 0..<1),
        ])
    func thumb(count: Int, top: Int, height: Int, rows: Int, thumb: Range<Int>) {
        #expect(ScrollBar(count: count, top: top, height: height).thumb(in: rows) == thumb)
    }

    @Test("a thumb on a border stays between the corners, and a pane without a border has none")
    func thumbOnBorder() {
        let bar = ScrollBar(count: 8, top: 4, height: 4)
        let framed = drawn(4, 6) { surface in
            Frame("").draw(into: &surface, in: surface.bounds, theme: .dark)
            bar.draw(into: &surface, onBorderOf: surface.bounds, theme: .dark)
        }
        #expect(framed == "╭──╮\n│  │\n│  │\n│  ┃\n│  ┃\n╰──╯")
        #expect(!drawn(4, 4) { bar.draw(into: &$0, onBorderOf: $0.bounds, theme: .dark) }.contains("┃"))
    }

    @Test("a scroll bar has no thumb if all rows are visible")
    func noThumb() {
        #expect(ScrollBar(count: 10, top: 0, height: 10).thumb(in: 10) == nil)
        #expect(ScrollBar(count: 10, top: 0, height: 0).thumb(in: 10) == nil)
        #expect(ScrollBar(count: 10, top: 0, height: 3).thumb(in: 0) == nil)
        let seen = drawn(1, 4) {
            ScrollBar(count: 8, top: 4, height: 4).draw(into: &$0, in: $0.bounds, theme: .dark)
        }
        #expect(seen == "\n\n┃\n┃")
    }
}
