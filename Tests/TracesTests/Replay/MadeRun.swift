import LanguageModels
import Traces

/// A run made by hand, span by span and message by message; each span starts a second after the previous one.
struct MadeRun {
    var trace = Trace(summary: TraceSummary(externalID: "made", format: "claude-code"))
    private var clock: Int64 = 1_772_323_200_000_000_000

    var replay: Replay { Replay(trace) }

    mutating func span(
        _ kind: SpanKind, _ name: String = "", in parent: Int? = nil, status: SpanStatus = .ok, at time: Int64? = nil
    ) -> Int {
        clock += 1_000_000_000
        let ordinal = trace.spans.count
        trace.spans.append(
            Span(
                ordinal: ordinal, parent: parent, kind: kind, status: status, name: name, start: time ?? clock,
                end: (time ?? clock) + 500_000_000, externalID: "span-\(ordinal)"))
        return ordinal
    }

    mutating func agent(_ name: String = "agent", in parent: Int? = nil) -> Int { span(.agent, name, in: parent) }

    mutating func tool(
        _ name: String = "Bash", in parent: Int? = nil, status: SpanStatus = .ok, at time: Int64? = nil
    ) -> Int {
        span(.tool, name, in: parent, status: status, at: time)
    }

    /// A model call; `input` is the billed number of tokens, `nil` if no usage was recorded.
    mutating func call(
        in parent: Int? = nil, reading head: Int? = nil, input: Int? = nil, model: String? = "opus",
        at time: Int64? = nil
    ) -> Int {
        let call = span(.model, model ?? "model", in: parent, at: time)
        trace.spans[call].model = model
        trace.spans[call].inputHead = head
        trace.spans[call].usage = input.map { Usage(input: $0, output: 10) }
        return call
    }

    /// A message behind another one.
    mutating func say(
        _ role: Role, _ text: Int = 0, after previous: Int? = nil, by span: Int? = nil, reasoning: Int = 0,
        calls: Int = 0, results: Int = 0, definitions: Int = 0, attachments: Int = 0,
        marks: MessageEntry.Marks = []
    ) -> Int {
        let ordinal = trace.messages.count
        var entry = MessageEntry(
            ordinal: ordinal, previous: previous, span: span, role: role, time: clock, marks: marks,
            record: RecordReference(source: 1, offset: ordinal * 100, length: 100))
        entry.extent.text = text
        entry.extent.reasoning = reasoning
        entry.extent.toolCalls = calls
        entry.extent.toolResults = results
        entry.extent.toolDefinitions = definitions
        entry.extent.attachments = attachments
        trace.messages.append(entry)
        return ordinal
    }

    mutating func event(_ kind: TraceEvent.Kind, in span: Int? = nil, at time: Int64? = nil) {
        clock += 1_000_000_000
        trace.events.append(
            TraceEvent(
                ordinal: trace.events.count, span: span, time: time ?? clock, kind: kind, name: "event",
                record: RecordReference(source: 1, offset: 0, length: 1)))
    }
}

extension Replay {
    /// The step that a span is.
    func at(_ span: Int) -> Int { step(of: span) ?? -1 }

    /// The span of the model call that a span's step belongs to.
    func asker(of span: Int) -> Int? { modelCall(at: at(span)).map { steps[$0] } }

    /// Ordinals of what is new at a span's step.
    func new(at span: Int) -> [Int] {
        let context = context(at: at(span))
        return context.messages[context.known...].map(\.ordinal)
    }

    /// Ordinals of everything that the model saw at a span's step.
    func seen(at span: Int) -> [Int] { context(at: at(span)).messages.map(\.ordinal) }

    /// A breakdown as numbers in the order of the parts.
    func parts(at span: Int) -> [Int] {
        guard let breakdown = breakdown(at: at(span)) else { return [] }
        return ContextBreakdown.Part.allCases.map { breakdown[$0] }
    }
}
