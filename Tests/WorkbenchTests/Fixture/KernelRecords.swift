import KernelLab
import Kernels
import Workbench
import Workspace

/// Ceilings and measurements with fixed figures, as if this machine had been measured.
enum KernelRecords {
    /// 16 minutes before the tests' now.
    static let morning = Double(Place.now() / 1_000_000_000 - 960)
    static let commit = "8f2c0d1e" + String(repeating: "0", count: 32)
    static let conditions = MeasurementConditions(
        loadBefore: 0.2, loadAfter: 0.3, steal: 0, samples: 400, repeated: 3, standing: .quiet)

    static func rate(_ value: Double) -> MeasuredRate {
        MeasuredRate(median: value, best: value * 1.01, low: value * 0.99, high: value * 1.005, samples: 40)
    }

    static var ceilings: Ceilings { ceilings(threads: 1) }

    /// - Parameter threads: of the only set.
    static func ceilings(threads: Int) -> Ceilings {
        let peaks: [(String, KernelArithmetic, Double)] = [
            ("FMA f32 AVX-512", .float32, 247e9), ("FMA f32 AVX2", .float32, 124e9),
            ("multiply-add f32 portable", .float32, 9.9e9), ("FMA f64 AVX-512", .float64, 124e9),
        ]
        let bandwidths: [(MemoryLevel, Double)] = [
            (.level1, 390e9), (.level2, 150e9), (.level3, 42e9), (.memory, 11.5e9),
        ]
        let set = Ceilings.ThreadSet(
            threads: threads, compute: peaks.map { .init(name: $0.0, arithmetic: $0.1, rate: rate($0.2)) },
            memory: [BandwidthKernel.read, .copy].flatMap { kernel in
                bandwidths.map { .init(level: $0.0, kernel: kernel, rate: rate($0.1), bytesPerThread: 1 << 20) }
            })
        return Ceilings(
            machine: .current, measuredAt: morning, sets: [set], latencies: [], clock: rate(3.85e9),
            conditions: conditions, counters: "", notes: [])
    }

    /// The shares of the ladder of matrix products, as a quiet machine has them.
    static let ladder: KeyValuePairs<String, Double> = [
        "naive": 0.006, "loop-order": 0.048, "blocked": 0.097, "packed": 0.16, "avx2": 0.438, "avx512": 0.898,
        "avx512-threads": 0.896, "openblas": 0.882,
    ]

    /// A measurement of matrix products of 1024.
    ///
    /// - Parameter spread: how far samples lie below and above the share, as parts of it.
    static func report(
        _ shares: KeyValuePairs<String, Double> = ladder, at seconds: Double = morning, of name: String = "gemm-f32",
        spread: (low: Double, high: Double) = (0.99, 1.01)
    ) throws -> KernelReport {
        let operation = try KernelCatalog.operation(name)
        let shape = try operation.shape("1024")
        let cost = operation.cost(shape)
        let rungs = shares.map { name, share in
            KernelReport.Rung(
                name: name, idea: "", threads: 1,
                outcome: .measured(
                    KernelFigures(
                        rate: rate(share * 247e9), bytesPerSecond: share * 247e9 / cost.intensity, traffic: cost.bytes,
                        intensity: cost.intensity, shareOfAttainable: share, shareOfPeak: share,
                        shareLow: share * spread.low, shareHigh: share * spread.high,
                        rounds: (0..<10).map { .init(round: $0, share: share) }, secondsPerCall: 0.01,
                        processorSecondsPerCall: 0.01, calls: 40, interrupted: 0,
                        agreement: KernelAgreement(
                            worst: 0.003, bound: "γ(k) Σ|a||b|", place: "[0, 0]", compared: 1_024))))
        }
        return KernelReport(
            operation: name, title: operation.title, shape: shape, threads: 1, machine: .current, measuredAt: seconds,
            cost: cost, workingSet: 12 << 20, level: .memory, peak: .init(name: "FMA f32 AVX-512", rate: rate(247e9)),
            bandwidth: .init(name: "memory read", rate: rate(11.5e9)), rungs: rungs, conditions: conditions,
            counters: "", notes: [])
    }
}

extension TestWorkspace {
    var history: KernelHistory { KernelHistory(workspace) }
    var profiles: ProfileStore { ProfileStore(workspace) }

    /// One with ceilings, two months of the ladder, the person's own kernel and the sample profiles.
    ///.
    static func measured() throws -> TestWorkspace {
        try TestWorkspace(copying: try measuredTemplate.get(), as: "test.orrery")
    }

    /// It is made once; every test gets a copy of the file.
    private static let measuredTemplate: Result<String, any Error> = Result {
        let made = try TestWorkspace()
        try made.history.save(KernelRecords.ceilings)
        let shares = [0.871, 0.884, 0.880, 0.891, 0.893, 0.889, 0.894, 0.898, 0.896]
        for (index, share) in shares.enumerated() {
            let before = Double(shares.count - index) * 6 * 86_400
            try made.history.record(
                KernelRecords.report(["avx512": share], at: KernelRecords.morning - before),
                commit: KernelRecords.commit)
        }
        try made.history.record(KernelRecords.report(), commit: KernelRecords.commit)
        let kernel = try OwnKernel(contentsOf: Place.root + "/sample-data/kernels/rms.toml")
        try OwnKernelStore(made.workspace).add(kernel)
        for file in ["before.csv", "after.csv"] {
            _ = try made.profiles.importProfile(Place.root + "/sample-data/profiles/" + file)
        }
        return Keeper.shared.hold(made)
    }

    /// The same, and `avx512` became slower since.
    static func regressed() throws -> TestWorkspace {
        let made = try measured()
        try made.history.record(
            KernelRecords.report(["avx512": 0.803], at: KernelRecords.morning + 300), commit: KernelRecords.commit)
        return made
    }
}
