import Hashing
internal import System

/// Takes what an importer reads: devices, names of counters, notes, and launches one by one.
///
/// Launches are numbered here and handed on at once, so that memory does not grow with them.
final class ProfileSink {
    /// The profile's title, where the file has one.
    var title: String?
    private(set) var devices: [ProfiledDevice] = []
    private(set) var counterNames: [String] = []
    private(set) var notes: [String] = []
    private(set) var launchCount = 0
    private(set) var seconds = 0.0
    private(set) var untimedLaunches = 0
    private let path: String
    private let keep: (Launch) throws -> Void
    private var kernels: Set<String> = []
    private var devicePlaces: [String: Int] = [:]
    private var counterPlaces: [String: Int] = [:]
    private var clocks: [ClockSamples] = []

    /// Figures of one device over the launches: medians are made of them.
    private struct ClockSamples {
        var core = Median()
        var memory = Median()
        var compute: [ArithmeticKind: Median] = [:]
        var traffic: [TrafficLevel: Median] = [:]
    }

    static let mostLaunches = 5_000_000
    /// Seconds that a launch may last; what is longer was never measured.
    static let longest = 1e9
    static let mostCounters = 65_536
    static let mostDevices = 4_096
    static let mostNotes = 32

    init(path: String, keep: @escaping (Launch) throws -> Void) {
        self.path = path
        self.keep = keep
    }

    /// The place of a device; `key` tells devices apart, `name` is shown.
    func device(_ key: String, name: @autoclosure () -> String, capability: String? = nil) throws -> Int {
        if let place = devicePlaces[key] { return place }
        guard devices.count < Self.mostDevices else {
            throw Problem(
                .limit, path, "the profile has more than \(Self.mostDevices) devices",
                remedy: "The device column is damaged. Export the profile again.")
        }
        var device = ProfiledDevice(name: name())
        device.computeCapability = capability
        devices.append(device)
        clocks.append(ClockSamples())
        devicePlaces[key] = devices.count - 1
        return devices.count - 1
    }

    /// Replaces the name of a device by a better one that came later.
    func rename(device place: Int, to name: String) {
        if devices.indices.contains(place) { devices[place].name = name }
    }

    /// The place of a counter's name.
    func counter(_ name: String) throws -> Int {
        if let place = counterPlaces[name] { return place }
        guard counterNames.count < Self.mostCounters else {
            throw Problem(
                .limit, path, "the profile has more than \(Self.mostCounters) counters",
                remedy: "Collect fewer metrics, or export the profile again.")
        }
        counterNames.append(name)
        counterPlaces[name] = counterNames.count - 1
        return counterNames.count - 1
    }

    /// Says something about the whole profile, once.
    func note(_ sentence: String) {
        if notes.count < Self.mostNotes, !notes.contains(sentence) { notes.append(sentence) }
    }

    /// Clocks of a device as one launch saw them, in cycles a second.
    func clock(device place: Int, core: Double?, memory: Double?) {
        guard clocks.indices.contains(place) else { return }
        if let core, core > 0 { clocks[place].core.add(core) }
        if let memory, memory > 0 { clocks[place].memory.add(memory) }
    }

    /// Takes the next launch, whose ordinal is given here.
    func add(_ launch: Launch) throws {
        guard launchCount < Self.mostLaunches else {
            throw Problem(
                .limit, path, "the profile has more than \(Self.mostLaunches) launches",
                remedy: "Profile a shorter part of the program.")
        }
        var launch = launch
        launch.ordinal = launchCount
        // Ignore times that cannot be divided by.
        if let duration = launch.duration, !duration.isNormal || duration < 0 || duration > Self.longest {
            launch.duration = nil
        }
        if let start = launch.start, !start.isFinite { launch.start = nil }
        launchCount += 1
        if let duration = launch.duration { seconds += duration } else { untimedLaunches += 1 }
        kernels.insert(launch.name)
        if clocks.indices.contains(launch.device) {
            for (kind, peak) in launch.peaks.compute {
                clocks[launch.device].compute[kind, default: Median()].add(peak)
            }
            for (level, peak) in launch.peaks.memory {
                clocks[launch.device].traffic[level, default: Median()].add(peak)
            }
        }
        try keep(launch)
    }

    /// Fills what is known at the end into the summary.
    func finish(_ summary: inout ProfileSummary) {
        for place in devices.indices {
            devices[place].coreClock = clocks[place].core.value
            devices[place].memoryClock = clocks[place].memory.value
            devices[place].roof = roof(of: place)
        }
        summary.devices = devices
        summary.counterNames = counterNames
        summary.notes = notes
        summary.launchCount = launchCount
        summary.kernelCount = kernels.count
        summary.seconds = seconds
        summary.untimedLaunches = untimedLaunches
    }

    private func roof(of place: Int) -> Roofline? {
        let samples = clocks[place]
        let compute = ArithmeticKind.allCases.compactMap { kind in
            samples.compute[kind]?.value.map { Roofline.ComputeRoof(name: kind.title, rate: $0) }
        }
        let memory = TrafficLevel.allCases.reversed().compactMap { level in
            samples.traffic[level]?.value.map { Roofline.MemoryRoof(name: level.title, bandwidth: $0) }
        }
        guard !compute.isEmpty || !memory.isEmpty else { return nil }
        return Roofline(
            title: devices[place].name, compute: compute.sorted { $0.rate > $1.rate }, memory: memory,
            source: "the profile itself, at the clocks of its launches")
    }
}

/// The middle of many numbers: exact for the first 4,096, of a seeded sample beyond.
struct Median {
    private var kept: [Double] = []
    private var seen: UInt64 = 0

    /// Takes a number (reservoir sampling: Vitter 1985, algorithm R).
    mutating func add(_ number: Double) {
        guard number.isFinite else { return }
        seen += 1
        if kept.count < 4_096 {
            kept.append(number)
        } else {
            let place = (seen &* SplitMix64.gamma).multipliedFullWidth(by: seen).high
            if place < 4_096 { kept[Int(place)] = number }
        }
    }

    var value: Double? {
        guard !kept.isEmpty else { return nil }
        let sorted = kept.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
