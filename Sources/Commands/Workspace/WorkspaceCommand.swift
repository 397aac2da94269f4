import ArgumentParser
import CommandSupport
import Console
import Evals
import FeatureLab
import JSON
import LanguageModels
import Presentation
import Traces
import TrainingLab
import Workspace

/// The `orrery workspace` command: the file that stores all data.
struct WorkspaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workspace", abstract: "Inspect and maintain the workspace file.",
        subcommands: [Info.self, Check.self, Backup.self, Export.self, Prune.self, Jobs.self])

    struct Info: ReadingCommand {
        static let configuration = CommandConfiguration(commandName: "info", abstract: "Show contents and size.")
        @Flag(help: "Report the bytes of each table (reads every page).") var sizes = false
        @OptionGroup var reading: WorkspaceJSON

        func result(in options: WorkspaceJSON) throws -> Report<WorkspaceInfo> {
            let workspace = try options.place.openForReading()
            let info = try workspace.info(bytes: sizes)
            let totals = try TraceStore(workspace).totals()
            return Report(info) { WorkspaceText.table(of: info, totals: totals) }
        }
    }

    struct Check: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Verify every page and payload, and report damage.")
        private static let checks = [TraceStore.payloadCheck] + TrainingLab.checks + FeatureLab.checks + Evals.checks

        @Flag(help: "Accept pages that you changed with another program.") var accept = false
        @OptionGroup var reading: WorkspaceJSON

        func result(in options: WorkspaceJSON) throws -> Report<JSONObject> {
            if accept {
                let pages = try Workspace.acceptPages(at: options.place.path(creating: false), checks: Self.checks)
                let count = pages == 1 ? "1 changed page" : "\(pages) changed pages"
                Output.note(
                    pages == 0
                        ? "every page matches its checksum"
                        : "accepted \(count); the previous file is stored next to the workspace with the "
                            + "extension .before-accept")
            }
            let report = try report(options.place)
            if report.mismatches > 0 {
                Output.note(
                    "Restore a copy of the file, such as one made with orrery workspace backup, or FILE.before-N "
                        + "from before an update. Only if you changed the file on purpose with another program, "
                        + "such as the sqlite3 shell, use --accept.")
            }
            return Report(
                object: {
                    $0.member("ok", report.isSound)
                    $0.member("problems", report.problems)
                    $0.member("more_problems", report.omitted)
                }, status: report.isSound ? 0 : 1
            ) {
                let more = report.omitted > 0 ? ["and \(report.omitted) more"] : []
                let lines = report.isSound ? ["intact: pages, references, and payloads"] : report.problems
                return (lines + more).joined(separator: "\n")
            }
        }

        /// Returns a report even for a file too damaged to open: its pages can be compared with their checksums.
        private func report(_ place: WorkspaceOptions) throws -> CheckReport {
            do {
                return try place.openForReading().check(Self.checks)
            } catch let problem as WorkspaceError {
                guard case .corrupt = problem else { throw problem }
                let report = try Workspace.checkChecksums(at: place.path(creating: false))
                guard !report.isSound else { throw problem }
                return report
            }
        }
    }

    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Back up the workspace, even while in use, and verify the copy.")
        @Argument(help: "Destination; an existing file is never overwritten.", completion: .file()) var path: String
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                try place.openForReading().backup(to: path)
                Output.result(path)
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write a compact copy without free space.")
        @Argument(help: "Destination; an existing file is never overwritten.", completion: .file()) var path: String
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                try place.openExisting().export(to: path)
                Output.result(path)
            }
        }
    }

    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune", abstract: "Permanently remove deleted data.")
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let removed = try TraceStore(try place.openExisting()).prune()
                Output.result("removed \(removed.runs) traces and \(removed.sources) sources")
            }
        }
    }

    struct Jobs: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "jobs", abstract: "List jobs; resume, cancel, or remove a job.")
        @Option(help: "Resume job NUMBER and wait until it ends.") var resume: Int64?
        @Option(help: "Remove job NUMBER from the list.") var remove: Int64?
        @Option(help: "Cancel job NUMBER, even in another process.") var cancel: Int64?
        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<Job> {
            if options.place.isUnused, isReading { return Listing([], "jobs", empty: "no jobs") }
            let workspace = try opened(options.place)
            TraceStore(workspace).registerJobs()
            EvalStore(workspace).registerJobs { try .settings(.workbench()) }
            if let cancel { try workspace.jobs.cancel(cancel) }
            if let remove { try workspace.jobs.remove(remove) }
            if let resume { try workspace.jobs.resume(resume) }
            return Listing(try workspace.jobs.list(), "jobs", empty: "no jobs")
        }

        private var isReading: Bool { cancel == nil && remove == nil && resume == nil }

        /// Opens the workspace for writing, which marks jobs without a process as interrupted, or else for reading.
        private func opened(_ place: WorkspaceOptions) throws -> Workspace {
            do {
                return try place.openExisting()
            } catch WorkspaceError.readOnlyLocation where isReading {
                return try place.openForReading()
            }
        }
    }
}
