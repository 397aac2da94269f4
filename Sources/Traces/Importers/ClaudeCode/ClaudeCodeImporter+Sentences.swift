internal import Formatting
public import JSON

extension ClaudeCodeImporter {
    public static func sentence(of event: TraceEvent, record: JSONNode) -> String {
        let line = ClaudeCodeRecord(record)
        switch line.kind {
        case .progress: return progress(event, line.data)
        case .system: return system(event, record)
        case .user:
            let error = line.message?["content"]?.element(at: 0)?["content"].flatMap(ResultText.firstLine)
            return "a tool call that is not in the log failed" + (error.map { ": \($0)" } ?? "")
        default: return other(event, record)
        }
    }

    private static func progress(_ event: TraceEvent, _ data: JSONNode?) -> String {
        func text(_ name: StaticString) -> String? { data?[name]?.nonEmptyString.map(SessionNames.oneLine) }
        switch event.name {
        case "hook_progress":
            return "hook \(text("hookName") ?? text("hookEvent") ?? "") ran \(text("command") ?? "a command")"
        case "bash_progress":
            let seconds = data?["elapsedTimeSeconds"]?.lenientInt.map { " after \($0) s" } ?? ""
            return "the command is running\(seconds): \(text("output") ?? "no output yet")"
        case "agent_progress":
            return "sub-agent \(text("agentId") ?? "") is running"
        default: return readable(event.name)
        }
    }

    private static func system(_ event: TraceEvent, _ record: JSONNode) -> String {
        func number(_ node: JSONNode?) -> String? { node?.lenientInt.map { String($0) } }
        switch event.name {
        case "compact_boundary":
            let data = record["compactMetadata"]
            let before = number(data?["preTokens"]).map { " at \($0) tokens" } ?? ""
            let trigger = data?["trigger"]?.nonEmptyString.map { " (\($0))" } ?? ""
            return "the conversation was compacted\(before)\(trigger)"
        case "api_error":
            let attempt = number(record["retryAttempt"]) ?? "?"
            let most = number(record["maxRetries"]) ?? "?"
            let what = errorText(record["error"]) ?? "no reason recorded"
            return "the request failed, attempt \(attempt) of \(most): \(what)"
        case "turn_duration":
            let time = record["durationMs"]?.double.map { " \(Format.fixed($0 / 1000, digits: 1)) s" } ?? ""
            return "the turn took\(time)"
        default:
            let content = record["content"]?.nonEmptyString.map(SessionNames.oneLine)
            return content.map { "\(readable(event.name)): \($0)" } ?? readable(event.name)
        }
    }

    /// The message of an error, which is nested deeper the further it came.
    private static func errorText(_ error: JSONNode?) -> String? {
        var node = error
        for _ in 0..<4 {
            guard let here = node else { return nil }
            if let text = (here["message"] ?? here).nonEmptyString { return SessionNames.oneLine(text) }
            if here["error"] == nil {
                return here["status"]?.lenientInt.map { "status \($0)" } ?? here["code"]?.nonEmptyString
            }
            node = here["error"]
        }
        return nil
    }

    private static func other(_ event: TraceEvent, _ record: JSONNode) -> String {
        for name in ["customTitle", "aiTitle", "summary", "operation", "mode", "permissionMode", "lastPrompt"] {
            if let text = record.member(named: name)?.nonEmptyString {
                return "\(readable(event.name)): \(SessionNames.oneLine(text))"
            }
        }
        if let kind = record["attachment"]?["type"]?.nonEmptyString { return "attachment: \(readable(kind))" }
        return readable(event.name)
    }

    private static func readable(_ name: String) -> String {
        String(name.map { $0 == "_" || $0 == "-" ? " " : $0 })
    }
}
