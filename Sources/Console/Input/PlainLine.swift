/// The built-in line editor, with common editing keys, for programs built without readline.
struct PlainLine {
    private(set) var outcome: LineEditor.Outcome?
    private(set) var candidates: [String] = []
    private var characters: [Character]
    private var cursor: Int
    private var history: [String]
    /// Position in the history, whose last entry is the line being edited.
    private var place: Int

    init(text: String = "", history: [String] = []) {
        characters = Array(text)
        cursor = characters.count
        self.history = history + [text]
        place = history.count
    }

    var text: String { String(characters) }
    var beforeCursor: String { String(characters[..<cursor]) }

    mutating func insert(_ text: String) {
        candidates = []
        characters.insert(contentsOf: text, at: cursor)
        cursor += text.count
    }

    mutating func handle(_ key: Key, completion: LineEditor.Completion) {
        candidates = []
        switch key {
        case Key(.enter): outcome = .finished(text)
        case Key(.left), .control("b"): cursor = max(0, cursor - 1)
        case Key(.right), .control("f"): cursor = min(characters.count, cursor + 1)
        case Key(.home), .control("a"): cursor = 0
        case Key(.end), .control("e"): cursor = characters.count
        case Key(.backspace), .control("h"): remove(max(0, cursor - 1)..<cursor)
        case Key(.delete): remove(cursor..<min(characters.count, cursor + 1))
        case .control("d"):
            if characters.isEmpty { outcome = .cancelled }
            remove(cursor..<min(characters.count, cursor + 1))
        case .control("k"): remove(cursor..<characters.count)
        case .control("u"): remove(0..<cursor)
        case .control("w"): remove(startOfWord..<cursor)
        case Key(.up), .control("p"): recall(place - 1)
        case Key(.down), .control("n"): recall(place + 1)
        case Key(.tab): completeWord(completion(beforeCursor))
        default:
            if case .character(let character) = key.code, key.modifiers.isEmpty { insert(String(character)) }
        }
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var startOfWord: Int {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        return start
    }

    private mutating func recall(_ index: Int) {
        guard history.indices.contains(index) else { return }
        history[place] = text
        place = index
        characters = Array(history[index])
        cursor = characters.count
    }

    /// Completes the whole text before the cursor, including spaces, as far as all candidates agree.
    mutating func complete(_ offered: [String]) { complete(offered, from: 0) }

    /// Completes the last word and adds a space after a unique completion.
    private mutating func completeWord(_ offered: [String]) {
        let start = characters[..<cursor].lastIndex(of: " ").map { $0 + 1 } ?? 0
        complete(offered, from: start)
        if offered.count == 1, let last = offered[0].last, !":=/<>".contains(last) { insert(" ") }
    }

    private mutating func complete(_ offered: [String], from start: Int) {
        candidates = []
        guard let first = offered.first else { return }
        let common = offered.dropFirst().reduce(Array(first)) { common, next in
            Array(zip(common, next).prefix { $0 == $1 }.map(\.0))
        }
        if common.count >= cursor - start {
            remove(start..<cursor)
            insert(String(common))
        }
        if offered.count > 1 { candidates = offered }
    }
}
