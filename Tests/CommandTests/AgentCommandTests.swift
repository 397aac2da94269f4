import Glibc
import JSON
import TestFixtures
import Testing

@Suite("orrery agent")
struct AgentCommandTests {
    let program: Program

    init() throws { program = try Program() }

    /// A model that multiplies with the calculator, looks up, or searches, and answers with the observation.
    private static let mind = #"""
        #!/bin/sh
        request=$(cat)
        case "$request" in
            *"Observation: 84"*) printf '%s\n' '{"text": "Thought: I know it.\nAnswer: 84"}' ;;
            *"Observation: Oslo"*) printf '%s\n' '{"text": "Answer: Oslo"}' ;;
            *"Observation: The lamp"*) printf '%s\n' '{"text": "Answer: green"}' ;;
            *Norway*) printf '%s\n' '{"text": "Action: {\"tool\": \"lookup\", \"arguments\": {\"key\": \"Norway capital\"}}"}' ;;
            *lamp*) printf '%s\n' '{"text": "Action: {\"tool\": \"search\", \"arguments\": {\"query\": \"lamp\"}}"}' ;;
            *"What is forever"*) echo $$ > mind.pid; sleep 60 ;;
            *) printf '%s\n' '{"text": "Thought: I multiply.\nAction: {\"tool\": \"calculator\", \"arguments\": {\"expression\": \"12 * 7\"}}"}' ;;
        esac
        """#

    private func withMind() -> [String] {
        File.write(Self.mind, to: program.home.file("mind.sh"))
        return ["--model", "exec:sh mind.sh", "-w", "w.orrery"]
    }

    @Test("a run prints each thought, action, and observation, then the answer, and is recorded as a trace")
    func run() throws {
        let result = try program.run(["agent", "run", "What is 12 times 7?"] + withMind())
        #expect(result.status == 0, "\(result.error)")
        #expect(
            result.output == """
                Thought: I multiply.
                Action: {"tool": "calculator", "arguments": {"expression": "12 * 7"}}
                Observation: 84
                Thought: I know it.
                Answer: 84

                """)
        #expect(result.sentences.first?.hasPrefix("answered, 3 steps, 1 tool call,") == true)
        let id = try #require(result.sentences.last?.split(separator: " ").dropFirst().first?.dropLast())
        let shown = try program.run("trace", "show", String(id), "-w", "w.orrery", "--json")
        #expect(shown.status == 0, "\(shown.error)")
        #expect(shown.output.contains("What is 12 times 7?"))
        let listed = try JSONDocument(parsing: program.run("trace", "list", "-w", "w.orrery", "--json").output)
        let run = listed.withRoot { root in
            let trace = root["traces"]?.element(at: 0)
            #expect(trace?["origin"]?.string == "agent")
            #expect(trace?["project"]?.string?.hasPrefix("/") == true, "the agent's working folder")
            return (trace?["model_calls"]?.int, trace?["tool_calls"]?.int, trace?["errors"]?.int)
        }
        #expect(run == (2, 1, 0))
    }

    @Test(
        "tools answer from the given files",
        arguments: [
            (["What is the capital of Norway?", "--table", "table.csv"], "Oslo"),
            (["Which color has the lamp?", "--documents", "notes.txt"], "green"),
        ])
    func files(arguments: [String], answer: String) throws {
        File.write("key,value\nNorway capital,Oslo\n", to: program.home.file("table.csv"))
        File.write("The boat is red.\nThe lamp is green.\n", to: program.home.file("notes.txt"))
        let result = try program.run(["agent", "run"] + arguments + withMind() + ["--json", "--no-trace"])
        let document = try JSONDocument(parsing: result.output)
        #expect(document.withRoot { $0["answer"]?.string } == answer)
        #expect(document.withRoot { $0["outcome"]?.string } == "answered")
        #expect(document.withRoot { $0["steps"]?.count } == 2)
        #expect(document.withRoot { $0["trace"]?.isNull } == true)
        #expect(result.status == 0 && result.error.isEmpty)
    }

    @Test(
        "a run without an answer reports the reason and exits with 1",
        arguments: [
            (["scripted:I would rather talk."], "3 turns in a row were malformed"),
            (["scripted:Answer: 84", "--max-tokens", "1"], "no answer within the limit of 1 tokens."),
            (
                [#"scripted:Action: {"tool": "lookup", "arguments": {"key": "x"}}"#],
                "called lookup with the same arguments 3 times."
            ),
            (
                [#"scripted:Action: {"tool": "lookup", "arguments": {"key": "x"}}"#, "--max-steps", "2"],
                "no answer within the limit of 2 model calls."
            ),
            (["exec:false"], "false"),
        ])
    func noAnswer(arguments: [String], sentence: String) throws {
        for json in [[], ["--json"]] {
            let result = try program.run(["agent", "run", "?", "-w", "w.orrery", "--model"] + arguments + json)
            #expect(result.status == 1)
            #expect(result.sentences.last?.contains(sentence) == true, "\(result.error)")
        }
    }

    @Test(
        "a run that cannot start prints one sentence",
        arguments: [
            (["?", "--model", "nobody-by-this-name"], 1), ([" ", "--model", "scripted:Answer: x"], 1),
            (["?", "--model", "scripted:Answer: x", "--table", "none.csv"], 1),
            (["?", "--model", "scripted:Answer: x", "--documents", "none"], 1),
            (["?", "--model", "scripted:Answer: x", "--read", "none"], 1),
            (["?", "--model", "scripted:Answer: x", "--threads", "1"], 1),
            (["?", "--model", "scripted:Answer: x", "--max-steps", "0"], 64),
            (["?", "--model", "scripted:Answer: x", "--max-seconds", "0"], 64),
            (["?", "--model", "scripted:Answer: x", "--form", "poetry"], 64),
        ] as [([String], Int32)])
    func refused(arguments: [String], status: Int32) throws {
        let result = try program.run(["agent", "run"] + arguments + ["-w", "w.orrery"])
        #expect(result.status == status, "\(result.error)")
        #expect(result.output.isEmpty)
        #expect(status == 64 || result.sentences.count == 1, "\(result.error)")
    }

    @Test(
        "an invented answer is marked and exits with 1, like an unknown answer",
        arguments: [[], ["--json"]])
    func notGrounded(output: [String]) throws {
        let arguments = ["agent", "run", "What is 1384 * 57?", "-w", "w.orrery", "--model"]
        let invented = try program.run(arguments + ["scripted:Answer: 127"] + output)
        #expect(invented.status == 1)
        #expect(invented.sentences.last?.contains("the answer is not grounded: 127") == true, "\(invented.error)")
        #expect(invented.output.contains(output.isEmpty ? "the question or an observation: 127]" : "\"doubt\""))
        let unknown = try program.run(arguments + ["scripted:Answer: I do not know"] + output)
        #expect(unknown.status == 1)
        #expect(unknown.sentences.last == "orrery: the model does not know the answer.")
    }

    @Test("a folder of documents is reported on standard error, with skipped files")
    func documentReport() throws {
        for name in ["notes", "notes/lamps", "empty"] { #expect(mkdir(program.home.file(name), 0o700) == 0) }
        File.write("The lamp is green.", to: program.home.file("notes/lamps/green.txt"))
        File.write([0, 1], to: program.home.file("notes/logo.png"))
        let result = try program.run(
            ["agent", "run", "Which color has the lamp?", "--documents", "notes"] + withMind())
        #expect(result.status == 0, "\(result.error)")
        #expect(
            result.sentences.prefix(2) == ["read 1 file, 18 B from notes", "skipped notes/logo.png: binary file"])
        File.write([0, 1], to: program.home.file("empty/logo.png"))
        let refused = try program.run(["agent", "run", "Which?", "--documents", "empty"] + withMind())
        #expect(refused.status == 1)
        #expect(refused.sentences.last?.contains("empty: the folder has no readable text") == true)
    }

    @Test("^C cancels a run at once, and its steps are saved")
    func interrupted() throws {
        let child = try program.start(
            ["agent", "run", "What is forever?"] + withMind(), environment: [:])
        // The model writes a file when it starts.
        let clock = ContinuousClock()
        let begun = clock.now
        while File.text(program.home.file("mind.pid")) == nil, clock.now - begun < .seconds(30) { sched_yield() }
        child.send(SIGINT)
        let start = clock.now
        let result = child.wait()
        #expect(clock.now - start < .seconds(20), "the model sleeps for a minute")
        #expect(result.status == 1)
        #expect(result.sentences.last == "orrery: canceled.")
        let listed = try program.run("trace", "list", "-w", "w.orrery")
        #expect(listed.output.contains("What is forever?"))
    }

    @Test("tools are listed with their schemas")
    func tools() throws {
        let result = try program.run("agent", "tools", "--json")
        let document = try JSONDocument(parsing: result.output)
        let names = document.withRoot { $0["tools"]?.elements.compactMap { $0["name"]?.string } }
        #expect(names == ["calculator", "lookup", "search"])
        #expect(document.withRoot { $0["tools"]?.element(at: 0)?["parameters"]?["required"]?.count } == 1)
        let text = try program.run("agent", "tools")
        #expect(text.output.contains("calculator  ") && text.output.contains(#""query""#))
    }
}
