import EvalLogs
import Evals
import LanguageModels
import Testing

/// Causes and clusters of failed samples.
struct FailureClustersTests {
    private static let tool = EvalStep(kind: .tool, name: "lookup", problem: "no such key")
    private static let search = EvalStep(kind: .retrieval, name: "north")
    private static let cut = EvalStep(kind: .model, name: "m", problem: "the response was cut off at the token limit")

    @Test(
        "each record has its cause",
        arguments: [
            (.made(0, .error, answer: nil, problem: "Error 503 after 12 tries"), .error("Error # after # tries")),
            (
                .made(0, .error, answer: nil, problem: "exec ./crash2.py: status 7 after 30ms"),
                .error("exec ./crash2.py: status # after #ms")
            ),
            (.made(0, .unscored, problem: "no verdict in 80 letters"), .unscored("no verdict in # letters")),
            (.made(answer: nil), .emptyAnswer), (.made(answer: " \n"), .emptyAnswer),
            (.made(answer: "Paris is", targets: ["Paris"], steps: [cut]), .cutOff),
            (.made(answer: "I’m sorry, but no.", targets: ["Paris"]), .refusal),
            (.made(answer: "As an aim, peace.", targets: ["Paris"]), .wrong),
            (.made(answer: "x", targets: ["Paris"], steps: [tool]), .toolError("lookup")),
            (.made(answer: "It is in Paris, of course.", targets: ["paris"]), .buriedTarget),
            // A part of another word does not count.
            (.made(answer: "It is not known to us now.", targets: ["no"]), .wrong),
            (.made(answer: "答えは東京です。", targets: ["東京"]), .buriedTarget),
            (.made(answer: "Colour", targets: ["color"]), .nearMiss),
            (.made(answer: "long talk", targets: ["color"], extracted: "colour"), .nearMiss),
            // A number close to the target is still wrong.
            (.made(answer: "123456", targets: ["123457"]), .wrong),
            (.made(answer: "long talk", targets: ["B"], extracted: "[invalid]"), .wrongForm),
            (.made(answer: "blue", targets: ["red and green"], steps: [search]), .notFound),
            (.made(answer: "blue", targets: ["red and green"]), .wrong),
        ] as [(EvalSampleRecord, FailureCause)])
    func causes(_ sample: EvalSampleRecord, _ cause: FailureCause) { #expect(FailureCause(sample) == cause) }

    private static let subjects = [
        ["torque", "bolts", "wrench", "flange", "gasket"], ["harbor", "pilot", "vessel", "mooring", "tide"],
        ["invoice", "ledger", "payment", "tax", "audit"],
    ]

    /// Returns a word of letters only.
    private static func name(_ number: Int) -> String {
        let digits = [17_576, 676, 26, 1].map { 97 + UInt8(number / $0 % 26) }
        return "w" + String(decoding: digits, as: UTF8.self)
    }

    /// Failures on three subjects, mixed; each has four words of its subject and words of its own.
    private static func planted(_ count: Int, seed: UInt64 = 3) -> MadeLog {
        var state = seed
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return MadeLog(
            (0..<count).map { index in
                let words = subjects[index % 3]
                let own = (0..<12).map { Self.name(index * 12 + $0) }
                let skipped = draw(5)
                let said = words.indices.filter { $0 != skipped }.map { words[$0] }
                return .made(
                    index, index % 10 == 9 ? .passed : .failed, input: (said + own).joined(separator: " "),
                    answer: "none", targets: ["other words than these"])
            })
    }

    @Test("three kinds of failures are separated, with their words, and reproducibly")
    func groups() throws {
        let log = Self.planted(120)
        let found = try FailureClusters(log)
        #expect((found.failed, found.total) == (108, 120))
        #expect(found.clusters.reduce(0) { $0 + $1.samples.count } == 108)
        let large = found.clusters.filter { $0.samples.count >= 30 }
        #expect(large.count == 3)
        for cluster in large {
            let subject = cluster.samples[0] % 3
            #expect(cluster.samples.allSatisfy { $0 % 3 == subject })
            #expect(cluster.words.count == 3)
            #expect(Set(cluster.words).isSubset(of: Self.subjects[subject]))
            #expect(cluster.cause == .wrong)
        }
        #expect(try FailureClusters(log) == found)
    }

    @Test("two thousand failures of one cause are grouped")
    func many() throws {
        let found = try FailureClusters(Self.planted(2_220))
        #expect(found.failed == 1_998)
        #expect(
            found.clusters.prefix(3).allSatisfy { cluster in
                cluster.samples.count > 500 && cluster.samples.allSatisfy { $0 % 3 == cluster.samples[0] % 3 }
            })
    }

    @Test("runs without failures, with few failures, and canceled grouping have no clusters")
    func edges() throws {
        #expect(try FailureClusters(MadeLog([])).clusters.isEmpty)
        let few = try FailureClusters(MadeLog((0..<3).map { .made($0, answer: "a", targets: ["b"]) }))
        #expect(few.clusters == [.init(cause: .wrong, words: [], samples: [0, 1, 2])])
        #expect { try FailureClusters(Self.planted(30), isCancelled: { true }) } throws: {
            ($0 as? EvalLogError)?.isCancellation == true
        }
    }
}
