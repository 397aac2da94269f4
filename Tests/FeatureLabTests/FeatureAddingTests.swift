import FeatureLab
import Interpretability
import ModelLab
import TestFixtures
import Testing
import Workspace

@Suite struct FeatureAddingTests {
    private static let samples: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/") + "/sample-data"
    }()
    private static let dictionary = samples + "/dictionaries/orrery-mini-features"
    private static let model = samples + "/models/orrery-mini"

    /// A store whose workspace has a registry of models too.
    private func store(_ folder: TemporaryFolder) throws -> FeatureStore {
        FeatureStore(
            try Workspace.open(
                folder.file("t.orrery"), migrations: FeatureLab.migrations + ModelLab.migrations, create: true))
    }

    /// The folder of the sample under a different name, with different labels.
    private func copy(_ folder: TemporaryFolder, labels: String) throws -> String {
        for name in ["cfg.json", "sae_weights.safetensors"] {
            File.write(try #require(File.bytes("\(Self.dictionary)/\(name)")), to: folder.file(name))
        }
        File.write(labels, to: folder.file("labels.json"))
        return folder.path
    }

    @Test("labels next to the weights are imported with them, from the folder and from a file in it")
    func labelsBeside() throws {
        let folder = TemporaryFolder()
        let store = try store(folder)
        let added = try store.add(at: Self.dictionary, name: "a", modelPath: Self.model)
        #expect(added.labels == 4 && added.remark == nil)
        #expect(try store.features(of: added.dictionary.id, labeled: "quiet nights").map(\.feature) == [32])
        #expect(added.dictionary.modelPath == Self.model)
        #expect(try store.add(at: Self.dictionary + "/cfg.json", name: "b").labels == 4)
    }

    @Test("an unrelated file with the labels' name is reported and does not prevent adding the dictionary")
    func otherLabels() throws {
        let (folder, other) = (TemporaryFolder(), TemporaryFolder())
        let store = try store(folder)
        let added = try store.add(at: try copy(other, labels: #"[{"index": "4096"}]"#), name: "a")
        #expect(added.labels == 0 && added.remark?.contains("labels.json") == true)
        #expect(try store.dictionaries().map(\.name) == ["a"] && !other.path.isEmpty)
    }

    @Test("the model of a dictionary is found by the name that its files give")
    func modelByName() throws {
        let folder = TemporaryFolder()
        let store = try store(folder)
        _ = try ModelHouse(store.workspace).add(Self.model, name: "orrery-mini", at: 0)
        let added = try store.add(at: Self.dictionary, name: "a")
        #expect(added.dictionary.modelPath == Self.model)
        var unknown = added.dictionary
        unknown.description.modelPath = nil
        #expect(store.located(unknown).modelPath == Self.model)
        unknown.description.model = "nobody-has-this-one"
        #expect(store.located(unknown).modelPath == nil)
    }

    @Test("before there is an index, lists have orders that are known alone")
    func orders() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 4).id
        #expect(try fixture.store.possible(.density, of: id) == .feature)
        try fixture.store.setLabel("a", of: id, feature: 2)
        #expect(try fixture.store.possible(.maximum, of: id) == .label)
        #expect(try fixture.store.possible(FeatureOrder.feature, of: id) == .feature)
        #expect(try fixture.store.possible(.share, of: id) == .activation)
        let codes = SparseCodes(width: 4, starts: [0, 1], features: [0], values: [5])
        try fixture.build(id, [FeatureBlock(sequences: [[1]], codes: codes)])
        #expect(try fixture.store.possible(.density, of: id) == .density)
        #expect(try fixture.store.possible(.share, of: id) == .share)
    }

    @Test("by share, what never fired on the indexed texts comes last, by activation and without a score")
    func beyond() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 4).id
        let codes = SparseCodes(width: 4, starts: [0, 2], features: [0, 1], values: [10, 2])
        try fixture.build(id, [FeatureBlock(sequences: [[1]], codes: codes)])
        let prompt = SparseCodes(width: 4, starts: [0, 4], features: [0, 1, 2, 3], values: [5, 3, 7, 9])
        func rows(_ limit: Int) throws -> [FeatureRow] {
            try fixture.store.features(of: id, activeIn: prompt, by: .share, limit: limit)
        }
        #expect(try rows(9).map(\.feature) == [1, 0, 3, 2])
        #expect(try rows(9).map(\.score) == [1.5, 0.5, nil, nil])
        #expect(try rows(3).map(\.feature) == [1, 0, 3])
        #expect(try rows(1).map(\.feature) == [1])
    }
}
