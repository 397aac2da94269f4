internal import LanguageModels

/// A trace as a walk: its model calls and tool calls in the order in which they began, sub-agents' included.
///
/// ```swift
/// let replay = Replay(trace)
/// let step = replay.next(.error, after: 0)
/// let seen = replay.context(at: step)
/// ```
public struct Replay: Sendable {
    public let trace: Trace
    /// Ordinals of the spans that are steps, by start; ties by ordinal.
    public let steps: [Int]
    /// The step of a span; nil for spans that are none.
    private let stepOfSpan: [Int32]
    /// By step: the model call before it in the same agent's conversation; -1 where it is the first.
    private let earlierCall: [Int32]
    /// Messages by the span that produced them: `messagesBySpan[firstMessage[span]..<firstMessage[span + 1]]`.
    private let messagesBySpan: [Int32]
    private let firstMessage: [Int32]
    /// Steps at which a conversation had just been compacted.
    private let compactions: [Int]
    /// How many bytes of text one token stands for in this trace.
    public let density: TokenDensity

    /// Arranges a trace. O(spans log spans + messages).
    public init(_ trace: Trace) {
        self.trace = trace
        let spans = trace.spans
        steps = spans.indices.filter { spans[$0].kind == .model || spans[$0].kind == .tool }
            .sorted { (spans[$0].start, $0) < (spans[$1].start, $1) }
        var stepOfSpan = [Int32](repeating: -1, count: spans.count)
        var earlierCall = [Int32](repeating: -1, count: steps.count)
        var lastCall: [Int: Int32] = [:]
        for (step, span) in steps.enumerated() {
            stepOfSpan[span] = Int32(step)
            let conversation = spans[span].parent ?? -1
            earlierCall[step] = lastCall[conversation] ?? -1
            if spans[span].kind == .model { lastCall[conversation] = Int32(step) }
        }
        self.stepOfSpan = stepOfSpan
        self.earlierCall = earlierCall
        (firstMessage, messagesBySpan) = Self.group(trace.messages, spans: spans.count)
        compactions = Self.compactions(of: trace, steps: steps)
        density = TokenDensity(fitting: trace, steps: steps, earlierCall: earlierCall)
    }

    public subscript(step: Int) -> Span { trace.spans[steps[step]] }
    public var count: Int { steps.count }

    /// The step that is a span, or the first one inside it or after its start.
    public func step(of span: Int) -> Int? {
        guard stepOfSpan.indices.contains(span) else { return nil }
        if stepOfSpan[span] >= 0 { return Int(stepOfSpan[span]) }
        let start = trace.spans[span].start
        return steps.firstIndex { trace.spans[$0].start >= start }
    }

    /// The model call whose context a step belongs to: itself, or for a tool call the one before it.
    public func modelCall(at step: Int) -> Int? {
        if self[step].kind == .model { return step }
        if let parent = self[step].parent, trace.spans[parent].kind == .model { return Int(stepOfSpan[parent]) }
        return earlierCall[step] < 0 ? nil : Int(earlierCall[step])
    }

    /// The messages that a span produced, or, for a call with recorded inputs only, read.
    public func messages(of span: Int) -> [MessageEntry] {
        guard span >= 0, span + 1 < firstMessage.count else { return [] }
        return messagesBySpan[Int(firstMessage[span])..<Int(firstMessage[span + 1])].map { trace.messages[Int($0)] }
    }

    /// What a step came from: the model call before it in the same conversation.
    func earlierCall(of step: Int) -> Int? { earlierCall[step] < 0 ? nil : Int(earlierCall[step]) }

    /// What to look for from one step to the next.
    public enum Landmark: CaseIterable, Sendable {
        case any, error, tool, model, compaction
    }

    /// The nearest step after one that is of a sort; nil where there is none.
    public func next(_ landmark: Landmark, after step: Int) -> Int? {
        if landmark == .compaction { return compactions.first { $0 > step } }
        return (max(-1, step) + 1..<max(step + 1, count)).first { matches($0, landmark) }
    }

    /// The nearest step before one that is of a sort; nil where there is none.
    public func previous(_ landmark: Landmark, before step: Int) -> Int? {
        if landmark == .compaction { return compactions.last { $0 < step } }
        return (0..<max(0, min(step, count))).last { matches($0, landmark) }
    }

    private func matches(_ step: Int, _ landmark: Landmark) -> Bool {
        switch landmark {
        case .any: true
        case .error: self[step].status == .error
        case .tool: self[step].kind == .tool
        case .model: self[step].kind == .model
        case .compaction: compactions.contains(step)
        }
    }

    private static func group(_ messages: [MessageEntry], spans: Int) -> (first: [Int32], messages: [Int32]) {
        var first = [Int32](repeating: 0, count: spans + 1)
        for message in messages { if let span = message.span { first[span + 1] += 1 } }
        for span in 0..<spans { first[span + 1] += first[span] }
        var place = first
        var grouped = [Int32](repeating: 0, count: Int(first[spans]))
        for message in messages {
            guard let span = message.span else { continue }
            grouped[Int(place[span])] = Int32(message.ordinal)
            place[span] += 1
        }
        return (first, grouped)
    }

    /// The first step after each compaction, ascending, each once.
    private static func compactions(of trace: Trace, steps: [Int]) -> [Int] {
        var found: [Int] = []
        for event in trace.events where event.kind == .compaction {
            var low = 0
            var high = steps.count
            while low < high {
                let middle = (low + high) / 2
                if trace.spans[steps[middle]].start < event.time { low = middle + 1 } else { high = middle }
            }
            if low < steps.count { found.append(low) }
        }
        return Array(Set(found)).sorted()
    }
}
