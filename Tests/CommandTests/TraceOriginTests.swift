import JSON
import TestFixtures
import Testing

@Suite("Traces by origin and project on the command line")
struct TraceOriginTests {
    let program: Program

    init() throws { program = try Program() }

    private static func session(_ id: String, _ message: String) -> String {
        #"{"type":"user","uuid":"\#(id)","parentUuid":null,"sessionId":"\#(id)","cwd":"/home/mara/tides","#
            + #""timestamp":"2026-01-02T03:04:01.000Z","message":{"role":"user","content":"\#(message)"}}\#n"#
    }

    private func list(_ options: String...) throws -> Program.Result {
        try program.run(["trace", "list", "-w", "w.orrery"] + options)
    }

    /// Imports a session from a separate file.
    private func importing(_ id: String, _ message: String, _ options: String...) throws {
        let path = program.home.file("\(id).jsonl")
        File.write(Self.session(id, message), to: path)
        let result = try program.run(["trace", "import", "-w", "w.orrery", path] + options)
        #expect(result.status == 0, "\(result.error)")
    }

    private func generate(_ question: String) throws {
        let result = try program.run("model", "generate", "-w", "w.orrery", "scripted:Yes.", "--user", question)
        #expect(result.status == 0, "\(result.error)")
    }

    @Test("agents are listed, and other origins are counted")
    func origins() throws {
        try importing("a", "fix the tide table")
        try generate("Is it high tide?")
        let agents = try list()
        #expect(agents.output.contains("fix the tide table") && !agents.output.contains("Is it high tide?"))
        #expect(agents.error.contains("not listed: 1 chat. To list them, add --origin all"))
        let chats = try list("--origin", "chat")
        #expect(chats.output.contains("Is it high tide?") && !chats.output.contains("fix the tide table"))
        let all = try list("--origin", "all")
        #expect(all.output.contains("Is it high tide?") && all.output.contains("fix the tide table"))
        #expect(all.output.contains("origin") && all.output.contains("project"))
        #expect(all.error.isEmpty)
        let filtered = try list("--filter", "origin:chat")
        #expect(filtered.output.contains("Is it high tide?") && filtered.error.isEmpty)
        try JSONDocument(parsing: list("--json", "--origin", "agent,chat").output).withRoot { root in
            #expect(root["traces"]?.elements.compactMap { $0["origin"]?.string }.sorted() == ["agent", "chat"])
            #expect(root["origins"]?["agent"]?.int == 1 && root["origins"]?["chat"]?.int == 1)
            #expect(root["origins"]?["eval"]?.int == 0)
        }
    }

    @Test("an empty list reports other origins")
    func empty() throws {
        try generate("Is it high tide?")
        #expect(try list().output == "no agents, but 1 chat. To list them, add --origin all\n")
        #expect(try list("--origin", "eval").output == "no evals, but 1 chat. To list them, add --origin all\n")
    }

    @Test("an unknown origin is rejected")
    func unknown() throws {
        let result = try list("--origin", "agents")
        #expect(result.status == 64)
        #expect(result.error.contains("agents"))
    }

    @Test("a project is the folder of a session or the name given at import, and --project filters by it")
    func projects() throws {
        try importing("a", "fix the tide table")
        try importing("b", "draw the chart", "--project", "charts")
        #expect(try list("--project", "tides").output.contains("fix the tide table"))
        #expect(try !list("--project", "tides").output.contains("draw the chart"))
        #expect(try list("--filter", "project:charts").output.contains("draw the chart"))
        try JSONDocument(parsing: list("--json").output).withRoot { root in
            #expect(
                Set(root["traces"]?.elements.compactMap { $0["project"]?.string } ?? []) == [
                    "/home/mara/tides", "charts",
                ])
        }
        // Importing the same file with a project name adds no traces and moves the run.
        try importing("a", "fix the tide table", "--project", "charts")
        #expect(try list("--project", "charts").output.contains("fix the tide table"))
    }
}
