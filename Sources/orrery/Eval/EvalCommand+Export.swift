import ArgumentParser
import Console
import Evals
import JSON
import Traces
import Workspace

extension EvalCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write a run's samples as JSON lines or CSV, or the run as lm-evaluation-harness writes it.",
            discussion: """
                The texts are written whole, as they are. A table for a spreadsheet program is better written with \
                --for-spreadsheets: an apostrophe then stands before what such a program would take for a formula.
                """)

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Argument(help: "The file; for lm-eval a folder.", completion: .file())
        var path: String

        @Option(help: "jsonl, csv, or lm-eval; without it what the file's ending says.")
        var format: EvalExportForm?

        @Flag(help: "With jsonl, also what was done for each sample, so that its trace opens from the file.")
        var spans = false

        @Flag(
            name: .customLong("for-spreadsheets"), help: "With csv, put an apostrophe before what looks like a formula."
        )
        var forSpreadsheets = false

        @Flag(help: "Replace a file that is there.")
        var force = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let form = try format ?? ended()
                let target = try EvalTarget(word, in: place)
                switch form {
                case .jsonl: try write(EvalLogExport(target.log, withSpans: spans), .jsonLines, of: target)
                case .csv: try write(EvalLogExport(target.log, forSpreadsheets: forSpreadsheets), .csv, of: target)
                case .lmEval: try writeLMEval(target)
                }
            }
        }

        /// What the file's ending says; JSON lines where it has none.
        private func ended() throws -> EvalExportForm {
            let name = path.split(separator: "/").last ?? ""
            let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
            switch ending {
            case "csv": return .csv
            case "", "jsonl", "ndjson", "json": return .jsonl
            default:
                throw Failure("\(path): the ending .\(ending) names no format. Add --format jsonl, csv or lm-eval.")
            }
        }

        private func write(_ export: EvalLogExport, _ format: EvalLogExport.Format, of target: EvalTarget) throws {
            // The head comes first and is no sample.
            var count = -1
            try ExportFile.write(path, replacing: force) { append in
                var failure: (any Error)?
                try export.write(format) { bytes in
                    guard failure == nil else { return }
                    do { try append(String(decoding: bytes, as: UTF8.self)) } catch { failure = error }
                    count += 1
                }
                if let failure { throw failure }
            }
            EvalChangeReport(run: target.number, name: target.run.name) { json in
                json.member("samples", max(0, count))
                json.member("path", path)
            }.tell("\(Format.count(max(0, count))) samples written to \(path)", output)
        }

        private func writeLMEval(_ target: EvalTarget) throws {
            guard let number = target.number else {
                throw Failure("\(word): only runs of the workspace are written as lm-eval's.")
            }
            let workspace = try place.openForReading()
            let store = EvalStore(workspace)
            guard let detail = try store.detail(number), let setup = EvalSetup(arguments: detail.arguments) else {
                throw Failure("run \(word) does not tell how it was begun: its task cannot be read again.")
            }
            let order = try setup.order(of: detail.run, in: workspace)
            let paths = try LMEvalFiles.write(try store.log(number), of: order.task, to: path)
            EvalChangeReport(run: number, name: detail.run.name) { json in
                json.member("samples", detail.run.completed)
                json.member("paths", paths)
            }.tell(paths.joined(separator: "\n"), output)
        }
    }
}

enum EvalExportForm: String, ExpressibleByArgument, CaseIterable {
    case jsonl, csv
    case lmEval = "lm-eval"
}
