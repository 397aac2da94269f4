import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Retrieval
import System
import Workspace

extension CorpusCommand {
    struct Evaluate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "evaluate", abstract: "Evaluate a pipeline on a question set, or compare two.",
            discussion: """
                Questions come from a question set of the workspace, a JSON Lines file, or a BEIR folder. Intervals \
                are bootstrapped over questions, and two pipelines are compared question by question. The exit status \
                is 3 if the second pipeline is clearly worse, and 2 if the result is undecided.
                """)

        @Argument(help: "Question set name, .jsonl file, or BEIR folder.", completion: .file())
        var questions: String

        @Option(help: "Second pipeline to compare with --pipeline.")
        var against: String?

        @Option(help: "Measures, separated by commas: nDCG@10, MRR@10, R@100, P@5, AP, Success@1.")
        var measures: String?

        @Option(help: "Maximum number of questions to list, largest loss first.")
        var list = 10

        @OptionGroup var pipeline: PipelineOptions
        @OptionGroup var corpus: CorpusOptions
        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let workspace = try place.openForReading()
                let retriever = Retriever(workspace, resources: PipelineResources(of: workspace))
                let found = try corpus.find(in: retriever.store)
                let set = try retriever.questions(questions, of: found)
                let choice = try pipeline.find(retriever)
                let measures = try self.measures.map(Self.measures(named:)) ?? Measure.usual
                let line = StatusLine()
                defer { line.end() }
                let cancellation = Cancellation()
                try Interruption.cancelling(cancellation) {
                    let total = set.cases.count * (against == nil ? 1 : 2)
                    let progress = { (done: Int) in line.show("\(done) of \(total) questions") }
                    let first = try retriever.evaluate(
                        choice, over: set, of: found, measures: measures, until: cancellation,
                        progress: progress)
                    guard let against else {
                        line.end()
                        return try show(first.evaluation, set)
                    }
                    let other = try retriever.pipeline(named: against)
                    let second = try retriever.evaluate(
                        other, over: set, of: found, measures: measures, until: cancellation
                    ) { progress(set.cases.count + $0) }
                    line.end()
                    try compare(first.evaluation, second.evaluation, set)
                }
            }
        }

        private static func measures(named words: String) throws -> [Measure] {
            try words.split(separator: ",").map { word in
                guard let measure = Measure(String(word)) else {
                    throw Problem(
                        .unknown, "", "unknown measure \"\(word)\"",
                        remedy: "Examples: nDCG@10, MRR@10, R@100, P@5, AP, Success@1.")
                }
                return measure
            }
        }

        private func show(_ evaluation: Evaluation, _ set: QuestionSet) throws {
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { json in
                    json.member("pipeline", evaluation.name)
                    json.member("questions", set.cases.count)
                    json.member("measures") { json in
                        json.object { json in
                            for measure in evaluation.measures {
                                json.member(measure.name) { json in
                                    json.object { json in
                                        json.member("mean", ifPresent: evaluation.mean(of: measure))
                                        let interval = evaluation.interval(of: measure)
                                        json.member("lower", ifPresent: interval?.lower)
                                        json.member("upper", ifPresent: interval?.upper)
                                        json.member("values", evaluation.values(of: measure))
                                    }
                                }
                            }
                        }
                    }
                    json.member("ids", evaluation.queries)
                }
                return Output.result(json.text)
            }
            var table = TextTable(["measure", "mean", "95 % interval"], rightAligned: [1])
            for measure in evaluation.measures {
                let interval = evaluation.interval(of: measure).map {
                    "[\(Format.fixed($0.lower, digits: 4)), \(Format.fixed($0.upper, digits: 4))]"
                }
                table.add([
                    measure.name, evaluation.mean(of: measure).map { Format.fixed($0, digits: 4) } ?? "–",
                    interval ?? "–",
                ])
            }
            Output.result(
                "\(Printable.line(evaluation.name)) over \(Format.count(set.cases.count)) questions\n\(table.text)")
            guard let first = evaluation.measures.first else { return }
            let worst = zip(evaluation.queries, evaluation.values(of: first)).sorted { $0.1 < $1.1 }.prefix(list)
            let texts = Dictionary(set.cases.map { ($0.id, $0.question) }, uniquingKeysWith: { one, _ in one })
            for (query, value) in worst where value < 1 {
                Output.result("  \(Format.fixed(value, digits: 3))  \(query)  \(Printable.line(texts[query] ?? ""))")
            }
        }

        private func compare(_ before: Evaluation, _ after: Evaluation, _ set: QuestionSet) throws {
            let comparisons = try before.measures.map { try QuerySetComparison($0, before: before, after: after) }
            guard let first = comparisons.first else { return }
            if output.json {
                var json = JSONWriter(style: .pretty)
                json.object { json in
                    json.member("before", before.name)
                    json.member("after", after.name)
                    json.member("questions", set.cases.count)
                    json.member("comparisons") { json in
                        json.array { json in for comparison in comparisons { Self.write(comparison, to: &json) } }
                    }
                }
                Output.result(json.text)
            } else {
                var table = TextTable(
                    ["measure", before.name, after.name, "difference", "better", "worse", "p"],
                    rightAligned: [1, 2, 3, 4, 5, 6])
                for one in comparisons {
                    table.add([
                        one.measure.name, Format.fixed(one.meanBefore, digits: 4),
                        Format.fixed(one.meanAfter, digits: 4),
                        one.summary, String(one.better), String(one.worse), Format.fixed(one.randomizationP, digits: 4),
                    ])
                }
                Output.result(table.text)
                let texts = Dictionary(set.cases.map { ($0.id, $0.question) }, uniquingKeysWith: { one, _ in one })
                for row in first.rows.prefix(list) where row.difference < 0 {
                    Output.result(
                        "  \(Format.fixed(row.difference, digits: 3))  \(row.query)  "
                            + "\(Printable.line(texts[row.query] ?? ""))"
                    )
                }
            }
            if !first.isClear { throw ExitCode(2) }
            if first.difference < 0 { throw ExitCode(3) }
        }

        private static func write(_ comparison: QuerySetComparison, to json: inout JSONWriter) {
            json.object { json in
                json.member("measure", comparison.measure.name)
                json.member("before", comparison.meanBefore)
                json.member("after", comparison.meanAfter)
                json.member("difference", comparison.difference)
                json.member("lower", comparison.interval.lower)
                json.member("upper", comparison.interval.upper)
                json.member("p", comparison.randomizationP)
                json.member("better", comparison.better)
                json.member("worse", comparison.worse)
                json.member("equal", comparison.equal)
                json.objects("questions", of: comparison.rows) { row, json in
                    json.member("id", row.query)
                    json.member("before", row.before)
                    json.member("after", row.after)
                }
            }
        }
    }
}
