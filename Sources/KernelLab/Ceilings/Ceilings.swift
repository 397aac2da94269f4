public import Kernels

/// What a machine can do at peak, as measured: peaks of arithmetic, bandwidths of each memory level, clock, latencies.
///
/// ```swift
/// let ceilings = try CeilingMeasurement.run(quick: true)
/// let roof = ceilings.roofline(threads: 1, arithmetic: .float32)
/// ```
public struct Ceilings: Hashable, Sendable {
    public var machine: Machine
    /// Seconds since 1970.
    public var measuredAt: Double
    /// One set a number of threads, ascending.
    public var sets: [ThreadSet]
    /// Nanoseconds from a load to the next that needs it, the nearest level first.
    public var latencies: [Latency]
    /// Cycles a second of one thread, by a chain of dependent instructions.
    public var clock: MeasuredRate
    public var conditions: MeasurementConditions
    /// Whether there are hardware counters, and if not why.
    public var counters: String
    /// What the reader should know: smaller buffers, rounds cut short.
    public var notes: [String]

    /// Ceilings of a number of threads together, each on its own processor.
    public struct ThreadSet: Hashable, Sendable {
        public var threads: Int
        /// The fastest of each arithmetic first.
        public var compute: [Compute]
        /// By level, the nearest first.
        public var memory: [Bandwidth]

        public init(threads: Int, compute: [Compute], memory: [Bandwidth]) {
            self.threads = threads
            self.compute = compute
            self.memory = memory
        }
    }

    public struct Compute: Hashable, Sendable {
        /// `FMA f32 AVX-512`.
        public var name: String
        public var arithmetic: KernelArithmetic
        /// Operations a second; a fused multiply-add counts two.
        public var rate: MeasuredRate

        public init(name: String, arithmetic: KernelArithmetic, rate: MeasuredRate) {
            self.name = name
            self.arithmetic = arithmetic
            self.rate = rate
        }
    }

    public struct Bandwidth: Hashable, Sendable {
        public var level: MemoryLevel
        public var kernel: BandwidthKernel
        /// Bytes a second that the program asked for, without the reads that a write causes.
        public var rate: MeasuredRate
        /// Bytes that each thread went through.
        public var bytesPerThread: Int

        public init(level: MemoryLevel, kernel: BandwidthKernel, rate: MeasuredRate, bytesPerThread: Int) {
            self.level = level
            self.kernel = kernel
            self.rate = rate
            self.bytesPerThread = bytesPerThread
        }
    }

    public struct Latency: Hashable, Sendable {
        public var level: MemoryLevel
        public var nanoseconds: Double
        /// Bytes that the pointers were spread over.
        public var bytes: Int

        public init(level: MemoryLevel, nanoseconds: Double, bytes: Int) {
            self.level = level
            self.nanoseconds = nanoseconds
            self.bytes = bytes
        }
    }

    public init(
        machine: Machine, measuredAt: Double, sets: [ThreadSet], latencies: [Latency], clock: MeasuredRate,
        conditions: MeasurementConditions, counters: String, notes: [String]
    ) {
        self.machine = machine
        self.measuredAt = measuredAt
        self.sets = sets
        self.latencies = latencies
        self.clock = clock
        self.conditions = conditions
        self.counters = counters
        self.notes = notes
    }
}

/// A way through memory whose bandwidth is a ceiling.
public enum BandwidthKernel: String, CaseIterable, Hashable, Sendable {
    case read
    case write
    /// Reads one array, writes another.
    case copy
    /// c = a + s b: reads two, writes a third (McCalpin's STREAM, 1995).
    case triad
    /// A copy whose stores go past the caches.
    case streamingCopy = "copy-nt"
}
