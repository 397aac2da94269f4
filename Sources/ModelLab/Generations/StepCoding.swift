internal import JSON
internal import LanguageModels
internal import Workspace

/// Tokens as they are kept: compact JSON, compressed by the run.
enum StepCoding {
    static func encode(_ steps: some Collection<TokenStep>) throws -> [UInt8] {
        var json = JSONWriter()
        json.array { json in for step in steps { write(step, to: &json) } }
        return try Compressor().compress(json.bytes)
    }

    static func decodeSteps(_ blob: [UInt8]) throws -> [TokenStep] {
        try JSONParser().parse(try Decompressor().decompress(blob)) { $0.elements.map(step) }
    }

    static func encode(prompt: [PromptToken]) throws -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            for token in prompt {
                json.array {
                    $0.integer(token.id)
                    $0.string(token.text)
                    $0.integer(token.origin.rawValue)
                }
            }
        }
        return try Compressor().compress(json.bytes)
    }

    static func decodePrompt(_ blob: [UInt8]) throws -> [PromptToken] {
        try JSONParser().parse(try Decompressor().decompress(blob)) { root in
            root.elements.map { token in
                let origin = token.element(at: 2)?.int.flatMap { UInt8(exactly: $0) }.flatMap(TokenOrigin.init)
                return PromptToken(
                    id: Int(token.element(at: 0)?.int ?? 0), text: token.element(at: 1)?.string ?? "",
                    origin: origin ?? .template)
            }
        }
    }

    // MARK: One step

    private static func write(_ step: TokenStep, to json: inout JSONWriter) {
        json.object { json in
            json.member("t", step.text)
            json.member("i", ifPresent: step.id)
            json.member("p", ifPresent: finite(step.logProbability))
            json.member("h", ifPresent: finite(step.entropy))
            json.member("s", ifPresent: finite(step.seconds))
            if let stages = step.stages {
                json.member("g") { json in
                    json.array { json in
                        for stage in stages {
                            json.array {
                                $0.string(stage.name)
                                $0.integer(stage.remaining)
                                $0.number(finite(stage.entropy) ?? 0)
                            }
                        }
                    }
                }
            }
            if let alternatives = step.alternatives {
                json.member("a") { json in
                    json.array { json in for alternative in alternatives { write(alternative, to: &json) } }
                }
            }
        }
    }

    private static func write(_ alternative: Alternative, to json: inout JSONWriter) {
        json.array { json in
            if let id = alternative.id { json.integer(id) } else { json.null() }
            json.string(alternative.text)
            if let value = finite(alternative.logProbability) { json.number(value) } else { json.null() }
            for probability in alternative.afterStages { json.number(finite(probability) ?? 0) }
        }
    }

    private static func step(_ node: JSONNode) -> TokenStep {
        TokenStep(
            text: node["t"]?.string ?? "", id: node["i"]?.int.map { Int($0) }, logProbability: node["p"]?.double,
            entropy: node["h"]?.double, seconds: node["s"]?.double,
            alternatives: node["a"].map { list in list.elements.map(alternative) },
            stages: node["g"].map { list in
                list.elements.map {
                    ProcessorStage(
                        name: $0.element(at: 0)?.string ?? "", remaining: Int($0.element(at: 1)?.int ?? 0),
                        entropy: $0.element(at: 2)?.double ?? 0)
                }
            })
    }

    private static func alternative(_ node: JSONNode) -> Alternative {
        Alternative(
            id: node.element(at: 0)?.int.map { Int($0) }, text: node.element(at: 1)?.string ?? "",
            logProbability: node.element(at: 2)?.double ?? -.infinity,
            afterStages: (3..<max(3, node.count)).map { node.element(at: $0)?.double ?? 0 })
    }

    private static func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }
}
