import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Kernels
import LanguageModels
import ModelLab
import Providers
import Workspace

extension ModelCommand {
    struct Bench: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bench",
            abstract: "Measure a model's speed, or an endpoint under load.",
            discussion: """
                A local model runs prompts of several lengths and then generates token by token. With --url or a \
                remote model, the command sends many requests to the endpoint and reports time to first token, time \
                per output token, throughput, and percentiles.
                """)

        @Argument(help: "Model name, file, folder, or provider:model.", completion: .file())
        var model: String?

        @Option(help: "OpenAI-compatible endpoint: http://host:8080/v1#model.")
        var url: String?

        @Option(help: "Number of threads; repeatable (local models).")
        var threads: [Int] = []

        @Option(name: .customLong("prompt"), help: "Prompt length in tokens; repeatable.")
        var prompts: [Int] = []

        @Option(help: "Generated tokens: exact for local models, maximum for endpoints.")
        var tokens: Int = 64

        @Option(help: "Repetitions; the fastest repetition counts (local models).")
        var repetitions: Int = 5

        @Option(help: "Requests in flight (endpoints).")
        var concurrency: Int = 4

        @Option(help: "Number of requests (endpoints).")
        var requests: Int = 32

        @Option(help: "Load duration in seconds (endpoints).")
        var seconds: Double?

        @Option(help: "Requests per second, regardless of responses (endpoints).")
        var rate: Double?

        @Option(help: "Warm-up requests, not counted (endpoints).")
        var warmUp: Int = 2

        @Option(help: "File of prompts, JSON Lines (endpoints).", completion: .file())
        var mix: String?

        @Flag(help: "Record alternatives, processors, pages, and operation times (local models).")
        var tapped = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (model == nil) != (url == nil) else {
                throw ValidationError("exactly one of MODEL or --url is required.")
            }
            let checks: [(Bool, String)] = [
                (
                    threads.allSatisfy { (1...ThreadPool.usableProcessors).contains($0) },
                    "--threads must be 1 to \(ThreadPool.usableProcessors) on this machine."
                ),
                (prompts.allSatisfy { $0 > 0 }, "--prompt must be at least 1."),
                (tokens >= 0, "--tokens must be at least 0."),
                (repetitions > 0, "--repetitions must be at least 1."),
                (concurrency > 0, "--concurrency must be at least 1."),
                (requests > 0, "--requests must be at least 1."), ((seconds ?? 1) > 0, "--seconds must be above 0."),
                ((rate ?? 1) > 0, "--rate must be above 0."), (warmUp >= 0, "--warm-up must be at least 0."),
            ]
            for (isFine, sentence) in checks where !isFine { throw ValidationError(sentence) }
        }

        func run() throws {
            try answering {
                let workspace = place.isUnused ? nil : try place.openForReading()
                let word = url ?? model ?? ""
                let specification =
                    try workspace.map { try ModelHouse($0).specification(of: word) }
                    ?? ModelHouse.unregistered(word)
                let cancellation = Cancellation()
                if case .local(let path) = specification {
                    return try Interruption.cancelling(cancellation) { try measureHere(path, cancellation) }
                }
                let answerer = try Providers.make(specification) { try LocalModel(path: $0) }
                try Interruption.cancelling(cancellation) { try load(answerer, cancellation) }
            }
        }

        private func measureHere(_ path: String, _ cancellation: Cancellation) throws {
            let line = FractionLine("measuring")
            defer { line.end() }
            let report = try LocalBench(
                path: path, threads: threads.isEmpty ? [ThreadPool.usableProcessors] : threads,
                prompts: prompts.isEmpty ? [128, 512] : prompts, tokens: tokens, repetitions: repetitions,
                isTapped: tapped
            ).run(isCancelled: { cancellation.isCancelled }) { line.show($0, $1) }
            line.end()
            if output.json { return Output.json(report) }
            var table = TextTable(["threads", "", "tokens/s", "median"], rightAligned: [0, 2, 3])
            for row in report.rows {
                table.add([
                    String(row.threads), row.title, Format.fixed(row.best, digits: 1),
                    Format.fixed(row.median, digits: 1),
                ])
            }
            Output.result(table.text)
            for length in report.skippedPrompts {
                Output.note("orrery: skipped a prompt of \(length) tokens, which exceeds the model's context length")
            }
            Output.note(
                "opened in \(Format.duration(seconds: report.secondsToOpen)), "
                    + "\(Format.bytes(report.residentBytes)) of memory for \(Format.bytes(report.fileBytes)) of weights"
            )
        }

        private func load(_ answerer: any LanguageModel, _ cancellation: Cancellation) throws {
            let lengths = prompts.isEmpty ? [128] : prompts
            let mix = try self.mix.map { try LoadPrompts(contentsOf: $0) }
            let load = EndpointLoad(
                answerer, prompts: mix ?? .generated(tokens: lengths, count: max(requests, 16), seed: 1),
                concurrency: concurrency, amount: seconds.map { .seconds($0) } ?? .requests(requests), warmUp: warmUp,
                arrivalsPerSecond: rate, maximumTokens: tokens)
            let line = FractionLine("loading")
            defer { line.end() }
            let total = requests
            let limit = seconds
            let report = try load.run(isCancelled: { cancellation.isCancelled }) { progress in
                let done = limit.map { progress.seconds / $0 } ?? Double(progress.finished) / Double(total)
                line.show(
                    done, "\(progress.finished) completed, \(progress.failed) failed, \(progress.underWay) in flight")
            }
            line.end()
            Output.result(output.json ? report.json(.pretty) : LoadText(report: report).text)
            if report.succeeded == 0 { throw ExitCode(1) }
        }
    }
}

/// Results of a load test as text.
struct LoadText {
    let report: LoadReport

    var text: String {
        var table = TextTable(["", "p50", "p90", "p95", "p99", "max"], rightAligned: [1, 2, 3, 4, 5])
        func add(_ title: String, _ distribution: Distribution?, _ text: (Double) -> String) {
            guard let d = distribution else { return table.add([title, "not reported", "", "", "", ""]) }
            table.add([title] + [d.p50, d.p90, d.p95, d.p99, d.maximum].map(text))
        }
        let time = { (seconds: Double) in Format.duration(seconds: seconds) }
        add("time to first token", report.timeToFirstToken, time)
        add("time per output token", report.timePerOutputToken, time)
        add("whole response", report.endToEnd, time)
        if report.arrivalsPerSecond != nil { add("waiting to be sent", report.queueing, time) }
        add("tokens/s", report.tokensPerSecond) { Format.fixed($0, digits: 1) }
        var lines = [
            "\(report.provider) \(report.model)  \(report.succeeded) of \(report.requests) completed in "
                + "\(time(report.seconds)), \(report.concurrency) in flight, \(report.retries) retries",
            "\(Format.fixed(report.outputTokensPerSecond, digits: 1)) output tokens/s in total, "
                + "\(Format.fixed(report.requestsPerSecond, digits: 2)) responses/s"
                + (report.tokensAreCounted ? "" : " (stream chunks counted: the endpoint does not report tokens)"),
            "", table.text,
        ]
        for failure in report.failures { lines.append("\(failure.count) × \(failure.kind)  \(failure.example)") }
        return lines.joined(separator: "\n")
    }
}
