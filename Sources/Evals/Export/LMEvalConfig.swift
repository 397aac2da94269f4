internal import JSON

/// A task's configuration as lm-evaluation-harness writes it with its results: every key with a value, even defaults.
struct LMEvalConfig {
    let value: JSONValue

    init(_ source: JSONValue, examples: Int) {
        let delimiter = source["fewshot_delimiter"] ?? .string("\n\n")
        let target = source["target_delimiter"] ?? .string(" ")
        let output = source["output_type"] ?? .string("generate_until")
        let standard: [(String, JSONValue)] = [
            ("task", .null), ("task_alias", .null), ("tag", .null), ("dataset_path", .null), ("dataset_name", .null),
            ("dataset_kwargs", .null), ("training_split", .null), ("validation_split", .null), ("test_split", .null),
            ("fewshot_split", .null), ("doc_to_text", .null), ("doc_to_target", .null), ("unsafe_code", .bool(false)),
            ("doc_to_choice", .null), ("description", .string("")), ("target_delimiter", target),
            ("fewshot_delimiter", delimiter), ("fewshot_config", .null), ("num_fewshot", .integer(examples)),
            ("metric_list", .null), ("output_type", output), ("generation_kwargs", .null), ("repeats", .integer(1)),
            ("filter_list", .null), ("should_decontaminate", .bool(false)), ("doc_to_decontamination_query", .null),
            ("gen_prefix", .null), ("metadata", .null),
        ]
        var members: [JSONValue.Member] = []
        for (key, preset) in standard {
            var value = source[key].flatMap { $0 == .null ? nil : $0 } ?? preset
            switch key {
            case "num_fewshot": value = .integer(examples)
            case "fewshot_config": value = Self.examples(source, delimiter, target)
            case "generation_kwargs" where output == .string("generate_until"):
                value = Self.generation(source[key], delimiter)
            default: break
            }
            if value != .null { members.append(JSONValue.Member(key: key, value: value)) }
        }
        value = .object(members)
    }

    private static func examples(_ source: JSONValue, _ delimiter: JSONValue, _ target: JSONValue) -> JSONValue {
        let own = source["fewshot_config"]
        let inherited: [(String, JSONValue?)] = [
            ("sampler", .string("default")), ("split", source["fewshot_split"]), ("process_docs", nil),
            ("fewshot_indices", nil), ("samples", nil), ("doc_to_text", source["doc_to_text"]),
            ("doc_to_choice", source["doc_to_choice"]), ("doc_to_target", source["doc_to_target"]),
            ("gen_prefix", source["gen_prefix"]), ("fewshot_delimiter", delimiter), ("target_delimiter", target),
        ]
        return .object(
            inherited.map { JSONValue.Member(key: $0.0, value: own?[$0.0] ?? $0.1 ?? .null) })
    }

    /// Returns generation options with defaults filled in.
    static func generation(_ given: JSONValue?, _ delimiter: JSONValue) -> JSONValue {
        guard case .object(var members)? = given else {
            return .object([
                .init(key: "temperature", value: .number(0)), .init(key: "do_sample", value: .bool(false)),
                .init(key: "max_gen_toks", value: .integer(256)), .init(key: "until", value: .array([delimiter])),
            ])
        }
        for index in members.indices where members[index].key == "temperature" {
            if let number = members[index].value.double { members[index].value = .number(number) }
        }
        if !members.contains(where: { $0.key == "until" }) {
            members.append(.init(key: "until", value: .array([delimiter])))
        }
        return .object(members)
    }
}
