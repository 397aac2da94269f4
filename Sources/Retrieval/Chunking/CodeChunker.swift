/// Chunks that end where a type or a function ends, as far as they fit.
///
/// Declarations are packed as long as there is room; one that is too long is cut between its members, then at blank
/// lines, then between lines.
struct CodeChunker: Chunker {
    let options: ChunkerOptions
    let tokens: TokenCounter?

    func chunks(of text: String, sections: [SourceSection], kind: SourceKind) throws -> [ChunkSpan] {
        var text = text
        var paths = HeadingPaths(sections)
        var spans: [ChunkSpan] = []
        text.withUTF8 { bytes in
            var cutter = WindowCutter(
                measure: ChunkMeasure(bytes, tokens: tokens), style: options.style, size: options.size,
                overlap: options.overlap)
            var marks: [WindowCutter.Mark] = []
            for section in sections {
                for place in [section.range.lowerBound, section.range.upperBound]
                where place > 0 && place < bytes.count && cutter.measure.borders.isBorder(place) {
                    marks.append(WindowCutter.Mark(place: place, level: -section.level))
                }
            }
            cutter.marks = marks.sorted { $0.place < $1.place }
            cutter.cut(0..<bytes.count) { range in
                let first = bytes[range].firstIndex { !SentenceRule.isSpace($0) } ?? range.lowerBound
                spans.append(ChunkSpan(range: range, headings: paths.path(at: first)))
            }
        }
        return spans
    }
}
