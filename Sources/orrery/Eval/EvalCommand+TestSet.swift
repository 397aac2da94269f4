import ArgumentParser
import Console
import Evals
import JSON
import Retrieval
import Traces
import Workbench
import Workspace

extension EvalCommand {
    struct TestSets: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "testset", abstract: "Make questions of your own documents, with the words that answer them.",
            discussion: """
                orrery eval testset make CORPUS --model MODEL asks a model for a question of each of so many passages, \
                as a run; read them in the review queue of the panel (or orrery eval rate); orrery eval testset write RUN \
                FILE keeps the good ones, each once, as orrery corpus evaluate reads them.
                """,
            subcommands: [Make.self, Write.self])
    }
}

extension EvalCommand.TestSets {
    struct Make: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "make", abstract: "Ask a model for questions.")

        @Argument(help: "The corpus.")
        var corpus: String

        @Option(help: "Who makes the questions.")
        var model: String

        @Option(help: "How many passages are asked about.")
        var count = 50

        @Option(help: "Passages of fewer bytes are not asked about.")
        var shortest = 160

        @Option(help: "What the run is called.")
        var name: String?

        @OptionGroup var samples: EvalSampleOptions
        @OptionGroup var limits: EvalLimitOptions
        @OptionGroup var report: EvalReportOptions
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard (1...100_000).contains(count) else { throw ValidationError("--count takes 1 to 100000.") }
            guard shortest > 0 else { throw ValidationError("--shortest takes 1 or more.") }
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
            commandName: "write", abstract: "Write the good questions of a run to a file.")

        @OptionGroup var argument: EvalRunArgument

        @Argument(help: "The file, JSON lines.", completion: .file())
        var path: String

        @Flag(help: "Only questions that a person has let pass.")
        var reviewed = false

        @Flag(help: "Replace a file that is there.")
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
                    throw Failure(
                        "run \(argument.word) has no question that would do: nothing is written"
                            + (reasons.isEmpty ? "." : " (\(reasons.joined(separator: "; "))).")
                            + " orrery eval show \(argument.word) --samples shows the answers.")
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
    struct Clusters: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clusters", abstract: "Group the samples that did not pass by what went wrong.")

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let target = try EvalTarget(word, in: place)
                let found = try FailureClusters(target.log)
                if output.json { return Output.json(found) }
                if found.graded > 0 {
                    let first = target.run.scores.first?.title ?? "the score"
                    Output.note(
                        "\(Format.count(found.graded)) samples neither pass nor fail: \(first) has no threshold for passing."
                    )
                }
                guard found.failed > 0 else {
                    if found.graded == 0 { Output.note("all \(Format.count(found.total)) samples passed.") }
                    return
                }
                var table = TextTable(["samples", "what went wrong", "for instance"], rightAligned: [0])
                for cluster in found.clusters {
                    let examples = try cluster.samples.prefix(3).map { try target.log.sample($0).row.id }
                    table.add([Format.count(cluster.samples.count), cluster.title, examples.joined(separator: ", ")])
                }
                Output.result(table.text)
            }
        }
    }
}
