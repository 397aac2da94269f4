/// The launches that one file of a profiler holds.
public struct Profile: Hashable, Sendable {
    public var summary: ProfileSummary
    /// In the order of the file, which for most tools is that of time.
    public var launches: [Launch]

    public init(summary: ProfileSummary, launches: [Launch]) {
        self.summary = summary
        self.launches = launches
    }

    /// A tool's figure of a launch by its name; nil if the launch has none.
    public func counter(_ name: String, of launch: Launch) -> Double? {
        guard let place = summary.counterNames.firstIndex(of: name) else { return nil }
        return launch.counters.first { $0.name == place }?.value
    }
}

/// What a list shows of a profile.
public struct ProfileSummary: Hashable, Sendable {
    /// The number in the workspace; 0 for a profile that is in none.
    public var id: Int64
    public var title: String
    /// `Nsight Compute`.
    public var tool: String
    /// The importer's word: `nsight-compute`.
    public var format: String
    /// The file as it was named.
    public var path: String
    /// Bytes of the file.
    public var size: Int
    /// Digest of the file's bytes: the same file is imported once.
    public var digest: UInt64
    /// Seconds since 1970.
    public var imported: Double
    public var devices: [ProfiledDevice]
    public var launchCount: Int
    /// Different kernel names.
    public var kernelCount: Int
    /// Sum of the launches' durations in seconds, without those that have none.
    public var seconds: Double
    /// Launches without a duration.
    public var untimedLaunches: Int
    /// Names of the tool's figures with their units: `dram__bytes.sum [byte]`.
    public var counterNames: [String]
    /// What holds of the whole profile: what the format does not have, what was skipped.
    public var notes: [String]

    public init(title: String, tool: String, format: String, path: String) {
        id = 0
        self.title = title
        self.tool = tool
        self.format = format
        self.path = path
        size = 0
        digest = 0
        imported = 0
        devices = []
        launchCount = 0
        kernelCount = 0
        seconds = 0
        untimedLaunches = 0
        counterNames = []
        notes = []
    }

    /// The roof to draw for a device: the peaks that the file itself has, measured at the clock of the profile, else
    /// those of the table.
    public func roofline(ofDevice place: Int, in catalog: DeviceCatalog = .builtIn) -> Roofline? {
        guard devices.indices.contains(place) else { return nil }
        return devices[place].roof ?? catalog.roofline(for: devices[place].name)
    }
}

/// A device that launches of a profile ran on.
public struct ProfiledDevice: Hashable, Sendable {
    /// As the tool names it; `device 0` where it only counts them.
    public var name: String
    /// `9.0`.
    public var computeCapability: String?
    /// Cycles a second of the cores while profiling, the median over the launches: many tools lock the clock.
    public var coreClock: Double?
    /// Cycles a second of the memory.
    public var memoryClock: Double?
    /// The peaks that the file itself has, medians over the launches.
    public var roof: Roofline?

    public init(name: String) { self.name = name }
}
