import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import System
import Tokenizers
import Training

extension AttentionCommand {
    struct Probe: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "probe", abstract: "Train a linear probe on labeled texts, with a control.",
            discussion: """
                The file contains one JSON object per line: {"text": ..., "label": ...}. The probe reads the last \
                token of each text. Selectivity is the probe's accuracy minus the accuracy of a control probe, whose \
                labels are random for each last token. High selectivity means that the information is in the \
                representation, not in the probe.
                """)

        @OptionGroup var model: ModelFileArgument

        @Argument(help: "JSON Lines file of texts with labels.", completion: .file(extensions: ["jsonl"]))
        var file: String

        @Option(help: "Hook, such as blocks.3.hook_resid_post (default: all blocks).")
        var hook: String?

        @Option(name: .customLong("c"), help: "Inverse strength of the L2 penalty.")
        var strength = 1.0

        @Option(help: "Fraction of held-out texts.")
        var held = 0.3

        @Option(help: "Seed for the split and the control.")
        var seed: UInt64 = 0

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard strength > 0, strength.isFinite, (0.05...0.95).contains(held) else {
                throw ValidationError("--c must be above 0, and --held 0.05 to 0.95.")
            }
        }

        func run() throws {
            try answering {
                let opened = try OpenedCheckpoint(path: try model.path())
                let runtime = try opened.runtime()
                let examples = try LabeledTexts(path: file)
                let hooks =
                    try hook.map { [try Hook.named($0, among: runtime.hooks)] }
                    ?? (0..<runtime.layerCount).map { Hook.residualPost(layer: $0) }
                let prompts = try examples.texts.map { try opened.prompt($0) }
                let split = ProbeSplit(count: prompts.count, testShare: held, seed: seed)
                let cancelling = Cancelling()
                let rows = try cancelling.run {
                    try hooks.map { hook in
                        let gathered = try ProbeRows.gather(
                            runtime, prompts, hook: hook, at: .only(-1), isCancelled: { cancelling.isCancelled })
                        let report = try ProbeReport.measure(
                            gathered.rows, labels: examples.labels, types: gathered.tokens.map { Int($0) },
                            split: split,
                            options: LogisticProbe.Options(c: strength), seed: seed)
                        return ProbeRow(hook: hook.name, report: report)
                    }
                }
                let ends = Set(prompts.compactMap(\.last))
                let found = ProbeTable(rows: rows, names: examples.names, endCount: ends.count)
                output.json ? Output.json(found) : Output.result(found.text)
                if !output.json, let why = found.withoutControl { Output.note(why) }
            }
        }
    }
}

/// Texts with labels.
private struct LabeledTexts {
    var texts: [String] = []
    var labels: [Int] = []
    /// Label of each number.
    var names: [String] = []

    init(path: String) throws {
        let lines = try SmallFile.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where line.contains(where: { !$0.isWhitespace }) {
            guard let document = try? JSONDocument(parsing: String(line)) else {
                throw Problem(
                    .invalid, "\(path), line \(number + 1)", "not a JSON object",
                    remedy: "Write {\"text\": ..., \"label\": ...} on each line.")
            }
            let (text, label) = document.withRoot { root in
                (
                    root["text"]?.string,
                    root["label"]?.string ?? root["label"]?.int.map(String.init)
                        ?? root["label"]?.bool.map { $0 ? "true" : "false" }
                )
            }
            guard let text, let label, !text.isEmpty else {
                throw Problem(
                    .missing, "\(path), line \(number + 1)", "missing text or label",
                    remedy: "Write {\"text\": ..., \"label\": ...} on each line.")
            }
            if !names.contains(label) { names.append(label) }
            texts.append(text)
            labels.append(names.firstIndex(of: label) ?? 0)
        }
        guard names.count > 1, texts.count >= 10 else {
            throw Problem(
                .invalid, path, "a probe requires at least ten texts and two labels",
                remedy: "Add labeled texts to the file.")
        }
    }
}

private struct ProbeRow {
    let hook: String
    let report: ProbeReport
}

private struct ProbeTable: JSONRepresentable {
    let rows: [ProbeRow]
    let names: [String]
    /// Number of distinct last tokens.
    let endCount: Int

    /// Reason why there is no control; `nil` if there is a control.
    var withoutControl: String? {
        guard rows.contains(where: { $0.report.control == nil }) else { return nil }
        return endCount == 1
            ? "no control: all texts end in the same token, so random labels cannot differ"
            : "no control: the texts end in \(endCount) distinct tokens, which all received the same random label; try "
                + "another --seed"
    }

    var text: String {
        var table = TextTable(
            ["hook", "accuracy", "95 % interval", "learned", "control", "selectivity"], rightAligned: [1, 3, 4, 5])
        for row in rows {
            let interval = row.report.test.interval()
            table.add([
                row.hook, Format.percent(row.report.test.value, digits: 1),
                "\(Format.percent(interval.lowerBound, digits: 1)) to "
                    + "\(Format.percent(interval.upperBound, digits: 1))",
                Format.percent(row.report.train.value, digits: 1),
                row.report.control.map { Format.percent($0.value, digits: 1) } ?? "",
                row.report.selectivity.map { Format.fixed($0, digits: 3) } ?? "",
            ])
        }
        return table.text
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("labels", names)
            json.member("without_control", ifPresent: withoutControl)
            json.member("hooks") { json in
                json.array { json in
                    for row in rows {
                        json.object {
                            $0.member("hook", row.hook)
                            $0.member("accuracy", row.report.test.value)
                            $0.member("held_out", row.report.test.count)
                            $0.member("training_accuracy", row.report.train.value)
                            $0.member("control", ifPresent: row.report.control?.value)
                            $0.member("selectivity", ifPresent: row.report.selectivity)
                        }
                    }
                }
            }
        }
    }
}
