import ArgumentParser
import CommandSupport
import Interpretability
import Models
import Tokenizers

extension AttentionCommand {
    struct Ablate: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "ablate",
            abstract: "Ablate each head and feed-forward layer, and measure logit changes.",
            discussion: """
                The score is the answer's logit without the part minus its logit with the part. zero replaces the \
                output with zeros, which the model never sees in training; mean, with its mean over --texts; resample, \
                with its output on --other, a prompt with the same number of tokens.
                """)

        @OptionGroup var model: ModelFileArgument
        @OptionGroup var text: PromptOptions
        @OptionGroup var answers: AnswerOptions

        @Option(help: "Replacement: zero, mean, or resample.")
        var kind = "zero"

        @Option(help: "Prompt that provides the activations for resample.")
        var other: String?

        @OptionGroup var texts: TextsOptions
        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard ["zero", "mean", "resample"].contains(kind) else {
                throw ValidationError("--kind must be zero, mean, or resample.")
            }
            guard (kind == "mean") != texts.texts.isEmpty else {
                throw ValidationError("--kind mean and --texts require each other.")
            }
            guard (kind == "resample") == (other != nil) else {
                throw ValidationError("--kind resample and --other require each other.")
            }
        }

        func result(in options: JSONOption) throws -> Report<PatchReport> {
            let opened = try OpenedCheckpoint(path: try model.path())
            let tokens = try opened.prompt(try text.text())
            let runtime = try opened.runtime()
            let metric = try answers.metric(opened, runtime, tokens)
            let map = try MapRun.follow("ablating") { progress, isCancelled in
                try AblationStudy(runtime, tokens, metric: metric, kind: try substitute(opened)).map(
                    progress: progress, isCancelled: isCancelled)
            }
            return PatchReport(map: map).result(metric, opened)
        }

        private func substitute(_ opened: OpenedCheckpoint) throws -> AblationStudy<Float>.Kind {
            switch kind {
            case "mean": .mean(try texts.sequences(for: opened))
            case "resample": .resample(try opened.prompt(try PromptOptions.text(other ?? "")))
            default: .zero
            }
        }
    }
}
