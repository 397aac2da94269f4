import Retrieval
import TestFixtures

/// Reads one text as a file of that name.
func documents(
    _ name: String, _ bytes: [UInt8], options: ExtractionOptions = ExtractionOptions()
) throws -> (documents: [SourceDocument], report: ExtractionReport) {
    let folder = TemporaryFolder()
    File.write(bytes, to: folder.file(name))
    var found: [SourceDocument] = []
    let report = try Extraction.documents(of: folder.file(name), options: options) { document in
        found.append(document)
        return true
    }
    withExtendedLifetime(folder) {}
    return (found, report)
}

func documents(_ name: String, _ text: String) throws -> (documents: [SourceDocument], report: ExtractionReport) {
    try documents(name, Array(text.utf8))
}

extension SourceDocument {
    /// Returns the text of a range.
    func part(_ range: Range<Int>) -> String { String(decoding: Array(text.utf8)[range], as: UTF8.self) }

    /// Returns the source's bytes of a text's first occurrence, as text.
    func source(of words: String, in bytes: [UInt8]) -> String? {
        let text = Array(self.text.utf8)
        let wanted = Array(words.utf8)
        guard let start = (0...max(0, text.count - wanted.count)).first(where: { text[$0...].starts(with: wanted) }),
            let range = sourceRange(of: start..<start + wanted.count)
        else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }
}
