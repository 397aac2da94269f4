internal import JSON
internal import Statistics
public import System
internal import Tokenizers

/// A group of tasks of lm-evaluation-harness: a YAML file with `group`, a list `task`, and `aggregate_metric_list`.
///
/// Its tasks run one by one; the group's figures are computed from theirs. Facts: lm-evaluation-harness 0.4.13.
public struct LMEvalGroup: Sendable {
    /// The aggregation of one metric of the tasks into one of the group.
    struct Aggregation {
        var metric: String
        /// Names of the filters; `nil` selects every filter that a task has for the metric.
        var filters: [String]?
        /// Whether tasks are weighted by their number of samples instead of equally.
        var weighsBySize: Bool
    }

    /// Name in commands and tables.
    public let name: String
    public let alias: String
    let version: String
    let aggregations: [Aggregation]

    /// Reads the group of a file; `nil` if the file is a task or not a file of lm-evaluation-harness.
    ///
    /// - Throws: `Problem` with file and line for unsupported keys.
    public init?(path: String) throws(Problem) {
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return nil }
        let root = try LMEvalFiles.root(of: path)
        guard let group = root["group"], case .list? = root["task"]?.content else { return nil }
        try self.init(root, named: group)
    }

    private init(_ root: YAMLNode, named group: YAMLNode) throws(Problem) {
        guard let name = group.value?.string, !name.isEmpty else { throw group.error("`group` must be a string") }
        self.name = name
        alias = root["group_alias"]?.value?.string ?? name
        version = root["metadata"]?["version"].map { PythonLiteral.printed($0.value ?? .null) } ?? "N/A"
        if case .map(let members) = root.content {
            let known = ["group", "group_alias", "task", "aggregate_metric_list", "metadata", "include"]
            for (key, node) in members where !known.contains(key) {
                throw node.error(
                    "unknown key `\(key)` of a group", "Supported: \(known.dropLast().joined(separator: ", ")).")
            }
        }
        if case .list(let members)? = root["task"]?.content {
            for member in members where member["group"] != nil {
                throw member.error("nested groups are not supported", "Run each group separately.")
            }
        }
        var found: [Aggregation] = []
        if let list = root["aggregate_metric_list"], list.value != .null {
            let entries: [YAMLNode] = if case .list(let entries) = list.content { entries } else { [list] }
            for entry in entries { found.append(try Aggregation(entry)) }
        }
        aggregations = found
    }

    /// The results of a task.
    struct Member {
        var name: String
        /// Largest number of values behind one of its metrics.
        var samples: Int
        var shots: Int
        /// Figures by `metric,filter`, in the order of the task.
        var figures: [(key: String, value: Double, standardError: Double?)]
        var higherIsBetter: [(metric: String, isHigher: Bool)]
    }

    /// A figure of the group.
    struct Figure {
        var metric: String
        var filter: String
        var value: Double
        /// Pooled standard error; `nil` if a task has none.
        var standardError: Double?
        var count: Int
    }

    /// Returns Σ n_i x_i / Σ n_i with the pooled standard error (``groupStandardError(counts:standardErrors:)``), or,
    /// if tasks have equal weight, Σ x_i / k with √Σ se_i² / k. Tasks without the metric are ignored.
    func figures(of members: [Member]) -> [Figure] {
        aggregations.flatMap { aggregation in
            let names = aggregation.filters ?? Self.filters(of: aggregation.metric, members)
            return names.compactMap { filter -> Figure? in
                let key = "\(aggregation.metric),\(filter)"
                let parts = members.compactMap { member in
                    member.figures.first { $0.key == key }.map { ($0.value, $0.standardError, member.samples) }
                }
                guard !parts.isEmpty else { return nil }
                let counts = parts.map(\.2)
                let weights = aggregation.weighsBySize ? counts.map(Double.init) : counts.map { _ in 1 }
                let total = weights.reduce(0, +)
                guard total > 0 else { return nil }
                let value = zip(parts, weights).reduce(0) { $0 + $1.0.0 * $1.1 } / total
                let errors = parts.compactMap(\.1)
                var error: Double?
                if errors.count == parts.count {
                    error =
                        aggregation.weighsBySize
                        ? groupStandardError(counts: counts, standardErrors: errors)
                        : errors.reduce(0) { $0 + $1 * $1 }.squareRoot() / Double(errors.count)
                }
                return Figure(
                    metric: aggregation.metric, filter: filter, value: value, standardError: error,
                    count: counts.reduce(0, +))
            }
        }
    }

    private static func filters(of metric: String, _ members: [Member]) -> [String] {
        let prefix = metric + ","
        let found = members.flatMap { member in
            member.figures.map(\.key).filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        }
        return Set(found).sorted()
    }
}

extension LMEvalGroup.Aggregation {
    fileprivate init(_ entry: YAMLNode) throws(Problem) {
        guard case .map(let members) = entry.content, let name = entry["metric"]?.value?.string else {
            throw entry.error("an aggregation of a group must be a mapping with a `metric`")
        }
        metric = name
        weighsBySize = true
        for (key, node) in members {
            switch key {
            case "metric": break
            case "aggregation":
                guard node.value == .string("mean") else {
                    throw node.error(
                        "only `mean` is supported as the aggregation of a group; Orrery does not run Python")
                }
            case "weight_by_size":
                guard let weighs = node.value?.bool else { throw node.error("`weight_by_size` must be true or false") }
                weighsBySize = weighs
            case "filter_list":
                guard let value = node.value, value != .null else { break }
                let names = value.string.map { [$0] } ?? value.elements?.compactMap(\.string)
                guard let names, names.count == value.elements?.count ?? 1 else {
                    throw node.error("`filter_list` must be a name or a list of names")
                }
                filters = names
            default: throw node.error("unknown key `\(key)` in an aggregation of a group")
            }
        }
    }
}
