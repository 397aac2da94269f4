import FeatureLab
import GRDB
import Interpretability
import System
import Tensors
import TestFixtures
import Testing
import Tokenizers
import Workspace

@Suite struct FeatureIndexTests {
    @Test("tells of each feature what a naive pass over all activations tells", arguments: [1, 2])
    func naiveTwin(seed: UInt64) throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let block = FeatureBlock.random(sequences: 60, features: 40, seed: seed)
        let naive = NaiveFeatureIndex(block)
        let index = try fixture.build(id, block.split(7))
        #expect(index.tokens == naive.tokens.count)
        #expect(index.sequences == 60)
        for feature in 0..<40 {
            let dashboard = try fixture.store.dashboard(of: id, feature: feature)
            let values = naive.firings[feature].map(\.value)
            #expect(dashboard.count == values.count)
            #expect(dashboard.maximum == naive.maximum(feature))
            #expect(abs(dashboard.density - Double(values.count) / Double(naive.tokens.count)) < 1e-12)
            let mean = values.reduce(0) { $0 + Double($1) } / Double(max(1, values.count))
            #expect(abs(Double(dashboard.mean) - mean) < 1e-5)
            #expect(dashboard.top == naive.top(feature))
            if dashboard.count == 0 { continue }
            expectHistogram(dashboard, values)
            try expectGroups(dashboard, naive)
        }
    }

    // Running counts up to an edge differ by at most the count of the logarithmic bin around the edge.
    private func expectHistogram(_ dashboard: FeatureDashboard, _ values: [Float]) {
        let histogram = dashboard.histogram
        #expect(histogram.counts.count == 50)
        #expect(histogram.counts.reduce(0, +) == values.count)
        var sum = 0
        for bin in 0..<50 {
            sum += histogram.counts[bin]
            let edge = histogram.range(of: bin).upperBound
            let (low, high) = (edge * (1 - 1 / 32.0), edge * (1 + 1 / 32.0))
            #expect(sum >= values.count { $0 < low } - 1)
            #expect(sum <= values.count { $0 <= high } + 1)
        }
    }

    private func expectGroups(_ dashboard: FeatureDashboard, _ naive: NaiveFeatureIndex) throws {
        #expect(dashboard.groups.count == 10)
        #expect(dashboard.groups.reduce(0) { $0 + $1.count } == dashboard.count)
        let firings = naive.firings[dashboard.feature]
        for group in dashboard.groups {
            let isTop = group.range.upperBound >= dashboard.maximum * 0.9999
            let members = firings.filter {
                group.range.contains($0.value) || isTop && $0.value >= group.range.upperBound
            }
            // An edge may be rounded to either side.
            #expect(group.examples.count <= 5 && group.examples.count <= members.count + 1)
            #expect(members.isEmpty || !group.examples.isEmpty || members.count == 1)
            #expect(group.examples == group.examples.sorted { $1.value < $0.value })
            for example in group.examples {
                let firing = try #require(firings.first { $0.position == example.position })
                #expect(example == naive.example(dashboard.feature, firing))
                #expect(example.value >= group.range.lowerBound * 0.9999)
                #expect(example.value <= group.range.upperBound * 1.0001)
            }
        }
    }

    @Test("finds correlated features, as a plain Pearson correlation over all tokens does")
    func correlations() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 12).id
        let block = FeatureBlock.random(sequences: 20, features: 12, seed: 5)
        let naive = NaiveFeatureIndex(block)
        try fixture.build(id, block.split(3))
        for feature in 0..<11 {
            let found = try fixture.store.dashboard(of: id, feature: feature).correlated
            let expected = (0..<11).filter { $0 != feature }.map { ($0, naive.pearson(feature, $0)) }
                .filter { $0.1 > 1e-9 }.sorted { $1.1 < $0.1 }
            #expect(found.count >= min(10, expected.count) - 1)
            for (one, other) in zip(found, expected) { #expect(abs(Double(one.value) - other.1) < 1e-5) }
        }
    }

    @Test("is the same whatever the size of blocks, and after any interruption")
    func interruption() throws {
        let fixture = try Fixture()
        let block = FeatureBlock.random(sequences: 90, features: 30, seed: 3)
        var settings = FeatureIndexBuilder.Settings(source: "stories", seed: 9)
        settings.checkpointTokens = 400
        settings.sampledTokens = 200
        let whole = try fixture.dictionary("whole", features: 30).id
        try fixture.build(whole, [block], settings)

        let broken = try fixture.dictionary("broken", features: 30).id
        var random = SplitMix(state: 4)
        var runs = 0
        var done = false
        while !done {
            // Dropped without a word, as after kill -9: what came after the last checkpoint is gone.
            let builder = try FeatureIndexBuilder(fixture.reopened(), dictionary: broken, settings: settings)
            let rest = block.split(1).dropFirst(builder.sequencesDone)
            let few = Int.random(in: 15...40, using: &random)
            for one in rest.prefix(few) { try builder.append(one) }
            runs += 1
            done = rest.count <= few
            if done { _ = try builder.finish() }
        }
        #expect(runs > 2)
        for feature in 0..<30 {
            #expect(
                try fixture.store.dashboard(of: whole, feature: feature)
                    == fixture.store.dashboard(of: broken, feature: feature))
        }
        for token in TokenID(0)..<50 {
            #expect(
                try fixture.store.features(of: whole, firingOn: [token])
                    == fixture.store.features(of: broken, firingOn: [token]))
        }
    }

    @Test("counts nothing on leading rows that do not count, and keeps their tokens in the text")
    func uncountedRows() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 3).id
        let codes = SparseCodes(
            width: 3, starts: [0, 1, 2, 3, 4, 5], features: [0, 0, 1, 2, 0], values: [100, 2, 1, 50, 3])
        // The second sequence is shorter than what does not count of it, the third as long.
        let block = FeatureBlock(sequences: [[7, 5, 6], [], [7], [8]], codes: codes, uncounted: 1)
        let index = try fixture.build(id, [block])
        #expect(index.tokens == 5 && index.counted == 2)
        let dashboard = try fixture.store.dashboard(of: id, feature: 0)
        #expect(dashboard.maximum == 2 && dashboard.density == 0.5)
        #expect(dashboard.top.map(\.tokens) == [[7, 5, 6]])
        #expect(try fixture.store.dashboard(of: id, feature: 2).count == 0)
        #expect(throws: Problem.self) {
            try fixture.build(id, [FeatureBlock(sequences: [[7]], codes: codes, uncounted: -1)])
        }
    }

    @Test("densities over counted tokens add up to the mean number of active features of these tokens")
    func densities() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        var block = FeatureBlock.random(sequences: 30, features: 40, seed: 11)
        block.uncounted = 2
        var (active, rows, row) = (0, 0, 0)
        for sequence in block.sequences {
            for place in sequence.indices {
                if place >= 2 {
                    active += block.codes[row].count { _ in true }
                    rows += 1
                }
                row += 1
            }
        }
        let pieces = block.split(4).map { FeatureBlock(sequences: $0.sequences, codes: $0.codes, uncounted: 2) }
        let index = try fixture.build(id, pieces)
        #expect(index.counted == rows && index.tokens == row)
        let sum = try fixture.store.features(of: id).reduce(0) { $0 + ($1.density ?? 0) }
        #expect(abs(sum - Double(active) / Double(rows)) < 1e-9)
    }

    @Test("finds the directions of a decoder that are alike, and keeps logits")
    func directions() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 4, width: 2).id
        let decoder = try Tensor<Float>(rows: [[1, 0], [2, 0.2], [0, 3], [-1, 0]])
        let codes = SparseCodes(width: 4, starts: [0, 1], features: [1], values: [1])
        let builder = try FeatureIndexBuilder(fixture.store, dictionary: id)
        try builder.append([[1]], codes)
        _ = try builder.finish(decoder: decoder) { range in
            range.map { FeatureLogits(positive: [TokenLogit(token: TokenID($0), value: 2)]) }
        }
        let dashboard = try fixture.store.dashboard(of: id, feature: 0)
        #expect(dashboard.neighbors.map(\.feature) == [1, 2, 3])
        #expect(abs(dashboard.neighbors[0].value - 0.99504) < 1e-4)
        #expect(dashboard.neighbors[2].value == -1)
        #expect(try fixture.store.dashboard(of: id, feature: 3).positive == [TokenLogit(token: 3, value: 2)])
    }

    @Test("shows more of the text around an example, and no other sequence")
    func context() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let block = FeatureBlock.random(sequences: 300, features: 40, seed: 8)
        let naive = NaiveFeatureIndex(block)
        try fixture.build(id, block.split(50))
        #expect(naive.tokens.count > 4200)
        for position in Array(stride(from: 0, to: naive.tokens.count, by: 61)) + [4095, 4096, 4097] {
            let sequence = try #require(naive.ranges.first { $0.contains(position) })
            let range = sequence.clamped(to: max(0, position - 20)..<position + 21)
            let context = try fixture.store.context(of: id, around: position, radius: 20)
            #expect(context.tokens == Array(naive.tokens[range]))
            #expect(context.first + context.peak == position)
        }
        #expect(throws: Problem.self) { try fixture.store.context(of: id, around: naive.tokens.count) }
    }

    @Test("a planted fault is found: a byte of a record, a record in another's place, a lost row of text")
    func plantedFault() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let index = try fixture.build(id, FeatureBlock.random(sequences: 30, features: 40, seed: 2).split(5))
        let base = index.id << 32
        let faults = [
            "UPDATE feature_record SET data = CAST(substr(data, 1, 40) || x'0707' || substr(data, 43) AS BLOB) WHERE id = \(base)",
            "UPDATE feature_record SET data = (SELECT data FROM feature_record WHERE id = \(base + 2)) WHERE id = \(base + 1)",
            "DELETE FROM feature_text",
        ]
        for (feature, fault) in faults.enumerated() {
            _ = try fixture.store.dashboard(of: id, feature: feature)
            try fixture.store.workspace.write { db in try db.execute(sql: fault) }
            let error = #expect(throws: Problem.self) {
                try fixture.store.dashboard(of: id, feature: feature)
            }
            #expect(error?.sentence.contains("corrupt in the workspace") == true)
        }
    }

    @Test("rejects invalid codes without storing any of them")
    func hostileCodes() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 3).id
        let builder = try FeatureIndexBuilder(fixture.store, dictionary: id)
        let wrong = [
            SparseCodes(width: 4, starts: [0, 0]),
            SparseCodes(width: 3, starts: [0, 1, 1], features: [0], values: [1]),
            SparseCodes(width: 3, starts: [0, 2], features: [0], values: [1]),
            SparseCodes(width: 3, starts: [0, 1], features: [3], values: [1]),
            SparseCodes(width: 3, starts: [0, 1], features: [-1], values: [1]),
            SparseCodes(width: 3, starts: [0, 2], features: [1, 1], values: [1, 1]),
            SparseCodes(width: 3, starts: [0, 1], features: [1], values: [0]),
            SparseCodes(width: 3, starts: [0, 1], features: [1], values: [.nan]),
            SparseCodes(width: 3, starts: [0, 1], features: [1], values: []),
        ]
        for codes in wrong {
            #expect(throws: Problem.self) { try builder.append([[1]], codes) }
        }
        #expect(builder.tokensDone == 0)
    }
}

extension Fixture {
    /// Builds an index to its end.
    @discardableResult
    func build(
        _ id: Int64, _ blocks: [FeatureBlock], _ settings: FeatureIndexBuilder.Settings = .init()
    ) throws -> FeatureIndex {
        let builder = try FeatureIndexBuilder(store, dictionary: id, settings: settings)
        for block in blocks { try builder.append(block) }
        return try builder.finish()
    }
}
