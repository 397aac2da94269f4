internal import SearchIndexes

/// The indexed and embedded texts of a chunk: its text, and its document's title if the text does not contain it.
///
/// The title of a record (JSON lines, tables, BEIR) is a field of its own and always stands before the text. That of a
/// page or a manual was taken from its text, so that the chunk which begins with it needs no other.
struct ChunkTexts {
    var title: String
    var heading: String
    var text: String
    var kind: SourceKind

    private static let records: Set<SourceKind> = [.jsonLines, .table, .beir, .msMarco]

    /// Stands before the text where it is embedded, and in the lexical index where that has no field for titles.
    var prefix: String {
        guard !title.isEmpty else { return "" }
        if Self.records.contains(kind) { return title + " " }
        let start = text.utf8.drop { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        return start.starts(with: title.utf8) ? "" : title + "\n"
    }

    /// The text that becomes a vector.
    var embedded: String {
        let whole = prefix + text
        // Where nothing was written a title may be all there is.
        return whole.last == " " ? String(whole.dropLast()) : whole
    }

    /// Returns the texts of lexical fields, in their order.
    func lexical(_ fields: [CorpusSettings.Field]) -> [String] {
        let hasTitle = fields.contains { $0.name == "title" }
        return fields.map { field in
            switch field.name {
            case "title": title
            case "heading": heading
            default: hasTitle ? text : prefix + text
            }
        }
    }

    /// Returns the number of bytes before the chunk's own text in a lexical field; `nil` if the field does not contain
    /// it.
    func lead(_ field: String, of fields: [CorpusSettings.Field]) -> Int? {
        guard field == "text" else { return nil }
        return fields.contains { $0.name == "title" } ? 0 : prefix.utf8.count
    }

    /// Tells whether indexes would have to be changed for it.
    var digest: ContentDigest { ContentDigest(title, heading, text, kind.rawValue) }
}

extension String {
    /// Bytes of its UTF-8, the ends moved outward to whole characters of Unicode's scalars.
    func bytes(_ range: Range<Int>) -> String {
        let utf8 = self.utf8
        let range = range.clamped(to: 0..<utf8.count)
        let first = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        let beyond = utf8.index(first, offsetBy: range.count)
        return String(decoding: utf8[first..<beyond], as: UTF8.self)
    }
}
