import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import JSON
import KernelLab
import Presentation
import System
import Tables
import Workspace

extension KernelCommand {
    struct Import: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Import GPU and CPU profiles into the workspace.",
            discussion: """
                Nsight Compute CSV (--page raw or details), PyTorch traces, Nsight Systems SQLite exports, rocprof \
                CSV, and perf stat -x output are recognized by content. Importing a file again changes nothing.
                """)

        @Argument(help: "Profile files.", completion: .file())
        var paths: [String]

        @Option(
            help: "Read as: \(ProfileFormats.all.map(\.word).joined(separator: ", ")) (default: detect)."
        )
        var format: String?

        @OptionGroup var reading: WorkspaceJSON

        func result(in options: WorkspaceJSON) throws -> Report<JSONObject> {
            let store = ProfileStore(try options.place.open())
            var reports: [ProfileImportReport] = []
            for path in paths {
                do {
                    reports.append(try store.importProfile(path, options: ProfileImportOptions(format: format)))
                } catch {
                    Output.note("orrery: \(sentence(for: error))")
                }
            }
            let hint = "To show launches, run: orrery kernel profile NUMBER"
            return Report(
                object: { [reports] in $0.member("imports", reports) }, notes: reports.isEmpty ? [] : [hint],
                status: reports.count < paths.count ? 1 : 0
            ) { [reports] in
                reports.map { "\($0.sentence)  (profile \($0.summary.id))" }.joined(separator: "\n")
            }
        }
    }

    struct Profiles: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "profiles", abstract: "List the imported profiles, newest first.")

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<ProfileSummary> {
            Listing(
                try options.workspace().map { try ProfileStore($0).summaries() } ?? [], "profiles",
                empty: "no profiles yet. To import one, run: orrery kernel import FILE")
        }
    }

    struct Profile: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "profile", abstract: "Show the launches in a profile and what limits each one.",
            discussion: "PROFILE is a number or title from kernel profiles, or a file, which is read but not imported.")

        @Argument(help: "Profile number, title, or file.", completion: .file())
        var profile: String

        @Option(help: "Maximum number of launches, longest first.")
        var limit: Int = 30

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var peaks: PeakOptions
        @OptionGroup var reading: TableOptions

        func validate() throws {
            guard limit >= 0 else { throw ValidationError("--limit must be at least 0.") }
        }

        func result(in options: TableOptions) throws -> Listing<LaunchRow> {
            let profile = try KernelCommand.profile(profile, place)
            let catalog = try peaks.catalog()
            let launches = profile.launches.indices.sorted { one, other in
                let (one, other) = (profile.launches[one], profile.launches[other])
                return (one.duration ?? 0, other.ordinal) > (other.duration ?? 0, one.ordinal)
            }
            let left = Format.count(launches.count - limit)
            let more = launches.count > limit ? ["\(left) more: raise --limit to list them"] : []
            var listing = Listing(
                launches.prefix(limit).map { LaunchRow(index: $0, profile: profile, catalog: catalog) }, "launches",
                notes: more + profile.summary.notes)
            listing.heading = Self.heading(profile)
            listing.json = profile
            return listing
        }

        private static func heading(_ profile: KernelLab.Profile) -> String {
            let summary = profile.summary
            var words = ["\(summary.title)  \(summary.tool)"]
            words += summary.devices.map { device in
                device.name + (device.coreClock.map { " at \(Format.compact($0 / 1e9)) GHz" } ?? "")
            }
            return words.joined(separator: "  ")
        }
    }

    struct Compare: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare", abstract: "Compare two profiles, launch by launch.",
            discussion:
                "Each profile is a number or title from kernel profiles, or a file, which is read but not imported.")

        @Argument(help: "First profile: number, title, or file.", completion: .file())
        var before: String

        @Argument(help: "Second profile: number, title, or file.", completion: .file())
        var after: String

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<ProfileComparison.KernelChange> {
            let comparison = ProfileComparison(
                before: try KernelCommand.profile(before, options.place),
                after: try KernelCommand.profile(after, options.place))
            var listing = Listing(comparison.kernels, "kernels")
            listing.json = comparison
            let total =
                "all launches  \(Format.time(seconds: comparison.secondsBefore)) → "
                + Format.time(seconds: comparison.secondsAfter)
                + (comparison.speedup.map { ", \(Format.fixed($0, digits: 2))× as fast" } ?? "")
            listing.footing = (["", total] + comparison.sentences).joined(separator: "\n")
            return listing
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete imported profiles.")

        @Argument(help: "Profile numbers.")
        var profiles: [Int64]

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = ProfileStore(try place.openExisting())
                let known = Set(try store.summaries().map(\.id))
                if let unknown = profiles.first(where: { !known.contains($0) }) {
                    throw Problem(
                        .unknown, "", "unknown profile \(unknown)",
                        remedy: "To list profiles, run: orrery kernel profiles")
                }
                let deletion = try store.delete(profiles)
                Output.result("deleted \(deletion.profiles) profiles with \(Format.count(deletion.launches)) launches")
            }
        }
    }

    struct Devices: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "devices", abstract: "List the peak rates of known devices.")

        @OptionGroup var peaks: PeakOptions
        @OptionGroup var reading: JSONOption

        func result(in options: JSONOption) throws -> Report<JSONObject> {
            let catalog = try peaks.catalog()
            return Report(object: { $0.member("devices", catalog.devices) }) {
                catalog.devices.compactMap { catalog.roofline(for: $0.name) }.flatMap { roofline in
                    [roofline.title]
                        + roofline.compute.map { "  \($0.name)  \(Format.compact($0.rate / 1e12)) TFLOP/s" }
                        + roofline.memory.map { "  \($0.name)  \(Format.rate(bytesPerSecond: $0.bandwidth))" }
                        + ["  source: \(roofline.source)"]
                }.joined(separator: "\n")
            }
        }
    }

    /// Returns an imported profile by its number or title, or reads one from a file.
    static func profile(_ name: String, _ place: WorkspaceOptions) throws -> KernelLab.Profile {
        // A file takes precedence over a title, because the user sees the file in the folder.
        guard Int64(name) != nil || (!place.isUnused && access(name, F_OK) != 0) else {
            return try ProfileReader.read(name)
        }
        let store = ProfileStore(try place.openForReading())
        let titled = try store.summaries().filter { $0.title == name }.map(\.id)
        guard titled.count < 2 else {
            let numbers = titled.sorted().map(String.init).joined(separator: ", ")
            throw Problem(.invalid, name, "several profiles have this title", remedy: "Use a number: \(numbers).")
        }
        guard let number = titled.first ?? Int64(name) else { return try ProfileReader.read(name) }
        guard let found = try store.profile(number, withCounters: false) else {
            throw Problem(
                .unknown, "", "unknown profile \(number)", remedy: "To list profiles, run: orrery kernel profiles")
        }
        return found
    }
}

/// An option for the user's own peaks, in addition to the built-in peaks.
struct PeakOptions: ParsableArguments {
    @Option(help: "TOML file with peaks of your own devices.", completion: .file(extensions: ["toml"]))
    var peaks: String?

    func catalog() throws -> DeviceCatalog { try DeviceCatalog.inForce(peaks ?? Settings.workbench().peaks) }
}
