import Testing
import Traces

@Suite("Finding sessions")
struct SessionDiscoveryTests {
    private let line = ClaudeLine.user("u1", after: nil, #""go""#, session: "s1", #""cwd":"/home/ann/or-rery""#) + "\n"

    @Test("sessions are found with their sub-agents in both layouts, the newest first")
    func claudeCode() throws {
        let home = try TemporaryFolder()
        home.write(".claude/projects/-home-ann-or-rery/s1.jsonl", line)
        home.write(".claude/projects/-home-ann-or-rery/s1/subagents/agent-7f.jsonl", line)
        home.write(".claude/projects/-home-ann-or-rery/agent-old.jsonl", line)
        home.write(
            ".claude/projects/-home-ann-or-rery/agent-stranger.jsonl",
            ClaudeLine.user("x", after: nil, #""y""#, session: "s9"))
        home.write(".claude/projects/-home-ann-or-rery/notes.txt", "not a session")
        home.write(".claude/projects/-home-ann-or-rery/empty.jsonl", "")
        let found = SessionDiscovery(home: home.path).sessions()
        #expect(found.count == 1)
        let session = try #require(found.first)
        #expect(session.path == home.path + "/.claude/projects/-home-ann-or-rery/s1.jsonl")
        #expect(session.project == "/home/ann/or-rery")
        #expect(session.subAgents == 2)
        #expect(session.size == 3 * line.utf8.count)
        #expect(session.isReadable)
        #expect(session.modified > 0)
    }

    @Test("where no line names the folder, the project's name stands in")
    func decodedName() throws {
        let home = try TemporaryFolder()
        home.write(".claude/projects/-tmp-work/s1.jsonl", ClaudeLine.user("u1", after: nil, #""go""#) + "\n")
        #expect(SessionDiscovery(home: home.path).sessions().map(\.project) == ["/tmp/work"])
    }

    @Test("sessions of Codex are found, and said not to be readable yet")
    func codex() throws {
        let home = try TemporaryFolder()
        let meta = #"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"cwd":"/srv/x"}}"#
        home.write(".codex/sessions/2026/01/02/rollout-2026-01-02.jsonl", meta)
        home.write(".codex/sessions/2026/01/02/other.jsonl", meta)
        let found = SessionDiscovery(home: home.path).sessions()
        #expect(found.map(\.format) == ["codex"])
        #expect(found.map(\.isReadable) == [false])
        #expect(found.map(\.project) == ["/srv/x"])
    }

    @Test("the tools' own variables say where else to look")
    func environment() throws {
        let home = try TemporaryFolder()
        home.write("elsewhere/projects/p/s1.jsonl", line)
        home.write(".claude/projects/p/s2.jsonl", line)
        home.write("codex/sessions/rollout-1.jsonl", "{}")
        let discovery = SessionDiscovery(
            home: home.path,
            environment: ["CLAUDE_CONFIG_DIR": home.path + "/elsewhere", "CODEX_HOME": home.path + "/codex"])
        let names = discovery.sessions().map { String($0.path.dropFirst(home.path.count)) }.sorted()
        #expect(names == ["/codex/sessions/rollout-1.jsonl", "/elsewhere/projects/p/s1.jsonl"])
    }

    @Test("a home without any agent has no sessions")
    func nothing() throws {
        let home = try TemporaryFolder()
        #expect(SessionDiscovery(home: home.path).sessions().isEmpty)
    }

    @Test("a session's companions are its own sub-agents, in both layouts")
    func companions() throws {
        let home = try TemporaryFolder()
        let main = home.write("p/s1.jsonl", line)
        let own = home.write("p/s1/subagents/agent-a.jsonl", line)
        let beside = home.write("p/agent-b.jsonl", line)
        home.write("p/agent-c.jsonl", ClaudeLine.user("x", after: nil, #""y""#, session: "s2") + "\n")
        home.write("p/s1/subagents/agent-a.meta.json", "{}")
        #expect(ClaudeCodeImporter.companions(of: main) == [own, beside])
        #expect(ClaudeCodeImporter.companions(of: beside).isEmpty)
    }
}
