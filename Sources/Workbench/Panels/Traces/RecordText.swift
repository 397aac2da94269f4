internal import Console
internal import Formatting
internal import JSON
internal import Traces

/// The records of a span, raw or pretty-printed.
struct RecordText {
    private(set) var sections: [TextSection] = []
    private(set) var text = ""

    /// Maximum number of bytes shown of one record; the export has all of it.
    static let mostBytes = 8 << 20

    init(of span: Span, in replay: Replay, store: TraceStore, pretty: Bool) throws {
        for record in span.records {
            let heading = StyledLine(
                "record at byte \(Format.count(record.offset)), \(Format.bytes(record.length))", .dim)
            sections.append(TextSection(heading))
            let bytes = try store.raw(record)
            let shown = bytes.count > Self.mostBytes ? Array(bytes.prefix(Self.mostBytes)) : bytes
            let record = pretty ? Self.laidOut(shown) : String(decoding: shown, as: UTF8.self)
            sections.append(TextSection(record, language: .json))
            text += record + "\n"
            if shown.count < bytes.count {
                sections.append(
                    TextSection(
                        StyledLine("truncated: \(Format.bytes(bytes.count - shown.count)) more in the export", .warning)
                    ))
            }
        }
        if span.records.isEmpty {
            sections = [TextSection(StyledLine("this span has no separate record", .dim, .italic))]
        }
    }

    private static func laidOut(_ bytes: [UInt8]) -> String {
        guard let document = try? JSONDocument(parsing: bytes) else { return String(decoding: bytes, as: UTF8.self) }
        var json = JSONWriter(style: .pretty)
        document.withRoot { json.copy($0) }
        return json.text
    }
}
