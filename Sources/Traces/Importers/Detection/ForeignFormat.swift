/// Files that are known and cannot be read (yet), by their content.
package enum ForeignFormat {
    /// What is wrong with a file that no importer recognized, as the middle of a sentence.
    package static func problem(_ head: UnsafeBufferPointer<UInt8>) -> String {
        if head.isEmpty { return "the file is empty" }
        if let known = known(head) { return known }
        if head.contains(0) || !isText(head) { return "unknown binary format" }
        return FormatProbe(head).objects.isEmpty
            ? "the text does not start with a JSON object" : "unknown JSON structure"
    }

    /// Returns what a file is if Orrery recognizes its format but cannot import it; `nil` for any other file.
    static func known(_ head: UnsafeBufferPointer<UInt8>) -> String? {
        if let compression = compression(Array(head.prefix(4))) { return "the file is compressed with \(compression)" }
        if head.starts(with: [0x50, 0x4B, 3, 4]), EvalLogHead(Array(head)).kind != nil { return evaluation }
        if let magic = magics.first(where: { head.starts(with: $0.bytes) }) {
            return "the file is \(magic.name), which is unsupported"
        }
        if EvalLogHead(Array(head)).kind != nil { return evaluation }
        if head.contains(0) || !isText(head) { return nil }
        let probe = FormatProbe(head)
        guard let first = probe.objects.first else { return nil }
        return shapes.first { $0.matches(first, probe.isArray) }.map { "the file is \($0.name), which is unsupported" }
    }

    private static let evaluation =
        "the file is an evaluation log, not a trace: open it with orrery FILE or orrery eval show FILE"

    /// What a compressed file was compressed with; `nil` for any other.
    package static func compression(_ head: [UInt8]) -> String? {
        if head.starts(with: [0x1F, 0x8B]) { return "gzip" }
        return head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) ? "Zstandard" : nil
    }

    private static let magics: [(name: String, bytes: [UInt8])] = [
        ("a ZIP archive", Array("PK\u{3}\u{4}".utf8)),
        ("an SQLite database, perhaps LangGraph checkpoints", Array("SQLite format 3".utf8) + [0]),
        ("a GGUF model", Array("GGUF".utf8)),
        ("a Parquet file", Array("PAR1".utf8)),
    ]

    private struct Shape {
        var name: String
        var matches: @Sendable (_ first: FormatProbe.Object, _ isArray: Bool) -> Bool
    }

    private static let shapes: [Shape] = [
        Shape(name: "a Codex rollout") { first, _ in
            first.has("timestamp", "type", "payload") || first.has("id", "timestamp", "instructions")
        },
        Shape(name: "an array of Phoenix spans") { first, _ in first.has("context", "span_kind") },
        Shape(name: "an array of Vercel AI SDK spans") { first, _ in first.has("spanContext", "attributes") },
        Shape(name: "a set of span attributes without a span") { first, _ in
            first.keys.contains { $0.hasPrefix("gen_ai.") || $0.hasPrefix("openinference.") || $0.hasPrefix("llm.") }
        },
        Shape(name: "a Langfuse trace") { first, _ in first.has("trace", "observations") },
        Shape(name: "a SWE-agent trajectory") { first, _ in first.has("trajectory") },
        Shape(name: "an ATIF trajectory") { first, _ in first.has("schema_version", "steps") },
        Shape(name: "a mini-swe-agent trajectory") { first, isArray in
            first.has("trajectory_format") || first.has("info", "messages") || (isArray && first.has("role", "content"))
        },
        Shape(name: "an OpenHands trajectory") { first, isArray in
            isArray && first.has("source", "id") && first.hasAny(of: ["action", "observation"])
        },
        Shape(name: "a LangSmith run") { first, _ in first.has("run_type") },
        Shape(name: "an OpenAI Agents SDK trace") { first, _ in
            first.has("workflow_name") || first.has("span_data")
        },
    ]

    /// Whether there are few control characters.
    private static func isText(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
        let odd = head.prefix(4096).lazy.filter { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 != 0x1B }
        return odd.count * 50 <= min(4096, head.count)
    }
}
