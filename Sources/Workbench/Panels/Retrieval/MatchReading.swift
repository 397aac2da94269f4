internal import Console
internal import Formatting
internal import Retrieval

/// Which chunks of our corpora the documents of a foreign retrieval are, and what was not recorded.
struct MatchReading {
    var record: RetrievalRecord
    /// Labels of the chunks.
    var matches: [PassageID: String]

    var sections: [TextSection] {
        let found = record.passages.indices.filter { matches[PassageID($0)] != nil }.count
        var sections = [
            TextSection(
                StyledLine(
                    "\(found) of \(Format.count(record.passages.count)) documents are in a local corpus",
                    found == 0 ? .warning : .dim))
        ]
        let width = min(32, record.passages.map { DisplayWidth.of($0.label) }.max() ?? 0)
        for (index, passage) in record.passages.enumerated() {
            let label = PassageLabel.fitting(passage.label, columns: width, .unicode)
            var line = StyledLine(label.paddedToColumns(width), .text)
            if let match = passage.match, let chunk = matches[PassageID(index)] {
                line.append("  \(Character(Glyphs.unicode.right)) ", .dim)
                line.append(chunk, .accent)
                line.append("  by \(match.rawValue)", .dim)
            } else {
                line.append("  not in a corpus", .faint)
            }
            sections.append(TextSection(line))
        }
        return sections + record.notes.map { TextSection(StyledLine($0, .warning)) }
    }
}
