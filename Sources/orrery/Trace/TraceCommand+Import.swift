import ArgumentParser
import Console
import JSON
import LanguageModels
import Traces
import Workspace

extension TraceCommand {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Bring recorded traces into the workspace.",
            discussion: """
                Files, folders, or - for standard input; the format is recognized by content. The same file twice \
                changes nothing, and a file that has grown adds what is new.
                """)

        @Argument(help: "Files, folders or -.", completion: .file())
        var paths: [String]

        @Flag(help: "Refuse a file with a bad record instead of skipping the record.")
        var strict = false

        @Option(help: "Read as this format instead of looking at the content.")
        var format: String?

        @Option(help: "Project of the imported runs (default: the service or folder in the file).")
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
                            "orrery trace import --index … builds the full-text index; until then searches read the "
                                + "texts.")
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
            for file in report.foreignFiles.prefix(10) { Output.note("passed over \(Printable.line(file))") }
            if report.foreignFiles.count > 10 { Output.note("and \(report.foreignFiles.count - 10) more like these") }
        }
    }
}
