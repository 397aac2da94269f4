public import JSON
internal import LanguageModels

extension EvalRun: JSONRepresentable {
    /// The head of a run as a JSON object; what the log does not tell is left out.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("key", key)
            $0.member("name", name)
            $0.member("task", task)
            $0.member("task_version", taskVersion)
            $0.member("model", model)
            $0.member("format", format)
            $0.member("path", ifPresent: path)
            $0.member("state", state.rawValue)
            $0.member("problem", ifPresent: problem)
            $0.member("start", ifPresent: start)
            $0.member("end", ifPresent: end)
            $0.member("total", ifPresent: total)
            $0.member("completed", ifPresent: isCounted ? completed : nil)
            $0.member("subset", ifPresent: isSubset ? true : nil)
            $0.member("errors", ifPresent: errors)
            $0.member("unscored", ifPresent: unscored)
            $0.member("cached", ifPresent: cached)
            $0.member("seconds", ifPresent: workSeconds)
            $0.member("scores", scores)
            $0.member("slices", slices)
            $0.member("metrics", metrics)
            $0.member("tokens_read", ifPresent: usage?.input)
            $0.member("tokens_written", ifPresent: usage?.output)
            $0.member("cost", ifPresent: cost)
            $0.member("settings") { json in
                json.object { json in for setting in settings { json.member(setting.name, setting.value) } }
            }
        }
    }
}

extension EvalScoreKind: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("higher_is_better", higherIsBetter)
            $0.member("passes_at", ifPresent: hasThreshold ? passesAt : nil)
        }
    }
}

extension EvalMetric: JSONRepresentable {
    /// Writes the metric; a value that is not finite is null.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("score", score)
            $0.member("name", name)
            $0.member("value", value.isFinite ? value : nil)
            $0.member("standard_error", ifPresent: standardError)
            $0.member("lower", ifPresent: lower)
            $0.member("upper", ifPresent: upper)
            $0.member("level", ifPresent: level)
            $0.member("count", count)
            $0.member("higher_is_better", higherIsBetter)
            $0.member("note", ifPresent: note)
        }
    }
}
