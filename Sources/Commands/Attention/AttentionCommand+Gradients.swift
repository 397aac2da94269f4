import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import Tokenizers

extension AttentionCommand {
    struct Gradients: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "gradients",
            abstract: "Compute each token's contribution to an answer with integrated gradients.",
            discussion: """
                Gradients at the embeddings are integrated from a baseline to the prompt. The contributions add up to \
                the difference in the answer's logit, except for an integration error, which is printed. The baseline \
                is the mean of the prompt's embeddings, zeros, or another prompt with the same number of tokens \
                (--other).
                """)

        @OptionGroup var model: ModelFileArgument
        @OptionGroup var text: PromptOptions
        @OptionGroup var answers: AnswerOptions

        @Option(help: "Baseline: mean or zero.")
        var baseline = "mean"

        @Option(help: "Baseline prompt.")
        var other: String?

        @Option(help: "Integration steps.")
        var steps = 50

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard ["mean", "zero"].contains(baseline) else {
                throw ValidationError("--baseline must be mean or zero.")
            }
            guard (1...100_000).contains(steps) else { throw ValidationError("--steps must be 1 to 100000.") }
        }

        func result(in options: JSONOption) throws -> some Presentable {
            let opened = try OpenedCheckpoint(path: try model.path())
            let tokens = try opened.prompt(try text.text())
            let metric = try answers.metric(opened, try opened.runtime(), tokens)
            let start: IntegratedGradients<Float>.Baseline =
                try other.map { .prompt(try opened.prompt(PromptOptions.text($0))) }
                ?? (baseline == "zero" ? .zero : .mean)
            let cancelling = Cancelling()
            let found = try cancelling.run {
                try IntegratedGradients(try opened.hooked(Float.self)).attributions(
                    tokens, metric: metric, baseline: start, steps: steps,
                    isCancelled: { cancelling.isCancelled })
            }
            let report = GradientReport(found: found, texts: tokens.map(opened.text))
            let measured = "metric: \(metric.sentence { "\"\(opened.text($0))\"" })"
            return Report(report, notes: [measured, report.check]) { report.table }
        }
    }
}

/// Contribution of each token, as text and JSON.
private struct GradientReport: JSONRepresentable {
    let found: IntegratedGradients<Float>.Result
    let texts: [String]

    var table: String {
        var table = TextTable(["", "token", "contribution"], rightAligned: [0, 2])
        for (place, value) in found.attributions.enumerated() {
            table.add(["\(place)", texts[place], Format.fixed(value, digits: 4)])
        }
        table.add(["", "sum", Format.fixed(found.sum, digits: 4)])
        table.add(["", "prompt minus baseline", Format.fixed(found.value - found.baselineValue, digits: 4)])
        return table.text
    }

    var check: String {
        "the sum differs from the logit difference by \(Format.percent(found.completenessError, digits: 2)) after "
            + "\(found.steps) steps"
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("tokens", texts)
            json.member("attributions", found.attributions)
            json.member("sum", found.sum)
            json.member("value", found.value)
            json.member("baseline_value", found.baselineValue)
            json.member("completeness_error", found.completenessError)
            json.member("steps", found.steps)
            json.member("metric", found.metric)
        }
    }
}
