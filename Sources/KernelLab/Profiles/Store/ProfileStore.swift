public import Workspace

/// The profiles of a workspace: imported, listed, read, deleted.
///
/// ```swift
/// let workspace = try Workspace.open("team.orrery", migrations: ProfileStore.migrations, create: true)
/// let profiles = ProfileStore(workspace)
/// let report = try profiles.importProfile("decoder.csv")
/// for launch in try profiles.profile(report.summary.id)?.launches ?? [] { print(launch.name, launch.rate) }
/// ```
///
/// A value of this type may be used from any thread, by several at once. Reading never waits for writing.
public struct ProfileStore: Sendable {
    public let workspace: Workspace

    /// The store of a workspace that was opened with `migrations`.
    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// The steps that make the tables of profiles.
    public static let migrations = [
        Migration("kernels: profiles, launches, counters", sql: ProfileSchema.tables)
    ]
}

/// What came of an import.
public struct ProfileImportReport: Hashable, Sendable {
    public var summary: ProfileSummary
    /// False if the same bytes were in the workspace already, so that nothing changed.
    public var isNew: Bool

    /// `Imported before.csv: 24 launches of 9 kernels, from Nsight Compute.`
    public var sentence: String {
        let launches = "\(summary.launchCount) \(summary.launchCount == 1 ? "launch" : "launches")"
        let kernels = "\(summary.kernelCount) \(summary.kernelCount == 1 ? "kernel" : "kernels")"
        return isNew
            ? "Imported \(summary.title): \(launches) of \(kernels), from \(summary.tool)."
            : "\(summary.title) is already imported as profile \(summary.id), with \(launches). Nothing changed."
    }
}

/// What a deletion took away.
public struct ProfileDeletion: Hashable, Sendable {
    public var profiles: Int
    public var launches: Int

    public init(profiles: Int, launches: Int) {
        self.profiles = profiles
        self.launches = launches
    }
}
