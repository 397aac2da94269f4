internal import JSON
internal import LanguageModels
internal import System

/// What a model told while it answered, as JSON: `{"token": {...}}`, `{"reasoning": "..."}`, `{"tool_call": {...}}`,
/// `{"prompt": [...]}`.
struct EventJSON: JSONRepresentable {
    var event: ModelEvent

    func write(to json: inout JSONWriter) {
        json.object { json in
            switch event {
            case .token(let step): json.member("token", StepJSON(step: step))
            case .reasoning(let text): json.member("reasoning", text)
            case .toolCall(let call):
                json.member("tool_call") { json in
                    json.object {
                        $0.member("id", call.id)
                        $0.member("name", call.name)
                        $0.member("arguments", call.arguments)
                    }
                }
            case .prompt(let tokens):
                json.objects("prompt", of: tokens) { token, json in
                    json.member("id", token.id)
                    json.member("text", token.text)
                    json.member("origin", token.origin.name)
                }
            }
        }
    }
}

extension EventJSON {
    init(_ node: JSONNode) throws(Problem) {
        if let step = node["token"] {
            event = .token(try StepJSON(step).step)
        } else if let text = node["reasoning"]?.string {
            event = .reasoning(text)
        } else if let call = node["tool_call"] {
            event = .toolCall(try ToolCall(call))
        } else if let tokens = node["prompt"], tokens.kind == .array {
            event = .prompt(
                tokens.elements.map { token in
                    let origin = TokenOrigin.allCases.first { token["origin"]?.equals($0.name) == true }
                    return PromptToken(
                        id: Int(token["id"]?.int ?? 0), text: token["text"]?.string ?? "", origin: origin ?? .template)
                })
        } else {
            throw Problem(.invalid, "", "an event must have 'token', 'reasoning', 'tool_call', or 'prompt'")
        }
    }
}

/// Writes one step of a generation as JSON, without values that were not reported.
///
/// `{"text", "id", "logprob", "entropy", "seconds", "alternatives": [{"text", "id", "logprob", "after": [...]}],
/// "stages": [{"name", "kept", "entropy"}]}`
struct StepJSON: JSONRepresentable {
    var step: TokenStep

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("text", step.text)
            json.member("id", ifPresent: step.id)
            json.member("logprob", ifPresent: step.logProbability)
            json.member("entropy", ifPresent: step.entropy)
            json.member("seconds", ifPresent: step.seconds)
            if let alternatives = step.alternatives {
                json.member("alternatives") { json in
                    json.array { for one in alternatives { Self.write(one, to: &$0) } }
                }
            }
            guard let stages = step.stages else { return }
            json.objects("stages", of: stages) { stage, json in
                json.member("name", stage.name)
                json.member("kept", stage.remaining)
                json.member("entropy", stage.entropy)
            }
        }
    }

    private static func write(_ alternative: Alternative, to json: inout JSONWriter) {
        json.object { json in
            json.member("text", alternative.text)
            json.member("id", ifPresent: alternative.id)
            json.member("logprob", alternative.logProbability)
            if !alternative.afterStages.isEmpty { json.member("after", alternative.afterStages) }
        }
    }
}

extension StepJSON {
    init(_ node: JSONNode) throws(Problem) {
        guard let text = node["text"]?.string else { throw Problem(.invalid, "", "a token must have 'text'") }
        let alternatives = node["alternatives"].map { list in
            list.elements.compactMap { one -> Alternative? in
                guard let value = one["logprob"]?.double, let text = one["text"]?.string else { return nil }
                return Alternative(
                    id: one["id"]?.int.map(Int.init), text: text, logProbability: value,
                    afterStages: one["after"]?.elements.compactMap(\.double) ?? [])
            }
        }
        let stages = node["stages"].map { list in
            list.elements.map {
                ProcessorStage(
                    name: $0["name"]?.string ?? "", remaining: Int($0["kept"]?.int ?? 0),
                    entropy: $0["entropy"]?.double ?? 0
                )
            }
        }
        step = TokenStep(
            text: text, id: node["id"]?.int.map(Int.init), logProbability: node["logprob"]?.double,
            entropy: node["entropy"]?.double, seconds: node["seconds"]?.double, alternatives: alternatives,
            stages: stages)
    }
}
