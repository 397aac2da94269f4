internal import Console
internal import Formatting
internal import Retrieval

/// The local chunks that contain the documents of a recorded search, and what was not recorded.
struct MatchReading {
    var record: RetrievalRecord

    var sections: [TextSection] {
        let found = record.passages.count { $0.matchedLabel != nil }
        let count = "\(found) of \(Format.count(record.passages.count)) documents are in a local corpus"
        let width = min(32, record.passages.map { DisplayWidth.of($0.label) }.max() ?? 0)
        let lines = record.passages.map { passage in
            let label = PassageLabel.fitting(passage.label, columns: width, .unicode)
            var line = StyledLine(label.paddedToColumns(width), .text)
            if let match = passage.match, let chunk = passage.matchedLabel {
                line.append("  \(Character(Glyphs.unicode.right)) ", .dim)
                line.append(chunk, .accent)
                line.append("  by \(match.rawValue)", .dim)
            } else {
                line.append("  not in a corpus", .faint)
            }
            return line
        }
        let notes = record.notes.map { StyledLine($0, .warning) }
        return ([StyledLine(count, found == 0 ? .warning : .dim)] + lines + notes).map { TextSection($0) }
    }
}
