public import LanguageModels

/// One piece of work in a trace, as far as lists, trees and totals need it; texts are read from the raw record.
public struct Span: Hashable, Sendable {
    /// The span's number within its trace, in order of appearance: its identity for parents, marks and references.
    public var ordinal: Int
    public var parent: Int?
    public var kind: SpanKind
    public var status: SpanStatus
    /// The tool's, agent's or operation's name.
    public var name: String
    /// Short description, such as a tool's main argument or the start of a generation; `nil` if there is none.
    public var caption: String?
    /// Nanoseconds since 1970, UTC.
    public var start: Int64
    /// Nanoseconds since 1970; `nil` if the end was not recorded.
    public var end: Int64?
    public var model: String?
    /// Usage; `nil` if not recorded, which differs from zero.
    public var usage: Usage?
    /// US dollars, recorded or computed from the price table; `nil` if neither is known.
    public var cost: Double?
    /// What went wrong, in one line.
    public var error: String?
    /// The format's own identifier: `message.id`, tool-call id, span id.
    public var externalID: String
    /// The last message that the model saw; follow `MessageEntry.previous` for the rest.
    public var inputHead: Int?
    /// The raw records that this span was read from, in order.
    public var records: [RecordReference]
    /// External ID of a parent that has not been imported yet; otherwise `nil`. With it, a parent in a later file finds
    /// its children.
    public var missingParent: String?

    public init(
        ordinal: Int, parent: Int? = nil, kind: SpanKind, status: SpanStatus = .unset, name: String,
        caption: String? = nil, start: Int64,
        end: Int64? = nil, model: String? = nil, usage: Usage? = nil, cost: Double? = nil, error: String? = nil,
        externalID: String, inputHead: Int? = nil, records: [RecordReference] = [], missingParent: String? = nil
    ) {
        self.ordinal = ordinal
        self.parent = parent
        self.kind = kind
        self.status = status
        self.name = name
        self.caption = caption
        self.start = start
        self.end = end
        self.model = model
        self.usage = usage
        self.cost = cost
        self.error = error
        self.externalID = externalID
        self.inputHead = inputHead
        self.records = records
        self.missingParent = missingParent
    }

    /// Nanoseconds from start to end; `nil` if the end was not recorded.
    public var duration: Int64? { end.map { max(0, $0 - start) } }
}
