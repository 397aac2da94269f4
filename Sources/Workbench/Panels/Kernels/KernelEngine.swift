internal import Formatting
internal import Glibc
package import KernelLab
internal import Kernels
internal import Presentation
internal import System
package import Workspace

/// Reads the kernels and profiles of a workspace, and measures kernels and the ceilings of this machine.
package struct KernelEngine: Sendable {
    /// Measures the ceilings of this machine, reporting its progress.
    package typealias CeilingsWork =
        @Sendable (_ progress: (MeasurementProgress) -> Void, _ cancellation: Cancellation?) throws -> Ceilings

    let profiles: ProfileStore
    let ownKernels: OwnKernelStore
    let history: KernelHistory
    let now: @Sendable () -> Int64
    /// Path of the user's own peaks.
    let peaks: String?
    /// Time for measuring all rungs of a ladder.
    let seconds: Double
    let measuredCeilings: CeilingsWork

    init(
        _ workspace: Workspace, peaks: String?, seconds: Double, now: @escaping @Sendable () -> Int64,
        measuredCeilings: @escaping CeilingsWork
    ) {
        self.measuredCeilings = measuredCeilings
        self.peaks = peaks
        self.seconds = seconds
        profiles = ProfileStore(workspace)
        ownKernels = OwnKernelStore(workspace)
        history = KernelHistory(workspace)
        self.now = now
    }

    // MARK: Profiles

    func profile(_ id: Int64) throws -> OpenProfile {
        guard let profile = try profiles.profile(id) else { throw Problem.gone("profile \(id)") }
        return OpenProfile(profile, catalog: try DeviceCatalog.inForce(peaks))
    }

    /// Returns a comparison of two profiles, with the older one as the base.
    func compare(_ first: Int64, with second: Int64) throws -> OpenProfile {
        guard let shown = try profiles.profile(first) else { throw Problem.gone("profile \(first)") }
        guard let other = try profiles.profile(second) else { throw Problem.gone("profile \(second)") }
        let (before, after) = first < second ? (shown, other) : (other, shown)
        return OpenProfile(
            shown, catalog: try DeviceCatalog.inForce(peaks),
            comparison: ProfileComparison(before: before, after: after))
    }

    /// Deletes a profile, or removes a kernel from the list, and returns a sentence about it.
    func delete(_ subject: KernelSubject) throws -> String {
        switch subject {
        case .profile(let id):
            let deletion = try profiles.delete([id])
            return "deleted the profile with \(Format.count(deletion.launches)) launches"
        case .own(let path):
            try ownKernels.remove(path)
            return "removed from the list; the files remain on disk"
        case .operation(let name): return "\(name) is built in and cannot be deleted"
        }
    }

    // MARK: The user's own kernels

    /// Adds a kernel to the list and returns the path of its TOML file.
    func add(own path: String) throws -> String { try ownKernels.add(try OwnKernel(contentsOf: path)) }

    /// Returns a number that changes when one of the files is saved.
    static func stamp(of files: [String]) -> Int64 {
        files.reduce(0) { sum, file in
            var status = stat()
            guard stat(file, &status) == 0 else { return sum &* 31 }
            let time = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
            return sum &* 31 &+ time ^ Int64(status.st_size) ^ Int64(bitPattern: UInt64(status.st_ino))
        }
    }
}
