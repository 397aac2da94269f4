/// Chunks of a text that is taken to have no structure: fixed, recursive and by sentences.
struct WindowChunker: Chunker {
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
            cutter.cut(0..<bytes.count) { range in
                spans.append(ChunkSpan(range: range, headings: paths.path(at: range.lowerBound)))
            }
        }
        return spans
    }
}

extension ChunkerOptions {
    /// Borders at which chunks of this kind may end.
    var style: WindowCutter.Style {
        var style = WindowCutter.Style()
        style.trims = trims
        switch kind {
        case .fixed: style.levels = []
        case .sentence, .semantic: (style.levels, style.insistsOnFirst) = ([.sentence, .word], true)
        case .code: (style.levels, style.keepsIndentation) = ([.paragraph, .line, .word], true)
        case .markdown: style.keepsIndentation = true
        case .automatic, .recursive, .parentChild: break
        }
        return style
    }
}

/// Chooses by the document's kind.
struct AutomaticChunker: Chunker {
    let options: ChunkerOptions
    let tokens: TokenCounter?

    func chunks(of text: String, sections: [SourceSection], kind: SourceKind) throws -> [ChunkSpan] {
        var options = options
        switch kind {
        case .markdown, .html:
            options.kind = .markdown
            return try SectionChunker(options: options, tokens: tokens).chunks(of: text, sections: sections, kind: kind)
        case .code:
            options.kind = .code
            options.overlap = 0
            return try CodeChunker(options: options, tokens: tokens).chunks(of: text, sections: sections, kind: kind)
        default:
            options.kind = .recursive
            return try WindowChunker(options: options, tokens: tokens).chunks(of: text, sections: sections, kind: kind)
        }
    }
}
