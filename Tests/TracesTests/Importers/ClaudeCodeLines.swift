/// Lines as Claude Code writes them, with what a test is about and no more.
enum ClaudeLine {
    static func user(
        _ uuid: String, after parent: String?, _ content: String, second: Int = 0, session: String? = "s",
        _ more: String = ""
    ) -> String {
        line("user", uuid, parent, second, session, #""message":{"role":"user","content":\#(content)}"#, more)
    }

    static func assistant(
        _ uuid: String, after parent: String?, id: String, _ blocks: String, second: Int = 0, session: String? = "s",
        usage: String = #"{"input_tokens":1,"output_tokens":1}"#, model: String = "claude-opus-4-6", _ more: String = ""
    ) -> String {
        let message =
            #""message":{"id":"\#(id)","model":"\#(model)","role":"assistant","content":[\#(blocks)],"usage":\#(usage)}"#
        return line("assistant", uuid, parent, second, session, message, more)
    }

    static func system(_ uuid: String, after parent: String?, _ subtype: String, second: Int = 0, _ more: String = "")
        -> String
    {
        line("system", uuid, parent, second, "s", #""subtype":"\#(subtype)""#, more)
    }

    static func progress(_ uuid: String, after parent: String?, _ data: String, second: Int = 0, _ more: String = "")
        -> String
    {
        line("progress", uuid, parent, second, "s", #""data":\#(data)"#, more)
    }

    static func text(_ text: String) -> String { #"{"type":"text","text":"\#(text)"}"# }

    static func call(_ id: String, _ name: String = "Bash", _ input: String = #"{"command":"ls"}"#) -> String {
        #"{"type":"tool_use","id":"\#(id)","name":"\#(name)","input":\#(input)}"#
    }

    static func result(_ id: String, _ content: String = #""ok""#, failed: Bool? = nil) -> String {
        let flag = failed.map { #","is_error":\#($0)"# } ?? ""
        return #"[{"type":"tool_result","tool_use_id":"\#(id)","content":\#(content)\#(flag)}]"#
    }

    private static func line(
        _ type: String, _ uuid: String, _ parent: String?, _ second: Int, _ session: String?, _ payload: String,
        _ more: String
    ) -> String {
        let parent = parent.map { #""\#($0)""# } ?? "null"
        let session = session.map { #""sessionId":"\#($0)","# } ?? ""
        let clock = second < 10 ? "0\(second)" : "\(second)"
        let more = more.isEmpty ? "" : "," + more
        return #"{"parentUuid":\#(parent),"type":"\#(type)","uuid":"\#(uuid)",\#(session)"#
            + #""timestamp":"2026-01-02T03:04:\#(clock).000Z",\#(payload)\#(more)}"#
    }

    /// Nanoseconds of a second of the minute in which all these lines were written.
    static func moment(_ second: Int) -> Int64 { (1_767_323_040 + Int64(second)) * 1_000_000_000 }

    static func file(_ lines: String...) -> String { lines.map { $0 + "\n" }.joined() }
}
