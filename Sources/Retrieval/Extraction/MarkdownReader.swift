/// Markdown: the text as it is, its headings as sections, its front matter as metadata.
enum MarkdownReader: SourceReader {
    static let kind = SourceKind.markdown
    static let summary = "Markdown: headings become sections, front matter becomes metadata"
    static let suffixes = [".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd"]

    static func recognizes(_ head: SourceHead) -> Bool { false }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        try DecodedFile.read(file, options, into: sink) { decoded, document in
            document.text = decoded.text
            document.offsets = decoded.offsets
            let front = document.text.withUTF8 { FrontMatter($0) }
            if let front {
                document.metadata = front.values
                document.text = String(document.text.utf8.dropFirst(front.length)) ?? document.text
                let count = document.text.utf8.count
                document.offsets = OffsetMap(base: front.length).leading(into: decoded.offsets, count: count)
            }
            let structure = document.text.withUTF8 { MarkdownStructure($0) }
            document.sections = SourceSection.nested(structure.headings, end: document.text.utf8.count)
            if case .text(let title)? = document.metadata["title"] {
                document.title = title
                document.metadata["title"] = nil
            } else if let heading = structure.headings.first(where: { $0.level == 1 }), !heading.title.isEmpty {
                document.title = heading.title
            }
        }
    }
}
