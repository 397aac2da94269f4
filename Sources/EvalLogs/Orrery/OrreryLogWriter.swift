internal import JSON
internal import LanguageModels
package import Traces

/// Writes what `OrreryLogFormat` reads: a line for the head and one for each sample, every number exactly.
package enum OrreryLogWriter {
    /// The first line, with its line feed.
    package static func head(_ run: EvalRun) -> [UInt8] {
        var run = run
        // A file does not record its own path.
        run.path = nil
        var json = JSONWriter()
        json.object { json in
            json.member("orrery_eval", OrreryLogFormat.version)
            json.member("run", run)
            if let usage = run.usage {
                json.member("usage") { json in
                    json.object {
                        $0.member("tokens_read", usage.input)
                        $0.member("cache_read", usage.cacheRead)
                        $0.member("cache_write", usage.cacheWrite)
                        $0.member("tokens_written", usage.output)
                        $0.member("reasoning", usage.reasoning)
                    }
                }
            }
            let odd =
                run.scores.enumerated().compactMap { place, score in
                    OddNumber.text(score.passesAt).map { ("score \(place)", $0) }
                }
                + run.metrics.enumerated().compactMap { place, metric in
                    OddNumber.text(metric.value).map { ("metric \(place)", $0) }
                }
            if !odd.isEmpty {
                json.member("odd_numbers") { json in
                    json.object { json in for (key, text) in odd { json.member(key, text) } }
                }
            }
        }
        json.endLine()
        return json.bytes
    }

    /// A sample's line, with its line feed.
    ///
    /// - Parameter spans: Spans of the sample's trace to include, as one document of OTLP/JSON each.
    package static func line(_ sample: EvalSampleRecord, spans: [SpanRecord] = []) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            write(sample.row, sample, to: &json)
            if !sample.choices.isEmpty { json.member("choices", sample.choices) }
            if !sample.scores.isEmpty {
                json.member("scores") { json in json.array { json in sample.scores.forEach { write($0, to: &json) } } }
            }
            if !sample.messages.isEmpty {
                json.member("messages") { json in
                    json.array { json in sample.messages.forEach { $0.write(as: .evalLog, to: &json) } }
                }
            }
            if !sample.steps.isEmpty { json.member("steps", sample.steps) }
            json.member("failing_step", ifPresent: sample.failingStep)
            json.member("trace", ifPresent: sample.trace)
            json.member("stderr", ifPresent: sample.standardError)
            if let text = sample.metadata {
                // Written as a JSON value if that reads back as the same text, so that other programs find its fields.
                if let value = try? JSONValue(json: text), value.json() == text {
                    json.member("metadata", value)
                } else {
                    json.member("metadata_text", text)
                }
            }
            if !spans.isEmpty {
                json.member("spans") { json in
                    json.array { json in spans.forEach { OTLPDocument.write([$0], to: &json) } }
                }
            }
        }
        json.endLine()
        return json.bytes
    }

    private static func write(_ row: EvalRow, _ sample: EvalSampleRecord, to json: inout JSONWriter) {
        json.member("id", row.id)
        json.member("epoch", row.epoch)
        json.member("outcome", row.outcome.rawValue)
        json.member("values") { json in
            json.array { json in
                for number in row.scores { if number.isNaN { json.null() } else { OddNumber.write(number, to: &json) } }
            }
        }
        json.member("cluster", ifPresent: row.cluster)
        if !row.slices.isEmpty { json.member("slices", row.slices) }
        json.member("problem", ifPresent: row.problem)
        write("seconds", row.seconds, to: &json)
        json.member("tokens", ifPresent: row.tokens)
        write("cost", row.cost, to: &json)
        json.member("cached", ifPresent: row.wasCached ? true : nil)
        json.member("input", sample.input)
        json.member("answer", ifPresent: sample.answer)
        json.member("targets", sample.targets)
        // Texts shown in lists, if they are not the start of the full texts.
        let shown = [
            ("input", row.input, sample.input), ("answer", row.answer, sample.answer ?? ""),
            ("target", row.target, sample.targets.first ?? ""),
        ].filter { $0.1 != $0.2.rowText }
        if !shown.isEmpty {
            json.member("row") { json in json.object { json in for (key, text, _) in shown { json.member(key, text) } }
            }
        }
    }

    private static func write(_ key: String, _ number: Double?, to json: inout JSONWriter) {
        if let number { json.member(key) { OddNumber.write(number, to: &$0) } }
    }

    private static func write(_ score: EvalScore, to json: inout JSONWriter) {
        json.object { json in
            json.member("name", score.name)
            write("value", score.value, to: &json)
            json.member("label", ifPresent: score.label)
            json.member("answer", ifPresent: score.answer)
            json.member("explanation", ifPresent: score.explanation)
            json.member("problem", ifPresent: score.problem)
            write("confidence", score.confidence, to: &json)
            if !score.parts.isEmpty {
                json.member("parts") { json in
                    json.array { json in for part in score.parts { OddNumber.write(part, to: &json) } }
                }
            }
        }
    }
}
