import ArgumentParser
import Console
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
            abstract: "Measure how fast a model reads and writes, or how an endpoint stands a load.",
            discussion: """
                A model's file is run here: prompts of several lengths, then token after token. With --url, or for a \
                model that answers elsewhere, the endpoint is loaded with requests: time to first token, time per output \
                token, throughput and percentiles.
                """)

        @Argument(help: "A model's name, file, or who answers.", completion: .file())
        var model: String?

        @Option(help: "An OpenAI-compatible endpoint: http://host:8080/v1#model.")
        var url: String?

        @Option(help: "How many threads; may be given several times (here).")
        var threads: [Int] = []

        @Option(name: .customLong("prompt"), help: "Tokens of a prompt; may be given several times.")
        var prompts: [Int] = []

        @Option(help: "Tokens written one after the other (here), or at most (elsewhere).")
        var tokens: Int = 64

        @Option(help: "The best of so many (here).")
        var repetitions: Int = 5

        @Option(help: "Requests in flight at once (elsewhere).")
        var concurrency: Int = 4

        @Option(help: "How many requests (elsewhere).")
        var requests: Int = 32

        @Option(help: "Load for so many seconds instead (elsewhere).")
        var seconds: Double?

        @Option(help: "Requests that become due a second, whatever the endpoint does (elsewhere).")
        var rate: Double?

        @Option(help: "Requests that are sent first and not counted (elsewhere).")
        var warmUp: Int = 2

        @Option(help: "A file of prompts, JSON lines (elsewhere).", completion: .file())
        var mix: String?

        @Flag(help: "Watch every token: alternatives, active processors, pages, time by operation (here).")
        var tapped = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (model == nil) != (url == nil) else { throw ValidationError("name a model, or give --url.") }
            let checks: [(Bool, String)] = [
                (
                    threads.allSatisfy { (1...ThreadPool.usableProcessors).contains($0) },
                    "--threads takes 1 to \(ThreadPool.usableProcessors) here."
                ),
                (prompts.allSatisfy { $0 > 0 }, "--prompt takes 1 or more."),
                (tokens >= 0, "--tokens takes 0 or more."),
                (repetitions > 0, "--repetitions takes 1 or more."),
                (concurrency > 0, "--concurrency takes 1 or more."),
                (requests > 0, "--requests takes 1 or more."), ((seconds ?? 1) > 0, "--seconds takes more than 0."),
                ((rate ?? 1) > 0, "--rate takes more than 0."), (warmUp >= 0, "--warm-up takes 0 or more."),
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
            var table = TextTable(["threads", "", "tok/s", "median"], rightAligned: [0, 2, 3])
            for row in report.rows {
                table.add([
                    String(row.threads), row.title, Format.fixed(row.best, digits: 1),
                    Format.fixed(row.median, digits: 1),
                ])
            }
            Output.result(table.text)
            for length in report.skippedPrompts {
                Output.note("orrery: a prompt of \(length) tokens does not fit in the model's context.")
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
                    done, "\(progress.finished) answered, \(progress.failed) failed, \(progress.underWay) in flight")
            }
            line.end()
            Output.result(output.json ? report.json(.pretty) : LoadText(report: report).text)
            if report.succeeded == 0 { throw ExitCode(1) }
        }
    }
}

/// How an endpoint stood a load, for people.
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
        add("whole answer", report.endToEnd, time)
        if report.arrivalsPerSecond != nil { add("waiting to be sent", report.queueing, time) }
        add("tokens a second", report.tokensPerSecond) { Format.fixed($0, digits: 1) }
        var lines = [
            "\(report.provider) \(report.model)  \(report.succeeded) of \(report.requests) answered in "
                + "\(time(report.seconds)), \(report.concurrency) at once, \(report.retries) retries",
            "\(Format.fixed(report.outputTokensPerSecond, digits: 1)) output tokens a second in all, "
                + "\(Format.fixed(report.requestsPerSecond, digits: 2)) answers a second"
                + (report.tokensAreCounted ? "" : " (pieces of the stream counted: the endpoint tells no tokens)"),
            "", table.text,
        ]
        for failure in report.failures { lines.append("\(failure.count) × \(failure.kind)  \(failure.example)") }
        return lines.joined(separator: "\n")
    }
}
