import Console
import Testing

/// Returns the wrapped rows of a text, each with its indent.
func wrapped(_ text: String, columns: Int, stride: Int = 16_384) -> [String] {
    let document = TextDocument(text, stride: stride)
    let wrapper = TextWrapper(columns: columns)
    return document.withBytes { bytes in
        var lines: [String] = []
        var next: Int? = 0
        while let start = next {
            let segment = document.segment(from: start, in: bytes)
            var rows: [TextRow] = []
            wrapper.wrap(bytes, segment, into: &rows)
            for row in rows {
                let text = String(decoding: bytes[row.start..<row.end], as: UTF8.self)
                lines.append(String(repeating: " ", count: row.indent) + text)
            }
            next = segment.next
        }
        return lines
    }
}

@Suite("Text wrapper")
struct TextWrapperTests {
    @Test("rows break after blanks, which stay at the end of the row")
    func blanks() {
        #expect(
            wrapped("An orrery is a clockwork model of the heavens.", columns: 16) == [
                "An orrery is a ", "clockwork model ", "of the heavens.",
            ])
    }

    @Test("a word that is too long is split")
    func longWord() {
        #expect(
            wrapped("so antidisestablishmentarianism ends", columns: 12) == [
                "so ", "antidisestab", "lishmentaria", "nism ends",
            ])
    }

    @Test("wide scripts break anywhere except before closing punctuation")
    func wideScripts() {
        #expect(wrapped("行星は回る。天球儀", columns: 10) == ["行星は回", "る。天球儀"])
        #expect(wrapped("ab行星cd", columns: 5) == ["ab行", "星cd"])
    }

    @Test("continuation rows of list items, quotations, and indented code align with their text")
    func continuedRows() {
        #expect(wrapped("- one two three four", columns: 10) == ["- one two ", "  three ", "  four"])
        #expect(wrapped("12. one two three", columns: 12) == ["12. one two ", "    three"])
        #expect(wrapped("> one two three", columns: 10) == ["> one two ", "  three"])
        #expect(wrapped("    let x = f(a, b)", columns: 14) == ["    let x = ", "    f(a, b)"])
        #expect(wrapped("  12  one two three", columns: 12) == ["  12  one ", "      two ", "      three"])
        #expect(wrapped("12  one two three", columns: 12) == ["12  one two ", "three"])
        #expect(wrapped("• one two three", columns: 8) == ["• one ", "  two ", "  three"])
    }

    @Test("a path longer than a row breaks after a separator")
    func paths() {
        #expect(wrapped("models/orrery/model.safetensors", columns: 22) == ["models/orrery/", "model.safetensors"])
        #expect(
            wrapped("see models/orrery/model.safetensors", columns: 22) == [
                "see ", "models/orrery/", "model.safetensors",
            ])
        // A break after a separator near the start would leave the row almost empty.
        #expect(wrapped("/abcdefghijklmnop", columns: 8) == ["/abcdefg", "hijklmno", "p"])
    }

    @Test("an indent takes at most half the row")
    func deepIndent() {
        #expect(
            wrapped("            deep word here", columns: 12) == [
                "            ", "      deep ", "      word ", "      here",
            ])
    }

    @Test("empty lines are rows, but a line feed at the end adds no row")
    func emptyLines() {
        #expect(wrapped("a\n\nb\n", columns: 5) == ["a", "", "b"])
        #expect(wrapped("", columns: 5) == [""])
        #expect(wrapped("\n", columns: 5) == [""])
        #expect(wrapped("a\r\nb", columns: 5) == ["a", "b"])
    }

    @Test("wrapping random text agrees with a naive implementation", arguments: 0..<60)
    func naiveWrapping(seed: Int) {
        var generator = SeededGenerator(seed)
        let text = randomText(&generator, words: Int.random(in: 0..<80, using: &generator))
        let columns = Int.random(in: 1..<90, using: &generator)
        #expect(wrapped(text, columns: columns) == NaiveWrap(columns: columns).rows(text))
    }

    @Test("no row is wider than its columns, apart from blanks at its end", arguments: 0..<20)
    func width(seed: Int) {
        var generator = SeededGenerator(seed)
        let text = randomText(&generator, words: 60)
        for row in wrapped(text, columns: 24) where !row.contains("\t") {
            var visible = Substring(row)
            while visible.last == " " { visible.removeLast() }
            #expect(DisplayWidth.of(visible) <= 24, "\(row.debugDescription)")
        }
    }
}

/// A naive wrapper, which applies the rules to arrays of characters.
struct NaiveWrap {
    let columns: Int

    func rows(_ text: String) -> [String] {
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines.enumerated().flatMap { index, line -> [String] in
            let ended = index < lines.count - 1 || text.unicodeScalars.last == "\n"
            return rows(line: String(ended && line.last == "\r" ? line.dropLast() : line))
        }
    }

    private func rows(line: String) -> [String] {
        let characters = Array(line)
        let hang = hang(line)
        var rows: [String] = []
        var start = 0
        repeat {
            let indent = rows.isEmpty ? 0 : hang
            let end = rowEnd(characters, from: start, indent: indent)
            rows.append(String(repeating: " ", count: indent) + String(characters[start..<end]))
            start = end
        } while start < characters.count
        return rows
    }

    /// Returns the last break that fits in the row, or else the end of the characters that fit, at least one.
    private func rowEnd(_ characters: [Character], from start: Int, indent: Int) -> Int {
        var column = indent
        var fitting = start
        while fitting < characters.count {
            let width = width(characters[fitting], at: column)
            let blank = isBlank(characters[fitting])
            if column + width > columns, !blank, fitting > start { break }
            column += width
            fitting += 1
        }
        guard fitting < characters.count else { return fitting }
        for end in stride(from: fitting, to: start, by: -1) where mayBreak(characters, start, end) { return end }
        for end in stride(from: fitting, to: start, by: -1) where characters[end - 1] == "/" {
            if 2 * self.column(of: end, characters, from: start, indent: indent) >= columns { return end }
        }
        return fitting
    }

    private func column(of end: Int, _ characters: [Character], from start: Int, indent: Int) -> Int {
        characters[start..<end].reduce(indent) { $0 + width($1, at: $0) }
    }

    private func mayBreak(_ characters: [Character], _ start: Int, _ end: Int) -> Bool {
        guard characters[start..<end].contains(where: { !isBlank($0) }), !isBlank(characters[end]) else { return false }
        if isBlank(characters[end - 1]) { return true }
        guard !"、。〉》」』】！），．：；？".contains(characters[end]) else { return false }
        return isWide(characters[end]) || isWide(characters[end - 1])
    }

    private func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    private func isWide(_ character: Character) -> Bool { character.utf8.count > 1 && DisplayWidth.of(character) == 2 }

    private func width(_ character: Character, at column: Int) -> Int {
        character == "\t" ? 4 - column % 4 : DisplayWidth.of(character)
    }

    private func hang(_ line: String) -> Int {
        var column = 0
        var rest = Substring(line)
        while let first = rest.unicodeScalars.first, first == " " || first == "\t" {
            column += first == " " ? 1 : 4 - column % 4
            rest = Substring(rest.unicodeScalars.dropFirst())
        }
        while rest.hasPrefix("> ") {
            column += 2
            rest = rest.dropFirst(2)
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }.prefix(4)
        if ["- ", "* ", "+ ", "• "].contains(where: { rest.hasPrefix($0) }) {
            column += 2
        } else if !digits.isEmpty, [". ", ") "].contains(where: { rest.dropFirst(digits.count).hasPrefix($0) }) {
            column += digits.count + 2
        } else if !digits.isEmpty, column > 0, rest.dropFirst(digits.count).hasPrefix("  ") {
            column += digits.count + 2
        }
        return min(column, columns / 2)
    }
}
