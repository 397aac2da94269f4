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
        let spans = OTLPText.document(OTLPText.span("ab"))
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
                "this is a Codex rollout, which cannot be read yet"
            ),
            ("PK\u{3}\u{4}rest", "this is a ZIP archive, which cannot be read yet"),
            (
                "SQLite format 3\u{0}rest",
                "this is an SQLite database, perhaps LangGraph checkpoints, which cannot be read yet"
            ),
            ("GGUF\u{3}", "this is a GGUF model, which cannot be read yet"),
            (
                #"{"openinference.span.kind":"LLM"}"#,
                "this is a set of span attributes without its span, which cannot be read yet"
            ),
            (
                #"[{"name":"a","spanContext":{},"attributes":{}}]"#,
                "this is an array of spans from the Vercel AI SDK, which cannot be read yet"
            ),
            (
                #"[{"context":{},"span_kind":"LLM"}]"#,
                "this is an array of spans from Phoenix, which cannot be read yet"
            ),
            (#"{"trace":{},"observations":[]}"#, "this is a trace from Langfuse, which cannot be read yet"),
            (#"{"trajectory":[],"info":{}}"#, "this is a SWE-agent trajectory, which cannot be read yet"),
            (#"[{"role":"user","content":"x"}]"#, "this is a mini-swe-agent trajectory, which cannot be read yet"),
            (
                #"[{"id":0,"source":"user","action":"message"}]"#,
                "this is an OpenHands trajectory, which cannot be read yet"
            ),
            (#"{"schema_version":"ATIF-v1.4","steps":[]}"#, "this is an ATIF trajectory, which cannot be read yet"),
            (#"{"run_type":"llm"}"#, "this is a run from LangSmith, which cannot be read yet"),
            (#"{"hello":"world"}"#, "this is JSON of a shape that is not known"),
            ("once upon a time\n", "this is text without any JSON object at its beginning"),
            ("\u{1}\u{2}\u{0}\u{3}", "this is a binary file of a kind that is not known"),
        ])
    func foreign(text: String, problem: String) {
        do {
            let format = try format(of: text)
            Issue.record("taken for \(format)")
        } catch {
            #expect(error.sentence == "x: \(problem). The formats that can be read are claude-code and otlp.")
        }
    }

    @Test(
        "a file that holds JSON further down is no trace",
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
            "text": "this is text without any JSON object at its beginning",
            "binary": "this is a binary file of a kind that is not known", "empty": "the file is empty",
        ]
        #expect(error?.problem == problems[kind])
    }

    @Test("compressed files ask to be decompressed")
    func compressed() {
        do {
            _ = try TraceFormats.importer(of: [0x1F, 0x8B, 8, 0], path: "x.gz")
            Issue.record("gzip was taken for a trace")
        } catch {
            #expect(error.sentence.hasPrefix("x.gz: this is compressed with gzip. Decompress it first:"))
        }
    }
}
