internal import JSON
internal import LanguageModels

/// Tokens of a prompt and steps of a generation as JSON texts, with exactly the reported values.
enum RecordedTokens {
    /// Longer texts are not kept: such an answer is shown by its text alone.
    static let maximumBytes = 16 << 20

    /// `[[id, text, origin], ...]`; `nil` beyond the size that is kept.
    static func text(of tokens: [PromptToken]) -> String? {
        var json = JSONWriter()
        json.array { json in
            for token in tokens {
                json.array { json in
                    json.integer(token.id)
                    json.string(token.text)
                    json.integer(token.origin.rawValue)
                }
            }
        }
        return json.bytes.count <= maximumBytes ? json.text : nil
    }

    /// One object a step; `nil` beyond the size that is kept.
    static func text(of steps: [TokenStep]) -> String? {
        var json = JSONWriter()
        json.array { json in
            for step in steps { write(step, to: &json) }
        }
        return json.bytes.count <= maximumBytes ? json.text : nil
    }

    private static func write(_ step: TokenStep, to json: inout JSONWriter) {
        json.object { json in
            json.member("text", step.text)
            json.member("id", ifPresent: step.id)
            json.member("logprob", ifPresent: step.logProbability)
            json.member("entropy", ifPresent: step.entropy)
            json.member("seconds", ifPresent: step.seconds)
            if let alternatives = step.alternatives {
                json.member("alternatives") { json in
                    json.array { json in
                        for one in alternatives {
                            json.array { json in
                                if let id = one.id { json.integer(id) } else { json.null() }
                                json.string(one.text)
                                json.number(one.logProbability)
                                json.value(one.afterStages)
                            }
                        }
                    }
                }
            }
            if let stages = step.stages {
                json.member("stages") { json in
                    json.array { json in
                        for stage in stages {
                            json.array { json in
                                json.string(stage.name)
                                json.integer(stage.remaining)
                                json.number(stage.entropy)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the ids in a JSON array of integers; empty for any other text.
    static func ids(in text: String) -> [Int] {
        // A text that is not JSON holds no ids.
        guard let document = try? JSONDocument(parsing: text) else { return [] }
        return document.withRoot { $0.elements.compactMap(\.int).map(Int.init) }
    }

    /// Returns the tokens in a text written by `text(of:)`; empty for any other text.
    static func prompt(in text: String) -> [PromptToken] {
        // A text from another program may be anything.
        guard let document = try? JSONDocument(parsing: text) else { return [] }
        return document.withRoot { root in
            root.elements.compactMap { item in
                guard let id = item.element(at: 0)?.int, let text = item.element(at: 1)?.string else { return nil }
                let origin = item.element(at: 2)?.int.flatMap { UInt8(exactly: $0) }.flatMap(
                    TokenOrigin.init(rawValue:))
                return PromptToken(id: Int(id), text: text, origin: origin ?? .user)
            }
        }
    }

    /// Returns the steps in a text written by `text(of:)`; empty for any other text.
    static func steps(in text: String) -> [TokenStep] {
        // A text from another program may be anything.
        guard let document = try? JSONDocument(parsing: text) else { return [] }
        return document.withRoot { root in root.elements.map(step) }
    }

    private static func step(_ node: JSONNode) -> TokenStep {
        // An infinite logarithm is written as null.
        let alternatives = node["alternatives"].map { list in
            list.elements.map { item in
                Alternative(
                    id: item.element(at: 0)?.int.map(Int.init), text: item.element(at: 1)?.string ?? "",
                    logProbability: item.element(at: 2)?.double ?? -.infinity,
                    afterStages: item.element(at: 3)?.elements.compactMap(\.double) ?? [])
            }
        }
        let stages = node["stages"].map { list in
            list.elements.map { item in
                ProcessorStage(
                    name: item.element(at: 0)?.string ?? "", remaining: Int(item.element(at: 1)?.int ?? 0),
                    entropy: item.element(at: 2)?.double ?? 0)
            }
        }
        return TokenStep(
            text: node["text"]?.string ?? "", id: node["id"]?.int.map(Int.init),
            logProbability: node["logprob"]?.double, entropy: node["entropy"]?.double, seconds: node["seconds"]?.double,
            alternatives: alternatives, stages: stages)
    }
}
