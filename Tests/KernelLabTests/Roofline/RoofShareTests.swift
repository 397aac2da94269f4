import GRDB
import JSON
import KernelLab
import Kernels
import TestFixtures
import Testing
import Workspace

@Suite("A share of a roof")
struct RoofShareTests {
    private let ceiling = RoofShare.Ceiling(name: "FMA f32 AVX2", threads: 2, rate: 100)

    @Test("is not formed of a ceiling of another number of threads")
    func threads() throws {
        #expect(RoofShare(rate: 50, of: ceiling, threads: 1) == nil)
        #expect(RoofShare(ratios: [0.5], of: ceiling, threads: 1) == nil)
        let share = try #require(RoofShare(rate: 50, of: ceiling, threads: 2))
        #expect(share.median == 0.5)
        #expect(share.ceiling.threads == 2)
    }

    @Test("is not formed where the ceiling was not measured")
    func unmeasured() {
        #expect(RoofShare(rate: 50, of: nil, threads: 2) == nil)
        #expect(RoofShare(rate: 50, of: .init(name: "x", threads: 2), threads: 2) == nil)
        #expect(RoofShare(rate: .nan, of: ceiling, threads: 2) == nil)
        for threads in [2, 4, 64] {
            #expect(CeilingsTests.ceilings.ceiling(threads: threads, arithmetic: .float32) == nil)
            #expect(CeilingsTests.ceilings.roofline(threads: threads, arithmetic: .float32) == nil)
        }
        #expect(CeilingsTests.ceilings.ceiling(threads: 8, arithmetic: .float32)?.rate == 900e9)
        #expect(CeilingsTests.ceilings.ceiling(threads: 1, arithmetic: .float64)?.name == "FMA f64 AVX2")
    }

    @Test("below the ridge is one of the memory's bandwidth")
    func memoryCeiling() throws {
        // 2 operations a byte at 40 GB/s are 80 G/s, less than the peak of 120.
        let ceiling = try #require(
            CeilingsTests.ceilings.ceiling(threads: 1, arithmetic: .float32, intensity: 2))
        #expect(ceiling.name == "memory read")
        #expect(ceiling.rate == 80e9)
    }

    @Test("of samples that range from 18 to 108 % is noisy, and says between what")
    func noise() throws {
        let ratios = [0.182, 0.19, 0.2, 0.22, 0.252, 0.3, 0.5, 0.9, 1.078]
        let share = try #require(RoofShare(ratios: ratios, of: ceiling, threads: 2))
        #expect(share.median == 0.252)
        #expect(share.isNoisy)
        #expect(share.low < 0.2 && share.high > 0.9)
        let steady = try #require(RoofShare(ratios: [0.88, 0.89, 0.9, 0.91], of: ceiling, threads: 2))
        #expect(!steady.isNoisy)
        // Half a point of half a percent is nothing to speak of.
        #expect(RoofShare(ratios: [0.004, 0.006, 0.009], of: ceiling, threads: 2)?.isNoisy == false)
    }

    @Test("above its ceiling says so", arguments: [(0.999, false), (1.0001, false), (1.001, true), (1.4, true)])
    func above(ratio: Double, isAbove: Bool) {
        #expect(RoofShare(ratios: [ratio], of: ceiling, threads: 2)?.isAboveCeiling == isAbove)
    }

    @Test("keeps ceiling, threads, and spread in its JSON")
    func json() throws {
        let share = try #require(RoofShare(ratios: [0.5, 0.6, 1.3], of: ceiling, threads: 2))
        try JSONParser().parse(share.json()) { node in
            #expect(node["ceiling"]?.string == "FMA f32 AVX2")
            #expect(node["threads"]?.int == 2)
            #expect(node["median"]?.double == 0.6)
            #expect(node["noisy"]?.bool == true)
            #expect(node["above_ceiling"]?.bool == false)
        }
    }
}

@Suite("Shares of measured kernels")
struct MeasuredShareTests {
    @Test("a variant of one thread stands under the ceiling of one, also next to variants of two")
    func oneThreadBesideTwo() throws {
        let operation = KernelOperation.gemmFloat32
        let report = try KernelMeasurement.measure(
            operation: operation,
            variants: ["blocked", "avx512-threads", "avx2"].filter { name in
                operation.variants.contains { $0.name == name && $0.unavailable == nil }
            }, shape: try operation.shape("64"), threads: 2, budget: 0.1)
        let blocked = try #require(report[rung: "blocked"])
        #expect(blocked.threads == 1)
        let share = try #require(report.share(of: blocked))
        #expect(share.ceiling.threads == 1)
        #expect(report.oneThread?.threads == 1)
        #expect(share.ceiling.rate == report.oneThread?.peak.rate.median)
        #expect(report.roofline(of: blocked)?.title == "this machine, 1 thread")
        if let parallel = report[rung: "avx512-threads"] {
            #expect(report.share(of: parallel)?.ceiling.threads == 2)
        }
        // Processes tell each other what they measured as JSON.
        #expect(try KernelReport(json: report.json()).share(of: blocked) == share)
        // The speed of one against the other is that of the clock, not that of two different ceilings.
        if let ratio = report.ratio(of: "blocked", to: "avx2"), let avx2 = report[rung: "avx2"]?.figures {
            #expect(ratio < 1.5 * blocked.figures!.rate.median / avx2.rate.median)
        }
    }

    private func report(_ threads: Int, share: Double = 0.5, at time: Double = 1_000) throws -> KernelReport {
        let operation = KernelOperation.gemmFloat32
        let shape = try operation.shape("512")
        let cost = operation.cost(shape)
        func rung(_ name: String, _ threads: Int) -> KernelReport.Rung {
            KernelReport.Rung(
                name: name, idea: "", threads: threads,
                outcome: .measured(
                    KernelFigures(
                        rate: CeilingsTests.rate(share * 100e9), bytesPerSecond: 1e9, traffic: cost.bytes,
                        intensity: cost.intensity, shareOfAttainable: share, shareOfPeak: share, shareLow: share,
                        shareHigh: share, rounds: (0..<10).map { .init(round: $0, share: share) }, secondsPerCall: 0.01,
                        processorSecondsPerCall: 0.01, calls: 40, interrupted: 0,
                        agreement: KernelFiguresTests.agreement)))
        }
        let roof = KernelReport.Roof(name: "FMA f32 AVX2", rate: CeilingsTests.rate(Double(threads) * 100e9))
        return KernelReport(
            operation: operation.name, title: operation.title, shape: shape, threads: threads,
            machine: CeilingsTests.machine, measuredAt: time, cost: cost, workingSet: 3 << 20, level: .level3,
            peak: roof, bandwidth: .init(name: "L3 read", rate: CeilingsTests.rate(50e9)),
            rungs: [rung("blocked", 1), rung("avx512-threads", threads)], conditions: CeilingsTests.ceilings.conditions,
            counters: "", notes: [])
    }

    private func history(_ folder: TemporaryFolder) throws -> KernelHistory {
        KernelHistory(try Workspace.open(folder.file("k.orrery"), migrations: KernelHistory.migrations, create: true))
    }

    @Test("a report without the ceilings of one thread gives a variant of one thread no share, and records none")
    func missingCeiling() throws {
        let folder = TemporaryFolder()
        let report = try report(2)
        #expect(report.share(of: report.rungs[0]) == nil)
        #expect(report.share(of: report.rungs[1])?.ceiling.threads == 2)
        let runs = try history(folder).record(report)
        #expect(runs.map(\.variant) == ["avx512-threads"])
        #expect(runs[0].roofShare?.ceiling == .init(name: "FMA f32 AVX2", threads: 2, rate: 200e9))
    }

    @Test("a run of an earlier version, of one thread under the roof of two, has no share")
    func earlierVersion() throws {
        let folder = TemporaryFolder()
        let history = try history(folder)
        try history.record(try report(1))
        try history.workspace.write { db in try db.execute(sql: "UPDATE kernel_run SET ceiling_rate = NULL") }
        #expect(try history.runs().map { $0.roofShare?.median } == [0.5, 0.5])
        try history.workspace.write { db in try db.execute(sql: "UPDATE kernel_run SET threads = 2") }
        #expect(try history.runs().map { $0.roofShare?.median } == [nil, 0.5])
    }

    @Test("what was measured again says the same in the report as in the history")
    func confirmed() throws {
        let folder = TemporaryFolder()
        let history = try history(folder)
        for time in 0..<8 { try history.record(try report(1, share: 0.5, at: Double(time))) }
        let outcome = try history.measure { suspect in try report(1, share: suspect == nil ? 0.3 : 0.5, at: 9) }
        for run in outcome.runs {
            let rung = try #require(outcome.report[rung: run.variant])
            #expect(outcome.report.share(of: rung)?.median == run.share)
            #expect(rung.figures?.rate.median == run.rate)
            #expect(run.share == 0.5)
        }
    }
}
