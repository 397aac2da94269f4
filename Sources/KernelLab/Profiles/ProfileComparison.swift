internal import Formatting

/// Two profiles of the same program, before and after a change, launch by launch.
///
/// A launch is matched with the launch of the same kernel name, grid, and position among those launches: the third
/// `gemm` on a grid of (128, 1, 1) with the third. A kernel that was renamed or launched on another grid is left
/// unmatched, and counted so. O(n).
public struct ProfileComparison: Hashable, Sendable {
    public var before: ProfileSummary
    public var after: ProfileSummary
    /// In the order of the profile after the change.
    public var pairs: [LaunchPair]
    public var onlyBefore: [Launch]
    public var onlyAfter: [Launch]
    /// One entry a kernel name, the largest change of time first.
    public var kernels: [KernelChange]
    /// What a reader should know before believing the figures.
    public var sentences: [String]

    /// Seconds of all launches.
    public var secondsBefore: Double { before.seconds }
    public var secondsAfter: Double { after.seconds }
    /// Seconds of the pairs of which both launches have a time.
    public var matchedSecondsBefore: Double { sum { $0.before.duration } }
    public var matchedSecondsAfter: Double { sum { $0.after.duration } }
    /// Time before over time after, over all launches; `nil` if a side has no time.
    public var speedup: Double? { Self.quotient(secondsBefore, secondsAfter) }
    /// The same over matched launches only.
    public var matchedSpeedup: Double? { Self.quotient(matchedSecondsBefore, matchedSecondsAfter) }

    /// A launch before and the same after.
    public struct LaunchPair: Hashable, Sendable {
        public var before: Launch
        public var after: Launch
        public var name: String { after.name }
        /// Time before over time after; `nil` if one is missing.
        public var speedup: Double? {
            guard let before = before.duration, let after = after.duration else { return nil }
            return ProfileComparison.quotient(before, after)
        }
    }

    /// All launches of one kernel name.
    public struct KernelChange: Hashable, Sendable {
        public var name: String
        public var launchesBefore = 0
        public var launchesAfter = 0
        /// Seconds of its launches that have a time.
        public var secondsBefore = 0.0
        public var secondsAfter = 0.0
        /// Pairs among its launches.
        public var matched = 0
        /// Seconds of the pairs of which both launches have a time.
        public var matchedSecondsBefore = 0.0
        public var matchedSecondsAfter = 0.0
        /// Time before over time after, over its matched launches; nil without.
        public var speedup: Double? { ProfileComparison.quotient(matchedSecondsBefore, matchedSecondsAfter) }
        /// Seconds that the change costs; negative for a gain.
        public var difference: Double { secondsAfter - secondsBefore }
    }

    public init(before: Profile, after: Profile) {
        self.before = before.summary
        self.after = after.summary
        var waiting: [Key: [Int]] = [:]
        for place in before.launches.indices.reversed() {
            waiting[Key(before.launches[place]), default: []].append(place)
        }
        pairs = []
        onlyAfter = []
        var isMatched = [Bool](repeating: false, count: before.launches.count)
        for launch in after.launches {
            if let place = waiting[Key(launch)]?.popLast() {
                isMatched[place] = true
                pairs.append(LaunchPair(before: before.launches[place], after: launch))
            } else {
                onlyAfter.append(launch)
            }
        }
        onlyBefore = before.launches.indices.filter { !isMatched[$0] }.map { before.launches[$0] }
        kernels = []
        sentences = []
        kernels = Self.changes(before.launches, after.launches, pairs)
        sentences = doubts()
    }

    private struct Key: Hashable {
        var name: String
        var grid: Extent?
        init(_ launch: Launch) {
            name = launch.name
            grid = launch.grid
        }
    }

    private func sum(_ duration: (LaunchPair) -> Double?) -> Double {
        pairs.reduce(0) { sum, pair in
            pair.before.duration == nil || pair.after.duration == nil ? sum : sum + (duration(pair) ?? 0)
        }
    }

    private static func changes(_ before: [Launch], _ after: [Launch], _ pairs: [LaunchPair]) -> [KernelChange] {
        var changes: [String: KernelChange] = [:]
        for launch in before {
            changes[launch.name, default: KernelChange(name: launch.name)].launchesBefore += 1
            changes[launch.name]?.secondsBefore += launch.duration ?? 0
        }
        for launch in after {
            changes[launch.name, default: KernelChange(name: launch.name)].launchesAfter += 1
            changes[launch.name]?.secondsAfter += launch.duration ?? 0
        }
        for pair in pairs {
            changes[pair.name]?.matched += 1
            guard let one = pair.before.duration, let other = pair.after.duration else { continue }
            changes[pair.name]?.matchedSecondsBefore += one
            changes[pair.name]?.matchedSecondsAfter += other
        }
        return changes.values.sorted { a, b in
            abs(a.difference) != abs(b.difference) ? abs(a.difference) > abs(b.difference) : a.name < b.name
        }
    }

    private func doubts() -> [String] {
        var sentences: [String] = []
        if pairs.isEmpty {
            sentences.append("No launches of the two profiles have the same kernel name and grid.")
        } else if !onlyBefore.isEmpty || !onlyAfter.isEmpty {
            sentences.append(
                "\(onlyBefore.count) of \(before.launchCount) launches are only in the first profile and "
                    + "\(onlyAfter.count) of "
                    + "\(after.launchCount) only in the second: fused, split, renamed, or launched with a "
                    + "different grid.")
        }
        let untimed = pairs.count { $0.speedup == nil }
        if untimed > 0 {
            sentences.append(
                "\(untimed) pairs lack a time on one side and are not included in speedups.")
        }
        let names = [before, after].map { Set($0.devices.map(\.name)) }
        if names[0] != names[1] { sentences.append("The profiles are from different devices.") }
        if let one = before.devices.first?.coreClock, let other = after.devices.first?.coreClock,
            abs(one / other - 1) > 0.02
        {
            sentences.append(
                "The core clock differs by \(Format.percent(abs(other / one - 1), digits: 0)): part of the change is "
                    + "due to the clock.")
        }
        if before.tool != after.tool {
            sentences.append(
                "The profiles are from different tools, which measure time differently.")
        }
        return sentences
    }

    static func quotient(_ before: Double, _ after: Double) -> Double? {
        before > 0 && after > 0 ? before / after : nil
    }
}
