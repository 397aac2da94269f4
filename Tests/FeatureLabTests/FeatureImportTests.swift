import FeatureLab
import GRDB
import Interpretability
import System
import Tensors
import TestFixtures
import Testing
import Workspace

@Suite struct FeatureImportTests {
    private static let record = """
        {"modelId": "gpt2-small", "layer": "6-res-jb", "index": "3", "maxActApprox": 12.5, "frac_nonzero": 0.01,
         "pos_str": [" moon", "lunar"], "pos_values": [1.5, 1.25], "neg_str": ["sun"], "neg_values": [-0.5],
         "freq_hist_data_bar_heights": [5, 2],
         "explanations": [{"description": "moons and orbits", "explanationModelName": "gpt-4o-mini"}],
         "activations": [{"tokens": ["a", " moon"], "values": [0, 3.5]}, {"tokens": ["moons"], "values": [12.5]}]}
        """

    @Test(
        "Neuronpedia's records are read alone, in an array, in lines and in an object of lists",
        arguments: [
            record, "[\(record)]", record.replacing("\n", with: " ") + "\n", #"{"features": [\#(record)]}"#,
        ])
    func forms(text: String) throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let report = try fixture.store.importNeuronpedia(fixture.file("f.json", text), into: id)
        #expect(report.records == 1 && report.features == 1 && report.labels == 1 && report.examples == 2)
        let dashboard = try fixture.store.dashboard(of: id, feature: 3)
        #expect(dashboard.isImported)
        #expect(dashboard.maximum == 12.5 && dashboard.density == 0.01)
        #expect(dashboard.label == "moons and orbits")
        #expect(dashboard.labels.first?.source == .imported("gpt-4o-mini"))
        #expect(dashboard.positive.map(\.text) == [" moon", "lunar"])
        #expect(dashboard.negative.map(\.value) == [-0.5])
        #expect(dashboard.histogram.counts == [5, 2])
        #expect(dashboard.top.map(\.value) == [12.5, 3.5])
        #expect(dashboard.top[1].texts == ["a", " moon"] && dashboard.top[1].peak == 1)
        #expect(try fixture.store.features(of: id, labeled: "orbit").map(\.feature) == [3])
        #expect(try fixture.store.features(of: id, by: .maximum, limit: 1).map(\.feature) == [3])
    }

    @Test("explanations alone, in lines, become labels; a person's own comes first and stays")
    func explanations() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        try fixture.store.setLabel("mine", of: id, feature: 1)
        let file = fixture.file(
            "e.jsonl",
            """
            {"index": 1, "description": "theirs"}
            {"index": 1, "description": "another", "explanationModelName": "claude"}
            {"index": "2", "description": "second"}
            """)
        for _ in 0..<2 { #expect(try fixture.store.importNeuronpedia(file, into: id).labels == 3) }
        #expect(try fixture.store.labels(of: id, feature: 1).map(\.text) == ["mine", "another", "theirs"])
        #expect(try fixture.store.dashboard(of: id, feature: 1).isImported == false)
        let first = try fixture.store.features(of: id, by: .label, descending: false, limit: 2)
        #expect(first.map(\.label) == ["mine", "second"])
    }

    @Test("a gzipped file is read, and one that is cut off is refused")
    func gzip() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        // gzip -9 of {"index": 1, "description": "zipped"}
        let bytes: [UInt8] = FeatureImportTests.gzipped
        File.write(bytes, to: fixture.folder.file("e.json.gz"))
        #expect(try fixture.store.importNeuronpedia(fixture.folder.file("e.json.gz"), into: id).labels == 1)
        #expect(try fixture.store.dashboard(of: id, feature: 1).label == "zipped")
        File.write(Array(bytes.dropLast(9)), to: fixture.folder.file("cut.gz"))
        #expect(throws: Problem.self) {
            try fixture.store.importNeuronpedia(fixture.folder.file("cut.gz"), into: id)
        }
    }

    @Test(
        "a broken file gets a sentence, and nothing of it is kept",
        arguments: [
            "", "{", "[1]", "null", #"{"description": "no index"}"#, #"{"index": "x", "description": "a"}"#,
            #"{"index": 40, "description": "too far"}"#, #"{"index": -1, "description": "below"}"#,
            #"{"index": 1, "description": 5}"#, #"{"index": 1, "maxActApprox": "many"}"#,
            #"{"index": 1, "frac_nonzero": 2}"#, #"{"index": 1, "maxActApprox": 1e300}"#,
            #"{"index": 1, "pos_str": ["a"], "pos_values": [1, 2]}"#, #"{"index": 1, "pos_str": "a"}"#,
            #"{"index": 1, "activations": [{"tokens": ["a"], "values": []}]}"#,
            #"{"index": 1, "activations": [{"tokens": [1], "values": [1]}]}"#,
            #"{"index": 1, "activations": {}}"#, #"{"index": 1, "freq_hist_data_bar_heights": [-1]}"#,
        ])
    func broken(text: String) throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary().id
        let file = fixture.file("f.jsonl", #"{"index": 2, "description": "whole"}"# + "\n" + text + "\n")
        if text.isEmpty {
            _ = fixture.file("f.jsonl", text)
        }
        let error = #expect(throws: Problem.self) { try fixture.store.importNeuronpedia(file, into: id) }
        #expect(error?.sentence.contains(file) == true)
        #expect(try fixture.store.featureCount(of: id, labeled: true) == 0)
        #expect(try fixture.store.dashboard(of: id, feature: 1).isImported == false)
    }

    @Test("precomputed activations make the same index from JSON lines, safetensors and blocks")
    func precomputed() throws {
        let fixture = try Fixture()
        let block = FeatureBlock.random(sequences: 12, features: 10, seed: 3)
        let (lines, table) = (fixture.file("a.jsonl", block.jsonLines), fixture.folder.file("a.safetensors"))
        try block.writeTable(table)
        let ids = try ["blocks", "lines", "table"].map { try fixture.dictionary($0, features: 10).id }
        try fixture.build(ids[0], [block])
        try fixture.store.importActivations(lines, into: ids[1])
        try fixture.store.importActivations(table, into: ids[2])
        for feature in 0..<10 {
            let expected = try fixture.store.dashboard(of: ids[0], feature: feature)
            #expect(try fixture.store.dashboard(of: ids[1], feature: feature) == expected)
            #expect(try fixture.store.dashboard(of: ids[2], feature: feature) == expected)
        }
    }

    @Test(
        "broken activations get a sentence, and no index is left half made",
        arguments: [
            "[]", "{", #"{"tokens": [1]}"#, #"{"tokens": [1], "features": [[0]], "values": [[1, 2]]}"#,
            #"{"tokens": [1, 2], "features": [[0]], "values": [[1]]}"#,
            #"{"tokens": [-1], "features": [[0]], "values": [[1]]}"#,
            #"{"tokens": [1], "features": [[10]], "values": [[1]]}"#,
            #"{"tokens": [1], "features": [[2, 2]], "values": [[1, 1]]}"#,
            #"{"tokens": [1], "features": [[2]], "values": [[-1]]}"#,
            #"{"tokens": [1], "features": [[2]], "values": [[1e300]]}"#,
            #"{"tokens": [1], "features": [2], "values": [1]}"#,
        ])
    func brokenActivations(line: String) throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 10).id
        let whole = #"{"tokens": [1], "features": [[0]], "values": [[1]]}"#
        let file = fixture.file("a.jsonl", whole + "\n" + line + "\n")
        let error = #expect(throws: Problem.self) { try fixture.store.importActivations(file, into: id) }
        #expect(error?.sentence.contains("a.jsonl") == true)
        #expect(try fixture.store.dictionary(id).index == nil)
        let rows = try fixture.store.workspace.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM feature_index")
        }
        #expect(rows == 0)
    }

    @Test("a table whose arrays do not fit one another is refused")
    func brokenTables() throws {
        let fixture = try Fixture()
        let id = try fixture.dictionary(features: 10).id
        let whole: [String: [Int32]] = [
            "tokens": [5, 6], "sequence_starts": [0], "starts": [0, 1, 2], "features": [1, 2],
        ]
        let faults: [(String, [Int32])] = [
            ("tokens", [5]), ("tokens", [5, -6]), ("sequence_starts", [1]), ("sequence_starts", [0, 0]),
            ("starts", [0, 2, 1]), ("starts", [0, 1, 3]), ("features", [1, 10]), ("features", [1]),
        ]
        for (name, wrong) in [("tokens", [5, 6])] + faults {
            var arrays = whole
            arrays[name] = wrong
            var tensors: [(String, AnyTensor)] = [("values", .float32(try Tensor([1, 2])))]
            for (name, numbers) in arrays { tensors.append((name, .int32(try Tensor(numbers)))) }
            let path = fixture.folder.unique("t") + ".safetensors"
            try TensorFile.write(tensors.map { (name: $0.0, tensor: $0.1) }, to: path)
            if wrong == [5, 6] {
                try fixture.store.importActivations(path, into: id)
            } else {
                #expect(throws: Problem.self) { try fixture.store.importActivations(path, into: id) }
            }
        }
        #expect(throws: Problem.self) {
            try fixture.store.importActivations(fixture.file("no.safetensors", "no"), into: id)
        }
    }
}

extension FeatureBlock {
    fileprivate var jsonLines: String {
        var row = 0
        return sequences.map { tokens in
            var (features, values): ([String], [String]) = ([], [])
            for _ in tokens {
                let active = codes[row].reversed()
                features.append("[" + (active.map { "\($0.0)" } + ["9"]).joined(separator: ",") + "]")
                values.append("[" + (active.map { "\($0.1)" } + ["0"]).joined(separator: ",") + "]")
                row += 1
            }
            let lists = [features, values].map { "[" + $0.joined(separator: ",") + "]" }
            return #"{"tokens": \#(tokens), "features": \#(lists[0]), "values": \#(lists[1])}"#
        }
        .joined(separator: "\n")
    }

    fileprivate func writeTable(_ path: String) throws {
        var starts: [Int32] = [0]
        for sequence in sequences { starts.append((starts.last ?? 0) + Int32(sequence.count)) }
        try TensorFile.write(
            [
                (name: "tokens", tensor: .int32(try Tensor(sequences.flatMap { $0 }))),
                (name: "sequence_starts", tensor: .int32(try Tensor(starts))),
                (name: "starts", tensor: .int32(try Tensor(codes.starts.map(Int32.init)))),
                (name: "features", tensor: .int32(try Tensor(codes.features))),
                (name: "values", tensor: .float32(try Tensor(codes.values))),
            ], to: path)
    }
}

extension FeatureImportTests {
    fileprivate static let gzipped: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xAB, 0x56, 0xCA, 0xCC, 0x4B, 0x49,
        0xAD, 0x50, 0xB2, 0x52, 0x30, 0xD4, 0x51, 0x50, 0x4A, 0x49, 0x2D, 0x4E, 0x2E, 0xCA, 0x2C, 0x28,
        0xC9, 0xCC, 0xCF, 0x03, 0x8A, 0x28, 0x55, 0x65, 0x16, 0x14, 0xA4, 0xA6, 0x28, 0xD5, 0x72, 0x01,
        0x00, 0xD8, 0x09, 0x61, 0x6E, 0x26, 0x00, 0x00, 0x00,
    ]
}
