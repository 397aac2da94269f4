import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import System

extension AttentionCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print what a head attends to: its pattern, or one token.")

        @OptionGroup var model: ModelFileArgument
        @OptionGroup var text: PromptOptions

        @Option(name: .shortAndLong, help: "Layer, from 0.")
        var layer: Int

        @Option(name: [.customShort("H"), .long], help: "Head, from 0.")
        var head: Int

        @Option(
            name: .shortAndLong, parsing: .unconditional,
            help: "Query token from 0; negative numbers count from the end.")
        var query: Int?

        @Flag(help: "Weight each key by the length of its value vector.")
        var weighted = false

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let model = try InspectedModel(path: try model.path())
                let inspected = try model.run(model.tokens(of: try text.text()))
                try inspected.read()
                let (layers, heads) = (model.configuration.layerCount, model.configuration.headCount)
                guard (0..<layers).contains(layer), (0..<heads).contains(head) else {
                    throw Problem(
                        .unknown, "", "unknown head L\(layer)H\(head)",
                        remedy: "The model has layers 0 to \(layers - 1) and heads 0 to \(heads - 1).")
                }
                let tokens = inspected.snapshot.tokens
                let texts = model.texts(of: tokens)
                let weighting: AttentionWeighting = weighted ? .values : .plain
                let queries =
                    try query.map { place in
                        let position = try TextPosition.resolve(place, of: tokens.count)
                        return position..<position + 1
                    } ?? tokens.indices
                let rows = try queries.map { query in
                    AttentionRow(
                        query: query,
                        weights: try inspected.weights(layer: layer, head: head, query: query, weighting: weighting))
                }
                output.json
                    ? Output.json(
                        PatternReport(layer: layer, head: head, texts: texts, rows: rows, isWeighted: weighted))
                    : Output.result(Self.table(rows, texts))
            }
        }

        /// Returns the strongest keys of every query.
        private static func table(_ rows: [AttentionRow], _ texts: [String]) -> String {
            let most = rows.count == 1 ? 20 : 4
            var table = TextTable(["", "token", "attends to"], rightAligned: [0])
            for row in rows {
                let keys = row.weights.indices.sorted { (row.weights[$0], $1) > (row.weights[$1], $0) }.prefix(most)
                let told = keys.filter { row.weights[$0] >= 0.005 }.map {
                    "\(texts[$0]) (\($0)) \(Format.fixed(Double(row.weights[$0]), digits: 3))"
                }
                table.add(["\(row.query)", texts[row.query], told.joined(separator: "   ")])
            }
            return table.text
        }
    }
}

/// Attention weights of one token.
private struct AttentionRow {
    let query: Int
    let weights: [Float]
}

private struct PatternReport: JSONRepresentable {
    let layer: Int
    let head: Int
    let texts: [String]
    let rows: [AttentionRow]
    let isWeighted: Bool

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("layer", layer)
            json.member("head", head)
            json.member("value_weighted", isWeighted)
            json.member("tokens", texts)
            json.member("rows") { json in
                json.array { json in
                    for row in rows {
                        json.object {
                            $0.member("query", row.query)
                            $0.member("weights", row.weights.map(Double.init))
                        }
                    }
                }
            }
        }
    }
}
