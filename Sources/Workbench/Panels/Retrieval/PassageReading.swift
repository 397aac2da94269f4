internal import Console
internal import Retrieval

/// What the pane of text says about the passage under the cursor.
struct PassageReading {
    var open: OpenPassage
    var record: RetrievalRecord

    /// What can be read.
    enum View: String, CaseIterable, Sendable {
        /// The chunk, its matched words, and what they add.
        case chunk
        /// The document with the borders of its chunks and the gold span.
        case source
        /// The prompt's passages and the answer with its citations.
        case answer
        case about

        var title: String {
            switch self {
            case .chunk: "Chunk"
            case .source: "Source"
            case .answer: "Answer"
            case .about: "About"
            }
        }
    }

    func sections(_ view: View, _ glyphs: Glyphs) -> [TextSection] {
        switch view {
        case .chunk: chunk(glyphs)
        case .source: source(glyphs)
        case .answer: AnswerReading(record).sections
        case .about: about
        }
    }

    // MARK: The chunk

    private func chunk(_ glyphs: Glyphs) -> [TextSection] {
        guard let text = open.chunkText else {
            return [TextSection(StyledLine("Its text was not recorded: only its id is known.", .dim))]
        }
        var marks = open.terms.flatMap { term in term.places.map { Mark($0, .match) } }
        if let range = open.range {
            for gold in open.gold where gold.overlaps(range) {
                let part = gold.clamped(to: range)
                marks.append(
                    Mark(part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound, .success, .underline))
            }
        }
        let body = TextSection(Mark.styled(text, marks))
        let matched = open.terms.filter { $0.contribution != 0 }
        guard !matched.isEmpty else { return [body] }
        var table = StyledText()
        table.append("\n")
        for term in matched.sorted(by: { $0.contribution > $1.contribution }) {
            let name = term.term == term.word ? term.word : "\(term.word) → \(term.term ?? "")"
            table.append(name.paddedToColumns(20), .match)
            table.append("\(term.frequency) × ".paddedToColumns(6, .right), .dim)
            table.append("+\(Format.fixed(term.contribution, digits: 3))\n".paddedToColumns(9, .right), .number)
        }
        let sum = matched.reduce(0) { $0 + $1.contribution }
        table.append("together".paddedToColumns(26), .dim)
        table.append(" \(Format.fixed(sum, digits: 3))".paddedToColumns(8, .right), .strong)
        return [body, TextSection(table)]
    }

    // MARK: The source

    /// The document, each stretch between borders of chunks with its own bar at the left.
    private func source(_ glyphs: Glyphs) -> [TextSection] {
        guard let text = open.text else {
            return [TextSection(StyledLine("No attached corpus holds this document.", .dim))]
        }
        let count = text.utf8.count
        var borders = Set([0, count])
        for chunk in open.chunks { borders.formUnion([min(chunk.lowerBound, count), min(chunk.upperBound, count)]) }
        let places = borders.sorted()
        var sections: [TextSection] = []
        for (start, end) in zip(places, places.dropFirst()) where start < end {
            let here = start..<end
            let holders = open.chunks.indices.filter { open.chunks[$0].lowerBound <= start && end <= open.chunks[$0].upperBound }
            let piece = Self.slice(text, here)
            let marks = open.gold.filter { $0.overlaps(here) }.map { gold in
                let part = gold.clamped(to: here)
                return Mark(part.lowerBound - start..<part.upperBound - start, .success, .underline)
            }
            let trimmed = piece.hasSuffix("\n") ? String(piece.dropLast()) : piece
            sections.append(TextSection(Mark.styled(trimmed, marks), margin: margin(holders, glyphs)))
        }
        return sections
    }

    /// A bar in the color of the chunk; where two overlap, both.
    private func margin(_ holders: [Int], _ glyphs: Glyphs) -> StyledLine {
        var line = StyledLine()
        for index in holders.prefix(2) {
            let isThis = open.range == open.chunks[index]
            line.append(String(Character(glyphs.cursorBar)), isThis ? .accent : .series(index % 2 == 0 ? 1 : 3))
        }
        line.append(String(repeating: " ", count: max(1, 3 - min(2, holders.count))))
        return line
    }

    private static func slice(_ text: String, _ range: Range<Int>) -> String {
        let bytes = text.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        return String(text[start..<bytes.index(start, offsetBy: range.count)])
    }

    // MARK: About

    private var about: [TextSection] {
        var lines: [(String, String)] = [("document", open.passage.document)]
        if !open.title.isEmpty { lines.append(("title", open.title)) }
        if !open.source.isEmpty { lines.append(("source", open.source)) }
        if let range = open.range { lines.append(("bytes", "\(Format.count(range.lowerBound))–\(Format.count(range.upperBound))")) }
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
        for note in record.notes { sections.append(TextSection(StyledLine(note, .warning))) }
        return sections
    }
}

/// A stretch of a text that stands out.
struct Mark: Hashable, Sendable {
    var range: Range<Int>
    var role: Role
    var attributes: Style.Attributes

    init(_ range: Range<Int>, _ role: Role, _ attributes: Style.Attributes = []) {
        self.range = range
        self.role = role
        self.attributes = attributes
    }

    /// A text with its marks; of two that overlap the first counts. Marks that are not of this text are left out.
    static func styled(_ text: String, _ marks: [Mark]) -> StyledText {
        var styled = StyledText()
        var done = 0
        let bytes = text.utf8
        func piece(_ range: Range<Int>) -> String? {
            guard range.upperBound <= bytes.count else { return nil }
            let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
            let end = bytes.index(start, offsetBy: range.count)
            return String(bytes[start..<end])
        }
        for mark in marks.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) where mark.range.lowerBound >= done {
            guard let before = piece(done..<mark.range.lowerBound), let inside = piece(mark.range) else { continue }
            styled.append(before)
            styled.append(inside, mark.role, mark.attributes)
            done = mark.range.upperBound
        }
        styled.append(piece(done..<bytes.count) ?? "")
        return styled
    }
}
