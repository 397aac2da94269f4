internal import Configuration
internal import JSON
internal import System

/// Parses assertions as checks of a sample.
struct PromptfooChecks {
    let task: PromptfooTask
    let variables: JSONValue
    /// Notes for the user.
    private(set) var notes: Set<String> = []
    static let leftToPeople = "Assertions of the type human are left to the review queue."

    /// Supported assertion types, without `not-`.
    static let types: Set<String> = [
        "equals", "contains", "icontains", "contains-all", "icontains-all", "contains-any", "icontains-any",
        "starts-with", "regex", "is-json", "contains-json", "levenshtein", "rouge-n", "bleu", "similar", "latency",
        "cost", "perplexity", "word-count", "is-refusal", "trajectory:tool-used", "trajectory:tool-sequence",
        "trajectory:tool-args-match", "trajectory:step-count", "trajectory:goal-success", "llm-rubric", "g-eval",
        "factuality", "answer-relevance", "context-faithfulness", "context-recall", "context-relevance", "human",
        "assert-set",
    ]
    /// Supported keys of an assertion.
    private static let keys: Set<String> = ["type", "value", "threshold", "weight", "metric", "assert", "description"]
    /// Assertion types that run code in promptfoo, or look at answers of several prompts.
    static let refused: Set<String> = ["javascript", "python", "ruby", "webhook", "select-best", "max-score"]

    /// Assertion types that compare prompts or models, with the Orrery command to use instead.
    private static let comparisons = [
        "select-best":
            "Remove the assertion, run the prompts and models, and let a judge choose between two runs: orrery eval judge "
            + "prefer A B --judge MODEL --criteria \"...\".",
        "max-score": "Remove the assertion, run the prompts and models, and compare the runs: orrery eval compare.",
    ]

    init(task: PromptfooTask, variables: JSONValue) {
        self.task = task
        self.variables = variables
    }

    mutating func checks(_ nodes: [YAMLNode]) throws(Problem) -> [ScorerChoice] {
        var checks: [ScorerChoice] = []
        for node in nodes {
            if let check = try check(node) { checks.append(check) }
        }
        return checks
    }

    private mutating func check(_ node: YAMLNode) throws(Problem) -> ScorerChoice? {
        guard var type = node["type"]?.value?.string else {
            throw node.error("the assertion has no type", "Write type: equals, or another type.")
        }
        for (key, value) in node.members where !Self.keys.contains(key) {
            if ["transform", "contextTransform", "assertScoringFunction"].contains(key) {
                throw value.error(
                    "\(key) runs JavaScript or Python, which is not supported", "Use exec: with your own scorer.")
            }
            let remedies = [
                "provider": "Choose the judge with --judge.",
                "rubricPrompt": "Describe the criteria in the value; judges have their own prompts.",
            ]
            throw value.error(
                "an assertion's \(key) is not supported",
                remedies[key] ?? "Supported: \(Self.keys.sorted().joined(separator: ", ")).")
        }
        let isNegated = type.hasPrefix("not-")
        if isNegated { type.removeFirst(4) }
        if type == "human" {
            notes.insert(Self.leftToPeople)
            return nil
        }
        let place = node["type"] ?? node
        if Self.refused.contains(type) {
            throw place.error(
                "assertions of the type \(type) are not supported",
                Self.comparisons[type] ?? "Write a program and use a scorer of kind exec.")
        }
        guard Self.types.contains(type) else {
            let near = NearestName.suggestion(for: type, among: Self.types.sorted())
            throw place.error("unknown assertion type \(type)", near ?? "")
        }
        try checkKeys(type, node)
        let wasKnown = try made(type, node)
        var check = wasKnown
        check.name = node["metric"]?.value?.string ?? (isNegated ? "not-" : "") + type
        check.weight = try node["weight"]?.number(of: "the assertion's weight", from: 0) ?? 1
        check.isNegated = isNegated
        do {
            _ = try Scorers.make(check)
        } catch {
            throw Problem(.failed, node.path, line: node.line, error.what, remedy: error.remedy)
        }
        return check
    }

    private mutating func made(_ type: String, _ node: YAMLNode) throws(Problem) -> ScorerChoice {
        let threshold = try node["threshold"]?.number(of: "the assertion's threshold", from: 0)
        func choice(_ kind: String, _ settings: [(String, JSONValue)] = [], from least: Double? = nil) -> ScorerChoice {
            ScorerChoice(
                kind,
                settings: ScorerSettings(
                    settings.map { .init(key: $0.0, value: $0.1) }, path: node.path, line: node.line), threshold: least)
        }
        func asserted(
            _ kind: String, _ values: [String], _ settings: [(String, JSONValue)] = [], from least: Double? = nil
        ) -> ScorerChoice {
            let inner = JSONValue.object(settings.map { .init(key: $0.0, value: $0.1) })
            return choice(
                "asserted",
                [("scorer", .string(kind)), ("values", .array(values.map { .string($0) })), ("settings", inner)],
                from: least)
        }
        let ignoring: [(String, JSONValue)] =
            type.hasPrefix("i") && type.contains("contains") ? [("ignore_case", .bool(true))] : []
        switch type {
        case "equals": return asserted("exact", [try text(node)], [("trim", .bool(false))])
        case "contains", "icontains": return asserted("contains", [try text(node)], ignoring)
        case "contains-all", "icontains-all":
            return choice("contains_all", [("values", .array(try list(node).map { .string($0) }))] + ignoring)
        case "contains-any", "icontains-any":
            return choice("contains_any", [("values", .array(try list(node).map { .string($0) }))] + ignoring)
        case "starts-with": return choice("starts_with", [("values", .array([.string(try text(node))]))])
        case "regex": return choice("regex", [("pattern", .string(try text(node))), ("compare", .string("exists"))])
        case "is-json", "contains-json":
            return choice(
                "json", [("schema", node["value"]?.value ?? .null), ("find", .bool(type == "contains-json"))])
        case "levenshtein": return asserted("edit_count", [try text(node)], [("most", .number(threshold ?? 5))])
        case "rouge-n":
            return asserted("rouge", [try text(node)], [("type", .string("rouge1"))], from: threshold ?? 0.75)
        case "bleu": return asserted("bleu", [try text(node)], from: threshold ?? 0.5)
        case "similar": return asserted("similar", [try text(node)], from: threshold ?? 0.75)
        case "latency", "cost":
            guard let threshold else {
                throw node.error("\(type) needs a threshold", "Write threshold: with the largest passing value.")
            }
            return choice(type, [("most", .number(threshold))])
        case "perplexity": return choice("answer_perplexity", [("most", threshold.map { .number($0) } ?? .null)])
        case "word-count":
            let value = node["value"]?.value
            if let count = value?.int ?? value?.string.flatMap({ Int($0) }) {
                return choice("word_count", [("min", .integer(count)), ("max", .integer(count))])
            }
            return choice("word_count", [("min", value?["min"] ?? .integer(0)), ("max", value?["max"] ?? .null)])
        case "is-refusal": return choice("refusal")
        default: return try trajectoryOrJudge(type, node, threshold, asserted: asserted, choice: choice)
        }
    }

    private mutating func trajectoryOrJudge(
        _ type: String, _ node: YAMLNode, _ threshold: Double?,
        asserted: (String, [String], [(String, JSONValue)], Double?) -> ScorerChoice,
        choice: (String, [(String, JSONValue)], Double?) -> ScorerChoice
    ) throws(Problem) -> ScorerChoice {
        let value = node["value"]?.value
        switch type {
        case "trajectory:tool-used":
            var names = value?["name"]?.string.map { [$0] } ?? []
            if names.isEmpty { names = try list(node) }
            return choice("tools_used", [("tools", .array(names.map { .string($0) }))], nil)
        case "trajectory:tool-sequence":
            var names = value?["steps"]?.elements?.compactMap(\.plainText) ?? []
            if names.isEmpty { names = try list(node) }
            let isExact = value?["mode"]?.string == "exact"
            return choice(
                "tools_used",
                [("tools", .array(names.map { .string($0) })), ("order", .string(isExact ? "exact" : "in_order"))], nil)
        case "trajectory:tool-args-match":
            let arguments = value?["args"] ?? value?["arguments"] ?? .object([])
            let mode = value?["mode"]?.string == "exact" ? "exact" : "subset"
            return choice(
                "tool_arguments",
                [("tool", value?["name"] ?? .null), ("arguments", arguments), ("mode", .string(mode))], nil)
        case "trajectory:step-count":
            let most = value?["max"] ?? value.flatMap { $0.int.map { .integer($0) } } ?? .integer(1_000_000)
            return choice("steps", [("min", value?["min"] ?? .integer(0)), ("max", most)], nil)
        case "trajectory:goal-success":
            let said = value?["goal"]?.string
            let goal = if let said { try rendered(said, node) } else { try text(node) }
            return choice(
                "rubric", [("rubric", .string("The answer reaches this goal: \(goal)")), ("scale", .string("yes-no"))],
                nil)
        case "llm-rubric":
            return choice("rubric", [("rubric", .string(try text(node))), ("scale", .string("yes-no"))], nil)
        case "g-eval":
            let criteria = try list(node).joined(separator: "\n")
            let marks = ((threshold ?? 0.7) * 10).rounded()
            return choice(
                "g_eval",
                [
                    ("criteria", .string(criteria)), ("scale", .string("1-10")),
                    ("passes_at", .number(max(1, min(10, marks)))),
                ],
                nil)
        case "factuality": return asserted("factuality", [try text(node)], [], threshold)
        case "answer-relevance": return choice("answer_relevance", [], threshold)
        case "context-faithfulness": return choice("faithfulness", [], threshold)
        case "context-recall": return asserted("context_recall", [try text(node)], [], threshold)
        case "context-relevance":
            notes.insert("context-relevance is judged as context precision: by passage instead of by sentence.")
            return choice("context_precision", [], threshold)
        default:
            let checks = try checks(node["assert"]?.elements ?? [])
            guard !checks.isEmpty else {
                throw node.error("the assert-set has no assertions", "Add assertions under assert.")
            }
            return choice(
                "check_set",
                [("checks", .array(checks.map(\.nested))), ("threshold", threshold.map { .number($0) } ?? .null)], nil)
        }
    }

    private func text(_ node: YAMLNode) throws(Problem) -> String {
        guard let text = node["value"]?.value?.plainText else {
            throw node.error("the assertion has no value", "Write value: with the text to compare the answer with.")
        }
        guard text.hasPrefix("file://") else { return try rendered(text, node) }
        guard let bytes = SmallFile.content(task.place(text), limit: 1 << 20), !text.hasSuffix(".py"),
            !text.hasSuffix(".js")
        else {
            throw node.error("\(text) cannot be read, or is code (not supported)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a list; a text is split at commas.
    private func list(_ node: YAMLNode) throws(Problem) -> [String] {
        if let values = node["value"]?.value?.elements {
            var texts: [String] = []
            for value in values { texts.append(try rendered(value.plainText ?? "", node)) }
            return texts
        }
        return try text(node).split(separator: ",").map { part in
            var part = part.drop { $0 == " " }
            while part.last == " " { part.removeLast() }
            return String(part)
        }
    }

    private func rendered(_ text: String, _ node: YAMLNode) throws(Problem) -> String {
        try PromptfooTask.rendered(text, variables, at: node)
    }
}
