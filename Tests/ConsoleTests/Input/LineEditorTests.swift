import Console
import Glibc
import Testing

/// Tests of both engines. They run one after the other because readline has only one state per process.
@Suite("Line editor", .serialized)
struct LineEditorTests {
    private static let engines: [LineEditor.Engine] =
        LineEditor.Engine.standard == .readline ? [.readline, .plain] : [.plain]

    init() {
        // Ignore the user's own key bindings for readline.
        setenv("INPUTRC", "/dev/null", 1)
    }

    private func editor(
        _ engine: LineEditor.Engine, lines: [String] = [], completion: @escaping LineEditor.Completion = { _ in [] }
    ) -> LineEditor {
        let history = LineHistory()
        for line in lines { history.add(line) }
        return LineEditor(history: history, engine: engine, completion: completion)
    }

    @discardableResult
    private func type(_ text: String, into editor: LineEditor) throws -> LineEditor.State {
        for key in try KeyNotation.typed(text) { editor.feed(key) }
        return editor.state
    }

    @Test(
        "common keys edit the line", arguments: engines,
        [
            ("abc", "abc", 4), ("abc<left><left>X", "aXbc", 3), ("abc<home>X", "Xabc", 2),
            ("abc<home><end>X", "abcX", 5),
            ("abc<backspace>", "ab", 3), ("abc<left><del>", "ab", 3), ("one two<ctrl-w>", "one ", 5),
            ("one two<ctrl-u>", "", 1), ("one two<home><ctrl-k>", "", 1), ("ab<ctrl-a>c", "cab", 2),
            ("ab<left><ctrl-e>c", "abc", 4),
            ("漢字", "漢字", 5), ("漢字<left>x", "漢x字", 4), ("é👩<left>", "é👩", 2),
        ])
    func editing(engine: LineEditor.Engine, example: (keys: String, text: String, column: Int)) throws {
        let editor = editor(engine)
        editor.begin(prompt: ":")
        let state = try type(example.keys, into: editor)
        #expect(state.prompt == ":")
        #expect(state.text == example.text)
        #expect(state.cursorColumn == example.column)
        #expect(state.outcome == .editing)
    }

    @Test(
        "Enter finishes; Esc, Ctrl-C, and Ctrl-D on an empty line cancel", arguments: engines,
        [
            ("abc<enter>", LineEditor.Outcome.finished("abc")), ("<enter>", .finished("")), ("abc<esc>", .cancelled),
            ("abc<ctrl-c>", .cancelled), ("<ctrl-d>", .cancelled), ("a<home><ctrl-d><ctrl-d>", .cancelled),
        ])
    func ends(engine: LineEditor.Engine, example: (keys: String, outcome: LineEditor.Outcome)) throws {
        let editor = editor(engine)
        editor.begin(prompt: ":")
        #expect(try type(example.keys, into: editor).outcome == example.outcome)
        // Keys after the line ends do not change it.
        #expect(editor.feed(.character("x")).outcome == example.outcome)
    }

    @Test("an initial text can be edited", arguments: engines) func initialText(engine: LineEditor.Engine) throws {
        let editor = editor(engine)
        editor.begin(prompt: "filter ", text: "kind:tool")
        #expect(editor.state.cursorColumn == 16)
        #expect(try type("s<enter>", into: editor).outcome == .finished("kind:tools"))
    }

    @Test("Up and Down recall previous lines and the draft", arguments: engines)
    func recall(engine: LineEditor.Engine) throws {
        let editor = editor(engine, lines: ["first", "second"])
        editor.begin(prompt: ":")
        #expect(try type("draft<up>", into: editor).text == "second")
        #expect(try type("<up>", into: editor).text == "first")
        #expect(try type("<down><down>", into: editor).text == "draft")
        try type("<enter>", into: editor)
        editor.begin(prompt: ":")
        #expect(try type("<up>", into: editor).text == "draft")
        editor.cancel()
    }

    @Test("a completion replaces the last word", arguments: engines)
    func completion(engine: LineEditor.Engine) throws {
        var queries: [String] = []
        let words = ["kind:tool", "kind:model", "status:error", "theme:"]
        let editor = editor(engine) { before in
            queries.append(before)
            let word = before.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
            return words.filter { $0.hasPrefix(word) }
        }
        editor.begin(prompt: "/")
        #expect(try type("a st<tab>", into: editor).text == "a status:error ")
        #expect(queries == ["a st"])
        #expect(try type("k<tab>", into: editor).text == "a status:error kind:")
        let state = try type("<tab>", into: editor)
        #expect(Set(state.candidates) == ["kind:tool", "kind:model"])
        #expect(try type("t", into: editor).candidates.isEmpty)
        #expect(try type("<tab>th<tab>", into: editor).text == "a status:error kind:tool theme:")
        editor.cancel()
    }

    @Test("a paste inserts text and runs nothing", arguments: engines) func paste(engine: LineEditor.Engine) throws {
        let editor = editor(engine)
        editor.begin(prompt: ":")
        editor.insert("rm -rf\n\u{1B}[A\u{3}漢")
        #expect(editor.state.text == "rm -rf  [A 漢")
        #expect(editor.state.outcome == .editing)
        editor.cancel()
    }

    @Test("readline searches the history", .enabled(if: LineEditor.Engine.standard == .readline))
    func historySearch() throws {
        let editor = editor(.readline, lines: ["open trace", "export step", "theme light"])
        editor.begin(prompt: ":")
        let state = try type("<ctrl-r>exp", into: editor)
        #expect(state.prompt.contains("reverse-i-search"))
        #expect(state.text == "export step")
        #expect(try type("<esc>", into: editor).outcome == .editing)
        #expect(editor.state.prompt == ":")
        #expect(try type("<ctrl-r>open<enter>", into: editor).outcome == .finished("open trace"))
    }

    @Test("a new line can start before the previous one ends") func restart() throws {
        for engine in Self.engines {
            let editor = editor(engine)
            editor.begin(prompt: ":")
            try type("abc", into: editor)
            editor.begin(prompt: "/")
            #expect(try type("x<enter>", into: editor).outcome == .finished("x"))
        }
    }
}

@Suite("Line history")
struct LineHistoryTests {
    @Test("lines are restored in the next process") func persistence() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/deep/er/history-command"
        let first = LineHistory(path: path)
        for line in ["one", "two", "two", "", " secret", "three"] { first.add(line) }
        #expect(first.lines == ["one", "two", "three"])
        #expect(LineHistory(path: path).lines == ["one", "two", "three"])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("two histories can share a file") func sharing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/history"
        let (left, right) = (LineHistory(path: path), LineHistory(path: path))
        #expect(left.lines.isEmpty && right.lines.isEmpty)
        left.add("from the left")
        right.add("from the right")
        #expect(LineHistory(path: path).lines == ["from the left", "from the right"])
    }

    @Test("a history file that is too long is truncated") func truncation() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/history"
        let history = LineHistory(path: path)
        for number in 0...2 * LineHistory.limit { history.add("line \(number)") }
        #expect(history.lines.count == LineHistory.limit)
        #expect(LineHistory(path: path).lines.first == "line \(LineHistory.limit + 1)")
        #expect(folder.read("history").split(separator: "\n").count == LineHistory.limit)
    }
}
