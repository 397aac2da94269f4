/// A coding agent's session that fits on a screen, written by hand: three model calls, two tool calls, one of which
/// fails.
///
///     step 1  model  looks at the shelf                (m1)
///     step 2  tool   Bash: ls shelf                    works
///     step 3  model  waters the fern                   (m2)
///     step 4  tool   Bash: water fern                  fails: the can is empty
///     step 5  model  says so                           (m3)
enum SmallSession {
    static let prompt = "Water the plants on the shelf"
    static let failure = "water: the can is empty"

    static func text(id: String = "fern", prompt: String = prompt, result: String = "fern\\nivy", day: Int = 2)
        -> String
    {
        let lines = [
            user("u1", after: "null", #""\#(prompt)""#, 0, id, day),
            assistant("a1", after: "u1", "m1", call("t1", "ls shelf"), 1, id, day, input: 900, output: 20),
            user("u2", after: "a1", toolResult("t1", result, isError: false), 3, id, day),
            assistant("a2", after: "u2", "m2", call("t2", "water fern"), 5, id, day, input: 1_000, output: 30),
            user("u3", after: "a2", toolResult("t2", failure, isError: true), 8, id, day),
            assistant(
                "a3", after: "u3", "m3", #"{"type":"text","text":"The can is empty; the fern must wait."}"#, 10, id,
                day,
                input: 1_100, output: 40),
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func call(_ id: String, _ command: String) -> String {
        #"{"type":"tool_use","id":"\#(id)","name":"Bash","input":{"command":"\#(command)"}}"#
    }

    private static func toolResult(_ id: String, _ content: String, isError: Bool) -> String {
        #"[{"type":"tool_result","tool_use_id":"\#(id)","is_error":\#(isError),"content":"\#(content)"}]"#
    }

    private static func user(
        _ uuid: String, after parent: String, _ content: String, _ second: Int, _ id: String, _ day: Int
    ) -> String {
        line("user", uuid, parent, second, id, day, #"{"role":"user","content":\#(content)}"#)
    }

    private static func assistant(
        _ uuid: String, after parent: String, _ message: String, _ block: String, _ second: Int, _ id: String,
        _ day: Int, input: Int, output: Int
    ) -> String {
        let usage = #"{"input_tokens":\#(input),"output_tokens":\#(output)}"#
        return line(
            "assistant", uuid, parent, second, id, day,
            #"{"id":"\#(id)-\#(message)","model":"claude-opus-4-6","role":"assistant","content":[\#(block)],"usage":\#(usage)}"#
        )
    }

    private static func line(
        _ type: String, _ uuid: String, _ parent: String, _ second: Int, _ id: String, _ day: Int, _ message: String
    ) -> String {
        let before = parent == "null" ? "null" : #""\#(id)-\#(parent)""#
        let clock = second < 10 ? "0\(second)" : "\(second)"
        return #"{"type":"\#(type)","uuid":"\#(id)-\#(uuid)","parentUuid":\#(before),"sessionId":"\#(id)","#
            + #""timestamp":"2026-01-0\#(day)T03:04:\#(clock).000Z","message":\#(message)}"#
    }
}
