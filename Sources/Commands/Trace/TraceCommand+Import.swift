import ArgumentParser
import CommandSupport
import Console
import JSON
import LanguageModels
import Traces
import Workspace

extension TraceCommand {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Import recorded traces into the workspace.",
            discussion: """
                PATH is a file, a folder, or - for standard input. The format is detected from the content. Importing \
                a file again adds only its new records.
                """)

        @Argument(help: "Files, folders, or - for standard input.", completion: .file())
        var paths: [String]

        @Flag(help: "Reject files with bad records (default: skip the records).")
        var strict = false

        @Option(help: "Read as this format (default: detect from content).")
        var format: String?

        @Option(help: "Project of the imported runs (default: recorded service or folder).")
        var project: String?

        @Flag(help: "Build the full-text index before returning.")
        var index = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var appearance: AppearanceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = TraceStore(try place.open())
                let prices = try PriceTable.settings(appearance.settings())
                let options = ImportOptions(
                    isStrict: strict, format: format, prices: prices, project: project.flatMap { $0.isEmpty ? nil : $0 }
                )
                let line = ProgressLine("importing")
                defer { line.end() }
                let attempt = try ImportAttempt(paths, into: store, options: options, progress: line.show)
                line.end()
                let indexed = index ? try store.indexTextAsJob() : nil
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        attempt.report.writeMembers(to: &$0)
                        $0.member("index", ifPresent: indexed)
                        $0.member("index_mb_per_s", ifPresent: indexed?.rate)
                    }
                    Output.result(json.text)
                } else {
                    print(attempt.report)
                    if !index, Output.errorIsTerminal, try store.textsWithoutIndex() > 0 {
                        Output.note(
                            "Without a full-text index, searches scan all texts. To build it, run: "
                                + "orrery trace import --index PATH")
                    }
                }
                for failure in attempt.failures { Output.note("orrery: \(failure)") }
                if !attempt.failures.isEmpty { throw ExitCode(1) }
            }
        }

        private func print(_ report: ImportReport) {
            if report.files > 0 || report.isCancelled { Output.result(report.table) }
            for record in report.skippedRecords.prefix(10) {
                Output.note("skipped \(record.path), line \(record.line): \(record.reason)")
            }
            let more = report.skipped - min(10, report.skippedRecords.count)
            if more > 0 { Output.note("and \(more) more bad records") }
            for problem in report.problems { Output.note(problem) }
            for file in report.foreignFiles.prefix(10) { Output.note("ignored \(Printable.line(file))") }
            if report.foreignFiles.count > 10 {
                Output.note("and \(report.foreignFiles.count - 10) more ignored files")
            }
        }
    }
}
