import LanguageModels

/// What is known of one trace while its spans go by.
final class OTLPTrace {
    /// The trace's place in the assembly.
    let place: Int
    var spans = KeyTable()
    /// Ordinals of messages by their keys, which digest everything said up to them.
    var messages = KeyTable()
    /// How many events of a signature each span has; counted when a span is first met again.
    var events: [OTLPEventSignature: Int]?
    /// Calls whose own record holds their messages, so that log records would only repeat them.
    var holders: Set<Int> = []
    /// Whether a parent was set that might close a circle.
    var needsCycleCheck = false

    init(place: Int, _ trace: Trace) {
        self.place = place
        for span in trace.spans { spans.set(Self.key(span.externalID), span.ordinal) }
        for message in trace.messages where message.key != 0 { messages.set(message.key, message.ordinal) }
        for message in trace.messages {
            guard let span = message.span, let own = trace.spans[span].records.first else { continue }
            let record = message.record
            if record.source == own.source, record.offset == own.offset { holders.insert(span) }
        }
    }

    /// The digest of a span's id.
    static func key(_ id: String) -> UInt64 { Digest.of(id, seed: 0x7370_616e) }

    /// Counts the events that are there, the first time that it matters.
    func countEvents(_ trace: Trace) {
        guard events == nil else { return }
        var counts: [OTLPEventSignature: Int] = [:]
        for event in trace.events { counts[OTLPEventSignature(event), default: 0] += 1 }
        events = counts
    }
}

/// What two records of the same event have in common.
struct OTLPEventSignature: Hashable {
    var span: Int?
    var time: Int64
    var kind: TraceEvent.Kind
    var name: String

    init(_ event: TraceEvent) {
        span = event.span
        time = event.time
        kind = event.kind
        name = event.name
    }
}
