/// Source code: the text as it is, its types and functions as sections.
enum CodeReader: SourceReader {
    static let kind = SourceKind.code
    static let summary =
        "source code: types and functions become sections (Swift, Python, C, C++, JS, TS, Go, Rust, ...)"
    static let suffixes = CodeLanguage.all.flatMap(\.suffixes)

    static func recognizes(_ head: SourceHead) -> Bool {
        head.suffix.isEmpty || head.suffix == ".txt"
            ? CodeLanguage.of(suffix: "", name: String(head.name)) != nil : false
    }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        try DecodedFile.read(file, options, into: sink) { decoded, document in
            document.text = decoded.text
            document.offsets = decoded.offsets
            document.title = String(file.lastComponent)
            guard let language = CodeLanguage.of(suffix: file.suffix, name: String(file.lastComponent)) else { return }
            document.metadata["language"] = .text(language.name)
            document.sections = document.text.withUTF8 { CodeStructure.sections($0, language) }
        }
    }
}

/// Finds types and functions without a grammar.
enum CodeStructure {
    /// - Returns: What stands at the top or in types; a function inside a function is part of it. O(n).
    static func sections(_ bytes: UnsafeBufferPointer<UInt8>, _ language: CodeLanguage) -> [SourceSection] {
        switch language.layout {
        case .none: return []
        case .braces:
            var scan = BraceScan(bytes, language)
            return scan.run()
        case .indentation(let end):
            var scan = IndentationScan(bytes, language, end: end)
            return scan.run()
        }
    }
}
