import FeatureLab
import Foundation
import GRDB
import Interpretability
import System
import TestFixtures
import Testing
import Workspace

/// Files from an attacker, with valid checksums and invalid numbers.
@Suite struct HostileWorkspaceTests {
    // An unfinished index keeps for its features a number, then a tally each, histograms, thresholds, slots, contexts.
    private static let features = 40
    private static let tally = 4
    private static let slots = tally + features * (32 + 896 * 4 + 17 * 4)
    private static let contexts = slots + features * 105 * 12

    private struct Fault {
        var what: String
        var part = 0
        var offset: Int
        var bytes: [UInt8]

        init<T: BitwiseCopyable>(_ what: String, part: Int = 0, at offset: Int, _ number: T) {
            self.what = what
            self.part = part
            self.offset = offset
            bytes = withUnsafeBytes(of: number) { Array($0) }
        }
    }

    @Test("an unfinished index whose numbers lead out of memory is refused, and is no more when it is given up")
    func state() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        var settings = FeatureIndexBuilder.Settings()
        settings.checkpointTokens = 1
        let block = FeatureBlock.random(sequences: 6, features: Self.features, seed: 1)
        try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings).append(block)
        let faults = [
            Fault("stratum", part: 1, at: Self.tally + 24, Int32(1 << 20)),
            Fault("stratum", part: 1, at: Self.tally + 24, Int32(-5)),
            Fault("maximum", part: 1, at: Self.tally + 16, Float.nan),
            Fault("maximum", part: 1, at: Self.tally + 16, -Float(1)),
            Fault("count", part: 1, at: Self.tally + 8, Int64(-1)),
            Fault("count", part: 1, at: Self.tally + 8, Int64.max),
            Fault("a top value", part: 1, at: Self.slots, Float(1e30)),
            Fault("a top value", part: 1, at: Self.slots, Float.nan),
            Fault("a position", part: 1, at: Self.slots + 4, UInt32.max),
            Fault("a peak", part: 1, at: Self.contexts + 15 * 4, Float(-1)),
            Fault("sequences", at: 0, Int64(-1)), Fault("tokens", at: 8, Int64(-1)),
            Fault("tokens", at: 8, Int64.max), Fault("counted", at: 16, Int64.max),
            Fault("rows of text", at: 24, Int64.max), Fault("the sample", part: 2, at: 0, UInt32(0)),
        ]
        for fault in faults {
            try fixture.changing("feature_state", "part = \(fault.part)", at: fault.offset, to: fault.bytes) {
                let error = #expect(throws: Problem.self, "\(fault.what)") {
                    try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings)
                }
                #expect(error?.sentence.contains("corrupt in the workspace") == true)
            }
        }
        #expect(try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings).sequencesDone == 6)
        try fixture.store.discardUnfinishedIndex(of: id)
        #expect(try FeatureIndexBuilder(fixture.store, dictionary: id, settings: settings).sequencesDone == 0)
    }

    @Test("a record whose numbers cannot be is refused")
    func record() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let index = try fixture.build(id, [FeatureBlock.random(sequences: 6, features: Self.features, seed: 1)])
        let faults = [
            Fault("count", at: 4, Int64(-1)), Fault("count", at: 4, Int64.max), Fault("sum", at: 12, Double.infinity),
            Fault("maximum", at: 20, Float.nan), Fault("maximum", at: 20, -Float(2)),
            Fault("a bin", at: 28, Int64.max), Fault("a bin", at: 28, Int64(-1)),
            Fault("a position", at: 432, Int64.max), Fault("a position", at: 432, Int64(-1)),
        ]
        for fault in faults {
            try fixture.changing("feature_record", "id = \(index.id << 32)", at: fault.offset, to: fault.bytes) {
                let error = #expect(throws: Problem.self, "\(fault.what)") {
                    try fixture.store.dashboard(of: id, feature: 0)
                }
                #expect(error?.sentence.contains("corrupt in the workspace") == true)
            }
        }
        #expect(try fixture.store.dashboard(of: id, feature: 0).count > 0)
    }

    @Test(
        "counts and sizes of rows that cannot be are refused or passed over",
        arguments: [
            "UPDATE feature_index SET tokens = -5", "UPDATE feature_index SET counted = -1",
            "UPDATE feature_index SET tokens = 9223372036854775807", "UPDATE feature_dictionary SET features = -1",
            "UPDATE feature_dictionary SET features = 9223372036854775807", "UPDATE feature_dictionary SET width = 0",
            "UPDATE feature_stat SET feature = -1 WHERE feature = 0",
            "UPDATE feature_label SET feature = -1",
        ])
    func rows(fault: String) throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        try fixture.build(id, [FeatureBlock.random(sequences: 6, features: Self.features, seed: 1)])
        try fixture.store.setLabel("planets", of: id, feature: 0)
        try fixture.store.workspace.write { db in try db.execute(sql: fault) }
        let isRow = fault.contains("_stat") || fault.contains("_label")
        for read in [
            { _ = try fixture.store.features(of: id) }, { _ = try fixture.store.features(of: id, labeled: "planets") },
            { _ = try fixture.store.dashboard(of: id, feature: 1) },
            { _ = try fixture.store.context(of: id, around: 3) },
        ] {
            if isRow { try read() } else { #expect(throws: Problem.self) { try read() } }
        }
    }
}

extension Fixture {
    /// Writes other bytes into what a blob holds and packs it again, for as long as `body` takes.
    fileprivate func changing(
        _ table: String, _ condition: String, at offset: Int, to bytes: [UInt8], _ body: () throws -> Void
    ) throws {
        let found = try store.workspace.read { db in
            try Data.fetchOne(db, sql: "SELECT data FROM \(table) WHERE \(condition) LIMIT 1")
        }
        var held = try Decompressor().decompress(Array(try #require(found)))
        try #require(held.count >= offset + bytes.count)
        held.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        func put(_ data: Data?) throws {
            try store.workspace.write { db in
                try db.execute(sql: "UPDATE \(table) SET data = ? WHERE \(condition)", arguments: [data])
            }
        }
        try put(Data(try Compressor().compress(held)))
        try body()
        try put(found)
    }
}
