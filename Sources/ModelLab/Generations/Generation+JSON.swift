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
            json.member("prompt_tokens") { json in
                json.array { json in
                    for token in prompt {
                        json.object {
                            $0.member("id", token.id)
                            $0.member("text", token.text)
                            $0.member("origin", token.origin.name)
                        }
                    }
                }
            }
            json.member("steps") { json in json.array { json in for step in steps { step.write(to: &json) } } }
            json.member("tool_calls") { json in
                json.array { json in
                    for call in toolCalls {
                        json.object {
                            $0.member("id", call.id)
                            $0.member("name", call.name)
                            $0.member("arguments", call.arguments)
                        }
                    }
                }
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
                json.member("stages") { json in
                    json.array { json in
                        for stage in stages {
                            json.object {
                                $0.member("name", stage.name)
                                $0.member("kept", stage.remaining)
                                $0.member("entropy", stage.entropy)
                            }
                        }
                    }
                }
            }
            if let alternatives {
                json.member("alternatives") { json in
                    json.array { json in
                        for alternative in alternatives {
                            json.object { json in
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
        }
    }
}
