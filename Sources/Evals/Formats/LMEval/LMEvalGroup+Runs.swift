public import EvalLogs
public import JSON

extension LMEvalGroup {
    /// Returns the group's figures, computed from its runs.
    public func metrics(of runs: [EvalRun]) -> [EvalMetric] {
        let members = runs.map { run in
            Member(
                name: run.task, samples: run.metrics.map(\.count).max() ?? 0, shots: 0,
                figures: run.metrics.filter(\.value.isFinite).map { ($0.score, $0.value, $0.standardError) },
                higherIsBetter: [])
        }
        return figures(of: members).map { figure in
            let key = "\(figure.metric),\(figure.filter)"
            let one = runs.lazy.flatMap(\.metrics).first { $0.score == key }
            return EvalMetric(
                score: key, name: "mean", value: figure.value, standardError: figure.standardError,
                count: figure.count, higherIsBetter: one?.higherIsBetter ?? true)
        }
    }

    /// Returns one results file for the group and its tasks, as lm-evaluation-harness writes it.
    ///
    /// - Parameter files: Results of each task, in the order of the group.
    public func results(_ files: [JSONValue]) -> JSONValue {
        let members = files.map(Self.member)
        let figures = figures(of: members)
        var own: [JSONValue.Member] = [
            .init(key: "alias", value: .string(alias)), .init(key: "name", value: .string(name)),
        ]
        if !aggregations.isEmpty {
            own.append(.init(key: "sample_len", value: .integer(members.reduce(0) { $0 + $1.samples })))
        }
        for figure in figures {
            own.append(.init(key: "\(figure.metric),\(figure.filter)", value: .number(figure.value)))
            own.append(
                .init(
                    key: "\(figure.metric)_stderr,\(figure.filter)",
                    value: figure.standardError.map { .number($0) } ?? .string("N/A")))
        }
        if !figures.isEmpty {
            let counts = figures.map {
                JSONValue.Member(key: "\($0.metric),\($0.filter)", value: .integer($0.count))
            }
            own.append(.init(key: "sample_count", value: .object(counts)))
        }
        let shots = Set(members.map(\.shots))
        let added: [String: JSONValue?] = [
            "results": .object(own), "versions": .string(version),
            "n-shot": shots.count == 1 ? shots.first.map { .integer($0) } : nil,
            "higher_is_better": higherIsBetter(members),
        ]
        var merged: [JSONValue.Member] = []
        for member in files.first?.members ?? [] {
            var value = member.value
            if Self.perTask.contains(member.key) {
                var entries = files.flatMap { $0[member.key]?.members ?? [] }
                if let addition = added[member.key] ?? nil { entries.append(.init(key: name, value: addition)) }
                if !["results", "n-samples", "task_hashes"].contains(member.key) { entries.sort { $0.key < $1.key } }
                value = .object(entries)
            } else if member.key == "group_subtasks" {
                value = .object([.init(key: name, value: .array(members.map { .string($0.name) }))])
                if !aggregations.isEmpty {
                    merged.append(
                        .init(key: "groups", value: .object([.init(key: name, value: .object(own))])))
                }
            }
            merged.append(.init(key: member.key, value: value))
        }
        return .object(merged)
    }

    /// Members of a results file with one member per task.
    private static let perTask: Set<String> = [
        "results", "configs", "versions", "n-shot", "higher_is_better", "n-samples", "task_hashes",
    ]

    /// Returns the direction of each metric; null if tasks disagree.
    private func higherIsBetter(_ members: [Member]) -> JSONValue? {
        var found: [JSONValue.Member] = []
        for (metric, isHigher) in members.flatMap(\.higherIsBetter) {
            guard let place = found.firstIndex(where: { $0.key == metric }) else {
                found.append(.init(key: metric, value: .bool(isHigher)))
                continue
            }
            if found[place].value != .bool(isHigher) { found[place].value = .null }
        }
        return found.isEmpty ? nil : .object(found)
    }

    private static func member(_ file: JSONValue) -> Member {
        let entry = file["results"]?.members?.first
        let figures = (entry?.value.members ?? []).compactMap { pair -> (String, Double, Double?)? in
            guard let comma = pair.key.firstIndex(of: ","), !pair.key[..<comma].hasSuffix("_stderr"),
                let value = pair.value.double
            else { return nil }
            let error = entry?.value["\(pair.key[..<comma])_stderr\(pair.key[comma...])"]?.double
            return (pair.key, value, error)
        }
        let name = entry?.key ?? ""
        return Member(
            name: name, samples: entry?.value["sample_len"]?.int ?? 0, shots: file["n-shot"]?[name]?.int ?? 0,
            figures: figures.map { (key: $0.0, value: $0.1, standardError: $0.2) },
            higherIsBetter: (file["higher_is_better"]?[name]?.members ?? []).compactMap { pair in
                pair.value.bool.map { (pair.key, $0) }
            })
    }
}
