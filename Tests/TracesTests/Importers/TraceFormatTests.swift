import Testing
import Traces

@Suite("Formats by content")
struct TraceFormatTests {
    private func format(of text: String) throws(ImportError) -> String {
        try TraceFormats.importer(of: Array(text.utf8), path: "x").format
    }

    @Test("sessions and spans are recognized, cut anywhere and after bad lines")
    func recognized() throws {
        let line = ClaudeLine.user("u1", after: nil, #""hello""#)
        #expect(try format(of: line) == "claude-code")
        #expect(try format(of: String(line.prefix(60))) == "claude-code")
        #expect(try format(of: "{broken\n\"text\"\n42\n" + line + "\n") == "claude-code")
        #expect(try format(of: #"{"type":"summary","summary":"x","leafUuid":"y"}"#) == "claude-code")
        let spans = MessageText.document(MessageText.span("ab"))
        #expect(try format(of: spans) == "otlp")
        #expect(try format(of: "[\n  " + spans + "\n]") == "otlp")
        #expect(try format(of: String(spans.prefix(30))) == "otlp")
        #expect(try format(of: "\u{FEFF}\n{\n  \"resourceLogs\": []\n}") == "otlp")
    }

    @Test(
        "a file of another kind is named",
        arguments: [
            ("", "the file is empty"),
            (
                #"{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{}}"#,
                "the file is a Codex rollout, which is unsupported"
            ),
            ("PK\u{3}\u{4}rest", "the file is a ZIP archive, which is unsupported"),
            (
                "SQLite format 3\u{0}rest",
                "the file is an SQLite database, perhaps LangGraph checkpoints, which is unsupported"
            ),
            ("GGUF\u{3}", "the file is a GGUF model, which is unsupported"),
            (
                #"{"openinference.span.kind":"LLM"}"#,
                "the file is a set of span attributes without a span, which is unsupported"
            ),
            (
                #"[{"name":"a","spanContext":{},"attributes":{}}]"#,
                "the file is an array of Vercel AI SDK spans, which is unsupported"
            ),
            (
                #"[{"context":{},"span_kind":"LLM"}]"#,
                "the file is an array of Phoenix spans, which is unsupported"
            ),
            (#"{"trace":{},"observations":[]}"#, "the file is a Langfuse trace, which is unsupported"),
            (#"{"trajectory":[],"info":{}}"#, "the file is a SWE-agent trajectory, which is unsupported"),
            (#"[{"role":"user","content":"x"}]"#, "the file is a mini-swe-agent trajectory, which is unsupported"),
            (
                #"[{"id":0,"source":"user","action":"message"}]"#,
                "the file is an OpenHands trajectory, which is unsupported"
            ),
            (#"{"schema_version":"ATIF-v1.4","steps":[]}"#, "the file is an ATIF trajectory, which is unsupported"),
            (#"{"run_type":"llm"}"#, "the file is a LangSmith run, which is unsupported"),
            (#"{"hello":"world"}"#, "unknown JSON structure"),
            ("once upon a time\n", "the text does not start with a JSON object"),
            ("\u{1}\u{2}\u{0}\u{3}", "unknown binary format"),
        ])
    func foreign(text: String, problem: String) {
        do {
            let format = try format(of: text)
            Issue.record("taken for \(format)")
        } catch {
            #expect(error.sentence == "x: \(problem). Supported formats: claude-code and otlp.")
        }
    }

    @Test(
        "a file with JSON only further down is not a trace",
        arguments: [
            (Array("import json\n\nLINE = \\\n{\"type\":\"user\",\"uuid\":\"u\",\"sessionId\":\"s\"}\n".utf8), "text"),
            (Array("# Notes\n\n```json\n{\"resourceSpans\": []}\n```\n".utf8), "text"),
            (Array("[link](x)\n{\"resourceSpans\": []}\n".utf8), "text"),
            ((0..<4_096).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }, "binary"),
            (Array("{\u{0}\u{1}\u{2}".utf8), "binary"),
            ([], "empty"),
        ])
    func noTrace(bytes: [UInt8], kind: String) {
        let error = #expect(throws: ImportError.self) { try TraceFormats.importer(of: bytes, path: "x") }
        let problems = [
            "text": "the text does not start with a JSON object",
            "binary": "unknown binary format", "empty": "the file is empty",
        ]
        #expect(error?.problem == problems[kind])
    }

    @Test("compressed files ask to be decompressed")
    func compressed() {
        do {
            _ = try TraceFormats.importer(of: [0x1F, 0x8B, 8, 0], path: "x.gz")
            Issue.record("gzip was taken for a trace")
        } catch {
            #expect(error.sentence.hasPrefix("x.gz: the file is compressed with gzip. Decompress it first,"))
        }
    }
}
