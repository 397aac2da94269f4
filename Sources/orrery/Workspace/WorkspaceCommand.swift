import ArgumentParser
import Console
import Evals
import FeatureLab
import JSON
import LanguageModels
import Traces
import TrainingLab
import Workbench
import Workspace

/// `orrery workspace`: the one file in which everything is kept.
struct WorkspaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workspace", abstract: "Look after the workspace file.",
        subcommands: [Info.self, Check.self, Backup.self, Export.self, Prune.self, Jobs.self])

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "info", abstract: "What is in it, and how large.")
        @Flag(help: "Say how many bytes each table takes; every page is visited.") var sizes = false
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let workspace = try place.openForReading()
                let info = try workspace.info(bytes: sizes)
                if output.json { return Output.json(info) }
                Output.result(WorkspaceText.table(of: info, totals: try TraceStore(workspace).totals()))
            }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read every page and payload, and report damage.")
        private static let checks = [TraceStore.payloadCheck] + TrainingLab.checks + FeatureLab.checks + Evals.checks

        @Flag(help: "Accept pages that you changed on purpose with another program.") var accept = false
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                if accept {
                    let pages = try Workspace.acceptPages(at: place.path(creating: false), checks: Self.checks)
                    let count = pages == 1 ? "1 changed page" : "\(pages) changed pages"
                    Output.note(
                        pages == 0
                            ? "every page matches its checksum"
                            : "accepted \(count); the file as it was is next to it and ends in .before-accept")
                }
                let report = try report()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        $0.member("ok", report.isSound)
                        $0.member("problems", report.problems)
                        $0.member("more_problems", report.omitted)
                    }
                    Output.result(json.text)
                } else {
                    Output.result(
                        report.isSound
                            ? "whole: pages, references and payloads" : report.problems.joined(separator: "\n"))
                    if report.omitted > 0 { Output.result("and \(report.omitted) more") }
                }
                if report.mismatches > 0 {
                    Output.note(
                        "Restore a copy of the file, such as one made with orrery workspace backup, or FILE.before-N from "
                            + "before an update. Only if you changed the file on purpose with another program, such as "
                            + "the sqlite3 shell, use --accept.")
                }
                if !report.isSound { throw ExitCode(1) }
            }
        }

        /// A file that is too damaged to open still has pages that can be compared with their checksums.
        private func report() throws -> CheckReport {
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
            commandName: "backup", abstract: "Copy it while it is in use; the copy is checked before this returns.")
        @Argument(help: "Where to; an existing file is never replaced.", completion: .file()) var path: String
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
        @Argument(help: "Where to; an existing file is never replaced.", completion: .file()) var path: String
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
            commandName: "prune", abstract: "Remove for good what was deleted; it cannot be brought back.")
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let removed = try TraceStore(try place.openExisting()).prune()
                Output.result("\(removed.runs) traces and \(removed.sources) sources removed")
            }
        }
    }

    struct Jobs: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "jobs", abstract: "List jobs; resume or remove one that was cut off.")
        @Option(help: "Take up this job and work on it until it ends.") var resume: Int64?
        @Option(help: "Take this job off the list.") var remove: Int64?
        @Option(help: "Ask this job to end, also in another process.") var cancel: Int64?
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                if place.isUnused, cancel == nil, remove == nil, resume == nil { return list([]) }
                let workspace = try opened()
                TraceStore(workspace).registerJobs()
                EvalStore(workspace).registerJobs { try .settings(.workbench()) }
                if let cancel { try workspace.jobs.cancel(cancel) }
                if let remove { try workspace.jobs.remove(remove) }
                if let resume { try workspace.jobs.resume(resume) }
                list(try workspace.jobs.list())
            }
        }

        /// Opened for writing, jobs whose process is gone are noted as cut off; where that cannot be, they are read.
        private func opened() throws -> Workspace {
            do {
                return try place.openExisting()
            } catch WorkspaceError.readOnlyPlace where cancel == nil && remove == nil && resume == nil {
                return try place.openForReading()
            }
        }

        private func list(_ jobs: [Job]) {
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { $0.member("jobs", jobs) }
                return Output.result(json.text)
            }
            Output.result(jobs.isEmpty ? "no jobs" : WorkspaceText.table(of: jobs))
        }
    }
}
