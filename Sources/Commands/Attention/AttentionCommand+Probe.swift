import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import System
import Tables
import Tokenizers
import Training

extension AttentionCommand {
    struct Probe: ReadingCommand {
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

        @OptionGroup var reading: TableOptions

        func validate() throws {
            guard strength > 0, strength.isFinite, (0.05...0.95).contains(held) else {
                throw ValidationError("--c must be above 0, and --held 0.05 to 0.95.")
            }
        }

        func result(in options: TableOptions) throws -> some Presentable {
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
            let reason = ProbeRow.withoutControl(rows, endCount: ends.count)
            var listing = Listing(rows, "hooks", notes: [reason].compactMap(\.self))
            listing.leading = { json in
                json.member("labels", examples.names)
                json.member("without_control", ifPresent: reason)
            }
            return listing
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

/// Result of a probe at a hook.
struct ProbeRow: Tabular {
    let hook: String
    let report: ProbeReport

    /// Returns the reason why there is no control; `nil` if there is a control.
    ///
    /// - Parameter endCount: Number of distinct last tokens.
    static func withoutControl(_ rows: [ProbeRow], endCount: Int) -> String? {
        guard rows.contains(where: { $0.report.control == nil }) else { return nil }
        return endCount == 1
            ? "no control: all texts end in the same token, so random labels cannot differ"
            : "no control: the texts end in \(endCount) distinct tokens, which all received the same random label; try "
                + "another --seed"
    }

    private var interval: String {
        let interval = report.test.interval()
        let ends = [interval.lowerBound, interval.upperBound].map { Format.percent($0, digits: 1) }
        return "\(ends[0]) to \(ends[1])"
    }

    static func columns(_ table: inout Columns<ProbeRow>) {
        let percent = { (share: Double) in Format.percent(share, digits: 1) }
        table.text("hook", json: "hook", \.hook)
        table.text("accuracy", json: "accuracy", align: .right, \.report.test.value, as: percent)
        table.text("95 % interval", \.interval)
        table.member("held_out", \.report.test.count)
        table.text("learned", json: "training_accuracy", align: .right, \.report.train.value, as: percent)
        table.text("control", ifPresent: "control", align: .right, \.report.control?.value, as: percent)
        table.text("selectivity", ifPresent: "selectivity", align: .right, \.report.selectivity) {
            Format.fixed($0, digits: 3)
        }
    }
}
