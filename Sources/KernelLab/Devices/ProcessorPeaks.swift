/// What one core of a processor can do in one cycle: lanes × pipes × 2 for a fused multiply-add.
public struct ProcessorPeaks: Hashable, Sendable {
    /// `Zen 5 (server, desktop)`.
    public var name: String
    /// Words that its model name holds, such as `neoverse-v2`.
    public var aliases: [String]
    /// f32 operations a core and cycle; f64 is half of it.
    public var f32: Double
    /// bf16 operations where there are dot products or matrix units of it.
    public var bf16: Double?
    /// int8 operations where there are dot products or matrix units of it.
    public var int8: Double?
    /// Of what the figure is made.
    public var formula: String

    public init(
        name: String, aliases: [String] = [], f32: Double, bf16: Double? = nil, int8: Double? = nil, formula: String
    ) {
        self.name = name
        self.aliases = aliases
        self.f32 = f32
        self.bf16 = bf16
        self.int8 = int8
        self.formula = formula
    }

    /// Returns the roofs of a number of cores at a clock rate.
    ///
    /// - Parameters:
    ///   - clock: cycles a second under vector code, which may be lower than the boost clock.
    ///   - memoryBandwidth: bytes per second; nil draws no slope.
    public func roofline(cores: Int, clock: Double, memoryBandwidth: Double? = nil) -> Roofline {
        let cycles = Double(cores) * clock
        var compute = [
            Roofline.ComputeRoof(name: "FMA f32", rate: f32 * cycles),
            Roofline.ComputeRoof(name: "FMA f64", rate: f32 / 2 * cycles),
        ]
        if let bf16 { compute.append(.init(name: "dot bf16", rate: bf16 * cycles)) }
        if let int8 { compute.append(.init(name: "dot int8", rate: int8 * cycles)) }
        return Roofline(
            title: "\(name), \(cores) \(cores == 1 ? "core" : "cores")", compute: compute.sorted { $0.rate > $1.rate },
            memory: memoryBandwidth.map { [Roofline.MemoryRoof(name: "memory", bandwidth: $0)] } ?? [],
            source: "\(formula); at the given clock")
    }
}

extension DeviceCatalog {
    /// Cores by their microarchitecture. A core whose 512-bit units are halved must be told apart by timing.
    public static let processors: [ProcessorPeaks] = [
        ProcessorPeaks(name: "Zen 1", aliases: ["znver1"], f32: 16, formula: "2 × 128-bit FMA"),
        ProcessorPeaks(name: "Zen 2", aliases: ["znver2"], f32: 32, formula: "2 × 256-bit FMA"),
        ProcessorPeaks(name: "Zen 3", aliases: ["znver3"], f32: 32, formula: "2 × 256-bit FMA"),
        ProcessorPeaks(
            name: "Zen 4", aliases: ["znver4"], f32: 32, bf16: 64, int8: 128,
            formula: "2 × 256-bit FMA, 512-bit in two passes"),
        ProcessorPeaks(
            name: "Zen 5", aliases: ["znver5", "turin", "granite ridge"], f32: 64, bf16: 128, int8: 256,
            formula: "2 × 512-bit FMA (mobile parts: half)"),
        ProcessorPeaks(
            name: "Haswell", aliases: ["broadwell", "skylake", "alder lake", "raptor lake"], f32: 32,
            formula: "2 × 256-bit FMA"),
        ProcessorPeaks(
            name: "Skylake-X", aliases: ["skylake-avx512"], f32: 64,
            formula: "2 × 512-bit FMA (some models: one), lower clocks under AVX-512"),
        ProcessorPeaks(
            name: "Cascade Lake", aliases: ["cascadelake", "ice lake-sp", "icelake-server"], f32: 64, int8: 256,
            formula: "2 × 512-bit FMA (some models: one)"),
        ProcessorPeaks(
            name: "Sapphire Rapids", aliases: ["sapphirerapids", "emerald rapids", "emeraldrapids"], f32: 64,
            bf16: 2048, int8: 4096, formula: "2 × 512-bit FMA; AMX: one tile product in 16 cycles"),
        ProcessorPeaks(
            name: "Neoverse N1", aliases: ["neoverse-n1", "graviton2"], f32: 16, formula: "2 × 128-bit FMA"),
        ProcessorPeaks(name: "Neoverse N2", aliases: ["neoverse-n2"], f32: 16, formula: "2 × 128-bit FMA"),
        ProcessorPeaks(
            name: "Neoverse V1", aliases: ["neoverse-v1", "graviton3"], f32: 32, formula: "2 × 256-bit FMA"),
        ProcessorPeaks(
            name: "Neoverse V2", aliases: ["neoverse-v2", "grace", "graviton4"], f32: 32, formula: "4 × 128-bit FMA"),
        ProcessorPeaks(
            name: "Apple M", aliases: ["apple m1", "apple m2", "apple m3", "apple m4"], f32: 32,
            formula: "4 × 128-bit FMA per performance core, without its matrix unit"),
    ]

    /// The core that is called so; nil if none is known.
    public static func processor(named name: String) -> ProcessorPeaks? {
        let wanted = folded(name)
        return processors.first { folded($0.name) == wanted }
            ?? processors.first { $0.aliases.contains { folded($0) == wanted } }
    }
}
