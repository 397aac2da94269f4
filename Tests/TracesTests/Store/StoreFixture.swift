import Foundation
import Traces
import Workspace

/// A folder of its own with a workspace in it, gone when the value is.
final class StoreFixture {
    let folder: String
    let store: TraceStore

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/orrery-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        store = TraceStore(
            try Workspace.open(folder + "/test.orrery", migrations: TraceStore.migrations, create: true))
    }

    deinit {
        store.workspace.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Writes a file below the folder and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = folder + "/" + name
        let parent = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Another look at the same file, with no memory of what was read.
    func reopened() throws -> TraceStore {
        store.workspace.close()
        return TraceStore(try Workspace.open(store.workspace.path, migrations: TraceStore.migrations))
    }

    /// The first real session of the shared data; `nil` if the data are missing.
    static let realSession: String? = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
        let name = "ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl"
        let path = root + "/shared/data/traces/claude-code/" + name
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()
}

/// A coding agent's session, line by line, in the format of Claude Code.
struct MadeSession {
    var id: String
    var lines: [String] = []
    private var previous: String?

    init(_ id: String, steps: Int) {
        self.id = id
        for step in 0..<steps { addStep(step) }
    }

    /// A question, an answer with a call of a tool, and what the tool gave; every fifth call fails.
    mutating func addStep(_ step: Int) {
        add("user", "q\(step)", #"{"role":"user","content":"Question \#(step) about the Größe of orbits"}"#, step, 0)
        let usage = #""usage":{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":\#(step + 1)}"#
        let call = #"{"type":"tool_use","id":"toolu_\#(step)","name":"Bash","input":{"command":"ls /data/\#(step)"}}"#
        let text = #"{"type":"text","text":"Answer \#(step)"}"#
        let head = #"{"id":"msg_\#(step)","model":"claude-opus-4-1","role":"assistant","stop_reason":"tool_use","#
        add("assistant", "a\(step)", head + #""content":[\#(text),\#(call)],\#(usage)}"#, step, 1)
        let failed = step % 5 == 4 ? #","is_error":true"# : ""
        let result =
            #"{"type":"tool_result","tool_use_id":"toolu_\#(step)","content":"result_\#(step)\nnext line"\#(failed)}"#
        add("user", "r\(step)", #"{"role":"user","content":[\#(result)]}"#, step, 2)
    }

    private mutating func add(_ type: String, _ uuid: String, _ message: String, _ step: Int, _ second: Int) {
        let parent = previous.map { "\"\($0)\"" } ?? "null"
        let minute = String(step + 100).dropFirst()
        lines.append(
            #"{"type":"\#(type)","uuid":"\#(id)-\#(uuid)","parentUuid":\#(parent),"sessionId":"\#(id)","#
                + #""timestamp":"2026-03-01T09:\#(minute):0\#(second).000Z","cwd":"/work","message":\#(message)}"#)
        previous = id + "-" + uuid
    }

    var text: String { lines.map { $0 + "\n" }.joined() }
}

/// One export of OpenTelemetry spans as a line.
func otlpLine(trace: String, spans: [(id: String, parent: String?, name: String)], at second: Int = 0) -> String {
    let items = spans.map { span in
        let parent = span.parent.map { #""parentSpanId":"\#($0)","# } ?? ""
        let start = 1_772_357_400_000_000_000 + second * 1_000_000_000
        return #"{"traceId":"\#(trace)","spanId":"\#(span.id)",\#(parent)"name":"\#(span.name)","kind":1,"#
            + #""startTimeUnixNano":"\#(start)","endTimeUnixNano":"\#(start + 1_000_000)","#
            + #""events":[{"timeUnixNano":"\#(start + 5)","name":"note","attributes":[]}],"status":{}}"#
    }
    return #"{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[{"scope":{"name":"t"},"spans":["#
        + items.joined(separator: ",") + "]}]}]}\n"
}
