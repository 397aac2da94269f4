import Console
import Testing

@Suite struct `Shaded tokens` {
    private func text(_ tokens: [String], width: Int, height: Int = 10) -> ShadedTokens {
        var text = ShadedTokens(tokens)
        text.setWidth(width)
        text.height = height
        return text
    }

    @Test func `a word of several tokens moves to the next line without its leading space`() {
        let story = text(["A", " fox", " na", "med", " T", "an"], width: 8)
        #expect(drawn(8, 3) { story.draw(into: &$0, in: $0.bounds, theme: .mono) } == "A fox\nnamed\nTan")
        #expect(story.token(at: Point(column: 0, row: 1), in: Rect(Size(8, 2))) == 2)
    }

    @Test func `words are not split, and white-space tokens are visible`() {
        let story = text(["Once", " upon", " a", " ti", "me", ",", "\n", " ", "there", "\t", "∎"], width: 12)
        #expect(
            drawn(12, 4) { story.draw(into: &$0, in: $0.bounds, theme: .mono) } == """
                Once upon a
                time,↵
                ·there⇥∎
                """ + "\n")
    }

    @Test func `the background of a token shows its value; tokens without a value have none`() {
        var shaded = text(["low", " high", " none"], width: 20)
        shaded.values = [0.1, 1, .nan]
        shaded.move(by: 2)
        let surface = picture(20, 1) { shaded.draw(into: &$0, in: $0.bounds, theme: .dark, isFocused: false) }
        let palette = HeatPalette(.dark)
        #expect(surface[Point(column: 1, row: 0)].style.background == palette.color(of: 0.1, on: shaded.scale))
        #expect(surface[Point(column: 5, row: 0)].style.background == palette.color(of: 1, on: shaded.scale))
        #expect(surface[Point(column: 10, row: 0)].style.background == .terminal)
        #expect(surface[Point(column: 10, row: 0)].style.attributes.contains(.reverse))
    }

    @Test func `the cursor moves by tokens and rows and stays in view`() {
        var long = text((0..<100).map { " w\($0)" }, width: 10, height: 3)
        long.moveToEnd()
        #expect(long.cursor == 99 && long.top == long.rowCount - 3)
        long.moveRows(by: -1)
        #expect(long.cursor < 99)
        long.moveToStart()
        #expect(long.top == 0)
        #expect(long.token(at: Point(column: 5, row: 1), in: Rect(Size(10, 3))) == 5)
        long.scroll(by: 5)
        #expect(long.top == 5 && long.cursor == 0)
    }

    @Test func `a search finds text that spans several tokens`() {
        var story = text(["The", " tor", "que", " of", " Torque"], width: 40)
        story.find("torque")
        #expect(story.matches == [1..<3, 4..<5])
        #expect(story.match(after: 1, forward: true) == 4 && story.match(after: 4, forward: true) == 1)
        #expect(story.match(after: 1, forward: false) == 4)
    }

    @Test func `appended tokens look like tokens set at once`() {
        let tokens = (0..<60).map { $0 % 7 == 3 ? "long" : $0 % 11 == 5 ? "\n" : " word\($0)" }
        for width in [6, 13, 40] {
            let whole = text(tokens, width: width, height: 60)
            var growing = text([], width: width, height: 60)
            for token in tokens { growing.append(token) }
            #expect(
                drawn(40, 60) { whole.draw(into: &$0, in: $0.bounds, theme: .mono) }
                    == drawn(40, 60) { growing.draw(into: &$0, in: $0.bounds, theme: .mono) })
        }
    }

    @Test(arguments: ["\u{1B}[2J", "\u{202E}abc", "", "\0", "🏳️‍🌈", String(repeating: "x", count: 90), "日本語"])
    func `control characters in tokens are shown, not executed`(token: String) {
        let shaded = text([token, token, " ", token], width: 9)
        let dump = drawn(9, 12) { shaded.draw(into: &$0, in: $0.bounds, theme: .mono) }
        #expect(!dump.contains("\u{1B}") && !dump.contains("\u{202E}") && !dump.contains("\0"))
        #expect(!dump.isEmpty)
    }
}
