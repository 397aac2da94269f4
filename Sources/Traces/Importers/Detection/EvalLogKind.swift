/// A kind of evaluation log, recognized by a file's first bytes.
///
/// The module EvalLogs reads these files. Traces only recognizes them, to explain why a file is not a trace.
public enum EvalLogKind: CaseIterable, Sendable {
    /// Formats by the program that writes them.
    case orrery, inspectArchive, inspectDocument, lmEval, promptfoo, garak, openAIEvals

    /// Returns whether a file with these first bytes is of this kind. Its name is not considered.
    fileprivate func recognizes(_ head: EvalLogHead) -> Bool {
        if self == .inspectArchive { return Self.isInspectArchive(head.bytes) }
        guard let first = head.first, self == .garak || !head.probe.isArray else { return false }
        switch self {
        case .inspectArchive: return false
        case .orrery: return first.has("orrery_eval")
        case .inspectDocument:
            return first.has("eval", "status") || (first.has("eval", "version") && first.has("plan"))
        case .lmEval:
            if first.has("doc_id", "doc") {
                // A long document precedes the generations, so the first line may be longer than the head.
                return first.hasAny(of: ["resps", "filtered_resps"]) || !head.bytes.contains(0x0A)
            }
            return first.has("results") && first.hasAny(of: ["configs", "n-shot", "versions", "group_subtasks"])
        case .promptfoo:
            guard first.has("results") else { return false }
            if first.hasAny(of: ["evalId", "shareableUrl"]) { return true }
            // The head may end before the other members; then the inner object decides.
            let text = String(decoding: head.bytes.prefix(4096), as: UTF8.self)
            return !first.has("configs") && text.contains("\"prompts\"") && text.contains("\"version\"")
        case .garak: return first.has("entry_type")
        case .openAIEvals:
            let second = head.probe.objects.dropFirst().first
            if first.keys == ["spec"] { return second.map { $0.has("run_id") || $0.has("final_report") } ?? true }
            return first.has("run_id", "event_id", "sample_id", "type")
        }
    }

    /// Returns whether the first entry of a ZIP archive has a name that Inspect uses.
    private static func isInspectArchive(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 38, bytes.starts(with: [0x50, 0x4B, 3, 4]) else { return false }
        let name = bytes[30..<min(bytes.count, 30 + (Int(bytes[26]) | Int(bytes[27]) << 8))]
        return ["_journal/", "header.json", "samples/", "summaries.json", "reductions.json"].contains {
            name.starts(with: $0.utf8)
        }
    }
}

/// The first bytes of a file that may be an evaluation log.
public struct EvalLogHead: Sendable {
    /// First bytes, at most 64 KiB.
    public var bytes: [UInt8]
    /// Keys of the first JSON objects.
    package let probe: FormatProbe

    /// Creates the kind of a log from its first bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        probe = bytes.withUnsafeBufferPointer {
            FormatProbe(UnsafeBufferPointer(rebasing: $0.prefix(64 << 10)), most: 20)
        }
    }

    package var first: FormatProbe.Object? { probe.objects.first }

    /// The first kind that recognizes the file; `nil` if the file is not an evaluation log.
    public var kind: EvalLogKind? { EvalLogKind.allCases.first { $0.recognizes(self) } }
}
