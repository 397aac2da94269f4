/// Parents to read, and in each the small children by which it is found.
struct ParentChildChunker: Chunker {
    let options: ChunkerOptions
    let tokens: TokenCounter?

    func chunks(of text: String, sections: [SourceSection], kind: SourceKind) throws -> [ChunkSpan] {
        var text = text
        var paths = HeadingPaths(sections)
        var spans: [ChunkSpan] = []
        text.withUTF8 { bytes in
            let measure = ChunkMeasure(bytes, tokens: tokens)
            var children = WindowCutter(
                measure: measure, style: options.style, size: options.size, overlap: options.overlap)
            var parents = WindowCutter(measure: measure, style: options.style, size: options.parentSize, overlap: 0)
            parents.cut(0..<bytes.count) { range in
                let parent = spans.count
                spans.append(ChunkSpan(range: range, isParent: true, headings: paths.path(at: range.lowerBound)))
                children.cut(range) { child in
                    spans.append(ChunkSpan(range: child, parent: parent, headings: paths.path(at: child.lowerBound)))
                }
            }
        }
        return spans
    }
}
