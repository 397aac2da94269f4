import Interpretability
import Models
import System
import Testing

@Suite("Dictionaries of branches")
struct OtherDictionaryTests {
    private let hook = Hook.residualPost(layer: 2)

    @Test("distinguish tokens without active features from tokens that were not recorded")
    func otherDictionary() throws {
        let model = try LiveModels.mini()
        let tokens = model.tokens(of: LiveModels.text)
        let weights = try LiveModels.dictionary(width: model.configuration.width, features: 32, hook: hook)
        let first = try AttachedDictionary("one", weights, for: model)
        let others = try LiveModels.dictionary(width: model.configuration.width, features: 48, hook: hook)
        let second = try AttachedDictionary("one", others, for: model)
        let run = try model.run(tokens, RunOptions(dictionaries: [first]))
        try run.read()
        #expect(run.snapshot.featuresFrom == [0] && run.snapshot.hasFeatures(dictionary: 0, position: 0))

        let branch = try run.rerun(from: 12, with: [], options: RunOptions(dictionaries: [second, first]))
        try branch.read()
        let snapshot = branch.snapshot
        let from = snapshot.featuresFrom
        #expect(from.count == 2 && (1...12).contains(from[0]) && from[1] == 0)
        #expect(snapshot.features.map(\.rows) == [tokens.count, tokens.count])
        #expect(snapshot.features.map(\.width) == [48, 32])
        #expect(!snapshot.hasFeatures(dictionary: 0, position: from[0] - 1))
        #expect(snapshot.hasFeatures(dictionary: 0, position: from[0]))
        #expect(!snapshot.hasFeatures(dictionary: 0, position: tokens.count))
        #expect(snapshot.features[1].starts == run.snapshot.features[0].starts)
    }

    @Test("are read over as many tokens as the context has, where none is to follow")
    func wholeContext() throws {
        let path = LiveModels.root + "/sample-data/models/orrery-mini"
        let model = try InspectedModel(path: path, options: .init(contextLength: 12))
        let tokens = Array(model.tokens(of: LiveModels.text).prefix(12))
        let weights = try LiveModels.dictionary(width: model.configuration.width, features: 32, hook: hook)
        let stream = try FeatureStream(model, hook: hook, dictionary: weights, sequences: [tokens])
        #expect(try stream.next()?.codes.rows == 12)
        #expect(throws: Problem.self) { try model.run(tokens) }
        let longer = [tokens + [tokens[0]]]
        #expect(throws: Problem.self) {
            try FeatureStream(model, hook: hook, dictionary: weights, sequences: longer)
        }
    }
}
