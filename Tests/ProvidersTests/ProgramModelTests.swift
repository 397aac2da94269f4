import Glibc
import LanguageModels
import Providers
import Testing

@Suite("Programs as models") struct ProgramModelTests {
    /// A program that is a line of the shell: the shell is the program here, not between.
    static func model(
        _ script: String, seconds: Double = 20, line: Int = 8 << 20, output: Int = 256 << 20
    ) -> ProgramModel {
        ProgramModel(["/bin/sh", "-c", script], seconds: seconds, line: line, output: output)
    }

    static let request = ModelRequest.user("Hello", sampling: Sampling(temperature: 0.5, maximumTokens: 3))

    @Test("a program reads one line")
    func itReadsOneLine() throws {
        let file = TemporaryFile()
        var request = Self.request
        request.alternatives = 2
        _ = try Self.model("cat > \(file.path); echo '{\"finish\":\"stop\"}'").respond(to: request)
        #expect(
            file.text == #"{"version":1,"messages":[{"role":"user","parts":[{"type":"text","text":"Hello"}]}],"#
                + #""sampling":{"temperature":0.5,"max_tokens":3},"alternatives":2}"# + "\n")
    }

    @Test("a program writes lines")
    func itWritesLines() throws {
        let lines = [
            #"{"reasoning":"hm"}"#, "", #"{"text":"It "}"#,
            #"{"tokens":[{"text":"tu","id":5,"logprob":-0.5,"alternatives":[{"text":"x","logprob":-1}]},{"text":"rns"}]}"#,
            #"{"tool_calls":[{"id":"a","name":"f","arguments":{"b": 1}}],"usage":{"input_tokens":4,"output_tokens":3}}"#,
            #"{"model":"mine","finish":"tool_calls"}"#, "not read any more",
        ]
        let (response, events) = try Self.model("printf '%s\\n' '\(lines.joined(separator: "' '"))'").collect(
            Self.request)
        #expect(
            response.message.parts == [
                .reasoning("hm"), .text("It turns"), .toolCall(ToolCall(id: "a", name: "f", arguments: #"{"b": 1}"#)),
            ])
        #expect(events.steps.map(\.text) == ["It ", "tu", "rns"])
        #expect(events.steps[1].id == 5)
        #expect(events.steps[1].alternatives == [Alternative(id: nil, text: "x", logProbability: -1)])
        #expect(response.finish == .toolCalls)
        #expect(response.usage == Usage(input: 4, output: 3))
        #expect(response.model == "mine")
    }

    @Test("the end of the output ends the response")
    func theEndOfItsOutputIsEnough() throws {
        #expect(try Self.model(#"printf '{"text":"a"}'"#).respond(to: Self.request).text == "a")
    }

    @Test("a program may ignore a large request")
    func aLargeRequestIsNotReadAtAll() throws {
        let large = ModelRequest(.text(String(repeating: "long ", count: 200_000)))
        #expect(try Self.model(#"echo '{"text":"a"}'"#).respond(to: large).text == "a")
        #expect(try Self.model(#"exec <&-; echo '{"text":"a"}'"#).respond(to: large).text == "a")
    }

    @Test(
        "failures of a program are errors",
        arguments: [
            (
                "echo '{oops'", LanguageModelError.Kind.protocolViolation,
                "output line 1: the line is not JSON: Byte 1: expected a key in double quotes"
            ),
            (#"echo '{"text":"a"}'; echo; echo '[]'"#, .protocolViolation, "output line 2: the line is not an object"),
            (
                #"echo '{"txt":"a"}'"#, .protocolViolation,
                "output line 1: the object needs at least one of these members: text, tokens, reasoning, tool_calls, usage, model, finish, error"
            ),
            (#"echo '{"text":1}'"#, .protocolViolation, "output line 1: 'text' must be a string"),
            (#"echo '{"error":"no more"}'"#, .server, "no more"),
            ("true", .protocolViolation, "the program wrote nothing"),
            ("echo one >&2; echo two >&2; exit 3", .server, "the program exited with status 3: two"),
            (#"echo '{"text":"a"}'; echo bad >&2; exit 1"#, .server, "the program exited with status 1: bad"),
            ("kill -9 $$", .server, "signal 9 ended the program"),
        ])
    func problems(script: String, kind: LanguageModelError.Kind, problem: String) {
        let error = Self.model(script).failure(Self.request)
        #expect(error?.kind == kind)
        #expect(error?.problem == problem)
    }

    @Test("a missing program is an error")
    func aProgramThatIsNotThere() {
        let error = ProgramModel(["/nowhere/program"]).failure(Self.request)
        #expect(
            error?.sentence
                == "exec program: cannot start the program: No such file or directory. "
                + "Check its path and that it is executable."
        )
    }

    @Test("line and output sizes are limited")
    func sizesAreLimited() {
        let line = Self.model("yes '' | tr '\\n' a", line: 1000).failure(Self.request)
        #expect(line?.problem == "output line 1 is longer than 1000 bytes")
        let output = Self.model(#"yes '{"text":"a"}'"#, output: 100_000).failure(Self.request)
        #expect(output?.problem == "the output is longer than 100000 bytes")
    }

    @Test("the run time is limited")
    func itsTimeIsLimited() {
        let error = Self.model("echo late >&2; exec sleep 100", seconds: 0.2).failure(Self.request)
        #expect(error?.kind == .timeout)
        #expect(error?.problem.hasSuffix(": late") == true)
    }

    @Test("cancellation kills the program and its children")
    func aCancelKillsItWithAllThatItStarted() throws {
        // The shell and the program that it starts hold the same pipe: it closes when both are gone.
        let file = TemporaryFile()
        let hasText = Shared(false)
        let before = HTTPClientTests.now
        let response = try Self.model("sleep 100 & echo $! > \(file.path); echo '{\"text\":\"a\"}'; wait").respond(
            to: Self.request, isCancelled: { hasText.current }, receive: { _ in hasText.set(true) })
        #expect(response.finish == .cancelled)
        #expect(response.text == "a")
        #expect(HTTPClientTests.now - before < 20)
        guard let child = pid_t(file.text.dropLast()) else {
            Issue.record("no child was started")
            return
        }
        // A killed process may wait for its new parent to take note of it; one that lives would sleep on.
        while Self.state(of: child) != "Z", HTTPClientTests.now - before < 20 { sched_yield() }
        #expect(Self.state(of: child) == "Z")
    }

    @Test("a child that outlives the program does not delay the response")
    func aChildThatGoesOnDoesNotHoldTheAnswerUp() throws {
        let before = HTTPClientTests.now
        let response = try Self.model(#"sleep 100 & echo '{"text":"a"}'"#).respond(to: Self.request)
        #expect(response.text == "a")
        #expect(HTTPClientTests.now - before < 20)
    }

    /// The letter of a process's state: `Z` once it is dead.
    private static func state(of process: pid_t) -> Character? {
        guard let file = fopen("/proc/\(process)/stat", "re") else { return "Z" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.lastIndex(of: ")").flatMap { text[$0...].dropFirst(2).first }
    }
}
