internal import Formatting

/// A metadata value as the table keeps it: one row, or one for each text of a list.
struct MetadataRow {
    enum ValueType: Int {
        case text = 0
        case number = 1
        case bool = 2
        case date = 3
        case listed = 4
    }

    var type: ValueType
    var number: Double?
    var text: String?

    static func rows(of value: MetadataValue) -> [MetadataRow] {
        switch value {
        case .text(let text): [MetadataRow(type: .text, text: text)]
        case .number(let number): [MetadataRow(type: .number, number: number.isFinite ? number : nil)]
        case .bool(let flag): [MetadataRow(type: .bool, number: flag ? 1 : 0)]
        case .date(let nanoseconds): [MetadataRow(type: .date, number: seconds(nanoseconds))]
        case .texts(let texts): texts.map { MetadataRow(type: .listed, text: $0) }
        }
    }

    /// Returns the value of the rows of one key, in order; `nil` if there are no rows.
    static func value(of rows: [MetadataRow]) -> MetadataValue? {
        guard let first = rows.first else { return nil }
        switch first.type {
        case .text: return .text(first.text ?? "")
        case .number: return .number(first.number ?? .nan)
        case .bool: return .bool(first.number == 1)
        case .date:
            let nanoseconds = ((first.number ?? 0) * 1e9).rounded()
            return .date(Int64(exactly: nanoseconds) ?? 0)
        case .listed: return .texts(rows.map { $0.text ?? "" })
        }
    }

    /// Converts nanoseconds to seconds, with a precision of at least a microsecond for all realistic dates.
    static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }
}

extension MetadataValue {
    /// As people read it in lists.
    public var shown: String {
        switch self {
        case .text(let text): text
        case .number(let number): Format.plain(number)
        case .bool(let flag): flag ? "true" : "false"
        case .date(let nanoseconds): Self.text(nanoseconds)
        case .texts(let texts): texts.joined(separator: ", ")
        }
    }

    /// Returns a moment in nanoseconds since 1970 as `2026-03-01`, or with the time of day if that is not midnight.
    private static func text(_ nanoseconds: Int64) -> String {
        let time = Format.timestamp(Int((Double(nanoseconds) / 1e9).rounded(.down)), zone: .utc)
        let (date, clock) = (time.prefix(10), time.suffix(8))
        return clock == "00:00:00" ? String(date) : "\(date)T\(clock)Z"
    }
}
