internal import Glibc

/// Text without a structure that we know: one document, as it is.
enum PlainTextReader: SourceReader {
    static let kind = SourceKind.text
    static let summary = "plain text in UTF-8, UTF-16, or Latin-1"
    static let suffixes = [".txt", ".text", ".log", ".rst", ".adoc", ".org", ".tex"]

    static func recognizes(_ head: SourceHead) -> Bool { false }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        try DecodedFile.read(file, options, into: sink) { decoded, document in
            document.text = decoded.text
            document.offsets = decoded.offsets
        }
    }
}

/// Reads a file that is a single document.
enum DecodedFile {
    /// Reads and decodes it, lets `fill` make a document of it and hands that on; says why where it cannot.
    static func read(
        _ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink,
        fill: (DecodedText, inout SourceDocument) throws -> Void
    ) throws {
        let most = min(options.maximumFileBytes, 1 << 31)
        let open = try OpenFile(file.path)
        var size = 0
        let decoded: DecodedText? = try open.withBytes(most: most) { bytes in
            guard let bytes else {
                sink.skip(Self.tooLarge(Int(open.status.st_size), most))
                return nil
            }
            size = bytes.count
            guard let decoded = TextDecoding.decode(bytes) else {
                sink.skip("binary file")
                return nil
            }
            return decoded
        }
        guard let decoded else { return }
        sink.count(bytes: size)
        if let note = decoded.note { sink.note(note + ".") }
        var document = SourceDocument(
            id: file.name, title: file.stem, text: "", kind: file.kind,
            origin: SourceOrigin(path: file.path, bytes: 0..<size, line: 1))
        try fill(decoded, &document)
        try sink.take(document)
    }

    static func tooLarge(_ size: Int, _ most: Int) -> String {
        "\(size) bytes exceed the limit of \(most): split the file, or raise the limit"
    }
}
