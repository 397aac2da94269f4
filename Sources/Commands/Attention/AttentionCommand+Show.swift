import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import System
import Tables

extension AttentionCommand {
    struct Show: ReadingCommand {
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

        @OptionGroup var reading: TableOptions

        func result(in options: TableOptions) throws -> some Presentable {
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
            let most = rows.count == 1 ? 20 : 4
            var listing = Listing(rows, "rows") { table in
                table.text("", json: "query", align: .right, \.query)
                table.text("token") { texts[$0.query] }
                table.text("attends to") { Self.strongest(most, of: $0.weights, texts) }
                table.member("weights") { $0.weights.map(Double.init) }
            }
            listing.leading = { json in
                json.member("layer", layer)
                json.member("head", head)
                json.member("value_weighted", weighted)
                json.member("tokens", texts)
            }
            return listing
        }

        /// Returns the keys with the largest weights.
        private static func strongest(_ most: Int, of weights: [Float], _ texts: [String]) -> String {
            weights.indices.sorted { (weights[$0], $1) > (weights[$1], $0) }.prefix(most)
                .filter { weights[$0] >= 0.005 }
                .map { "\(texts[$0]) (\($0)) \(Format.fixed(Double(weights[$0]), digits: 3))" }
                .joined(separator: "   ")
        }
    }
}

/// Attention weights of one token.
private struct AttentionRow {
    let query: Int
    let weights: [Float]
}
