import FeatureLab
import GRDB
import Interpretability
import System
import TestFixtures
import Testing
import Workspace

@Suite struct FeatureStoreTests {
    @Test("keeps what is known of a dictionary, and finds it by name or number")
    func dictionaries() throws {
        let fixture = try Fixture()
        let made = try fixture.dictionary("b")
        try fixture.store.add(.sample("a"))
        let again = try fixture.reopened()
        #expect(try again.dictionaries().map(\.name) == ["a", "b"])
        #expect(try again.dictionary(matching: "b") == made)
        #expect(try again.dictionary(matching: "\(made.id)") == made)
        #expect(made.description == .sample("b"))
        #expect(made.index == nil)
        let error = #expect(throws: Problem.self) { try again.dictionary(matching: "c") }
        #expect(error?.sentence == "dictionary c: not in the workspace. Known: a, b.")
        let path = #expect(throws: Problem.self) { try again.dictionary(matching: "/some/folder") }
        #expect(path?.sentence.hasSuffix("Add it with: orrery feature add /some/folder.") == true)
    }

    @Test("renames, measures and deletes, with all that hangs on a dictionary")
    func changes() throws {
        let fixture = try Fixture()
        let store = fixture.store
        let (one, other) = (try fixture.dictionary("one").id, try fixture.dictionary("other").id)
        try store.rename(one, to: "first")
        #expect(throws: Problem.self) { try store.rename(one, to: "other") }
        try store.update(one, metrics: #"{"ev": 0.9}"#, meanActive: 3.5)
        #expect(try store.dictionary(one).description.metrics == #"{"ev": 0.9}"#)
        #expect(try store.dictionary(one).description.meanActive == 3.5)
        for id in [one, other] {
            try fixture.build(id, FeatureBlock.random(sequences: 5, features: 40, seed: 1).split(2))
            try store.setLabel("planets", of: id, feature: 3)
            try store.saveInterventions("[]", named: "off", of: id)
        }
        try store.delete(one)
        #expect(throws: Problem.self) { try store.dashboard(of: one, feature: 0) }
        #expect(try store.dashboard(of: other, feature: 3).label == "planets")
        let left = try store.workspace.read { db in
            try ["feature_record", "feature_stat", "feature_text", "feature_label"].map { table in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? -1
            }
        }
        #expect(left == [40, 40, 1, 1])
    }

    @Test(
        "rejects an invalid description",
        arguments: [
            ("", "{}", 4), (" a", "{}", 4), ("a\n", "{}", 4), ("a", "{", 4), ("a", "{}", 0), ("a", "{}", 1 << 25),
        ])
    func wrongDescriptions(name: String, metrics: String, features: Int) throws {
        let fixture = try Fixture()
        var description = FeatureDictionary.Description.sample(name, features: features)
        description.metrics = metrics
        #expect(throws: Problem.self) { try fixture.store.add(description) }
        #expect(try fixture.store.dictionaries().isEmpty)
    }

    @Test("labels are set, cleared and found by words and their beginnings")
    func labels() throws {
        let fixture = try Fixture()
        let store = fixture.store
        let id = try fixture.dictionary().id
        try store.setLabel("names of Planets", note: "also moons", of: id, feature: 3)
        try store.setLabel("plane crashes", of: id, feature: 1)
        try store.setLabel("100%_sure", of: id, feature: 2)
        func found(_ text: String) throws -> [Int] { try store.features(of: id, labeled: text).map(\.feature) }
        #expect(try found("plan") == [1, 3])
        #expect(try found("PLANETS nam") == [3])
        #expect(try found("lane") == [])
        #expect(try found("100%") == [2])
        #expect(try found("%") == [])
        #expect(try store.labels(of: id, feature: 3).first?.note == "also moons")
        try store.setLabel("stars", of: id, feature: 3)
        #expect(try found("planets") == [])
        try store.clearLabel(of: id, feature: 3)
        #expect(try store.labels(of: id, feature: 3) == [])
        #expect(try store.featureCount(of: id, labeled: true) == 2)
        #expect(throws: Problem.self) { try store.setLabel("x", of: id, feature: 40) }
        #expect(throws: Problem.self) { try store.setLabel("", of: id, feature: 4) }
    }

    @Test("lists features in every order, those without a value last")
    func lists() throws {
        let fixture = try Fixture()
        let store = fixture.store
        let id = try fixture.dictionary(features: 4).id
        let codes = SparseCodes(
            width: 4, starts: [0, 2, 3, 4], features: [0, 2, 2, 1], values: [5, 1, 2, 9])
        try fixture.build(id, [FeatureBlock(sequences: [[1, 2, 3]], codes: codes)])
        try store.setLabel("b", of: id, feature: 1)
        try store.setLabel("a", of: id, feature: 3)
        func order(_ order: FeatureOrder, _ descending: Bool) throws -> [Int] {
            try store.features(of: id, by: order, descending: descending).map(\.feature)
        }
        #expect(try order(.density, true) == [2, 0, 1, 3])
        #expect(try order(.density, false) == [3, 0, 1, 2])
        #expect(try order(.maximum, true) == [1, 0, 2, 3])
        #expect(try order(.label, false) == [3, 1, 0, 2])
        #expect(try order(.feature, false) == [0, 1, 2, 3])
        let some = try store.features(of: id, by: .feature, descending: false, limit: 2, offset: 1)
        #expect(some.map(\.feature) == [1, 2])
        let first = try #require(try store.features(of: id, by: .density, limit: 1).first)
        #expect(first == FeatureRow(feature: 2, count: 2, density: 2.0 / 3, maximum: 2))
    }

    @Test("finds features by the token on which their top examples fire, as a count over the examples does")
    func tokenSearch() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        try fixture.build(id, FeatureBlock.random(sequences: 80, features: 40, seed: 6).split(9))
        var expected: [Int32: [(feature: Int, share: Double)]] = [:]
        for feature in 0..<40 {
            var (sums, total): ([Int32: Double], Double) = ([:], 0)
            for example in try fixture.store.dashboard(of: id, feature: feature).top {
                for (token, value) in zip(example.tokens, example.values) where value > 0 {
                    sums[token, default: 0] += Double(value)
                    total += Double(value)
                }
            }
            for (token, sum) in sums { expected[token, default: []].append((feature, sum / total)) }
        }
        for token in Int32(0)..<50 {
            let found = try fixture.store.features(of: id, firingOn: [token])
            let wanted = (expected[token] ?? []).sorted { $1.share < $0.share }
            #expect(Set(found.map(\.feature)) == Set(wanted.map(\.feature)))
            for (one, other) in zip(found, wanted) { #expect(abs((one.score ?? 0) - other.share) < 1e-5) }
        }
        #expect(try fixture.store.features(of: id, firingOn: [999]).isEmpty)
    }

    @Test("ranks what is active on a prompt by activation, by share of the maximum, by rarity")
    func promptSearch() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 3).id
        // Feature 0 is strong and common, 1 weak with a small maximum, 2 rare.
        let codes = SparseCodes(
            width: 3, starts: [0, 2, 3, 4, 6], features: [0, 1, 0, 0, 0, 2], values: [10, 1, 10, 10, 10, 8])
        try fixture.build(id, [FeatureBlock(sequences: [[1, 2, 3, 4]], codes: codes)])
        let prompt = SparseCodes(width: 3, starts: [0, 1, 3], features: [0, 1, 2], values: [5, 1, 4])
        func ranked(_ rank: PromptRank) throws -> [FeatureRow] {
            try fixture.store.features(of: id, activeIn: prompt, by: rank)
        }
        #expect(try ranked(.activation).map(\.feature) == [0, 2, 1])
        #expect(try ranked(.share).map(\.feature) == [1, 0, 2])
        #expect(try ranked(.rarity).map(\.feature) == [2, 1, 0])
        #expect(try ranked(.activation).map(\.position) == [0, 1, 1])
        #expect(throws: Problem.self) {
            try fixture.store.features(of: id, activeIn: SparseCodes(width: 4, starts: [0, 0]))
        }
    }

    @Test("interventions are saved, replaced, listed and forgotten")
    func interventions() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let saved = try fixture.store.saveInterventions(#"[{"feature": 3, "set": 0}]"#, named: "off", of: id)
        let again = try fixture.store.saveInterventions("[]", named: "off", of: id)
        #expect(again.id == saved.id)
        #expect(try fixture.reopened().savedInterventions(of: id).map(\.list) == ["[]"])
        try fixture.store.deleteInterventions(saved.id)
        #expect(try fixture.store.savedInterventions(of: id).isEmpty)
        for wrong in ["{}", "[", ""] {
            #expect(throws: Problem.self) {
                try fixture.store.saveInterventions(wrong, named: "x", of: id)
            }
        }
    }

    @Test("exports a list and a dashboard whose cells cannot be mistaken")
    func exports() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 2).id
        let codes = SparseCodes(width: 2, starts: [0, 1, 1], features: [1], values: [2])
        try fixture.build(id, [FeatureBlock(sequences: [[8, 9]], codes: codes)])
        try fixture.store.setLabel("a, \"b\"", of: id, feature: 1)
        #expect(
            try fixture.store.exportList(of: id, as: .csv)
                == "feature,count,density,maximum,label\n0,0,0.0,0.0,\n1,1,0.5,2.0,\"a, \"\"b\"\"\"\n")
        let json = try fixture.store.exportList(of: id, as: .json)
        #expect(json.contains(#""label": "a, \"b\"""#))
        let table = try fixture.store.exportDashboard(of: id, feature: 1, as: .csv) { "<\($0)>" }
        #expect(table.split(separator: "\n")[1] == "1,top,1,0,8,<8>,2.0,1")
        let dashboard = try fixture.store.exportDashboard(of: id, feature: 1, as: .json) { "<\($0)>" }
        #expect(dashboard.contains(#""quantiles""#) && dashboard.contains("<9>"))
    }

    @Test("a file tells itself from another one")
    func digests() throws {
        let fixture = try Fixture()
        let (one, other) = (fixture.file("a", "weights"), fixture.file("b", "weightz"))
        #expect(try FeatureStore.digest(ofFile: one) != FeatureStore.digest(ofFile: other))
        #expect(try FeatureStore.digest(ofFile: one).count == 16)
        #expect(throws: Problem.self) { try FeatureStore.digest(ofFile: fixture.folder.path) }
    }

    @Test(
        "a dictionary's weights are identified by their file, in any layout and through any path",
        arguments: ["sae_weights.safetensors", "params.npz", "params.safetensors"])
    func digestsOfWeights(name: String) throws {
        let fixture = try Fixture()
        #expect(FeatureStore.digest(ofWeights: fixture.folder.path) == nil)
        let (weights, configuration) = (fixture.file(name, "weights"), fixture.file("cfg.json", "{}"))
        let digest = try FeatureStore.digest(ofFile: weights)
        for path in [fixture.folder.path, weights, configuration] {
            #expect(FeatureStore.digest(ofWeights: path) == digest)
        }
    }

    @Test("says where the file of a dictionary is another one than when it was added or indexed")
    func changedFile() throws {
        let fixture = try Fixture()
        let path = fixture.file("sae_weights.safetensors", "first weights")
        var description = FeatureDictionary.Description.sample("mine", features: 4)
        description.path = path
        description.digest = FeatureStore.digest(ofWeights: path)
        let id = try fixture.store.add(description).id
        let codes = SparseCodes(width: 4, starts: [0, 1], features: [1], values: [2])
        func change() throws -> FeatureDictionary.FileChange? { try fixture.store.dictionary(id).fileChange() }
        try fixture.build(id, [FeatureBlock(sequences: [[5]], codes: codes)])
        #expect(try change() == nil)

        _ = fixture.file("sae_weights.safetensors", "other weights")
        let both = try #require(try change())
        #expect(both.sinceAdded && both.sinceIndexed)
        #expect(both.sentence.hasPrefix("mine (\(path)): the file has changed since it was added and indexed."))

        try fixture.build(id, [FeatureBlock(sequences: [[5]], codes: codes)])
        let since = try #require(try change())
        #expect(since.sinceAdded && !since.sinceIndexed)
        #expect(try fixture.store.dashboard(of: id, feature: 1).count == 1)

        _ = fixture.file("sae_weights.safetensors", "first weights")
        let index = try #require(try change())
        #expect(!index.sinceAdded && index.sinceIndexed)
        #expect(index.sentence.contains("was indexed. The index belongs to the old weights"))
        #expect(try fixture.dictionary("elsewhere").fileChange() == nil)
    }

    @Test("workspace check finds a damaged row of any kind")
    func checks() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        try fixture.build(id, FeatureBlock.random(sequences: 5, features: 40, seed: 1).split(2))
        #expect(try fixture.store.workspace.check(FeatureLab.checks).isSound)
        try fixture.store.workspace.write { db in
            try db.execute(sql: "UPDATE feature_token SET data = x'0102' WHERE token % 7 = 0")
        }
        #expect(try fixture.store.workspace.check(FeatureLab.checks).isSound == false)
    }
}
