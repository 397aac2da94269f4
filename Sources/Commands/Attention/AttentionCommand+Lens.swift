import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import Tokenizers
import Training

extension AttentionCommand {
    struct Lens: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "lens",
            abstract: "Predict tokens from every layer with a logit lens.",
            discussion: """
                The lens computes softmax(norm(h) W_U) of the residual stream after every block. The tracked token is \
                the next token of the text, or --answer. A tuned lens from orrery attention tune-lens maps each layer \
                first.
                """)

        @OptionGroup var model: ModelFileArgument
        @OptionGroup var text: PromptOptions

        @Option(parsing: .unconditional, help: "Token position from 0; negative counts from the end.")
        var position: Int?

        @Option(
            name: [.customLong("answer"), .customLong("target")],
            help: "Token whose rank is shown (default: the next token).")
        var target: String?

        @Option(help: "Tuned lens file.", completion: .file(extensions: ["safetensors"]))
        var tuned: String?

        @Option(name: [.customShort("n"), .long], help: "Tokens per cell.")
        var top = 1

        @Flag(help: "Also show the stream between attention and feed-forward.")
        var mid = false

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard (1...50).contains(top) else { throw ValidationError("--top must be 1 to 50.") }
        }

        func result(in options: JSONOption) throws -> some Presentable {
            let opened = try OpenedCheckpoint(path: try model.path())
            let runtime = try opened.runtime()
            let tokens = try opened.prompt(try text.text())
            let selection: PositionSelection =
                try position.map { .only(try TextPosition.resolve($0, of: tokens.count)) } ?? .all
            let hooks = (0..<runtime.layerCount).flatMap { layer in
                [Hook.residualPre(layer: layer), .residualMid(layer: layer), .residualPost(layer: layer)]
            }
            let cache = try runtime.run(tokens, keeping: .only(Set(hooks)))
            let lens = LogitLens(
                try runtime.readout(), topCount: top, tuned: try tuned.map { try TunedLens(contentsOf: $0) })
            let table = try lens.table(
                of: cache, layerCount: runtime.layerCount, includingMid: mid, at: selection,
                target: try target.map { .token(try opened.token($0)) } ?? .next)
            let report = LensReport(table: table, tokens: tokens, text: opened.text)
            return Report(report) { report.printed }
        }
    }

    struct TuneLens: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tune-lens",
            abstract: "Train a tuned lens: one affine map per layer.")

        @OptionGroup var model: ModelFileArgument

        @Option(name: .long, parsing: .upToNextOption, help: "Texts: .txt, .jsonl, or .tokens.", completion: .file())
        var texts: [String]

        @Option(
            name: [.customShort("o"), .customLong("output")], help: "File to write.",
            completion: .file(extensions: ["safetensors"]))
        var target: String

        @Option(help: "Training steps.")
        var steps = 250

        @Option(help: "Tokens per step.")
        var tokens = 2048

        @OptionGroup var output: JSONOption

        func validate() throws {
            guard (1...100_000).contains(steps), (64...1_000_000).contains(tokens) else {
                throw ValidationError("--steps must be 1 to 100,000, and --tokens 64 to 1,000,000.")
            }
            guard target.hasSuffix(".safetensors") else {
                throw ValidationError("-o requires a .safetensors file.")
            }
        }

        func run() throws {
            try answering {
                let opened = try OpenedCheckpoint(path: try model.path())
                let length = min(128, opened.checkpoint.configuration.contextLength)
                let read = try TokenSequences.read(texts, with: opened.tokenizer, length: length)
                let line = FractionLine("tuning")
                let cancellation = Cancelling()
                let begun = ContinuousClock.now
                var divergences: [Double] = []
                let lens = try cancellation.run {
                    defer { line.end() }
                    return try TunedLensRun.train(
                        try opened.runtime(), over: read.sequences, steps: steps, tokens: tokens,
                        isCancelled: { cancellation.isCancelled },
                        progress: {
                            divergences.append($1)
                            line.show($0, "KL \(Format.fixed($1, digits: 3))")
                        })
                }
                try lens.write(to: target)
                let report = TuningReport(
                    path: target, steps: steps, first: divergences.first ?? .nan, last: divergences.last ?? .nan,
                    seconds: (ContinuousClock.now - begun) / .seconds(1))
                output.json ? Output.json(report) : Output.note(report.sentence)
            }
        }
    }
}

/// Result of training a lens.
private struct TuningReport: JSONRepresentable {
    let path: String
    let steps: Int
    let first: Double
    let last: Double
    let seconds: Double

    var sentence: String {
        "wrote \(path): after \(steps) steps, KL from the layers to the output is \(Format.fixed(last, digits: 3)) "
            + "nats/token, down from \(Format.fixed(first, digits: 3))"
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            json.member("steps", steps)
            json.member("first_divergence", first)
            json.member("divergence", last)
            json.member("seconds", seconds)
        }
    }
}

/// Table of a lens, as text and JSON.
struct LensReport: JSONRepresentable {
    let table: LensTable
    let tokens: [TokenID]
    let text: (TokenID) -> String

    /// Rows per layer for a single position; otherwise rows per token with the layers as columns.
    var printed: String {
        if table.positions.count == 1 { return column() }
        var rows = TextTable(["", "token"] + table.points.map(\.label), rightAligned: [0])
        for (index, position) in table.positions.enumerated() {
            rows.add(
                ["\(position)", text(tokens[position])]
                    + table.points.indices.map { point in
                        let cell = table.cells[point][index]
                        return cell.top.map { text($0.token) }.joined(separator: " | ")
                    })
        }
        return rows.text
    }

    private func column() -> String {
        var rows = TextTable(
            ["layer", "best", "p", "chosen", "p", "rank", "KL to output", "entropy"], rightAligned: [2, 4, 5, 6, 7])
        for (point, part) in table.points.enumerated() {
            let cell = table.cells[point][0]
            let best = cell.top.map { text($0.token) }.joined(separator: "  ")
            rows.add([
                part.label, best, cell.top.first.map { Format.fixed($0.probability, digits: 3) } ?? "",
                cell.chosen.map { text($0.token) } ?? "",
                cell.chosen.map { Format.fixed($0.probability, digits: 4) } ?? "", cell.rank.map(String.init) ?? "",
                Format.fixed(cell.divergence, digits: 3), Format.fixed(cell.entropy, digits: 2),
            ])
        }
        return rows.text
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("tokens", tokens.map { text($0) })
            json.member("cells") { json in
                json.array { json in
                    for (point, part) in table.points.enumerated() {
                        for (index, position) in table.positions.enumerated() {
                            write(table.cells[point][index], part.label, position, to: &json)
                        }
                    }
                }
            }
        }
    }

    private func write(_ cell: LensCell, _ layer: String, _ position: Int, to json: inout JSONWriter) {
        json.object { json in
            json.member("layer", layer)
            json.member("position", position)
            json.objects("top", of: cell.top) { token, json in
                json.member("token", Int(token.token))
                json.member("text", text(token.token))
                json.member("probability", token.probability)
            }
            json.member("chosen", ifPresent: cell.chosen.map { Int($0.token) })
            json.member("probability", ifPresent: cell.chosen?.probability)
            json.member("rank", ifPresent: cell.rank)
            json.member("divergence", cell.divergence)
            json.member("entropy", cell.entropy)
        }
    }
}
