import System

/// A PDF's text, as poppler's `pdftotext` finds it; its pages are sections.
///
/// The program runs as a child with limits for time, memory, and output, because PDFs are untrusted input.
enum PDFReader: SourceReader {
    static let kind = SourceKind.pdf
    static let summary = "PDF: text from Poppler's pdftotext; pages become sections"
    static let suffixes = [".pdf"]

    static func recognizes(_ head: SourceHead) -> Bool { head.bytes.starts(with: "%PDF-".utf8) }

    static func read(_ file: SourceFile, _ options: ExtractionOptions, into sink: DocumentSink) throws {
        guard file.size <= options.maximumFileBytes else {
            sink.skip(DecodedFile.tooLarge(file.size, options.maximumFileBytes))
            return
        }
        let pdf = options.pdf
        // A name that begins with a dash would be an option.
        let path = file.path.hasPrefix("/") ? file.path : "./" + file.path
        let words = [pdf.program, "-q", "-enc", "UTF-8"] + (pdf.keepsLayout ? ["-layout"] : []) + [path, "-"]
        let limits = ChildProcess.Limits(
            seconds: pdf.seconds, output: pdf.maximumTextBytes, errors: 4_096, endsAtOutputLimit: true,
            memory: pdf.maximumMemoryBytes)
        let result: ChildProcess.Output
        do {
            result = try ChildProcess.run(Launch(words), limits: limits)
        } catch {
            sink.skip("\(pdf.program) cannot be started: \(error.reason)")
            return
        }
        if let reason = reason(result, pdf) {
            sink.skip(reason)
            return
        }
        sink.count(bytes: file.size)
        var document = SourceDocument(
            id: file.name, title: file.stem, text: "", offsets: nil, kind: kind,
            origin: SourceOrigin(path: file.path, bytes: 0..<file.size, line: 1))
        (document.text, document.sections) = pages(result.output)
        guard document.text.utf8.contains(where: { $0 > 0x20 }) else {
            sink.skip("no text: a scanned PDF needs character recognition (OCR) first")
            return
        }
        document.metadata["pages"] = .number(Double(document.sections.count))
        try sink.take(document)
    }

    private static func reason(_ result: ChildProcess.Output, _ pdf: PDFOptions) -> String? {
        let said = result.lastError.isEmpty ? "" : " (\(result.lastError.prefix(200)))"
        switch result.stop {
        case .timeLimit: return "\(pdf.program) exceeded the time limit of \(Int(pdf.seconds)) s"
        case .outputLimit: return "more than \(pdf.maximumTextBytes) bytes of text: raise the limit"
        case .cancellation, nil: break
        }
        switch result.ending {
        case .exited(0): return nil
        // The shell's exit status for a program that does not exist.
        case .exited(127):
            return "reading PDFs needs \(pdf.program): install the package poppler-utils"
        case .killed(let signal): return "\(pdf.program) was killed by signal \(signal): the PDF may be damaged\(said)"
        case .exited(3): return "the owner of the PDF does not allow copying"
        case .exited(let status):
            return "\(pdf.program) exited with status \(status): the PDF may be damaged or locked\(said)"
        }
    }

    /// Returns the text without form feeds, one section a page.
    static func pages(_ output: [UInt8]) -> (String, [SourceSection]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(output.count)
        var sections: [SourceSection] = []
        var pages = output.split(separator: 0x0C, omittingEmptySubsequences: false)
        if pages.last?.isEmpty == true { pages.removeLast() }
        for (number, page) in pages.enumerated() {
            let start = bytes.count
            bytes += page
            if bytes.last != 0x0A, number + 1 < pages.count { bytes.append(0x0A) }
            sections.append(
                SourceSection(title: "page \(number + 1)", kind: .page, level: 1, range: start..<bytes.count))
        }
        // Damaged bytes become longer: then there is one section only.
        let text = String(decoding: bytes, as: UTF8.self)
        if text.utf8.count != bytes.count { sections = [] }
        return (text, sections)
    }
}
