/// One run of one kernel, as a profiler saw it.
///
/// Everything that a tool may leave out is optional, and a level or kind that is not listed was not collected.
public struct Launch: Hashable, Sendable {
    /// The place in its profile, from 0.
    public var ordinal: Int
    /// What the tool itself calls this launch: its ID, correlation or dispatch number.
    public var externalID: String?
    /// The kernel's name as the tool gives it, demangled where it was.
    public var name: String
    /// The place of its device in the profile's list.
    public var device: Int
    public var stream: String?
    /// Seconds since the first launch of the profile.
    public var start: Double?
    /// Seconds.
    public var duration: Double?
    /// Blocks a launch.
    public var grid: Extent?
    /// Threads a block.
    public var block: Extent?
    /// Registers a thread.
    public var registers: Int?
    /// Bytes a block.
    public var sharedMemory: Int?
    /// Achieved share of the device's threads, 0 to 1.
    public var occupancy: Double?
    /// Operations by kind; a multiply-add counts two.
    public var operations: [Operations]
    /// Kinds of arithmetic whose counters the file does not have, so that the sum is only a lower bound.
    public var uncounted: [ArithmeticKind]
    /// Bytes by level.
    public var traffic: [Traffic]
    /// The device's limits at the clock of this launch, where the file has them.
    public var peaks: Peaks
    /// The operation of the program that launched it.
    public var source: SourceOperation?
    /// All figures that the tool wrote, with their place in the profile's list of names.
    public var counters: [Counter]
    /// What a reader should know about these figures: conventions, formulas, doubts.
    public var notes: [String]

    public init(ordinal: Int, name: String, device: Int = 0) {
        self.ordinal = ordinal
        self.name = name
        self.device = device
        operations = []
        uncounted = []
        traffic = []
        peaks = Peaks()
        counters = []
        notes = []
    }

    public struct Operations: Hashable, Sendable {
        public var kind: ArithmeticKind
        public var count: Figure
        public init(_ kind: ArithmeticKind, _ count: Figure) {
            self.kind = kind
            self.count = count
        }
    }

    public struct Traffic: Hashable, Sendable {
        public var level: TrafficLevel
        public var bytes: Figure
        public init(_ level: TrafficLevel, _ bytes: Figure) {
            self.level = level
            self.bytes = bytes
        }
    }

    /// Peaks that the tool measured with the launch, in operations and bytes per second.
    public struct Peaks: Hashable, Sendable {
        public var compute: [ArithmeticKind: Double] = [:]
        public var memory: [TrafficLevel: Double] = [:]
        public init() {}
        public var isEmpty: Bool { compute.isEmpty && memory.isEmpty }
    }

    /// An operator of a framework: `aten::mm` and the dimensions of its inputs.
    public struct SourceOperation: Hashable, Sendable {
        public var name: String
        /// `[[64, 4096], [4096, 4096]]`; `nil` if shapes were not recorded.
        public var dimensions: String?
        public init(name: String, dimensions: String?) {
            self.name = name
            self.dimensions = dimensions
        }
    }

    /// One figure of the tool.
    public struct Counter: Hashable, Sendable {
        /// The place of its name in ``ProfileSummary/counterNames``.
        public var name: Int
        public var value: Double
        public init(name: Int, value: Double) {
            self.name = name
            self.value = value
        }
    }
}

/// Three dimensions of a grid or block.
public struct Extent: Hashable, Sendable, CustomStringConvertible {
    public var x: Int
    public var y: Int
    public var z: Int

    public init(_ x: Int, _ y: Int = 1, _ z: Int = 1) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// `(256, 1, 1)`.
    public var description: String { "(\(x), \(y), \(z))" }

    /// The number of elements; the largest integer where it does not fit.
    public var count: Int {
        let (xy, first) = x.multipliedReportingOverflow(by: y)
        let (xyz, second) = xy.multipliedReportingOverflow(by: z)
        return first || second ? .max : xyz
    }

    /// Reads `(256, 1, 1)`, `256x1x1` and `256`.
    init?(parsing text: String) {
        var numbers: [Int] = []
        for part in text.split(whereSeparator: { "()[], xX;".contains($0) }) {
            guard let number = Int(part), number >= 0, numbers.count < 3 else { return nil }
            numbers.append(number)
        }
        guard let x = numbers.first else { return nil }
        self.init(x, numbers.count > 1 ? numbers[1] : 1, numbers.count > 2 ? numbers[2] : 1)
    }
}
