internal import JSON
internal import LanguageModels
internal import Traces

/// The spans that a sample's events tell of, from which both its steps and its `SpanRecord`s are made.
///
/// `span_begin` and `span_end` (before 2025: `step`) make the tree; calls of models and tools, scores and errors are
/// its leaves. A log without events has its conversation for them.
struct InspectSpans {
    /// One span before it is written.
    struct Item {
        enum Payload {
            case group
            case model(JSONNode)
            case tool(JSONNode)
            case score(JSONNode)
            case other(JSONNode)
            /// A turn of a conversation whose calls were not recorded: what was read, and the answer.
            case turn([Message], Message)
        }

        var key: String
        var parent: Int?
        var kind: SpanKind
        var name: String
        var start: Int64
        var end: Int64
        var problem: String?
        var payload: Payload
    }

    let sample: InspectSample
    private(set) var items: [Item] = []
    /// 32 hexadecimal digits, the same for the same sample.
    let trace: String
    private var open: [String: Int] = [:]
    private var stack: [Int] = []
    private var clock: Int64 = 0

    /// Events of a sample beyond which the rest is left out.
    private static let most = 200_000

    init(_ sample: InspectSample) {
        self.sample = sample
        let node = sample.node
        let name = [
            sample.head.evaluation, InspectRows.id(node), "\(node["epoch"]?.whole ?? 1)", node["uuid"]?.text ?? "",
        ].joined(separator: "\u{1F}")
        trace = SpanDigits.of(Digest.of(name, seed: 1)) + SpanDigits.of(Digest.of(name, seed: 2))
        clock = max(0, node["started_at"]?.timestamp ?? sample.head.run.start ?? 0)
        read(node["events"], under: nil, depth: 0)
        if !items.contains(where: { $0.kind == .model }) { readConversation() }
    }

    var isEmpty: Bool { items.isEmpty }

    var steps: [EvalStep] {
        items.compactMap { item in
            if case .group = item.payload, item.problem == nil { return nil }
            return EvalStep(
                kind: item.kind, name: item.name, seconds: Double(item.end - item.start) / 1e9, problem: item.problem)
        }
    }

    private mutating func read(_ events: JSONNode?, under parent: Int?, depth: Int) {
        guard let events, depth < 8 else { return }
        for event in events.elements where items.count < InspectSpans.most {
            if let time = event["timestamp"]?.timestamp, time > 0 { clock = time }
            let above = event["span_id"]?.string.flatMap { open[$0] } ?? stack.last ?? parent
            take(event, above, depth)
        }
    }

    private mutating func take(_ event: JSONNode, _ parent: Int?, _ depth: Int) {
        switch event["event"]?.string {
        case "span_begin":
            guard let id = event["id"]?.string else { return }
            let above = event["parent_id"]?.string.flatMap { open[$0] } ?? stack.last
            open[id] = begin(event, above)
        case "span_end":
            if let id = event["id"]?.string, let place = open[id] { items[place].end = max(items[place].start, clock) }
        case "step":
            if event["action"]?.equals("begin") == true {
                stack.append(begin(event, stack.last ?? parent))
            } else if let place = stack.popLast() {
                items[place].end = max(items[place].start, clock)
            }
        case "model":
            let problem = sample.messages.text(event["error"])
            add(event, parent, .model, event["model"]?.text ?? "model", problem, .model(event))
        case "tool":
            let error = event["error"].flatMap { $0.isNull ? nil : $0 }
            let problem =
                error.map { sample.messages.text($0["message"]) ?? $0["type"]?.text ?? "error" }
                ?? (event["failed"]?.bool == true ? "the tool failed" : nil)
            add(event, parent, .tool, event["function"]?.text ?? "tool", problem, .tool(event))
            read(event["events"], under: items.count - 1, depth: depth + 1)
        case "subtask":
            add(event, parent, .chain, event["name"]?.text ?? "subtask", nil, .other(event))
            read(event["events"], under: items.count - 1, depth: depth + 1)
        case "score": add(event, parent, .evaluator, event["scorer"]?.text ?? "score", nil, .score(event))
        case "error":
            let problem = sample.messages.text(event["error"]?["message"]) ?? "error"
            add(event, parent, .other, "error", problem, .other(event))
        case "sample_limit":
            let problem = sample.messages.text(event["message"]) ?? "a limit stopped the sample"
            add(event, parent, .other, "limit", problem, .other(event))
        case "sandbox":
            add(event, parent, .other, "sandbox " + (event["action"]?.text ?? ""), nil, .other(event))
        default: break
        }
    }

    private mutating func begin(_ event: JSONNode, _ parent: Int?) -> Int {
        let type = event["type"]?.string ?? ""
        let kind: SpanKind =
            switch type {
            case "agent", "handoff": .agent
            case "scorer", "scorers": .evaluator
            case "tool": .tool
            default: .chain
            }
        items.append(
            Item(
                key: event["id"]?.string ?? "step \(items.count)", parent: parent, kind: kind,
                name: event["name"]?.text ?? type, start: clock, end: clock, problem: nil, payload: .group))
        return items.count - 1
    }

    private mutating func add(
        _ event: JSONNode, _ parent: Int?, _ kind: SpanKind, _ name: String, _ problem: String?, _ payload: Item.Payload
    ) {
        let seconds = event["output"]?["time"]?.double ?? event["working_time"]?.double ?? 0
        let length = Int64(exactly: (min(max(seconds, 0), 1e6) * 1e9).rounded()) ?? 0
        let end = event["completed"]?.timestamp ?? (clock.addingReportingOverflow(length).partialValue)
        items.append(
            Item(
                key: event["uuid"]?.string ?? "event \(items.count)", parent: parent, kind: kind, name: name,
                start: clock, end: max(clock, end), problem: problem, payload: payload))
    }

    /// Makes a call of each answer in the conversation, a microsecond after the other: times were not recorded.
    private mutating func readConversation() {
        let messages = sample.conversation
        let model = sample.node["output"]?["model"]?.text ?? sample.head.run.model
        for (place, message) in messages.enumerated() where message.role == .assistant {
            guard items.count < 2000 else { return }
            items.append(
                Item(
                    key: "message \(place)", parent: nil, kind: .model, name: model, start: clock, end: clock &+ 1000,
                    problem: nil, payload: .turn(Array(messages[..<place]), message)))
            clock &+= 1000
        }
    }
}

/// Digits of ids that are made of what something is called.
enum SpanDigits {
    static func of(_ word: UInt64) -> String { hexadecimal(max(1, word)) }
}
