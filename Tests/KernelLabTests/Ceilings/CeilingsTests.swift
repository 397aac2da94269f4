import JSON
import KernelLab
import Kernels
import System
import TestFixtures
import Testing
import Workspace

@Suite("Ceilings")
struct CeilingsTests {
    static let machine = Machine(
        processor: "Test processor", features: "AVX2", processors: 8,
        caches: [
            Machine.Cache(level: 1, bytes: 48 << 10, sharedBy: 1), Machine.Cache(level: 2, bytes: 1 << 20, sharedBy: 1),
            Machine.Cache(level: 3, bytes: 32 << 20, sharedBy: 4),
        ], memory: 24 << 30)

    static func rate(_ median: Double) -> MeasuredRate {
        MeasuredRate(median: median, best: median * 1.1, low: median * 0.9, high: median * 1.05, samples: 60)
    }

    static let ceilings = Ceilings(
        machine: machine, measuredAt: 1_800_000_000.5,
        sets: [
            Ceilings.ThreadSet(
                threads: 1,
                compute: [
                    Ceilings.Compute(name: "FMA f32 AVX2", arithmetic: .float32, rate: rate(120e9)),
                    Ceilings.Compute(name: "FMA f64 AVX2", arithmetic: .float64, rate: rate(60e9)),
                ],
                memory: [
                    bandwidth(.level1, .read, 450e9), bandwidth(.level1, .copy, 440e9), bandwidth(.memory, .read, 40e9),
                    bandwidth(.memory, .copy, 30e9),
                ]),
            Ceilings.ThreadSet(
                threads: 8, compute: [Ceilings.Compute(name: "FMA f32 AVX2", arithmetic: .float32, rate: rate(900e9))],
                memory: [bandwidth(.memory, .read, 100e9)]),
        ],
        latencies: [Ceilings.Latency(level: .level1, nanoseconds: 1.05, bytes: 24 << 10)], clock: rate(3.8e9),
        conditions: MeasurementConditions(
            loadBefore: 0.25, loadAfter: 0.5, steal: 0.001, samples: 540, repeated: 3, standing: .quiet),
        counters: "hardware counters: not available here (the hypervisor hides them)", notes: ["a note"])

    static func bandwidth(_ level: MemoryLevel, _ kernel: BandwidthKernel, _ value: Double) -> Ceilings.Bandwidth {
        Ceilings.Bandwidth(level: level, kernel: kernel, rate: rate(value), bytesPerThread: 1 << 20)
    }

    @Test("come back from their JSON as they were")
    func roundTrip() throws {
        #expect(try Ceilings(json: Self.ceilings.json()) == Self.ceilings)
    }

    @Test(
        "text that is something else is refused in a sentence",
        arguments: ["", "{", "[]", "{}", #"{"machine":7}"#, #"{"machine":{"processor":"x"}}"#])
    func foreignText(text: String) {
        #expect(throws: (any Error).self) { try Ceilings(json: text) }
    }

    @Test("every truncation of the text is refused")
    func truncation() {
        let text = Self.ceilings.json()
        for length in stride(from: 0, to: text.utf8.count - 1, by: 37) {
            #expect(throws: (any Error).self) { try Ceilings(json: String(text.prefix(length))) }
        }
    }

    @Test("make a roof of the peaks of one arithmetic and the slopes of one kernel")
    func roofline() throws {
        let roof = try #require(Self.ceilings.roofline(threads: 1, arithmetic: .float64))
        #expect(roof.title == "this machine, 1 thread")
        #expect(roof.compute == [Roofline.ComputeRoof(name: "FMA f64 AVX2", rate: 60e9)])
        #expect(roof.memory.map(\.name) == ["L1", "memory"])
        #expect(roof.memory.map(\.bandwidth) == [450e9, 40e9])
        let copies = try #require(
            Self.ceilings.roofline(threads: 1, arithmetic: .float32, bandwidth: .copy, best: true))
        #expect(copies.memory.map(\.bandwidth) == [440e9 * 1.1, 30e9 * 1.1])
    }

    @Test("an arithmetic that the processor lacks stands under the peak of float32")
    func missingArithmetic() throws {
        let roof = try #require(Self.ceilings.roofline(threads: 8, arithmetic: .bfloat16))
        #expect(roof.compute.map(\.name) == ["FMA f32 AVX2"])
    }

    @Test("a number of threads that was not measured has no set", arguments: [(1, 1), (4, nil), (8, 8), (64, nil)])
    func exactSet(threads: Int, expected: Int?) {
        #expect(Self.ceilings.set(threads: threads)?.threads == expected)
    }

    @Test("percentiles by hand: rates of 1, 2, 4, 5 and 10 s for 20 operations")
    func percentiles() throws {
        // 20, 10, 5, 4, 2 a second; the 10th percentile of five values lies 0.4 of the way from 2 to 4.
        let rate = try #require(MeasuredRate(work: 20, seconds: [4, 1, 10, 2, 5]))
        #expect(rate.median == 5)
        #expect(rate.best == 20)
        #expect(abs(rate.low - 2.8) < 1e-12)
        #expect(abs(rate.high - 16) < 1e-12)
        #expect(MeasuredRate(work: 20, seconds: []) == nil)
    }

    @Test("a quick measurement of one thread finds sane figures, reports how far it is, and can be cancelled")
    func smoke() throws {
        let cancellation = Cancellation()
        var activities: [String] = []
        #expect(throws: CancellationError.self) {
            try CeilingMeasurement.run(
                threads: [1], quick: true,
                progress: { step in
                    activities.append(step.activity)
                    cancellation.cancel()
                }, cancellation: cancellation)
        }
        #expect(activities.count == 1)
        #expect(throws: Problem.self) { try CeilingMeasurement.run(threads: [0]) }
        #expect(throws: Problem.self) { try CeilingMeasurement.run(threads: [1 << 20]) }
    }
}
