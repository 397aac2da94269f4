import Bytes
import EvalLogs
import Evals
import Formatting
import LanguageModels
import TestFixtures
import Testing

@Suite("Packed bytes")
struct PackedBytesTests {
    private let solution = PackedFixtures.solution

    private var bytes: [UInt8] { solution.packed }

    private func read(_ bytes: [UInt8]) throws -> Solution { try Self.read(Solution.self, bytes) }

    private static func read<Value: Packed>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
        try bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            let value = try reader.next(Value.self)
            guard reader.isAtEnd else { throw reader.failure("excess bytes") }
            return value
        }
    }

    /// Names and bytes of records that an earlier version stored: `Goldens/packed.txt`.
    private static let stored: [String: [String]] = {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let lines = (File.text(folder + "/Goldens/packed.txt") ?? "").split(separator: "\n")
        let words = lines.map { $0.split(separator: " ").map(String.init) }
        return Dictionary(grouping: words, by: { $0[0] }).mapValues { $0.map { $0[1] } }
    }()

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { Format.hexadecimal($0, digits: 2) }.joined()
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func expectStored<Value: Packed & Equatable>(_ name: String, _ values: [Value]) throws {
        let stored = try #require(Self.stored[name])
        #expect(values.map { Self.hexadecimal($0.packed) } == stored, "\(name)")
        #expect(try stored.map { try Self.read(Value.self, Self.bytes($0)) } == values, "\(name)")
    }

    /// Checks the fields of stored bytes, except for the solution, which contains dictionaries, and that they are stored as the same bytes again.
    private func expectStored<Value: Packed>(_ name: String, _ type: Value.Type, _ fields: [String]) throws {
        let stored = try #require(Self.stored[name]?.first)
        let value = try Self.read(Value.self, Self.bytes(stored))
        #expect(Self.hexadecimal(value.packed) == stored)
        let found = Mirror(reflecting: value).children.filter { !($0.value is Solution) }
        #expect(found.map { "\($0.label ?? ""): \($0.value)" } == fields)
    }

    @Test("records have the same bytes as in earlier versions")
    func storedRecords() throws {
        try expectStored("solution", [solution])
        try expectStored("options", [PackedFixtures.options])
        try expectStored("progress", [PackedFixtures.progress])
        try expectStored("metric", [PackedFixtures.metric])
        try expectStored("score", [PackedFixtures.score])
        try expectStored("kind", [EvalScoreKind("k", higherIsBetter: false, passesAt: 2)])
        try expectStored("setting", [EvalSetting("a", "b")])
        try expectStored("likelihood", [PackedFixtures.likelihood])
        try expectStored("response", PackedFixtures.responses)
        let (score, metric) = (PackedFixtures.score, PackedFixtures.metric)
        try expectStored(
            "head", RunHead.self,
            [
                "scores: \([EvalScoreKind("k")])", #"slices: ["s", "t"]"#, "settings: \([EvalSetting("a", "b")])",
            ])
        try expectStored("metrics", RunMetrics.self, ["metrics: \([metric])"])
        try expectStored(
            "sample", StoredSample.self,
            [
                "scores: \([score])", "input: in", #"targets: ["t"]"#, #"choices: ["c"]"#,
                #"fields: Optional("{}")"#, "start: 1", "end: 2",
            ])
    }

    @Test("rows have the same bytes as in earlier versions")
    func storedRows() throws {
        let rows = EvalRow.Outcome.allCases.map(PackedFixtures.row)
        let bytes = try #require(Self.stored["row"])
        #expect(rows.map { Self.hexadecimal(PackedRow.bytes(of: $0)) } == bytes)
        let read = try bytes.map { try Self.bytes($0).withUnsafeBytes { try PackedRow.row($0, index: 7) } }
        #expect(read == rows)
    }

    @Test("requests and tasks have the same keys as in earlier versions")
    func storedKeys() {
        let requests = PackedFixtures.requests.map { request in
            var writer = PackedWriter()
            request.pack(into: &writer)
            return Self.hexadecimal(writer.bytes)
        }
        #expect(requests == Self.stored["request"])
        #expect([PackedFixtures.task.digest(of: PackedFixtures.task.samples)] == Self.stored["digest"])
    }

    @Test("packed bytes unpack to the original")
    func roundTrip() throws {
        #expect(try read(bytes) == solution)
    }

    @Test("truncated bytes are an error")
    func cut() {
        let bytes = bytes
        for count in bytes.indices {
            #expect(throws: ByteDamage.self) { try read(Array(bytes[..<count])) }
        }
    }

    @Test("changed bytes never crash")
    func changed() {
        let bytes = bytes
        var refused = 0
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                if (try? read(changed)) == nil { refused += 1 }
            }
        }
        #expect(refused > bytes.count / 2)
    }

    @Test("packed equal requests are equal, whatever the order of their dictionaries")
    func dictionaries() {
        func bytes(_ names: [String]) -> [UInt8] {
            var request = ModelRequest(.text("q"))
            for name in names { request.templateVariables[name] = name }
            return request.packed
        }
        let names = (0..<40).map { "v\($0)" }
        #expect(bytes(names) == bytes(names.reversed()))
    }
}
