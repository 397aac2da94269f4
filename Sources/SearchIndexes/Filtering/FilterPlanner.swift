/// Chooses how to search with a filter, by what each way is estimated to cost.
///
/// ```swift
/// let planner = FilterPlanner()
/// let result = try planner.search(index, query, VectorRequest(k: 10, effort: 64, allowed: kept))
/// print(result.plan.reason)   // 1.0 % are kept: comparing all 1,000 takes about 12 µs, less than ...
/// ```
///
/// The share of kept vectors in the whole says little about a filter that goes with the query's subject, so a walk first
/// looks at the links around the place where it arrives: the share that is kept there decides how wide a post-filter
/// must search, and whether a walk would begin in a desert.
public struct FilterPlanner: Sendable {
    public var costs: FilterCosts

    public init(costs: FilterCosts = FilterCosts()) { self.costs = costs }

    /// What kind of index is asked.
    public enum Target: Hashable, Sendable {
        /// Every vector is looked at anyway, or its code.
        case scan
        /// A graph; `looksThrough`: whether its walk can be confined to kept nodes; links of a node.
        case graph(links: Int, looksThrough: Bool)
        /// An inverted file with so many lists.
        case lists(Int)
    }

    /// The plan for a search that keeps `kept` of `count` vectors.
    ///
    /// - Parameters:
    ///   - kept: how many the filter keeps: counted, or estimated from a sample.
    ///   - effort: what an unfiltered search of the same quality would take.
    ///   - localShare: the share that is kept near the query, where it is known.
    public func plan(
        _ target: Target, kept: Int, count: Int, k: Int, effort: Int, dimension: Int, localShare: Double? = nil
    ) -> FilterPlan {
        let kept = min(max(kept, 0), max(count, 0))
        let effort = max(effort, k, 1)
        var plan = FilterPlan(
            strategy: .exact, kept: kept, count: max(count, 0), localShare: localShare, effort: effort,
            estimatedCosts: [.exact: costs.exact(kept, dimension)], reason: "")
        guard kept > k, count > 0 else {
            plan.reason = kept == 0 ? "The filter keeps nothing." : "Only \(kept) are kept: all of them are compared."
            return plan
        }
        var efforts: [FilterPlan.Strategy: Int] = [.exact: effort]
        switch target {
        case .scan: break
        case .lists(let lists):
            let share = max(localShare ?? plan.share, 1e-9)
            let wanted = Double(effort) / min(1, share).squareRoot()
            if wanted <= Double(lists), lists > 0 {
                // Whatever is excluded in a list is passed over before it is compared.
                let rows = wanted / Double(lists) * Double(count)
                plan.estimatedCosts[.postFilter] =
                    costs.exact(Int(rows * plan.share) + lists, dimension) + rows * Self.passedOver
                efforts[.postFilter] = Int(wanted.rounded(.up))
            }
        case .graph(let links, let looksThrough):
            walks(&plan, &efforts, k: k, dimension, links: looksThrough ? links : nil)
        }
        let best = plan.estimatedCosts.min { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }
        plan.strategy = best?.key ?? .exact
        plan.effort = efforts[plan.strategy] ?? effort
        plan.reason = Self.sentence(plan)
        return plan
    }

    private func walks(
        _ plan: inout FilterPlan, _ efforts: inout [FilterPlan.Strategy: Int], k: Int, _ dimension: Int, links: Int?
    ) {
        let effort = plan.effort
        let local = plan.localShare ?? plan.share
        let isDesert = local < plan.share * Self.desert
        // The k kept ones must be among the candidates although they are not spread evenly: three deviations more.
        let enough = (Double(k) + 3 * Double(k).squareRoot()) / max(local, 1e-9)
        let candidates = max(Double(effort) * (1 + (1 / max(local, 1e-9) - 1) * 0.5), enough)
        if candidates < Double(plan.count) {
            plan.estimatedCosts[.postFilter] = costs.unfilteredWalk(candidates, dimension)
            efforts[.postFilter] = Int(candidates.rounded(.up))
        }
        guard let links else { return }
        // Two hops lead to about links²/2 nodes; with fewer than eight kept among them the walk falls apart.
        let reached = plan.share * Double(links) * Double(links) / 2
        guard reached >= 8, !isDesert || plan.share >= 0.3 else { return }
        let wanted = isDesert ? 4 * effort : effort
        plan.estimatedCosts[.filteredGraph] = costs.filteredWalk(Double(wanted), dimension)
        efforts[.filteredGraph] = wanted
    }

    /// A local share this many times smaller than that of the whole is a desert.
    static let desert = 0.25
    private static let passedOver = 0.000_5

    private static func sentence(_ plan: FilterPlan) -> String {
        func percent(_ share: Double) -> String {
            let tenths = (share * 1000).rounded() / 10
            return share > 0 && tenths < 0.1 ? "under 0.1 %" : "\(tenths) %"
        }
        func micro(_ strategy: FilterPlan.Strategy) -> String {
            "\(Int((plan.estimatedCosts[strategy] ?? 0).rounded())) µs"
        }
        var text = "\(percent(plan.share)) are kept"
        if let local = plan.localShare { text += " and \(percent(local)) near the query" }
        switch plan.strategy {
        case .exact: text += ": comparing all \(plan.kept) takes about \(micro(.exact))"
        case .filteredGraph: text += ": a walk over kept nodes with effort \(plan.effort) takes about \(micro(.filteredGraph))"
        case .postFilter:
            text += ": a search as without filter with effort \(plan.effort) takes about \(micro(.postFilter))"
        }
        let others = FilterPlan.Strategy.allCases.filter { $0 != plan.strategy && plan.estimatedCosts[$0] != nil }
        if !others.isEmpty {
            text += ", less than " + others.map { "\($0.rawValue) with \(micro($0))" }.joined(separator: " or ")
        }
        return text + "."
    }
}
