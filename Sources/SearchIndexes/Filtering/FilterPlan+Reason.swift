internal import Formatting

extension FilterPlan {
    /// Reason for the chosen strategy, in one or two sentences.
    public var reason: String {
        guard hasFilter else { return "There is no filter." }
        guard kept > 0 else { return "No vectors pass the filter." }
        let others = Strategy.allCases.filter { $0 != strategy && estimatedCost($0) != nil }
        let own = estimatedCost(strategy) ?? 0
        let slower = others.filter { (estimatedCost($0) ?? 0) >= own }
        var text: String
        if others.isEmpty, strategy == .exact {
            text = "Only \(kept) vectors pass the filter, so all of them are compared."
        } else {
            text = "\(Self.percent(share)) of the vectors pass the filter"
            if let localShare { text += " (\(Self.percent(localShare)) of those near the query)" }
            text += ": \(action) takes about \(micro(strategy))"
            if slower.isEmpty {
                text += ", about as much as any other method"
            } else {
                text += ", less than " + slower.map { "\($0.rawValue) with \(micro($0))" }.joined(separator: " or ")
            }
            text += "."
        }
        if fellBack { text += " This search found too few, so all vectors that pass were compared." }
        return text
    }

    private var action: String {
        switch strategy {
        case .exact: "comparing all \(kept)"
        case .filteredGraph: "walking the passing nodes with effort \(effort)"
        case .postFilter: "searching without the filter with effort \(effort)"
        }
    }

    private static func percent(_ share: Double) -> String {
        share > 0 && share < 0.000_5 ? "under 0.1 %" : Format.percent(share, digits: 1)
    }

    private func micro(_ strategy: Strategy) -> String {
        "\(Format.fixed(estimatedCost(strategy) ?? 0, digits: 0)) µs"
    }
}
