internal import EvalLogs
internal import JSON

extension EvalSetup {
    /// Names the runs of a group by their differences only: `reading, short, temperature 0.7` next to `reading, long,
    /// temperature 0.7`. A name given to the group replaces the task's.
    ///
    /// A single run keeps its name.
    static func name(_ orders: inout [EvalOrder], called name: String?) {
        guard orders.count > 1 else { return }
        let parts = orders.map(Self.parts)
        var keys: [String] = []
        for key in parts.flatMap({ $0.map(\.key) }) where !keys.contains(key) { keys.append(key) }
        let telling = keys.filter { key in Set(parts.map { value(key, in: $0) }).count > 1 }
        var seen: [String: Int] = [:]
        for (index, part) in parts.enumerated() {
            let words = telling.compactMap { key in
                value(key, in: part).map { Self.wordless.contains(key) ? $0 : "\(key) \($0)" }
            }
            let base = name ?? orders[index].task.name
            // Number runs without differences, such as two runs of the same model.
            var full = ([base] + words.filter { $0 != base }).joined(separator: ", ")
            let count = seen[full, default: 0] + 1
            seen[full] = count
            if count > 1 { full += ", \(count)" }
            orders[index].options.name = full
            guard var kept = EvalSetup(arguments: orders[index].arguments) else { continue }
            kept.options.name = full
            orders[index].arguments = [kept.json()]
        }
    }

    /// Parts whose value needs no name.
    private static let wordless: Set<String> = ["task", "prompt", "model"]

    private static func value(_ key: String, in parts: [JSONValue.Member]) -> String? {
        parts.first { $0.key == key }?.value.string
    }

    private static func parts(of order: EvalOrder) -> [JSONValue.Member] {
        let settings = order.task.settings.filter { !["provider", "concurrency", "prompt version"].contains($0.name) }
        let told = settings.map { JSONValue.Member(key: $0.name, value: .string($0.value)) }
        let isPrompt = { (member: JSONValue.Member) in member.key == "prompt" }
        return [.init(key: "task", value: .string(order.task.name))] + told.filter(isPrompt)
            + [.init(key: "model", value: .string(order.solver.name))] + told.filter { !isPrompt($0) }
    }
}
