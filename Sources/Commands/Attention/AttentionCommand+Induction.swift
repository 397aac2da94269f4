import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON

extension AttentionCommand {
    struct Induction: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "induction",
            abstract:
                "Train a small attention-only model, and test for induction heads.",
            discussion: """
                Trained on repeated random tokens, a two-layer model forms induction heads and a one-layer model does \
                not. With --fixed-period, every row repeats at the same distance. A one-layer model then learns to \
                look back that far: its training loss goes to 0, but it fails at other distances. The model is written \
                as a folder that every command and panel can open.
                """)

        @Option(help: "Number of layers: 1 or 2.")
        var layers = 2

        @Option(help: "Training steps of 32 rows with 64 tokens.")
        var steps = 2000

        @Option(help: "Period in tokens (default: random, 8 to 32 per row).")
        var fixedPeriod: Int?

        @Option(help: "Seed for weights and rows.")
        var seed: UInt64 = 2

        @Option(
            name: [.customShort("o"), .customLong("output")], help: "Folder for the model.", completion: .directory)
        var folder: String?

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard (1...2).contains(layers) else { throw ValidationError("--layers must be 1 or 2.") }
            guard (1...100_000).contains(steps) else { throw ValidationError("--steps must be 1 to 100000.") }
            guard (2...32).contains(fixedPeriod ?? 2) else { throw ValidationError("--fixed-period must be 2 to 32.") }
        }

        func result(in options: JSONOption) throws -> some Presentable {
            var configuration = InductionExperiment.Configuration()
            configuration.layers = layers
            configuration.steps = steps
            if let fixedPeriod { configuration.periods = fixedPeriod...fixedPeriod }
            configuration.seed = seed
            let line = FractionLine("training")
            let start = ContinuousClock.now
            let cancelling = Cancelling()
            let result = try cancelling.run {
                try InductionExperiment(configuration).run(
                    progress: { progress in
                        line.show(
                            Double(progress.step) / Double(steps), "loss \(Format.fixed(progress.loss, digits: 3))")
                    }, isCancelled: { cancelling.isCancelled })
            }
            line.end()
            if let folder { try result.export(to: folder) }
            let report = InductionReport(result: result, seconds: (ContinuousClock.now - start) / .seconds(1))
            return Report(report) { report.text }
        }
    }
}

/// Result of the experiment.
private struct InductionReport: JSONRepresentable {
    let result: InductionResult
    let seconds: Double

    private var heads: HeadReport {
        let definitions = HeadScoreDefinition.allCases.filter {
            $0.measure == .mean && result.headScores[$0] != nil
        }
        return HeadReport(definitions: definitions, scores: result.headScores)
    }

    var text: String {
        var figures = TextTable(["", ""], rightAligned: [1])
        figures.add(["loss, first copy", Format.fixed(result.firstCopyLoss, digits: 3)])
        figures.add(["loss, second copy", Format.fixed(result.secondCopyLoss, digits: 3)])
        figures.add(["accuracy, second copy", Format.percent(result.accuracy, digits: 1)])
        figures.add(["seconds", Format.fixed(seconds, digits: 1)])
        let every = max(1, result.history.count / 20)
        let curve = result.history.enumerated().filter { $0.offset % every == 0 }.map {
            "\($0.element.step): \(Format.fixed($0.element.secondCopyLoss, digits: 2))"
        }
        return figures.text + "\n\n" + heads.table
            + "\n\nloss of the second copy by step   "
            + curve.joined(separator: "   ")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("first_copy_loss", result.firstCopyLoss)
            json.member("second_copy_loss", result.secondCopyLoss)
            json.member("accuracy", result.accuracy)
            json.member("seconds", seconds)
            json.member("heads", heads)
            json.objects("history", of: result.history) { point, json in
                json.member("step", point.step)
                json.member("loss", point.loss)
                json.member("second_copy_loss", point.secondCopyLoss)
            }
        }
    }
}
