internal import Console
internal import Formatting
internal import Retrieval

/// The text of the passage pane.
struct PassageReading {
    var open: OpenPassage
    var record: RetrievalRecord
    /// Settings that differ from the saved pipeline.
    var changes: [Remedy.Change] = []

    /// Views of a passage.
    enum View: String, CaseIterable, Sendable {
        /// The chunk, its matched words, and their contributions to the score.
        case chunk
        /// The document with the borders of its chunks and the gold span.
        case source
        /// The prompt's passages and the answer with its citations.
        case answer
        case about

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
    }

    private let glyphs = Glyphs.unicode

    func sections(_ view: View) -> [TextSection] {
        switch view {
        case .chunk: chunk
        case .source: source()
        case .answer: AnswerReading(record: record).sections
        case .about: about
        }
    }

    // MARK: The chunk

    private var chunk: [TextSection] {
        guard let text = open.chunkText else {
            return [TextSection(StyledLine("Only the ID was recorded, not the text.", .dim))]
        }
        let words = (open.words?.terms ?? []).flatMap { term in term.places.map { Mark($0, .match) } }
        return [TextSection(Mark.styled(text, words + (open.range.map(goldMarks) ?? [])))] + contributions
    }

    /// Returns marks for the gold within a part of the document.
    private func goldMarks(in part: Range<Int>) -> [Mark] {
        open.gold.filter { $0.overlaps(part) }.map { gold in
            let gold = gold.clamped(to: part)
            return Mark(
                gold.lowerBound - part.lowerBound..<gold.upperBound - part.lowerBound, .success, .underline)
        }
    }

    /// Contribution of each query term to the lexical score; the visible digits add up.
    private var contributions: [TextSection] {
        guard let words = open.words, let sum = words.sum else { return [] }
        let terms = Dictionary(words.terms.map { ($0.word, $0) }, uniquingKeysWith: { first, _ in first })
        let most = words.terms.map(\.contribution).max() ?? 1
        let width = min(22, sum.addends.map { DisplayWidth.of(name(terms[$0.name], $0.name)) }.max() ?? 0)
        var table = StyledText()
        table.append("\n")
        for addend in sum.addends {
            let term = terms[addend.name]
            let name = name(term, addend.name)
            table.append(name, .match)
            table.append(String(repeating: " ", count: max(0, width - DisplayWidth.of(name))))
            table.append("\(term?.frequency ?? 0) ×".paddedToColumns(5, .right), .dim)
            table.append(addend.figure.paddedToColumns(8, .right), .number)
            let bar = Int((max(0, (term?.contribution ?? 0) / most) * 16).rounded(.up))
            table.append("  " + String(repeating: Character(glyphs.heavyLine), count: min(bar, 16)) + "\n", .series1)
        }
        table.append("sum".paddedToColumns(width + 5), .dim)
        table.append(sum.total.paddedToColumns(8, .right), .strong)
        table.append("  the score of \(words.stage)", .dim)
        return [TextSection(table)]
    }

    /// Returns `bolts → bolt` if analysis changed the word.
    private func name(_ term: StageExplanation.TermFinding?, _ word: String) -> String {
        guard let analyzed = term?.term, analyzed != word else { return word }
        return "\(word) → \(analyzed)"
    }

    // MARK: The source

    /// Bytes of a long document that are shown before and after the chunk.
    private static let window = 256 << 10

    /// Returns the document; each stretch between chunk borders has its own bar at the left.
    private func source() -> [TextSection] {
        guard let text = open.text else {
            return [TextSection(StyledLine("No attached corpus contains this document.", .dim))]
        }
        let stretches = stretches(in: shownPart(of: text))
        var sections = stretches.map { stretch in
            // A line break at the end would be drawn as a line of its own.
            var piece = text.part(stretch.range)
            if piece.hasSuffix("\n") { piece.removeLast() }
            return TextSection(Mark.styled(piece, goldMarks(in: stretch.range)), margin: margin(stretch.holders))
        }
        if let first = stretches.first?.range.lowerBound, first > 0 {
            sections.insert(TextSection(StyledLine("\(Format.bytes(first)) before", .faint)), at: 0)
        }
        if let last = stretches.last?.range.upperBound, last < text.utf8.count {
            sections.append(TextSection(StyledLine("\(Format.bytes(text.utf8.count - last)) more", .faint)))
        }
        return sections
    }

    /// Index of the section that starts the chunk in the source.
    var sourceAnchor: Int? {
        guard let text = open.text, let range = open.range else { return nil }
        let stretches = stretches(in: shownPart(of: text))
        guard let index = stretches.firstIndex(where: { $0.range.upperBound > range.lowerBound }) else { return nil }
        return (stretches.first?.range.lowerBound ?? 0) > 0 ? index + 1 : index
    }

    private func shownPart(of text: String) -> Range<Int> {
        let count = text.utf8.count
        guard count > 2 * Self.window else { return 0..<count }
        let chunk = open.range ?? 0..<0
        // Parts begin at chunk borders, which are always between characters.
        let first = open.chunks.map(\.lowerBound).filter { $0 >= chunk.lowerBound - Self.window }.min() ?? 0
        let last = open.chunks.map(\.upperBound).filter { $0 <= chunk.upperBound + Self.window }.max() ?? count
        return min(first, count)..<max(min(first, count), min(last, count))
    }

    private struct Stretch {
        var range: Range<Int>
        /// Indexes of the chunks that contain it.
        var holders: [Int]
    }

    /// Divides a part of the document at chunk borders. O(n log n) for n chunks that overlap with few others.
    private func stretches(in part: Range<Int>) -> [Stretch] {
        let shown = open.chunks.indices.filter { open.chunks[$0].overlaps(part) }
        var borders = Set([part.lowerBound, part.upperBound])
        for index in shown {
            let chunk = open.chunks[index].clamped(to: part)
            borders.formUnion([chunk.lowerBound, chunk.upperBound])
        }
        let places = borders.sorted()
        var next = shown[...]
        var here: [Int] = []
        return zip(places, places.dropFirst()).filter { $0 < $1 }.map { start, end in
            while let index = next.first, open.chunks[index].lowerBound <= start {
                here.append(index)
                next.removeFirst()
            }
            here.removeAll { open.chunks[$0].upperBound <= start }
            return Stretch(range: start..<end, holders: here)
        }
    }

    /// Returns a bar in the color of the chunk, or two bars where two chunks overlap.
    private func margin(_ holders: [Int]) -> StyledLine {
        var line = StyledLine()
        for index in holders.prefix(2) {
            let isThis = open.range == open.chunks[index]
            line.append(String(Character(glyphs.cursorBar)), isThis ? .accent : .series(index % 2 == 0 ? 1 : 3))
        }
        line.append(String(repeating: " ", count: max(1, 3 - min(2, holders.count))))
        return line
    }

    // MARK: About

    private var about: [TextSection] {
        var lines: [(String, String)] = [("document", open.passage.document)]
        if !open.title.isEmpty { lines.append(("title", open.title)) }
        if !open.source.isEmpty { lines.append(("source", open.source)) }
        if let range = open.range {
            lines.append(("bytes", "\(Format.count(range.lowerBound))–\(Format.count(range.upperBound))"))
            if let place = open.chunks.firstIndex(of: range) {
                lines.append(("chunk", "\(place + 1) of \(open.chunks.count)"))
            }
        }
        if let match = open.passage.match { lines.append(("matched by", match.rawValue)) }
        lines += open.metadata.map { ($0.name, $0.value) }
        var sections = lines.map { name, value in
            TextSection(StyledLine([.init(name.paddedToColumns(14), .dim), .init(value)]))
        }
        for stage in record.stages {
            let settings = stage.parameters.map { "\($0.name) \($0.value)" }.joined(separator: "   ")
            var line = StyledLine([.init(stage.name.paddedToColumns(14), .title), .init(settings, .dim)])
            if let note = stage.note { line.append(settings.isEmpty ? note : "   \(note)", .info) }
            sections.append(TextSection(line))
        }
        for change in changes {
            sections.append(
                TextSection(StyledLine([.init("changed".paddedToColumns(14), .warning), .init(change.text)])))
        }
        for note in record.notes { sections.append(TextSection(StyledLine(note, .warning))) }
        return sections
    }
}

/// A highlighted part of a text.
struct Mark: Hashable, Sendable {
    var range: Range<Int>
    var role: Role
    var attributes: Style.Attributes

    init(_ range: Range<Int>, _ role: Role, _ attributes: Style.Attributes = []) {
        self.range = range
        self.role = role
        self.attributes = attributes
    }

    /// Returns a text with marks. Where two overlap, the first determines the color, and both add their attributes. Marks
    /// outside the text are left out.
    static func styled(_ text: String, _ marks: [Mark]) -> StyledText {
        let bytes = text.utf8
        let marks = marks.filter { !$0.range.isEmpty && $0.range.lowerBound >= 0 && $0.range.upperBound <= bytes.count }
        var borders = Set([0, bytes.count])
        for mark in marks { borders.formUnion([mark.range.lowerBound, mark.range.upperBound]) }
        let places = borders.sorted()
        var styled = StyledText()
        var index = bytes.startIndex
        var next = marks.indices.sorted { marks[$0].range.lowerBound < marks[$1].range.lowerBound }[...]
        var here: [Int] = []
        for (start, end) in zip(places, places.dropFirst()) {
            while let mark = next.first, marks[mark].range.lowerBound <= start {
                here.append(mark)
                next.removeFirst()
            }
            here.removeAll { marks[$0].range.upperBound <= start }
            let attributes = here.reduce(into: Style.Attributes()) { $0.formUnion(marks[$1].attributes) }
            let after = bytes.index(index, offsetBy: end - start)
            styled.append(String(text[index..<after]), here.min().map { marks[$0].role } ?? .text, attributes)
            index = after
        }
        return styled
    }
}
