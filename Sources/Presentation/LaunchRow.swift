internal import Console
internal import Formatting
package import KernelLab
package import Tables

/// A launch of a profile, with its device's roof.
package struct LaunchRow: Tabular {
    /// Index among the launches of the profile.
    package let index: Int
    package let profile: Profile
    package let catalog: DeviceCatalog

    package init(index: Int, profile: Profile, catalog: DeviceCatalog) {
        self.index = index
        self.profile = profile
        self.catalog = catalog
    }

    package var launch: Launch { profile.launches[index] }
    package var roofline: Roofline? { profile.summary.roofline(ofDevice: launch.device, in: catalog) }
    package var standing: RooflineStanding? { roofline.flatMap(launch.standing) }

    /// Share of the profile's total time; `nil` if times are missing.
    package var share: Double? {
        let total = profile.summary.seconds
        return total > 0 ? launch.duration.map { $0 / total } : nil
    }

    package static func columns(_ table: inout Columns<LaunchRow>) {
        table.text("#", align: .right) { String($0.launch.ordinal + 1) }
        table.text("time", json: nil, align: .right, \.launch.duration) {
            $0.map { Format.time(seconds: $0) } ?? "not recorded"
        }
        table.text("share", json: nil, align: .right, \.share) { $0.map { Format.percent($0) } ?? "" }
        table.text("rate", align: .right) { FigureText.rate($0.launch.rate) }
        table.text("FLOP/byte", align: .right) { FigureText.text($0.launch.intensity(.dram), Format.compact) }
        table.text("limit") { $0.standing.map(FigureText.standing) ?? "" }
        table.text("kernel", \.launch.name)
    }
}

extension ProfileSummary: Tabular {
    package static func columns(_ table: inout Columns<ProfileSummary>) {
        table.text("profile", json: nil, align: .right, \.id)
        table.text("tool", \.tool)
        table.text("device") { $0.devices.first?.name ?? "" }
        table.text("launches", json: nil, align: .right, \.launchCount) { Format.count($0) }
        table.text("kernels", json: nil, align: .right, \.kernelCount) { Format.count($0) }
        table.text("time", json: nil, align: .right, \.seconds) { $0 > 0 ? Format.time(seconds: $0) : "" }
        table.text("title", \.title)
    }
}

extension ProfileComparison.KernelChange: Tabular {
    package static func columns(_ table: inout Columns<Self>) {
        table.text("before", align: .right) { $0.launchesBefore == 0 ? "·" : Format.time(seconds: $0.secondsBefore) }
        table.text("after", align: .right) { $0.launchesAfter == 0 ? "·" : Format.time(seconds: $0.secondsAfter) }
        table.text("launches", align: .right) { change in
            change.launchesBefore == change.launchesAfter
                ? String(change.launchesBefore) : "\(change.launchesBefore) → \(change.launchesAfter)"
        }
        table.text("pairs", align: .right, \.pairs)
        table.text("kernel", \.name)
    }

    /// The change of the paired launches; a launch without a counterpart is in no pair.
    private var pairs: String {
        if launchesBefore == 0 { return "new" }
        if launchesAfter == 0 { return "gone" }
        return speedup.map { Format.fixed($0, digits: 2) + "×" } ?? "·"
    }
}
