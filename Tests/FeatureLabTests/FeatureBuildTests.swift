import FeatureLab
import GRDB
import Interpretability
import System
import Tensors
import TestFixtures
import Testing
import Tokenizers
import Workspace

/// How builds of indexes begin, stop, go on and end.
@Suite struct FeatureBuildTests {
    @Test("does not do again what was on the disk")
    func checkpoints() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        var settings = FeatureIndexBuilder.Settings()
        settings.checkpointTokens = 1
        let blocks = FeatureBlock.random(sequences: 4, features: 40, seed: 1).split(1)
        let builder = try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings)
        for block in blocks.prefix(3) { try builder.append(block) }
        #expect(builder.tokensKept == builder.tokensDone)
        let next = try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings)
        #expect(next.sequencesDone == 3)
        try fixture.store.discardUnfinishedIndex(of: id)
        let other = try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings)
        #expect(other.sequencesDone == 0)
        #expect(throws: Problem.self) { try next.append(blocks[3]) }
    }

    @Test("puts the work on the disk after a while, however few tokens there were")
    func checkpointsByTime() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        var settings = FeatureIndexBuilder.Settings()
        settings.checkpointSeconds = 0
        let block = FeatureBlock.random(sequences: 1, features: 40, seed: 1)
        let builder = try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings)
        try builder.append(block)
        #expect(builder.tokensKept == block.tokenCount)
        settings.checkpointSeconds = 3600
        let patient = try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings)
        #expect(patient.sequencesDone == 1)
        try patient.append(block)
        #expect(patient.tokensKept == block.tokenCount)
    }

    @Test("does not go on over other texts, cut otherwise, or with other weights, until told to begin afresh")
    func fingerprints() throws {
        let fixture = try Fixture()
        let path = fixture.file("params.npz", "weights")
        var description = FeatureDictionary.Description.sample()
        description.path = path
        let id = try fixture.store.add(description).id
        var settings = FeatureIndexBuilder.Settings(source: "stories.txt")
        settings.fingerprint = "context 256"
        settings.checkpointTokens = 1
        let block = FeatureBlock.random(sequences: 2, features: 40, seed: 1)
        // Of a build that put nothing on the disk nothing is lost.
        settings.seed = 5
        _ = try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings)
        settings.seed = 0
        try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings).append(block)

        func refused(_ change: (inout FeatureIndexBuilder.Settings) -> Void) throws {
            var other = settings
            change(&other)
            let error = #expect(throws: Problem.self) {
                try FeatureIndexBuilder(fixture.store, dictionary: id, settings: other)
            }
            #expect(error?.sentence.contains("start over with --afresh") == true)
        }
        try refused { $0.fingerprint = "context 128" }
        try refused { $0.source = "other.txt" }
        try refused { $0.seed = 1 }
        _ = fixture.file("params.npz", "weightz")
        try refused { _ in }
        _ = fixture.file("params.npz", "weights")
        settings.memoryLimit += 1
        settings.checkpointTokens = 7
        #expect(try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings).sequencesDone == 2)
        // What cannot begin takes nothing away from what did.
        let file = fixture.file("a.jsonl", #"{"tokens": [1], "features": [[0]], "values": [[1]]}"#)
        #expect(throws: Problem.self) { try fixture.store.importActivations(file, into: id) }
        #expect(try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings).sequencesDone == 2)
        try fixture.store.discardUnfinishedIndex(of: id)
        try fixture.store.importActivations(file, into: id)
    }

    @Test(
        "work that is canceled is on the disk as far as it came, and its successor goes on there", arguments: [0, 1])
    func cancelling(byError: Int) throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let blocks = FeatureBlock.random(sequences: 40, features: 40, seed: 1).split(1)
        let cancellation = Cancellation()
        var given = 0
        #expect(throws: CancellationError.self) {
            try fixture.store.buildIndex(of: id, cancellation: cancellation) { first in
                given += 1
                // A source that looks by itself says so in the words of the engine.
                if given == 25, byError == 1 { throw Problem.cancelled() }
                if given == 25 { cancellation.cancel() }
                return blocks[first]
            }
        }
        #expect(given == 25)
        #expect(try fixture.store.workspace.jobs.list().first?.state == .cancelled)
        #expect(try fixture.store.dictionary(id).index == nil)
        var firsts: [Int] = []
        let index = try fixture.store.buildIndex(of: id) { first in
            firsts.append(first)
            return first < blocks.count ? blocks[first] : nil
        }
        #expect(firsts.first == 24)
        #expect(index.sequences == 40)
        let job = try #require(try fixture.store.workspace.jobs.list().first)
        #expect(job.state == .done && job.done == Int64(index.tokens))
    }

    @Test(
        "an end that fails leaves a builder that goes on, as one that was canceled in its end",
        arguments: [false, true])
    func failedEnd(isCancelled: Bool) throws {
        let fixture = try Fixture()
        let block = FeatureBlock.random(sequences: 60, features: 30, seed: 12)
        let whole = try fixture.dictionary("whole", features: 30).id
        try fixture.build(whole, [block])
        let broken = try fixture.dictionary("broken", features: 30).id
        let cancellation = Cancellation()
        let pieces = block.split(20)
        var builder = try FeatureIndexBuilder(fixture.store, dictionary: broken, cancellation: cancellation)
        try builder.append(pieces[0])
        // Rows of the end are written already when the canceling is seen.
        #expect(throws: (any Error).self) {
            try builder.finish { range in
                if isCancelled { cancellation.cancel() }
                return isCancelled ? range.map { _ in FeatureLogits() } : []
            }
        }
        if isCancelled {
            let rows = try fixture.store.workspace.read { db in
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM feature_text WHERE index_id = (SELECT max(id) FROM feature_index)")
            }
            #expect(rows == 1)
            builder = try FeatureIndexBuilder(fixture.store, dictionary: broken)
        }
        for piece in pieces.dropFirst() { try builder.append(piece) }
        _ = try builder.finish()
        for feature in 0..<30 {
            #expect(
                try fixture.store.dashboard(of: whole, feature: feature)
                    == fixture.store.dashboard(of: broken, feature: feature))
        }
        #expect(
            try fixture.store.features(of: whole, firingOn: [3])
                == fixture.store.features(of: broken, firingOn: [3]))
    }

    @Test("a new index takes the place of the old one, of which nothing stays")
    func replacing() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let blocks = FeatureBlock.random(sequences: 10, features: 40, seed: 1).split(5)
        try fixture.build(id, blocks)
        let second = try fixture.build(id, [blocks[0]])
        #expect(try fixture.store.dictionary(id).index == second)
        let left = try fixture.store.workspace.read { db in
            try ["feature_index", "feature_record", "feature_stat", "feature_text", "feature_state"].map { table in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? -1
            }
        }
        #expect(left == [1, 40, 40, 1, 0])
    }

    @Test("says how much memory is needed and how many features fit, and takes what it is given")
    func memory() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 1 << 17).id
        let error = #expect(throws: Problem.self) {
            try FeatureIndexBuilder(fixture.store, dictionary: id)
        }
        let sentence = try #require(error?.sentence)
        #expect(sentence.contains("above the limit of 1500 MiB"))
        let parts = sentence.split(separator: " ")
        let place = try #require(parts.firstIndex(of: "--memory"))
        var settings = FeatureIndexBuilder.Settings()
        settings.memoryLimit = try #require(Int(parts[place + 1].dropLast())) << 20
        #expect(try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings).sequencesDone == 0)
    }
}
