import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import System
import Traces
import Workspace

extension EvalCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write a run as JSON Lines, CSV, or lm-evaluation-harness files.",
            discussion: """
                Texts are written in full and unchanged. For a spreadsheet program, add --for-spreadsheets, which puts \
                an apostrophe before text that the program could interpret as a formula.
                """)

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Argument(help: "Output file; a folder for lm-eval.", completion: .file())
        var path: String

        @Option(help: "Format: jsonl, csv, or lm-eval (default: by file extension).")
        var format: EvalExportForm?

        @Flag(help: "With jsonl, include spans, so that traces can be opened.")
        var spans = false

        @Flag(
            name: .customLong("for-spreadsheets"), help: "With csv, prefix text that looks like a formula."
        )
        var forSpreadsheets = false

        @Flag(help: "Overwrite an existing file.")
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

        /// Returns the format of the file extension, or JSON Lines without an extension.
        private func ended() throws -> EvalExportForm {
            let name = path.split(separator: "/").last ?? ""
            let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() ?? "" : ""
            switch ending {
            case "csv": return .csv
            case "", "jsonl", "ndjson", "json": return .jsonl
            default:
                throw Problem(
                    .unknown, path, "unknown extension .\(ending)", remedy: "Add --format jsonl, csv, or lm-eval.")
            }
        }

        private func write(_ export: EvalLogExport, _ format: EvalLogExport.Format, of target: EvalTarget) throws {
            // The head comes first and is not a sample.
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
            }.tell("wrote \(Format.count(max(0, count))) samples to \(path)", output)
        }

        private func writeLMEval(_ target: EvalTarget) throws {
            guard let number = target.number else {
                throw Problem(
                    .invalid, "", "\(word) is not a run of the workspace",
                    remedy: "For other logs, use --format jsonl or csv.")
            }
            let workspace = try place.openForReading()
            let store = EvalStore(workspace)
            guard let detail = try store.detail(number), let setup = EvalSetup(arguments: detail.arguments) else {
                throw Problem(
                    .invalid, "", "run \(word) does not record how it was started, so its task cannot be read",
                    remedy: "Use --format jsonl or csv.")
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
