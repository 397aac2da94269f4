internal import JSON
internal import LanguageModels

/// Makes rows of samples and of their summaries, which have the same members.
struct InspectRows: Sendable {
    /// Names of the scores, in the order of a row's numbers.
    var scores: [EvalScoreKind] = []
    var slices: [String] = []
    var clusterKey: String?
    /// What the samples that were looked at have, by the name of the property.
    private var seen: [(name: String, values: [String])] = []
    /// Scores whose numbers are more than right and wrong.
    private var graded: Set<String> = []

    /// Takes the names that a sample has and that are not known yet.
    mutating func learn(_ node: JSONNode) {
        InspectValue.forEach(node["scores"]) { name, value, _ in
            if value.kind == .number, let number = value.double, number != 0, number != 1 { graded.insert(name) }
            if scores.count < 64, !scores.contains(where: { $0.name == name }) { scores.append(EvalScoreKind(name)) }
        }
        for (key, value) in node["metadata"]?.members.map({ $0 }) ?? [] {
            guard let name = key.string, let text = value.text, value.kind != .object, value.kind != .array else {
                continue
            }
            if let place = seen.firstIndex(where: { $0.name == name }) {
                seen[place].values.append(text)
            } else if seen.count < 64 {
                seen.append((name, [text]))
            }
        }
    }

    /// Ends the learning: properties group samples whose values are short and come again.
    mutating func settle() {
        let groups = seen.filter { one in
            one.values.count > 1 && Set(one.values).count * 2 <= one.values.count
                && one.values.allSatisfy { $0.utf8.count <= 40 && !$0.hasPrefix("Key removed") }
        }
        slices = groups.prefix(8).map(\.name)
        // The log does not tell from where on a grade passes.
        scores = scores.map { graded.contains($0.name) ? .unlimited($0.name) : $0 }
        seen = []
    }

    /// - Parameter resolve: Replaces references by their attachments.
    func row(_ node: JSONNode, index: Int, _ resolve: (String) -> String = { $0 }) -> EvalRow {
        var values = [Double](repeating: .nan, count: scores.count)
        var answer: String?
        InspectValue.forEach(node["scores"]) { name, value, score in
            if let place = scores.firstIndex(where: { $0.name == name }), let number = InspectValue.number(value) {
                values[place] = number
            }
            if answer == nil { answer = score["answer"]?.string }
        }
        let problem = InspectRows.problem(node)
        let metadata = node["metadata"]
        let usage = InspectUsage.total(node["model_usage"])
        return EvalRow(
            index: index, id: InspectRows.id(node), epoch: max(1, node["epoch"]?.whole ?? 1),
            outcome: outcome(values, hasError: node["error"].map { !$0.isNull } ?? false), scores: values,
            input: resolve(InspectRows.input(node["input"])).rowText,
            answer: resolve(answer ?? InspectRows.completion(node["output"]) ?? "").rowText,
            target: node["target"]?.texts.joined(separator: " | ").rowText ?? "",
            cluster: clusterKey.flatMap { metadata?.member(named: $0)?.text },
            slices: slices.map { metadata?.member(named: $0)?.text?.rowText(40) ?? "" }, problem: problem,
            seconds: node["total_time"]?.double, tokens: usage.usage?.total, cost: usage.cost)
    }

    private func outcome(_ values: [Double], hasError: Bool) -> EvalRow.Outcome {
        if hasError { return .error }
        guard let first = values.first, let kind = scores.first else { return .unscored }
        return kind.outcome(of: first)
    }

    static func id(_ node: JSONNode) -> String { node["id"]?.text ?? "?" }

    /// Why there is no answer: an error, a limit; in summaries these are texts, in samples objects.
    private static func problem(_ node: JSONNode) -> String? {
        if let error = node["error"], !error.isNull {
            return (error["message"]?.text ?? error.text ?? "error").rowText
        }
        if let limit = node["limit"], !limit.isNull {
            let kind = limit["type"]?.text ?? limit.text ?? ""
            let reason = node["limit_reason"]?.text ?? limit["reason"]?.text
            return ("stopped by the \(kind) limit" + (reason.map { ": \($0)" } ?? "")).rowText
        }
        var reason: String?
        for (_, score) in node["scores"]?.members.map({ $0 }) ?? [] where score["value"]?.isNull == true {
            reason = reason ?? score["reason"]?.text ?? "the sample could not be scored"
        }
        return reason?.rowText
    }

    /// The question: a text, or of a conversation what its last user said.
    static func input(_ node: JSONNode?) -> String {
        guard let node else { return "" }
        guard node.kind == .array else { return node.text ?? "" }
        var last: JSONNode?
        for message in node.elements where message["role"]?.equals("user") != false { last = message }
        guard let content = (last ?? node.element(at: node.count - 1))?["content"] else { return "" }
        return InspectMessages.text(content)
    }

    /// What the model answered at last.
    static func completion(_ output: JSONNode?) -> String? {
        guard let output else { return nil }
        if let text = output["completion"]?.string, !text.isEmpty { return text }
        return output["choices"]?.element(at: 0)?["message"]?["content"].map { InspectMessages.text($0) }
    }
}
