public import JSON

extension EvalSetup: JSONRepresentable {
    /// Writes all settings into one object, without `nil` values.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("task", task)
            json.member("models", models)
            json.member("judge", ifPresent: judge)
            json.member("embedder", ifPresent: embedder)
            json.member("prompts", prompts)
            json.member("few_shot", ifPresent: fewShot)
            json.member("variables", JSONValue.object(variables))
            let tried = parameters.map {
                JSONValue.Member(key: $0.name.rawValue, value: .array($0.values.map(JSONValue.number)))
            }
            json.member("parameters", JSONValue.object(tried))
            json.member("alternatives", ifPresent: alternatives)
            json.member("program_seconds", ifPresent: programSeconds)
            json.member("options", options)
        }
    }

    /// Reads what `write` wrote; `nil` for anything else.
    public init?(_ value: JSONValue) {
        guard let task = value["task"]?.string, let models = value["models"]?.elements else { return nil }
        self.init(
            task: task, models: models.compactMap(\.string), judge: value["judge"]?.string,
            embedder: value["embedder"]?.string, prompts: value["prompts"]?.elements?.compactMap(\.string) ?? [],
            fewShot: value["few_shot"]?.int, variables: value["variables"]?.members ?? [],
            parameters: (value["parameters"]?.members ?? []).compactMap { member in
                EvalParameter.Name(rawValue: member.key).map {
                    EvalParameter($0, member.value.elements?.compactMap(\.double) ?? [])
                }
            },
            alternatives: value["alternatives"]?.int, programSeconds: value["program_seconds"]?.double,
            options: EvalOptions(value["options"] ?? .null))
    }
}

extension EvalOptions: JSONRepresentable {
    /// Writes all options; the seed is a string, because not every reader keeps 64 bits of a number.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", ifPresent: name)
            json.member("concurrency", concurrency)
            json.member("adaptive", isAdaptive)
            json.member("limit", ifPresent: limit)
            json.member("only", only.sorted())
            json.member("epochs", ifPresent: epochs)
            json.member("seed", String(seed))
            json.member("cache", usesCache)
            json.member("retries", retries)
            json.member("requests", ifPresent: budget.requests)
            json.member("tokens", ifPresent: budget.tokens)
            json.member("cost", ifPresent: budget.cost)
            json.member("seconds", ifPresent: budget.seconds)
            json.member("group", ifPresent: group)
        }
    }

    /// Reads what `write` wrote, with defaults for missing members.
    init(_ value: JSONValue) {
        let usual = EvalOptions()
        self.init(
            name: value["name"]?.string, concurrency: value["concurrency"]?.int ?? usual.concurrency,
            isAdaptive: value["adaptive"]?.bool ?? usual.isAdaptive, limit: value["limit"]?.int,
            only: Set(value["only"]?.elements?.compactMap(\.string) ?? []), epochs: value["epochs"]?.int,
            seed: value["seed"]?.string.flatMap { UInt64($0) } ?? usual.seed,
            usesCache: value["cache"]?.bool ?? usual.usesCache, retries: value["retries"]?.int ?? usual.retries,
            budget: EvalBudget(
                requests: value["requests"]?.int, tokens: value["tokens"]?.int, cost: value["cost"]?.double,
                seconds: value["seconds"]?.double),
            group: value["group"]?.string)
    }
}
