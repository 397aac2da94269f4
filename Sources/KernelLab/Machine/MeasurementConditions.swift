internal import Glibc
public import JSON

/// What else the machine did while something was measured, and whether the figures can be trusted.
public struct MeasurementConditions: Hashable, Sendable {
    public enum Standing: String, Hashable, Sendable {
        case quiet
        /// Other work was going on; samples that it interrupted were taken again.
        case busy
        /// The hypervisor gave the processors to others: the figures say nothing about the kernel.
        case void
    }

    /// Runnable tasks on average over a minute, when it began and when it ended.
    public var loadBefore: Double
    public var loadAfter: Double
    /// The part of all processors' time that the hypervisor gave to other machines.
    public var steal: Double
    /// Samples that count.
    public var samples: Int
    /// Samples during which the thread lost its processor for more than 5 % of the time: taken again.
    public var repeated: Int
    public var standing: Standing

    /// Steal at or above which figures are void.
    public static let largestSteal = 0.02
    /// Share of interrupted samples at or above which a machine counts as busy.
    static let mostRepeated = 0.2

    public init(
        loadBefore: Double, loadAfter: Double, steal: Double, samples: Int, repeated: Int, standing: Standing
    ) {
        self.loadBefore = loadBefore
        self.loadAfter = loadAfter
        self.steal = steal
        self.samples = samples
        self.repeated = repeated
        self.standing = standing
    }

    /// `void: the hypervisor stole 4.1 % of the time. Try again`.
    public var sentence: String {
        let load = "load \(decimal(loadBefore, 1)) before and \(decimal(loadAfter, 1)) after"
        switch standing {
        case .quiet: return "quiet: \(load), steal \(decimal(steal * 100, 1)) %"
        case .busy: return "busy: \(load), \(repeated) of \(samples + repeated) samples were interrupted"
        case .void where steal <= Self.largestSteal:
            return "void: a kernel was far above its ceiling, \(load). Try again"
        case .void: return "void: the hypervisor stole \(decimal(steal * 100, 1)) % of the time. Try again"
        }
    }
}

/// Looks at the system's own accounts before and after a measurement.
struct ConditionsWatch {
    private let load: Double
    private let ticks: ProcessorTicks

    init() {
        load = Self.load
        ticks = .now
    }

    /// - Parameter interrupted: samples that were interrupted and count all the same, since no better ones came.
    func conditions(samples: Int, repeated: Int, interrupted: Int = 0) -> MeasurementConditions {
        let steal = ticks.stealShare(until: .now)
        let standing: MeasurementConditions.Standing =
            if steal > MeasurementConditions.largestSteal {
                .void
            } else if interrupted > 0
                || Double(repeated) > MeasurementConditions.mostRepeated * Double(samples + repeated)
            {
                .busy
            } else {
                .quiet
            }
        return MeasurementConditions(
            loadBefore: load, loadAfter: Self.load, steal: steal, samples: samples, repeated: repeated,
            standing: standing)
    }

    private static var load: Double {
        var averages = [0.0]
        return getloadavg(&averages, 1) == 1 ? averages[0] : 0
    }
}

/// The first line of /proc/stat: what all processors did since the start, in ticks of 10 ms.
package struct ProcessorTicks: Hashable, Sendable {
    package var steal: Int
    package var all: Int

    /// Reads `cpu user nice system idle iowait irq softirq steal guest guest_nice`; guests are within user.
    package init(line: String) {
        let numbers = line.split(separator: " ").dropFirst().prefix(8).map { Int($0) ?? 0 }
        steal = numbers.count == 8 ? numbers[7] : 0
        all = numbers.reduce(0, +)
    }

    static var now: Self { Self(line: SystemFile.line("/proc/stat") ?? "") }

    /// The stolen part of the time since; a single tick is the accounts' own rounding and does not count.
    package func stealShare(until later: Self) -> Double {
        let stolen = later.steal - steal
        let passed = later.all - all
        return stolen > 1 && passed > 0 ? Double(stolen) / Double(passed) : 0
    }
}

/// A number with a fixed count of decimals.
package func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return value.isNaN ? "–" : "\(value)" }
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (abs(value) * scale).rounded()
    let whole = Int(rounded / scale)
    let sign = value < 0 && rounded > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let rest = String(Int(rounded - Double(whole) * scale))
    return "\(sign)\(whole)." + String(repeating: "0", count: max(0, digits - rest.count)) + rest
}

extension MeasurementConditions: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("standing", standing.rawValue)
            json.member("load_before", loadBefore)
            json.member("load_after", loadAfter)
            json.member("steal", steal)
            json.member("samples", samples)
            json.member("repeated", repeated)
        }
    }

    init?(_ node: JSONNode) {
        guard let standing = node["standing"]?.string.flatMap(Standing.init(rawValue:)),
            let loadBefore = node["load_before"]?.double, let loadAfter = node["load_after"]?.double,
            let steal = node["steal"]?.double, let samples = node["samples"]?.count(in: 0...1 << 40),
            let repeated = node["repeated"]?.count(in: 0...1 << 40)
        else { return nil }
        self.init(
            loadBefore: loadBefore, loadAfter: loadAfter, steal: steal, samples: samples, repeated: repeated,
            standing: standing)
    }
}
