import GRDB
import LanguageModels
import Workspace

/// Neighboring messages or spans of a run whose texts are indexed or searched together.
struct TextPiece {
    enum Holding: Int64 {
        case messages = 0
        case spans = 1
    }

    var trace: Int64
    /// When the run began: results are in that order.
    var start: Int64
    var holding: Holding
    /// Ordinals from here...
    var first: Int
    /// ...to before here.
    var end: Int
}

/// The texts of one message, or of a span that has no message.
struct TextItem {
    var message: Int?
    var span: Int?
    var texts: [String]
    /// Bytes of the records they were read from.
    var recordBytes: Int
}

/// Reads the texts that can be searched, piece by piece.
///
/// These are the texts of all messages, and the input and output of spans that no message belongs to: a tool call or a
/// retrieval that OpenTelemetry recorded has its arguments and results on the span alone.
final class TextWalker {
    private let database: Database
    private var rows: TraceRowReader
    private let records: RecordReader
    private let spansWithMessages: Workspace.Statement
    private var spoken: (trace: Int64, spans: Set<Int>)?

    init(_ database: Database, cache: BlockCache) throws {
        self.database = database
        rows = try TraceRowReader(database)
        records = try RecordReader(database, cache: cache)
        spansWithMessages = try Workspace.Statement(
            database, "SELECT DISTINCT span FROM message WHERE trace = ? AND span IS NOT NULL")
    }

    /// Calls `body` with each ordinal of a piece and what stands there, in order, until it says no.
    func walk(_ piece: TextPiece, _ body: (_ ordinal: Int, _ item: TextItem?) throws -> Bool) throws {
        switch piece.holding {
        case .messages:
            for entry in try rows.messages(of: piece.trace, from: piece.first, below: piece.end) {
                let texts = try records.message(entry)?.searchableTexts ?? []
                let item = TextItem(
                    message: entry.ordinal, span: entry.span, texts: texts, recordBytes: entry.record.length)
                guard try body(entry.ordinal, item) else { return }
            }
        case .spans:
            let spoken = try spansWithMessages(of: piece.trace)
            if piece.first == 0, spoken.count >= piece.end { return }
            for span in try rows.spans(of: piece.trace, from: piece.first, below: piece.end) {
                guard try body(span.ordinal, spoken.contains(span.ordinal) ? nil : item(span)) else { return }
            }
        }
    }

    private func item(_ span: Span) throws -> TextItem? {
        if span.records.isEmpty { return nil }
        let details = try records.details(of: span)
        let texts = [details.input, details.output].compactMap { $0 }
        if texts.isEmpty { return nil }
        let bytes = span.records.reduce(0) { $0 + $1.length }
        return TextItem(message: nil, span: span.ordinal, texts: texts, recordBytes: bytes)
    }

    private func spansWithMessages(of trace: Int64) throws -> Set<Int> {
        if let spoken, spoken.trace == trace { return spoken.spans }
        var spans: Set<Int> = []
        spansWithMessages.bind(1, trace)
        try spansWithMessages.forEach { spans.insert($0.int(0)) }
        spoken = (trace, spans)
        return spans
    }
}
