import Retrieval

/// A pipeline over toys in the plainest words there are: what explanations are measured by.
struct NaivePipeline {
    var lexical = true
    var dense = true
    var lexicalK = 10
    var denseK = 10
    var ef: Int?
    var isExact = false
    var filter = ""
    var method = "rrf"
    var lexicalWeight = 1.0
    var denseWeight = 1.0
    var fusionKeep = 10
    var reranks = true
    var rerankDepth = 10
    var rerankKeep = 5
    var budget = 100_000

    var toml: String {
        """
        [filter]
        expression = "\(filter)"
        [lexical]
        enabled = \(lexical)
        k = \(lexicalK)
        weight = \(lexicalWeight)
        [dense]
        enabled = \(dense)
        k = \(denseK)
        exact = \(isExact)
        weight = \(denseWeight)
        \(ef.map { "ef = \($0)" } ?? "")
        [fusion]
        method = "\(method)"
        keep = \(fusionKeep)
        [rerank]
        method = "\(reranks ? "cross-encoder" : "none")"
        model = "toy"
        depth = \(rerankDepth)
        keep = \(rerankKeep)
        [context]
        budget = \(budget)
        """
    }

    /// Changes a setting by its key; returns `false` if the key is unknown.
    mutating func change(_ key: String, _ value: String) -> Bool {
        switch key {
        case "filter.expression": filter = value
        case "lexical.enabled": lexical = value == "true"
        case "dense.enabled": dense = value == "true"
        case "lexical.k": lexicalK = Int(value)!
        case "dense.k": denseK = Int(value)!
        case "dense.ef": ef = Int(value)!
        case "dense.exact": isExact = value == "true"
        case "lexical.weight": lexicalWeight = Double(value)!
        case "dense.weight": denseWeight = Double(value)!
        case "fusion.keep": fusionKeep = Int(value)!
        case "rerank.method": reranks = value != "none"
        case "rerank.depth": rerankDepth = Int(value)!
        case "rerank.keep": rerankKeep = Int(value)!
        case "context.budget": budget = Int(value)!
        default: return false
        }
        return true
    }

    /// What every step gives, best first.
    struct Outcome {
        var lexical: [(Int64, Double)] = []
        var dense: [(Int64, Double)] = []
        var fused: [(Int64, Double)] = []
        var reranked: [Int64] = []
        var context: [Int64] = []
    }

    func run(_ toys: ToySource, _ query: String) -> Outcome {
        var outcome = Outcome()
        let clauses = filter.split(separator: "&").map { $0.split(separator: " ").joined() }
        let allowed = toys.items.filter { item in
            clauses.allSatisfy { $0 == "kind=\(item.kind)" || $0 == "year=\(item.year)" }
        }
        if lexical {
            let scored = allowed.map { ($0.id, toys.lexicalScore($0, query)) }.filter { $0.1 > 0 }
            outcome.lexical = Array(Self.sorted(scored).prefix(lexicalK))
        }
        if dense {
            let effort = max(ef ?? toys.usualEffort, denseK)
            let seen = allowed.filter { isExact || $0.effort <= effort }
            outcome.dense = Array(Self.sorted(seen.compactMap { i in i.nearness.map { (i.id, $0) } }).prefix(denseK))
        }
        var goesOn: [Int64]
        if lexical && dense {
            outcome.fused = fuse(outcome.lexical, outcome.dense)
            goesOn = outcome.fused.prefix(fusionKeep).map(\.0)
        } else {
            goesOn = (lexical ? outcome.lexical : outcome.dense).map(\.0)
        }
        if reranks {
            let looked = goesOn.prefix(rerankDepth).map { id in (id, ToyScorer.grade(toys.item(id)!.text)) }
            // Grades are all different here.
            outcome.reranked = looked.sorted { $0.1 > $1.1 }.map(\.0) + goesOn.dropFirst(rerankDepth)
            goesOn = Array(outcome.reranked.prefix(rerankKeep))
        }
        var left = budget
        for id in goesOn {
            let size = toys.item(id)!.text.split(separator: " ").count
            guard size <= left else { continue }
            left -= size
            outcome.context.append(id)
        }
        return outcome
    }

    private func fuse(_ one: [(Int64, Double)], _ other: [(Int64, Double)]) -> [(Int64, Double)] {
        var sums: [Int64: Double] = [:]
        for (list, weight) in [(one, lexicalWeight), (other, denseWeight)] {
            let low = list.map(\.1).min() ?? 0
            let high = list.map(\.1).max() ?? 0
            for (index, (id, score)) in list.enumerated() {
                let value =
                    switch method {
                    case "rrf": 1 / (60 + Double(index + 1))
                    case "weighted": score
                    default: high > low ? (score - low) / (high - low) : 1
                    }
                sums[id, default: 0] += weight * value
            }
        }
        return Self.sorted(sums.map { ($0.key, $0.value) })
    }

    private static func sorted(_ scored: [(Int64, Double)]) -> [(Int64, Double)] {
        scored.sorted { one, other in one.1 != other.1 ? one.1 > other.1 : one.0 < other.0 }
    }
}
