/// Chunks that no heading runs through; code fences and tables stay whole where they fit.
///
/// Sections that the document does not bring along are looked for as Markdown's. A heading with next to nothing below
/// it is taken together with what follows, as long as that is not above it in rank.
struct SectionChunker: Chunker {
    let options: ChunkerOptions
    let tokens: TokenCounter?

    func chunks(of text: String, sections: [SourceSection], kind: SourceKind) throws -> [ChunkSpan] {
        var text = text
        var spans: [ChunkSpan] = []
        text.withUTF8 { bytes in
            // A page that was HTML has no fences: its text only looks like Markdown by chance.
            let structure = kind == .html ? nil : MarkdownStructure(bytes)
            let sections =
                sections.isEmpty ? SourceSection.nested(structure?.headings ?? [], end: bytes.count) : sections
            var paths = HeadingPaths(sections)
            var cutter = WindowCutter(
                measure: ChunkMeasure(bytes, tokens: tokens), style: options.style, size: options.size,
                overlap: options.overlap)
            cutter.keep(structure?.blocks ?? [])
            for region in regions(sections, bytes.count, &cutter.measure) {
                cutter.cut(region) { range in
                    spans.append(ChunkSpan(range: range, headings: paths.path(at: range.lowerBound)))
                }
            }
        }
        return spans
    }

    /// From heading to heading, the smallest taken together.
    private func regions(_ sections: [SourceSection], _ count: Int, _ measure: inout ChunkMeasure) -> [Range<Int>] {
        var starts: [(place: Int, level: Int)] = [(0, 0)]
        for section in sections
        where section.range.lowerBound < count && measure.borders.isBorder(section.range.lowerBound) {
            let start = (place: section.range.lowerBound, level: section.level)
            if start.place == starts[starts.count - 1].place {
                starts[starts.count - 1] = start
            } else if start.place > starts[starts.count - 1].place {
                starts.append(start)
            }
        }
        var regions: [Range<Int>] = []
        var begin = 0
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1].place : count
            if index + 1 < starts.count, starts[index + 1].level >= start.level, start.level > 0,
                end - begin <= options.size, measure.size(begin..<end) < max(1, options.size / 8)
            {
                let next = index + 2 < starts.count ? starts[index + 2].place : count
                if measure.size(begin..<next) <= options.size { continue }
            }
            regions.append(begin..<end)
            begin = end
        }
        return regions
    }
}
