import Glibc
import Retrieval
import TestFixtures
import Testing

@Suite("Reading PDF files with Poppler")
struct PDFReaderTests {
    /// Returns a PDF of some pages, each with one line, written by hand.
    static func pdf(_ pages: [String]) -> [UInt8] {
        var objects = ["<< /Type /Catalog /Pages 2 0 R >>"]
        let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
        objects.append("<< /Type /Pages /Kids [\(kids)] /Count \(pages.count) >>")
        objects.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
        for (index, line) in pages.enumerated() {
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents \(5 + 2 * index) 0 R "
                    + "/Resources << /Font << /F1 3 0 R >> >> >>")
            let stream = "BT /F1 12 Tf 20 200 Td (\(line)) Tj ET"
            objects.append("<< /Length \(stream.utf8.count) >>\nstream\n\(stream)\nendstream")
        }
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            text += String(repeating: "0", count: 10 - String(offset).count) + "\(offset) 00000 n \n"
        }
        text += "trailer << /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }

    private static let isHere = ["/usr/bin", "/usr/local/bin", "/bin"].contains { access("\($0)/pdftotext", X_OK) == 0 }

    @Test("pages are sections", .enabled(if: isHere, "pdftotext is not here"))
    func pages() throws {
        let (found, report) = try documents("a.pdf", Self.pdf(["The first page", "And another"]))
        let document = try #require(found.first, "\(report.skipped)")
        #expect(document.kind == .pdf && document.offsets == nil)
        #expect(document.sections.map(\.title) == ["page 1", "page 2"])
        #expect(
            document.sections.map { document.part($0.range).split(separator: "\n").first } == [
                "The first page", "And another",
            ])
        #expect(document.metadata["pages"] == .number(2))
    }

    @Test("a damaged PDF, and one without text, are named", .enabled(if: isHere, "pdftotext is not here"))
    func damaged() throws {
        let whole = Self.pdf(["text"])
        #expect(
            try documents("a.pdf", Array("%PDF-1.4\nnonsense".utf8)).report.skipped.first?.reason.contains(
                "the PDF may be damaged") == true)
        #expect(try documents("a.pdf", Self.pdf([""])).report.skipped.first?.reason.contains("no text") == true)
        #expect(try documents("named.txt", whole).documents.first?.kind == .pdf)
    }

    @Test(
        "a missing, hanging, failing, or verbose program is stopped and reported",
        arguments: [
            ("exit 3", "does not allow copying"), ("exit 9", "exited with status 9"),
            ("echo broken >&2; exit 1", "(broken)"),
            ("exec sleep 60", "exceeded the time limit of 1 s"), ("exec yes", "more than 1000000 bytes of text"),
            ("kill -SEGV $$", "killed by signal 11"), (nil, "install the package poppler-utils"),
        ] as [(String?, String)])
    func failures(script: String?, reason: String) throws {
        let folder = TemporaryFolder()
        let program = folder.file("tool")
        if let script {
            File.write("#!/bin/sh\n\(script)\n", to: program)
            chmod(program, 0o755)
        }
        var options = ExtractionOptions()
        options.pdf.program = program
        options.pdf.seconds = 1
        options.pdf.maximumTextBytes = 1_000_000
        let (found, report) = try documents("a.pdf", Self.pdf(["x"]), options: options)
        #expect(found.isEmpty)
        #expect(report.skipped.first?.reason.contains(reason) == true, "\(report.skipped)")
        withExtendedLifetime(folder) {}
    }

    @Test(
        "a file name that looks like an option or a command is treated as a name",
        .enabled(if: isHere, "pdftotext is not here"))
    func names() throws {
        for name in ["-v.pdf", "$(touch x).pdf", "a b'\".pdf"] {
            #expect(try documents(name, Self.pdf(["text"])).documents.count == 1, "\(name)")
        }
    }
}
