public import JSON
public import LanguageModels

extension Generation: JSONRepresentable {
    /// Writes all recorded values under stable keys; values that were not recorded are omitted.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("model", model)
            json.member("prompt", document.text)
            json.member("text", text)
            json.member("reasoning", reasoning)
            json.member("finish", outcome.finish)
            json.member("problem", ifPresent: outcome.problem)
            json.member("silence", ifPresent: silence { String(($0 * 1e4).rounded() / 1e4) })
            json.member("seconds", ifPresent: outcome.seconds)
            json.member("seconds_to_first_token", ifPresent: outcome.secondsToFirstToken)
            json.member("tokens_per_second", ifPresent: tokensPerSecond)
            if let parent {
                json.member("parent", parent.generation)
                json.member("branch_step", parent.step)
            }
            if let usage = outcome.usage {
                json.member("input_tokens", usage.input)
                json.member("output_tokens", usage.output)
            }
            json.objects("prompt_tokens", of: prompt) { token, json in
                json.member("id", token.id)
                json.member("text", token.text)
                json.member("origin", token.origin.name)
            }
            json.member("steps") { json in json.array { json in for step in steps { step.write(to: &json) } } }
            json.objects("tool_calls", of: toolCalls) { call, json in
                json.member("id", call.id)
                json.member("name", call.name)
                json.member("arguments", call.arguments)
            }
        }
    }
}

extension TokenStep {
    /// Writes one step under stable keys.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("text", text)
            json.member("id", ifPresent: id)
            json.member("log_probability", ifPresent: logProbability)
            json.member("entropy", ifPresent: entropy)
            json.member("seconds", ifPresent: seconds)
            if let stages {
                json.objects("stages", of: stages) { stage, json in
                    json.member("name", stage.name)
                    json.member("kept", stage.remaining)
                    json.member("entropy", stage.entropy)
                }
            }
            if let alternatives {
                json.objects("alternatives", of: alternatives) { alternative, json in
                    json.member("text", alternative.text)
                    json.member("id", ifPresent: alternative.id)
                    json.member("log_probability", alternative.logProbability)
                    if !alternative.afterStages.isEmpty {
                        json.member("after_stages", alternative.afterStages)
                    }
                }
            }
        }
    }
}
