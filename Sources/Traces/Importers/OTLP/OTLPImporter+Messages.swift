import JSON
import LanguageModels

extension OTLPImporter {
    private enum Seed {
        static let definitions: UInt64 = 0x6465_6673
        static let instructions: UInt64 = 0x696e_7374
        static let message: UInt64 = 0x6d73_6773
    }

    /// Chains the messages of a call: definitions, instructions, inputs, answers.
    func chain(
        _ messages: OTLPMessages, of call: Int, _ span: Span, _ record: RecordReference, in trace: OTLPTrace,
        _ assembly: inout TraceAssembly
    ) {
        var chain = MessageChain(call: call, trace: trace, record: record, time: span.start)
        if let definitions = messages.definitions {
            chain.read(definitions, OTLPMessages.definitionsIndex, Seed.definitions, &assembly)
        }
        if let instructions = messages.instructions {
            chain.read(instructions, OTLPMessages.instructionsIndex, Seed.instructions, &assembly)
        }
        for (index, message) in messages.inputs.enumerated() { chain.read(message, index, Seed.message, &assembly) }
        let head = chain.last
        assembly.update(span: call, of: trace.place) { $0.inputHead = head }
        chain.time = span.end ?? span.start
        for (index, message) in messages.outputs.enumerated() {
            chain.answer(message, messages.inputs.count + index, Seed.message, &assembly)
        }
    }

    /// Adds a message that a log record holds to its call, behind those that came before.
    ///
    /// A source that is read again starts over: its first message is found at its previous place.
    mutating func chain(
        event messages: OTLPMessages, of call: Int, at time: Int64, _ record: RecordReference, in trace: OTLPTrace,
        _ assembly: inout TraceAssembly
    ) {
        var chain = MessageChain(call: call, trace: trace, record: record, time: time)
        let place = LogChain.Place(trace: trace.place, call: call)
        if let known = logChains[place] {
            (chain.last, chain.key) = (known.last, known.key)
        } else if let head = assembly.traces[trace.place].spans[call].inputHead,
            !messages.inputs.contains(where: { chain.knows($0, Seed.message) })
        {
            (chain.last, chain.key) = (head, assembly.traces[trace.place].messages[head].key)
        }
        for message in messages.inputs { chain.read(message, 0, Seed.message, &assembly) }
        logChains[place] = LogChain(last: chain.last, key: chain.key)
        let last = chain.last
        assembly.update(span: call, of: trace.place) { $0.inputHead = last }
        for message in messages.outputs { chain.answer(message, 0, Seed.message, &assembly) }
    }

    /// Every message that a call recorded, though calls share them: what each of them read and answered.
    public static func messageCount(of trace: Trace) -> Int {
        var depths = [Int](repeating: 0, count: trace.messages.count)
        var total = 0
        for message in trace.messages {
            let before = message.previous.map { depths[$0] } ?? 0
            depths[message.ordinal] = before + (message.index >= 0 ? 1 : 0)
            if message.index >= 0, isAnswer(message, in: trace) { total += 1 }
        }
        for span in trace.spans where span.kind == .model {
            if let head = span.inputHead { total += depths[head] }
        }
        return total
    }

    /// Whether a message is the answer of its span, rather than something that it read.
    static func isAnswer(_ message: MessageEntry, in trace: Trace) -> Bool {
        guard let span = message.span, trace.spans[span].kind == .model else { return false }
        return message.previous == trace.spans[span].inputHead && message.ordinal != trace.spans[span].inputHead
    }
}

/// How far the log records of a source have told the conversation of a call.
struct LogChain {
    struct Place: Hashable {
        var trace: Int
        var call: Int
    }

    var last: Int?
    var key: UInt64
}

/// The conversation of one call, walked from its beginning: entries that are there are found, others are added.
private struct MessageChain {
    let call: Int
    let trace: OTLPTrace
    let record: RecordReference
    var time: Int64
    /// The last entry, and the digest of everything up to it.
    var last: Int?
    var key: UInt64 = 0

    init(call: Int, trace: OTLPTrace, record: RecordReference, time: Int64) {
        self.call = call
        self.trace = trace
        self.record = record
        self.time = time
    }

    private func digest(_ message: RecordedMessage, _ seed: UInt64) -> UInt64 {
        var digest = Digest(seed: seed)
        digest.add(key)
        message.add(to: &digest)
        return digest.value == 0 ? 1 : digest.value
    }

    private func entry(_ message: RecordedMessage, _ index: Int, _ key: UInt64) -> MessageEntry {
        MessageEntry(
            ordinal: 0, previous: last, span: call, role: message.role, time: time, extent: message.extent,
            record: record, index: index, key: key)
    }

    /// Whether this message was found at this place before.
    func knows(_ message: RecordedMessage, _ seed: UInt64) -> Bool { trace.messages[digest(message, seed)] != nil }

    /// Steps over a message that the call read.
    mutating func read(_ message: RecordedMessage, _ index: Int, _ seed: UInt64, _ assembly: inout TraceAssembly) {
        key = digest(message, seed)
        if let known = trace.messages[key] {
            last = known
            return
        }
        let ordinal = assembly.append(entry(message, index, key), to: trace.place)
        trace.messages.set(key, ordinal)
        last = ordinal
    }

    /// Adds a generation after the input, next to other generations of the call.
    ///
    /// An entry that a later call read before this one came becomes this call's answer. Where another call gave the
    /// same answer to the same input, each has its own entry.
    mutating func answer(_ message: RecordedMessage, _ index: Int, _ seed: UInt64, _ assembly: inout TraceAssembly) {
        var own = digest(message, seed)
        for _ in 0..<2 {
            guard let known = trace.messages[own] else { break }
            let entry = assembly.traces[trace.place].messages[known]
            if entry.span == call, entry.previous == last { return }
            let answersAnother = entry.span.map { other in
                other != call && assembly.traces[trace.place].spans[other].kind == .model
                    && assembly.traces[trace.place].spans[other].inputHead == entry.previous
            }
            if answersAnother != true {
                let call = call
                assembly.update(message: known, of: trace.place) { $0.span = call }
                return
            }
            var digest = Digest(seed: own)
            digest.add(UInt64(call))
            own = digest.value == 0 ? 1 : digest.value
        }
        let ordinal = assembly.append(entry(message, index, own), to: trace.place)
        trace.messages.set(own, ordinal)
    }
}
