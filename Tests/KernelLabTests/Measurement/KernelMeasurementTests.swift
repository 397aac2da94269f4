import JSON
import KernelLab
import Kernels
import Testing
import Workspace

@Suite("Measuring a ladder")
struct KernelMeasurementTests {
    static func measure(variants: [String]? = nil, threads: Int = 1) throws -> KernelReport {
        try KernelMeasurement.measure(
            operation: DotProductLadder.operation, variants: variants, threads: threads, budget: 0.06)
    }

    @Test("times rungs that agree, reports those that do not, and says what is missing")
    func outcomes() throws {
        let report = try Self.measure()
        #expect(report.rungs.map(\.name) == ["plain", "openblas", "twice", "forgetful", "absent"])
        #expect(report.rungs.map { $0.figures != nil } == [true, true, true, false, false])
        guard case .disagrees(let difference) = report.rungs[3].outcome else {
            Issue.record("a rung that leaves its output unwritten was not found out")
            return
        }
        #expect(difference.contains("nan"))
        #expect(report.rungs[4].outcome == .unavailable("libabsent.so is not installed"))
        #expect(report.library?.name == "openblas")
    }

    @Test("figures follow from the cost model")
    func figures() throws {
        let report = try Self.measure(variants: ["twice", "plain"])
        #expect(report.rungs.map(\.name) == ["twice", "plain"])
        #expect(report.cost == KernelCost(flops: 4096, bytes: 16_384))
        #expect(report.workingSet == 16_388)
        let plain = try #require(report[rung: "plain"]?.figures)
        #expect(abs(plain.bytesPerSecond / plain.rate.median - 4) < 1e-9)
        #expect(plain.intensity == 0.25)
        #expect(plain.traffic == 16_384)
        let twice = try #require(report[rung: "twice"]?.figures)
        #expect(twice.traffic == 32_768)
        #expect(twice.intensity == 0.125)
        #expect(plain.shareOfAttainable > 0 && plain.shareOfAttainable < 1.5)
        #expect(plain.shareLow <= plain.shareOfAttainable && plain.shareOfAttainable <= plain.shareHigh)
        #expect(report.point(of: report.rungs[0])?.intensities.first?.value == 0.125)
        #expect(report.roofline.compute.first?.rate == report.peak.rate.median)
    }

    @Test("a rung that does its work twice is about half as fast")
    func ratios() throws {
        let report = try Self.measure(variants: ["openblas", "twice"])
        let ratio = try #require(report.ratio(of: "twice", to: "openblas"))
        #expect(ratio > 0.3 && ratio < 0.75)
        #expect(report.ratio(of: "twice", to: "absent") == nil)
    }

    @Test("two threads stand under the ceilings of two threads")
    func twoThreads() throws {
        let report = try Self.measure(variants: ["openblas"], threads: 2)
        #expect(report.threads == 2)
        #expect(report.rungs[0].threads == 1)
        #expect(report.peak.rate.median > 0)
    }

    @Test("what does not exist is answered with what does")
    func unknownRung() {
        #expect(
            throws: KernelError.unknownVariant(
                "fast", operation: "dot-f32",
                known: [
                    "plain", "openblas", "twice", "forgetful", "absent",
                ])
        ) { try Self.measure(variants: ["fast"]) }
        #expect(throws: KernelError.self) {
            try KernelMeasurement.measure(operation: DotProductLadder.operation, shape: KernelShape(["n": 1 << 40]))
        }
    }

    @Test("ends when it is cancelled")
    func cancellation() {
        let cancellation = Cancellation()
        #expect(throws: CancellationError.self) {
            try KernelMeasurement.measure(
                operation: DotProductLadder.operation, budget: 60,
                progress: { if $0.activity.hasPrefix("timing") { cancellation.cancel() } }, cancellation: cancellation)
        }
    }

    @Test("its JSON has stable keys, and a reason where there are no figures")
    func json() throws {
        let text = try Self.measure(variants: ["openblas", "plain", "absent"]).json()
        try JSONParser().parse(text) { node in
            let keys = node.members.map { $0.key.string ?? "" }
            #expect(
                keys == [
                    "operation", "title", "shape", "threads", "machine", "measured_at", "flops", "bytes", "intensity",
                    "working_set_bytes", "level", "peak", "bandwidth", "bound", "attainable", "rungs", "conditions",
                    "counters", "notes",
                ])
            let rungs = node["rungs"]?.elements.map { $0["outcome"]?.string }
            #expect(rungs == ["measured", "measured", "unavailable"])
            #expect(node["rungs"]?.element(at: 1)?["ratio_to_library"]?.double != nil)
            #expect(node["rungs"]?.element(at: 2)?["reason"]?.string == "libabsent.so is not installed")
        }
    }
}
