import Console
import Testing
import Workbench

@Suite("Tokens flow over lines like text")
struct TokenTextTests {
    /// Returns the answer of these tokens, laid out in a number of columns.
    private static func text(_ tokens: [String], width: Int, height: Int = 100) -> TokenText {
        var text = TokenText()
        text.setWidth(width)
        text.height = height
        append(tokens, to: &text)
        return text
    }

    private static func append(_ tokens: [String], to text: inout TokenText) {
        for token in tokens {
            text.append(.init(piece: .step(text.items.count), text: token, role: .text))
        }
    }

    /// What each row shows.
    private static func rows(_ text: TokenText) -> [String] { text.rows.map { $0.map(\.text).joined() } }

    struct Case: CustomTestStringConvertible {
        var name: String
        var tokens: [String]
        var width: Int
        var rows: [String]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "nothing", tokens: [], width: 10, rows: [""]),
        Case(name: "a line that fits", tokens: ["The", " planets"], width: 11, rows: ["The planets"]),
        Case(
            name: "a space between words is the end of the line", tokens: ["The", " planets", " turn"], width: 11,
            rows: ["The planets", "turn"]),
        Case(
            name: "a word of several tokens stays together", tokens: ["A", " won", "der", "ful"], width: 9,
            rows: ["A", "wonderful"]),
        Case(
            name: "a word whose spaces come behind", tokens: ["The ", "plan", "ets ", "turn"], width: 11,
            rows: ["The planets", "turn"]),
        Case(
            name: "several words in one token", tokens: ["The planets wander through", " it"], width: 12,
            rows: ["The planets", "wander", "through it"]),
        Case(
            name: "a word is not torn from a token with several words", tokens: ["one two thr", "ee"], width: 10,
            rows: ["one two", "three"]),
        Case(
            name: "a word wider than the line", tokens: ["a", " electroencephalography", "!"], width: 10,
            rows: ["a electroe", "ncephalogr", "aphy!"]),
        Case(
            name: "a token as wide as the line", tokens: ["0123456789", "ab"], width: 10, rows: ["0123456789", "ab"]),
        Case(
            name: "a line break shows", tokens: ["one", "\n", "\n\n", "two"], width: 10,
            rows: ["one↵", "↵", "↵", "two"]),
        Case(name: "one inside of a token", tokens: ["a.\n\nB", "c"], width: 10, rows: ["a.↵", "↵", "Bc"]),
        Case(name: "that of Windows is one too", tokens: ["a\r\nb"], width: 10, rows: ["a↵", "b"]),
        Case(name: "spaces that begin a line stay", tokens: ["{", "\n", "    x"], width: 10, rows: ["{↵", "    x"]),
        Case(name: "Han breaks anywhere", tokens: ["天", "地玄", "黄宇宙"], width: 6, rows: ["天地玄", "黄宇宙"]),
        Case(
            name: "Han after Latin stays on its line", tokens: ["go", " 天", "地", "玄"], width: 6, rows: ["go 天", "地玄"]),
        Case(name: "a wide sign is not cut in two", tokens: ["abc", "漢"], width: 4, rows: ["abc", "漢"]),
        Case(name: "emoji of several scalars", tokens: ["ab ", "👩‍💻", "👩‍💻"], width: 5, rows: ["ab 👩‍💻", "👩‍💻"]),
        Case(name: "a token that adds nothing", tokens: ["a", "", "", "b"], width: 10, rows: ["ab"]),
        Case(name: "a pane narrower than any word", tokens: ["abcdef"], width: 0, rows: ["abcd", "ef"]),
    ]

    @Test("words, line breaks, and wide characters", arguments: cases)
    func flow(given: Case) { #expect(Self.rows(Self.text(given.tokens, width: given.width)) == given.rows) }

    /// Tokens that try everything that the layout treats specially.
    private static func mixture(_ random: inout Seeded) -> [String] {
        let pieces = [
            "a", " the", "ing", " ", "  ", "\n", "\r\n", "\t", "", " wonderful", "-", "漢", "字 ", "e", "\u{301}",
            "👩", "\u{200D}", "💻", "\u{1B}[31m", "\u{0}", "electroencephalographically", ". ", "\n\n  x", "two words",
            "\u{202E}", "🇵", "🇹",
        ]
        return (0..<120).map { _ in pieces.randomElement(using: &random)! }
    }

    @Test(
        "every token has its place, none is wider than the line, none overlaps",
        arguments: 1...20 as ClosedRange<UInt64>)
    func invariants(seed: UInt64) throws {
        var random = Seeded(seed)
        let tokens = Self.mixture(&random)
        let width = Int.random(in: 4...40, using: &random)
        let text = Self.text(tokens, width: width)
        #expect(Set(text.rows.joined().map(\.piece)) == Set(tokens.indices))
        #expect(text.rows.joined().map(\.piece) == text.rows.joined().map(\.piece).sorted())
        for row in text.rows {
            var column = 0
            for fragment in row {
                #expect(fragment.column == column)
                #expect(fragment.columns == DisplayWidth.of(fragment.text))
                column += fragment.columns
            }
            // One escape may be wider than a narrow line.
            #expect(column <= width || (row.count == 1 && row[0].text.count == 1), "\(row.map(\.text))")
        }
        func visible(_ texts: [String]) -> [Unicode.Scalar] {
            texts.flatMap(\.unicodeScalars).filter { !$0.properties.isWhitespace && $0 != "↵" }
        }
        #expect(visible(text.rows.joined().map(\.text)) == visible(tokens))
    }

    @Test("appending token by token gives the layout of the whole text", arguments: 1...20 as ClosedRange<UInt64>)
    func appending(seed: UInt64) {
        var random = Seeded(seed)
        let tokens = Self.mixture(&random)
        let grown = Self.text(tokens, width: 23, height: 5)
        var laid = Self.text(tokens, width: 11, height: 5)
        laid.setWidth(23)
        #expect(Self.rows(laid) == Self.rows(grown))
        #expect(laid.top == grown.top)
        #expect(laid.cursor == grown.cursor)
    }

    @Test("a combining mark that is its own token shows on a circle and affects no other cell")
    func marks() {
        let text = Self.text(["caf", "e", "\u{301}", "!"], width: 20)
        var surface = Surface(Size(20, 1))
        text.draw(into: &surface, in: Rect(Size(20, 1)), theme: .dark, isFocused: false)
        #expect(surface.textOfRow(0).hasPrefix("cafe\u{25CC}\u{301}!"))
    }

    @Test("control characters in tokens are escaped in every cell")
    func controls() {
        let tokens = ["\u{1B}[2J", "a\u{7}", "\u{9B}5m", "\u{202E}right", "\t", "\u{0}", "x\ry"]
        let text = Self.text(tokens, width: 12)
        var surface = Surface(Size(12, 20))
        text.draw(into: &surface, in: Rect(Size(12, 20)), theme: .dark, isFocused: true)
        #expect(Hostile.dangers(on: surface) == [])
        #expect(surface.textDump.contains("␛[2J"))
    }

    @Test("a text laid out for a wider pane keeps every word in a narrower one")
    func narrowerArea() {
        var text = TokenText()
        text.setWidth(40)
        text.height = 6
        text.append(.init(piece: .label, text: "see the issue details and bd ready to find work", role: .text))
        for columns in 12...40 {
            var surface = Surface(Size(columns, 6))
            text.draw(into: &surface, in: Rect(Size(columns, 6)), theme: .dark, isFocused: false)
            let words = surface.textDump.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words == "see the issue details and bd ready to find work", "\(columns) columns")
        }
    }

    @Test("the cursor is visible even on a token without text")
    func emptyToken() {
        var text = Self.text(["a", "", "b"], width: 10)
        text.stand(at: 1)
        var surface = Surface(Size(10, 1))
        text.draw(into: &surface, in: Rect(Size(10, 1)), theme: .dark, isFocused: true)
        #expect(surface[Point(column: 1, row: 0)].style == Theme.dark[.matchCurrent])
        #expect(surface[Point(column: 0, row: 0)].style != Theme.dark[.matchCurrent])
    }

    // MARK: The cursor

    /// A label of two rows, then six tokens on three rows, then a label.
    private static func conversation(height: Int = 100) -> TokenText {
        var text = TokenText()
        text.setWidth(12)
        text.height = height
        text.append(.init(piece: .label, text: "user\nwhy?\n", role: .heading))
        append(["The", " planets", " wander", " on", " their", " way"], to: &text)
        text.append(.init(piece: .label, text: "\ncalls tool", role: .function))
        return text
    }

    @Test("left and right pass labels and stop at the ends")
    func sideways() {
        var text = Self.conversation()
        text.moveToStart()
        #expect(text.cursor == 1)
        text.move(by: -1)
        #expect(text.cursor == 1)
        for _ in 0..<3 { text.move(by: 1) }
        #expect(text.cursor == 4)
        for _ in 0..<9 { text.move(by: 1) }
        #expect(text.cursor == 6)
    }

    @Test("up and down go to the nearest token of the next row, and to the ends")
    func upAndDown() {
        var text = Self.conversation()
        #expect(Self.rows(text).dropFirst(2).prefix(3) == ["The planets", "wander on", "their way"])
        text.stand(at: 2)
        text.moveRows(by: 1)
        #expect(text.cursor == 3)
        text.move(by: 1)
        text.moveRows(by: 1)
        #expect(text.cursor == 6, "way stands nearer below on than their")
        text.moveRows(by: -2)
        #expect(text.cursor == 2)
        text.moveRows(by: -1)
        #expect(text.cursor == 1)
        text.moveRows(by: 100)
        #expect(text.cursor == 6)
    }

    @Test("skipped text can be read: the view scrolls if there is no other token")
    func labelsAreReached() {
        var text = Self.conversation(height: 2)
        text.moveToStart()
        #expect(text.top > 0)
        for _ in 0..<5 { text.moveRows(by: -1) }
        #expect(text.top == 0)
        #expect(text.cursor == 1)
        text.moveToEnd()
        for _ in 0..<5 { text.moveRows(by: 1) }
        #expect(text.top == text.rowCount - 2)
        text.moveToEnd()
        #expect(text.cursor == 6)
    }

    @Test("a text with only labels scrolls")
    func onlyLabels() {
        var text = TokenText()
        text.setWidth(20)
        text.height = 4
        text.append(.init(piece: .label, text: (1...30).map { "line \($0)\n" }.joined(), role: .text))
        #expect(text.cursor == nil)
        text.moveRows(by: 3)
        #expect(text.top == 3)
        text.moveToEnd()
        #expect(text.visible.upperBound == text.rowCount)
        text.moveToStart()
        #expect(text.top == 0)
    }

    @Test("the view follows appended text until the cursor leaves the end or the view is scrolled up")
    func follows() {
        let words = (0..<40).map { " word\($0)" }
        var text = Self.text(Array(words.prefix(20)), width: 12, height: 4)
        #expect(text.visible.upperBound == text.rowCount)
        text.scroll(by: -3)
        let top = text.top
        Self.append([" more"], to: &text)
        #expect(text.top == top)
        text.moveToEnd()
        Self.append(words, to: &text)
        #expect(text.visible.upperBound == text.rowCount)
        text.move(by: -1)
        let cursor = text.cursor
        Self.append(words, to: &text)
        #expect(text.cursor == cursor)
    }

    @Test("a click finds the token at its position")
    func clicks() throws {
        let text = Self.conversation()
        let area = Rect(column: 5, row: 3, columns: 12, rows: 10)
        #expect(text.item(at: Point(column: 5, row: 5), in: area) == 1)
        #expect(text.item(at: Point(column: 9, row: 5), in: area) == 2)
        #expect(text.item(at: Point(column: 5, row: 6), in: area) == 3)
        #expect(text.item(at: Point(column: 4, row: 5), in: area) == nil)
        #expect(text.item(at: Point(column: 5, row: 12), in: area) == nil)
    }

    // MARK: Finding

    @Test("text is found across token boundaries, but not in labels")
    func find() {
        var text = Self.text(["The", " wan", "der", "ing", " Wander", "er"], width: 40)
        text.find("wander")
        #expect(text.matches == [1..<3, 4..<5])
        text.find("g w")
        #expect(text.matches == [3..<5])
        text.find("nowhere")
        #expect(text.matches.isEmpty)
        var labelled = Self.conversation()
        labelled.find("user")
        #expect(labelled.matches.isEmpty)
        labelled.find("THE PLAN")
        #expect(labelled.matches == [1..<3])
    }

    // MARK: Size

    @Test("100,000 tokens are laid out and searched in well under a second, and appending one more costs nothing")
    func large() {
        let words = [" the", " plan", "et", "s", " wander", ",", " and", " 漢字", "\n", " electroencephalography"]
        let tokens = (0..<100_000).map { words[$0 % words.count] }
        let clock = ContinuousClock()
        var text = TokenText()
        text.setWidth(100)
        text.height = 40
        let layingOut = clock.measure { Self.append(tokens, to: &text) }
        let anew = clock.measure { text.setWidth(61) }
        let finding = clock.measure { text.find("planets wander") }
        let one = clock.measure { Self.append(Array(tokens.prefix(100)), to: &text) }
        #expect(text.matches.count == 10_000)
        #expect(text.visible.upperBound == text.rowCount)
        // Unoptimized code on a busy machine is about twenty times slower, and other tests run at the same time.
        #expect(layingOut < .seconds(8) && anew < .seconds(8) && finding < .seconds(8))
        #expect(one < layingOut / 20 || one < .milliseconds(5))
    }
}
