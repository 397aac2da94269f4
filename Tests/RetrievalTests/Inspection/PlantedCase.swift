import Retrieval

/// A corpus and a pipeline in which one chunk was found, until a fault was planted that loses it.
struct PlantedCase {
    typealias Cause = StageExplanation.Cause

    var toys = ToySource()
    var pipeline = NaivePipeline()
    var query = "what torque do the bolts need"
    var target: Int64 = 0
    /// In the order of the stages.
    var causes: [Cause]
    private var random: SplitMix

    /// - Returns: `nil` if such faults cannot be planted in the random corpus.
    init?(_ causes: [Cause], seed: Int) {
        self.causes = causes
        random = SplitMix(UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9 &+ UInt64(causes[0].rawValue.count))
        pipeline.lexicalK = 6 + random.below(14)
        pipeline.denseK = 6 + random.below(14)
        pipeline.fusionKeep = 6 + random.below(8)
        pipeline.rerankDepth = 5 + random.below(10)
        pipeline.rerankKeep = 3 + random.below(4)
        pipeline.method = ["rrf", "weighted", "min-max"][random.below(3)]
        // Half of the corpora are searched in one way only.
        switch causes[0] {
        case .analysis: pipeline.dense = random.below(2) == 0
        case .missedBySearch: pipeline.lexical = random.below(2) == 0
        case .k, .filter:
            (pipeline.lexical, pipeline.dense) = [(true, true), (true, false), (false, true)][random.below(3)]
        case .fusion: break
        default: (pipeline.lexical, pipeline.dense) = [(true, true), (false, true)][random.below(2)]
        }
        if causes.contains(.missedBySearch) { pipeline.dense = true }
        for id in 1...Int64(40 + random.below(60)) { toys.items.append(item(id)) }
        let found = pipeline.run(toys, query).context
        guard !found.isEmpty else { return nil }
        target = found[random.below(found.count)]
        for cause in causes { guard plant(cause) else { return nil } }
        guard !pipeline.run(toys, query).context.contains(target) else { return nil }
    }

    private mutating func item(_ id: Int64) -> ToySource.Item {
        let words = [String](repeating: "bolts", count: max(0, random.below(12) - 4))
        let own = (0..<(5 + random.below(15))).map { "w\(id)x\($0)" }
        let grade = "grade=\(Double(id) / 1_000 + Double(random.below(9)))"
        var item = ToySource.Item(
            id, (words + own + [grade]).joined(separator: " "), nearness: Double(random.below(1_000_000)) / 1_000_000)
        item.effort = 1 + random.below(8)
        return item
    }

    private var place: Int { toys.items.firstIndex { $0.id == target }! }

    /// The nearest ones, whatever the filter says.
    private var exactly: [Int64] {
        let sorted = toys.items.sorted { ($0.nearness ?? -1) > ($1.nearness ?? -1) }
        return sorted.prefix(pipeline.denseK).map(\.id)
    }

    private mutating func plant(_ cause: Cause) -> Bool {
        let before = pipeline.run(toys, query)
        switch cause {
        case .filter:
            toys.items[place].kind = "ticket"
            pipeline.filter = "kind=manual"
        case .analysis:
            toys.items[place].text = toys.items[place].text.replacing("bolts", with: "fasteners")
            if pipeline.dense { toys.items[place].nearness = nil }
        case .missedBySearch:
            guard before.dense.contains(where: { $0.0 == target }) || causes.count > 1 && exactly.contains(target)
            else {
                return false
            }
            toys.items[place].effort = max(pipeline.denseK, toys.usualEffort) + 1 + random.below(20)
            toys.items[place].text = toys.items[place].text.replacing("bolts", with: "fasteners")
        case .k:
            return plantK()
        case .fusion:
            guard let rank = before.fused.firstIndex(where: { $0.0 == target }), rank > 0 else { return false }
            pipeline.fusionKeep = rank
        case .reranker:
            let old = toys.items[place].text
            let grade = old.split(separator: " ").last!
            toys.items[place].text = old.replacing(grade, with: "grade=0.0001")
            return before.reranked.count > pipeline.rerankKeep
        case .budget:
            let taken = before.context.prefix { $0 != target }
            toys.items[place].text += String(repeating: " y", count: random.below(40))
            let sizes = (taken + [target]).map { id in toys.item(id)!.text.split(separator: " ").count }
            pipeline.budget = sizes.reduce(0, +) - 1 - random.below(sizes.last! - 1)
        default: return false
        }
        return true
    }

    /// Moves the target behind the last that each search keeps.
    private mutating func plantK() -> Bool {
        if pipeline.dense {
            let sorted = toys.items.filter { $0.id != target && $0.kind == "manual" }
                .compactMap { $0.effort <= 8 ? $0.nearness : nil }.sorted(by: >)
            let index = pipeline.denseK + random.below(15)
            guard index < sorted.count else { return false }
            toys.items[place].nearness = sorted[index - 1] - 1e-9
        }
        if pipeline.lexical {
            let old = toys.items[place].text
            toys.items[place].text = "bolts " + old.replacing("bolts ", with: "")
            let better = toys.items.count { $0.id != target && toys.lexicalScore($0, query) > 1 }
            return better >= pipeline.lexicalK
        }
        return true
    }
}

/// Numbers that are the same every time (Steele, Lea & Flood 2014).
struct SplitMix {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 to `bound` - 1.
    mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }
}
