/// Chooses how to search with a filter, by what each way is estimated to cost.
///
/// ```swift
/// let planner = FilterPlanner()
/// let result = try planner.search(index, query, VectorRequest(k: 10, effort: 64, allowed: kept))
/// print(result.plan.reason)   // 1.0 % are kept: comparing all 1,000 takes about 12 µs, less than ...
/// ```
///
/// The share of kept vectors in the whole says little about a filter that goes with the query's subject, so a walk
/// first looks at the links around the place where it arrives: the share that is kept there decides how wide a
/// post-filter must search, and whether a walk would begin in a desert.
public struct FilterPlanner: Sendable {
    public var costs: FilterCosts

    public init(costs: FilterCosts = FilterCosts()) { self.costs = costs }

    /// The structure of an index, as far as the cost of a search depends on it.
    public enum Target: Hashable, Sendable {
        /// An index that compares every vector or code.
        case scan
        /// A graph with a number of links per node; `looksThrough` if its walk can be restricted to allowed nodes.
        case graph(links: Int, looksThrough: Bool)
        /// An inverted file with a number of lists.
        case lists(Int)
    }

    /// Returns the plan for a search that keeps `kept` of `count` vectors.
    ///
    /// - Parameters:
    ///   - kept: How many the filter keeps: counted, or estimated from a sample.
    ///   - effort: What an unfiltered search of the same quality would take.
    ///   - localShare: The share that is kept near the query, where it is known.
    public func plan(
        _ target: Target, kept: Int, count: Int, k: Int, effort asked: Int, dimension: Int, localShare: Double? = nil
    ) -> FilterPlan {
        let kept = min(max(kept, 0), max(count, 0))
        let effort: Int
        if case .lists = target { effort = max(asked, 1) } else { effort = max(asked, k, 1) }
        var plan = FilterPlan(
            strategy: .exact, kept: kept, count: max(count, 0), localShare: localShare, effort: effort)
        plan.exactCost = costs.exact(kept, dimension)
        guard kept > k, count > 0 else { return plan }
        var (postEffort, walkEffort) = (effort, effort)
        switch target {
        case .scan: break
        case .lists(let lists):
            let share = max(localShare ?? plan.share, 1e-9)
            let wanted = Double(effort) / min(1, share).squareRoot()
            if wanted <= Double(lists), lists > 0 {
                // Whatever is excluded in a list is passed over before it is compared.
                let rows = wanted / Double(lists) * Double(count)
                plan.postFilterCost =
                    costs.exact(Int(rows * plan.share) + lists, dimension) + rows * Self.passedOver
                postEffort = Int(wanted.rounded(.up))
            }
        case .graph(let links, let looksThrough):
            let local = plan.localShare ?? plan.share
            postEffort = postFilter(&plan, local, k: k, dimension)
            if looksThrough { walkEffort = walk(&plan, local, dimension, links: links) }
        }
        var least = plan.exactCost ?? .infinity
        if let cost = plan.postFilterCost, cost < least {
            (plan.strategy, plan.effort, least) = (.postFilter, postEffort, cost)
        }
        if let cost = plan.filteredGraphCost, cost < least {
            (plan.strategy, plan.effort) = (.filteredGraph, walkEffort)
        }
        return plan
    }

    private func postFilter(_ plan: inout FilterPlan, _ local: Double, k: Int, _ dimension: Int) -> Int {
        // The k kept ones must be among the candidates although they are not spread evenly: two deviations more.
        let enough = (Double(k) + 2 * Double(k).squareRoot()) / max(local, 1e-9)
        let candidates = max(Double(plan.effort) * (1 + (1 / max(local, 1e-9) - 1) * 0.15), enough)
        guard candidates < Double(plan.count) else { return plan.effort }
        plan.postFilterCost = costs.unfilteredWalk(candidates, dimension)
        return Int(candidates.rounded(.up))
    }

    private func walk(_ plan: inout FilterPlan, _ local: Double, _ dimension: Int, links: Int) -> Int {
        let isDesert = local < plan.share * Self.desert
        // About links²/2 nodes are within two hops; if too few of them pass the filter, the walk falls apart.
        let reached = plan.share * Double(links) * Double(links) / 2
        guard reached >= 25, !isDesert || plan.share >= 0.3 else { return plan.effort }
        let wanted = isDesert ? 2 * plan.effort : plan.effort
        plan.filteredGraphCost = costs.filteredWalk(Double(wanted), dimension)
        return wanted
    }

    /// A local share this many times smaller than that of the whole is a desert.
    static let desert = 0.25
    private static let passedOver = 0.000_5
}
