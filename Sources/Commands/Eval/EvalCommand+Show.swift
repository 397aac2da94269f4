import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import LanguageModels
import Statistics
import System
import Tables
import Traces
import Workspace

extension EvalCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a run: its metrics, its samples, or one sample.",
            discussion: """
                orrery eval show latest --failed lists failed samples; orrery eval show latest --sample 17 shows one \
                sample in full. --samples --json prints one line per sample.
                """)

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Option(help: "Sample to show in full: name or number (#).")
        var sample: String?

        @Flag(help: "List failed samples.")
        var failed = false

        @Flag(help: "List samples that ended in an error.")
        var errors = false

        @Flag(help: "List all samples.")
        var samples = false

        @Option(help: "Sample property by which to group the mean.", completion: EvalRunNames.slices)
        var by: String?

        @Flag(help: "Show the prompt template sent to models.")
        var prompt = false

        @Option(help: "Maximum number of samples to list.")
        var limit = 50

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
        }

        func run() throws {
            try answering {
                let target = try EvalTarget(word, in: place)
                if let sample { return try show(sample, of: target) }
                if samples || failed || errors { return try list(target) }
                if let by { return try slices(by, of: target) }
                if prompt { return try showPrompt(of: target) }
                let run = target.log.countedRun()
                try Report(object: { $0.member("run", run) }) { Self.head(run) }.print(as: output.form)
            }
        }

        private static func head(_ run: EvalRun) -> String {
            let version = run.taskVersion.isEmpty ? "" : " version \(run.taskVersion)"
            var lines = [run.name, "task \(run.task)\(version), model \(run.model)"]
            lines.append(
                "\(run.stateWord), \(EvalText.sampleWords(run))"
                    + (run.errors.map { $0 > 0 ? ", \(Format.count($0)) ended in an error" : "" } ?? "")
                    + (run.unscoredWords.map { ", \($0)" } ?? "") + (run.cachedWords.map { ", \($0)" } ?? "")
                    + (run.problem.map { ": \($0)" } ?? ""))
            if let usage = run.usage {
                lines.append(
                    "\(Format.count(usage.input)) tokens read, \(Format.count(usage.output)) written"
                        + (run.cost.map { ", \(Format.money($0))" } ?? ""))
            }
            for setting in run.settings { lines.append("\(setting.name) \(setting.value)") }
            lines = lines.map(Printable.line)
            if !run.metrics.isEmpty {
                lines += ["", EvalText.metrics(run.metrics)]
            } else if run.path != nil {
                lines += ["", "no metrics: the log records none"]
            }
            return lines.joined(separator: "\n")
        }

        private func list(_ target: EvalTarget) throws {
            let wanted = Set(EvalRow.Outcome.allCases.filter { !failed && !errors || isWanted($0) })
            var shown: [EvalRow] = []
            var (count, found) = (0, 0)
            try target.read { rows in
                found += rows.count
                for row in rows where wanted.contains(row.outcome) {
                    count += 1
                    if output.json {
                        // Print one complete sample per line: a run may not fit in memory.
                        Output.result(try target.log.sample(row.index).json())
                    } else if shown.count < limit {
                        shown.append(row)
                    }
                }
                return true
            }
            if found == 0, target.run.completed > 0 {
                return Output.note("the log contains none of its \(Format.count(target.run.completed)) samples")
            }
            if output.json { return }
            guard !shown.isEmpty else { return Output.note("no matching samples") }
            Output.result(EvalText.rows(shown, scores: target.run.scores))
            if count > limit { Output.note("\(Format.count(count - limit)) more: raise --limit to list them") }
        }

        private func isWanted(_ outcome: EvalRow.Outcome) -> Bool {
            (failed && outcome == .failed) || (errors && outcome == .error)
        }

        private func show(_ word: String, of target: EvalTarget) throws {
            let record = try target.log.sample(try target.row(word).index)
            if output.json { return Output.json(record) }
            Output.result(EvalSampleText(record).text)
        }

        private func showPrompt(of target: EvalTarget) throws {
            let run = target.run
            let kept = run.path == nil ? try PromptStore(place.openForReading()).prompt(of: run) : nil
            guard let kept else {
                throw Problem(
                    .invalid, "", "\(run.name) does not record a prompt version",
                    remedy: "Versions are recorded only for named prompts and for promptfoo and lm-eval files.")
            }
            try Report(
                object: {
                    $0.member("name", kept.name)
                    $0.member("version", kept.version)
                    $0.member("digest", kept.digest)
                    $0.member("text", kept.text)
                }
            ) { Printable.text("version \(kept.version)\n\n\(kept.text)") }.print(as: output.form)
        }

        private func slices(_ name: String, of target: EvalTarget) throws {
            let found = try EvalSlices(try target.rows(), of: target.run, by: name)
            let table = Columns<EvalSlices.Slice> { table in
                table.text(name, \.value)
                table.text("samples", align: .right) { Format.count($0.count) }
                table.text(found.title, align: .right) { $0.mean.map(Format.metric) ?? "-" }
                table.text("95 %") { EvalText.interval($0.interval) }
            }
            try Report(found) { table.text(found.slices) }.print(as: output.form)
        }
    }
}
