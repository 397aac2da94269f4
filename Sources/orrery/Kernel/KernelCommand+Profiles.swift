import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import JSON
import KernelLab
import System
import Workbench
import Workspace

extension KernelCommand {
    struct Import: ParsableCommand {
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

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = ProfileStore(try place.open())
                var reports: [ProfileImportReport] = []
                var failures = 0
                for path in paths {
                    do {
                        reports.append(try store.importProfile(path, options: ProfileImportOptions(format: format)))
                    } catch {
                        failures += 1
                        Output.note("orrery: \(sentence(for: error))")
                    }
                }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("imports", reports) }
                    Output.result(json.text)
                } else {
                    for report in reports { Output.result("\(report.sentence)  (profile \(report.summary.id))") }
                    if !reports.isEmpty { Output.note("To show launches, run: orrery kernel profile NUMBER") }
                }
                if failures > 0 { throw ExitCode(1) }
            }
        }
    }

    struct Profiles: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "profiles", abstract: "List the imported profiles, newest first.")

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let summaries = place.isUnused ? [] : try ProfileStore(try place.openForReading()).summaries()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("profiles", summaries) }
                    return Output.result(json.text)
                }
                guard !summaries.isEmpty else {
                    return Output.result("no profiles yet. To import one, run: orrery kernel import FILE")
                }
                var table = TextTable(
                    ["profile", "tool", "device", "launches", "kernels", "time", "title"], rightAligned: [0, 3, 4, 5])
                for summary in summaries {
                    table.add([
                        String(summary.id), summary.tool, summary.devices.first?.name ?? "",
                        Format.count(summary.launchCount), Format.count(summary.kernelCount),
                        summary.seconds > 0 ? Format.time(seconds: summary.seconds) : "",
                        summary.title,
                    ])
                }
                Output.result(table.text)
            }
        }
    }

    struct Profile: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "profile", abstract: "Show the launches in a profile and what limits each one.",
            discussion: "PROFILE is a number or title from kernel profiles, or a file, which is read but not imported.")

        @Argument(help: "Profile number, title, or file.", completion: .file())
        var profile: String

        @Option(help: "Maximum number of launches, longest first.")
        var limit: Int = 30

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var peaks: PeakOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard limit >= 0 else { throw ValidationError("--limit must be at least 0.") }
        }

        func run() throws {
            try answering {
                let profile = try KernelCommand.profile(profile, place)
                if output.json { return Output.json(profile) }
                let catalog = try peaks.catalog()
                Output.result(Self.heading(profile))
                var table = TextTable(
                    ["#", "time", "share", "rate", "FLOP/byte", "limit", "kernel"], rightAligned: [0, 1, 2, 3, 4])
                let rows = profile.launches.sorted { ($0.duration ?? 0, $1.ordinal) > ($1.duration ?? 0, $0.ordinal) }
                for launch in rows.prefix(limit) {
                    let standing = profile.summary.roofline(ofDevice: launch.device, in: catalog).flatMap(
                        launch.standing)
                    table.add([
                        String(launch.ordinal + 1),
                        launch.duration.map { Format.time(seconds: $0) } ?? "not recorded",
                        profile.summary.seconds > 0
                            ? launch.duration.map { Format.percent($0 / profile.summary.seconds) } ?? "" : "",
                        FigureText.rate(launch.rate), FigureText.text(launch.intensity(.dram), Format.compact),
                        standing.map(FigureText.standing) ?? "", launch.name,
                    ])
                }
                Output.result(table.text)
                if rows.count > limit {
                    Output.note("\(Format.count(rows.count - limit)) more: raise --limit to list them")
                }
                for note in profile.summary.notes { Output.note(note) }
            }
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

    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare", abstract: "Compare two profiles, launch by launch.",
            discussion:
                "Each profile is a number or title from kernel profiles, or a file, which is read but not imported.")

        @Argument(help: "First profile: number, title, or file.", completion: .file())
        var before: String

        @Argument(help: "Second profile: number, title, or file.", completion: .file())
        var after: String

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let comparison = ProfileComparison(
                    before: try KernelCommand.profile(before, place), after: try KernelCommand.profile(after, place))
                if output.json { return Output.json(comparison) }
                var table = TextTable(
                    ["before", "after", "launches", "pairs", "kernel"], rightAligned: [0, 1, 2, 3])
                for change in comparison.kernels {
                    table.add([
                        change.launchesBefore == 0 ? "·" : Format.time(seconds: change.secondsBefore),
                        change.launchesAfter == 0 ? "·" : Format.time(seconds: change.secondsAfter),
                        change.launchesBefore == change.launchesAfter
                            ? String(change.launchesBefore) : "\(change.launchesBefore) → \(change.launchesAfter)",
                        Self.pairs(change), change.name,
                    ])
                }
                Output.result(table.text)
                Output.result("")
                Output.result(
                    "all launches  \(Format.time(seconds: comparison.secondsBefore)) → "
                        + Format.time(seconds: comparison.secondsAfter)
                        + (comparison.speedup.map { ", \(Format.fixed($0, digits: 2))× as fast" } ?? ""))
                for sentence in comparison.sentences { Output.result(sentence) }
            }
        }

        /// Returns the change of a kernel's paired launches; a launch without a counterpart is in no pair.
        private static func pairs(_ change: ProfileComparison.KernelChange) -> String {
            if change.launchesBefore == 0 { return "new" }
            if change.launchesAfter == 0 { return "gone" }
            return change.speedup.map { Format.fixed($0, digits: 2) + "×" } ?? "·"
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

    struct Devices: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "devices", abstract: "List the peak rates of known devices.")

        @OptionGroup var peaks: PeakOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let catalog = try peaks.catalog()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("devices", catalog.devices) }
                    return Output.result(json.text)
                }
                for device in catalog.devices {
                    guard let roofline = catalog.roofline(for: device.name) else { continue }
                    Output.result(roofline.title)
                    for roof in roofline.compute {
                        Output.result("  \(roof.name)  \(Format.compact(roof.rate / 1e12)) TFLOP/s")
                    }
                    for roof in roofline.memory {
                        Output.result("  \(roof.name)  \(Format.rate(bytesPerSecond: roof.bandwidth))")
                    }
                    Output.result("  source: \(roofline.source)")
                }
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
