/// Something that happened at a moment, within a span or in the trace at large.
public struct TraceEvent: Hashable, Sendable {
    public var ordinal: Int
    public var span: Int?
    /// Nanoseconds since 1970.
    public var time: Int64
    public var kind: Kind
    /// The format's own name: `hook_progress`, `exception`, `compact_boundary`.
    public var name: String
    public var record: RecordReference

    public init(ordinal: Int, span: Int? = nil, time: Int64, kind: Kind, name: String, record: RecordReference) {
        self.ordinal = ordinal
        self.span = span
        self.time = time
        self.kind = kind
        self.name = name
        self.record = record
    }

    /// Raw values are stored: never renumber.
    public enum Kind: UInt8, CaseIterable, Sendable {
        case other = 0
        case progress = 1
        case error = 2
        case compaction = 3
        /// A retry, a hook's verdict, a mode change: what the program around the model did.
        case housekeeping = 4
        case evaluation = 5
    }
}
