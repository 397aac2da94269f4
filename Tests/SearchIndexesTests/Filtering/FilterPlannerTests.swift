import SearchIndexes
import Testing

@Suite("The planner of filtered searches")
struct FilterPlannerTests {
    private static func graph(_ count: Int) throws -> (HNSWIndex, [[Float]]) {
        var vectors = GraphVectors(dimension: 32)
        let index = try HNSWIndex(
            GraphVectors.rows(vectors.next(count)), parameters: HNSWParameters(efConstruction: 80))
        try index.add(slots: 0..<count)
        return (index, vectors.next(40))
    }

    private func planned(_ target: FilterPlanner.Target, share: Double, localShare: Double? = nil) -> FilterPlan {
        FilterPlanner().plan(
            target, kept: Int(share * 1_000_000), count: 1_000_000, k: 10, effort: 64, dimension: 128,
            localShare: localShare)
    }

    @Test(
        "few passing vectors are compared exactly, and many by a walk",
        arguments: [
            (0.9, FilterPlan.Strategy.postFilter), (0.5, .postFilter), (0.001, .exact), (0.000_1, .exact),
        ])
    func choices(share: Double, strategy: FilterPlan.Strategy) {
        let plan = planned(.graph(links: 32, looksThrough: true), share: share)
        #expect(plan.strategy == strategy)
        for other in FilterPlan.Strategy.allCases {
            let cost = plan.estimatedCost(other) ?? .infinity
            #expect(cost >= plan.estimatedCost(strategy) ?? .infinity)
        }
    }

    @Test("few passing vectors near the query lead to a filtered walk")
    func localShare() {
        let target = FilterPlanner.Target.graph(links: 32, looksThrough: true)
        #expect(planned(target, share: 0.4, localShare: 0.02).strategy == .filteredGraph)
        let plain = planned(.graph(links: 32, looksThrough: false), share: 0.4, localShare: 0.02)
        #expect(plain.estimatedCost(.filteredGraph) == nil, "not every graph can be walked so")
    }

    @Test("fewer passing vectors lead to more lists; a scan has no alternatives")
    func lists() {
        let many = planned(.lists(1000), share: 0.5)
        let few = planned(.lists(1000), share: 0.1)
        #expect(many.strategy == .postFilter && few.effort > many.effort)
        #expect(planned(.scan, share: 0.5).strategy == .exact)
    }

    @Test("a plan states its method and reason")
    func sentences() {
        let target = FilterPlanner.Target.graph(links: 32, looksThrough: true)
        let wide = planned(target, share: 0.5).reason
        #expect(wide.hasPrefix("50.0 % of the vectors pass the filter: searching without the filter with effort "))
        #expect(wide.contains("less than exact with "))
        #expect(planned(target, share: 0).reason == "No vectors pass the filter.")
        #expect(
            planned(target, share: 0.000_005).reason == "Only 5 vectors pass the filter, so all of them are compared.")
    }

    @Test("results match a scan of the passing vectors, whether or not the filter correlates with the query")
    func recall() throws {
        let (index, queries) = try Self.graph(6000)
        var random = SeededVectors.Generator(seed: 5)
        for share in [1.0, 0.5, 0.1, 0.01, 0.001] {
            for anchored in [false, true] {
                let kept = try filter(share, index, anchored ? queries[0] : nil, &random)
                var (hits, all) = (0, 0)
                for query in queries {
                    let request = VectorRequest(k: 10, effort: 64, allowed: kept)
                    let truth = try FlatIndex(index.rows).search(query, request)
                    let result = try FilterPlanner().search(index, query, request)
                    #expect(result.neighbors.count == min(10, kept.count))
                    #expect(Set(result.neighbors.map(\.label)).count == result.neighbors.count)
                    #expect(result.neighbors.allSatisfy { kept.contains(Int($0.label)) })
                    hits += Set(result.neighbors.map(\.label)).intersection(truth.map(\.label)).count
                    all += truth.count
                }
                #expect(Double(hits) >= 0.95 * Double(all), "\(share) of all, anchored \(anchored)")
            }
        }
    }

    private func filter(
        _ share: Double, _ index: HNSWIndex, _ anchor: [Float]?, _ random: inout SeededVectors.Generator
    ) throws -> SlotSet {
        let wanted = Int(share * Double(index.count))
        var set = SlotSet(capacity: index.count)
        if let anchor {
            let nearest = try FlatIndex(index.rows).search(anchor, VectorRequest(k: wanted))
            for neighbor in nearest { set.insert(Int(neighbor.label)) }
        } else {
            for slot in (0..<index.count).shuffled(using: &random).prefix(wanted) { set.insert(slot) }
        }
        return set
    }

    @Test("an empty filter finds nothing, and removed vectors are never found")
    func borders() throws {
        let (index, queries) = try Self.graph(500)
        let empty = try FilterPlanner().search(index, queries[0], VectorRequest(k: 5, allowed: SlotSet()))
        #expect(empty.neighbors.isEmpty)
        let nearest = try index.search(queries[0], VectorRequest(k: 1))[0].label
        var all = SlotSet(capacity: 500)
        for slot in 0..<500 { all.insert(slot) }
        index.rows.remove(nearest)
        let found = try FilterPlanner().search(index, queries[0], VectorRequest(k: 5, allowed: all))
        #expect(found.neighbors.count == 5 && !found.neighbors.contains { $0.label == nearest })
    }

    @Test("every kind of index can be planned")
    func kinds() throws {
        let data = SeededVectors(1500, dimension: 16, metric: .l2)
        let rows = try data.rows()
        var kept = SlotSet(capacity: rows.count)
        for slot in stride(from: 0, to: rows.count, by: 3) { kept.insert(slot) }
        let indexes: [any VectorIndex] = [
            FlatIndex(rows), try HNSWIndex(rows), VamanaIndex(rows, VamanaSettings(degree: 16, complexity: 40)),
            IVFFlatIndex(rows, lists: 20),
        ]
        for index in indexes {
            try index.add(slots: 0..<rows.count, threads: 1) { _ in true }
            let request = VectorRequest(k: 8, allowed: kept)
            let truth = try FlatIndex(rows).search(data.queries[0], request)
            let result = try FilterPlanner().search(index, data.queries[0], request)
            #expect(Set(result.neighbors).intersection(truth).count >= 7, "\(type(of: index).kind)")
        }
    }
}
