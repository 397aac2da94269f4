import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import Presentation
import Retrieval
import System
import Tables
import Traces
import Workspace

extension EvalCommand {
    struct TestSets: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "testset", abstract: "Generate questions with answers from your own documents.",
            discussion: """
                1. orrery eval testset make CORPUS --model MODEL asks the model for one question per passage, as a run.
                2. Review the questions in the eval panel or with orrery eval rate.
                3. orrery eval testset write RUN FILE saves the good questions for orrery corpus evaluate.
                """,
            subcommands: [Make.self, Write.self])
    }
}

extension EvalCommand.TestSets {
    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "make", abstract: "Generate questions with a model.")

        @Argument(help: "Corpus name.")
        var corpus: String

        @Option(help: "Model that writes the questions.")
        var model: String

        @Option(help: "Number of passages.")
        var count = 50

        @Option(help: "Minimum passage length in bytes.")
        var shortest = 160

        @Option(help: "Run name.")
        var name: String?

        @OptionGroup var samples: EvalSampleOptions
        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard (1...100_000).contains(count) else { throw ValidationError("--count must be 1 to 100000.") }
            guard shortest > 0 else { throw ValidationError("--shortest must be at least 1.") }
        }

        func run() throws {
            try answering {
                let workspace = try place.openExisting()
                var options = limits.applied(to: samples.applied(to: EvalOptions()))
                options.name = name
                let plan = TestSetPlan(count: count, seed: options.seed, shortest: shortest)
                let setup = EvalSetup(task: plan.word(for: corpus), models: [model], options: options)
                let order = try setup.orders(in: workspace)[0]
                var screen = EvalScreen(report, count: 1)
                let prices = try PriceTable.settings(.workbench())
                let runner = try EvalRunner(order, workspace: workspace, prices: prices)
                try screen.follow(runner, in: workspace, order: order)
                try screen.finish()
            }
        }
    }

    struct Write: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "write", abstract: "Save the good questions of a run to a file.")

        @OptionGroup var argument: EvalRunArgument

        @Argument(help: "Output file (JSON Lines).", completion: .file())
        var path: String

        @Flag(help: "Save only questions that a reviewer passed.")
        var reviewed = false

        @Flag(help: "Overwrite an existing file.")
        var force = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let workspace = try place.openForReading()
                let store = EvalStore(workspace)
                let log = try store.log(try argument.find(in: store))
                let ratings = try ReviewStore(workspace).ratings(of: log.run.ratingKey)
                let set = try TestSet(log, ratings: ratings, approval: reviewed ? .reviewed : .unlessRejected)
                guard !set.questions.isEmpty else {
                    let reasons = set.dropped.prefix(3).map { "\($0.count) left out: \($0.reason)" }
                    throw Problem(
                        .missing, "",
                        "run \(argument.word) has no usable question, so no file was written"
                            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: "; ")))"),
                        remedy: "To see the answers, run: orrery eval show \(argument.word) --samples")
                }
                try ExportFile.write(path, replacing: force) { try $0(set.questions.text) }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { json in
                        json.member("questions", set.questions.cases.count)
                        json.member("dropped") { json in
                            json.object { json in for drop in set.dropped { json.member(drop.reason, drop.count) } }
                        }
                    }
                    return Output.result(json.text)
                }
                Output.result("\(set.questions.cases.count) questions")
                for drop in set.dropped { Output.note("\(drop.count) left out: \(drop.reason)") }
            }
        }
    }
}

extension EvalCommand {
    struct Clusters: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "clusters", abstract: "Group failed samples by cause.")

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<FailureClusters.Cluster> {
            let target = try EvalTarget(word, in: options.place)
            let found = try FailureClusters(target.log)
            var notes: [String] = []
            if found.graded > 0 {
                let first = target.run.scores.first?.title ?? "the score"
                notes.append(
                    "\(Format.count(found.graded)) samples are neither pass nor fail, because \(first) has no "
                        + "passing threshold")
            } else if found.failed == 0 {
                notes.append("all \(Format.count(found.total)) samples passed")
            }
            let names = try found.clusters.map { cluster in
                try cluster.samples.prefix(3).map { try target.log.sample($0).row.id }.joined(separator: ", ")
            }
            let examples = Dictionary(zip(found.clusters.map(\.title), names), uniquingKeysWith: { first, _ in first })
            var listing = Listing(found.clusters, "clusters", notes: notes) { table in
                table.text("samples", json: nil, align: .right, \.samples.count) { Format.count($0) }
                table.text("what went wrong", \.title)
                table.text("example") { examples[$0.title] ?? "" }
            }
            if found.failed == 0 { listing.text = "" }
            listing.json = found
            return listing
        }
    }
}
