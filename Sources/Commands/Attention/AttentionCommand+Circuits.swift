import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Tables

extension AttentionCommand {
    struct Circuits: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "circuits",
            abstract: "Score heads by their weights: copying and composition.",
            discussion: """
                A head copies if its circuit from embedding to logits has positive eigenvalues. Two heads compose if \
                the product of their matrices is larger than for random matrices. The random baseline is subtracted, \
                so pairs of heads that compose have scores above 0.
                """)

        @OptionGroup var model: ModelFileArgument

        @Option(help: "Input of the later head: q, k, or v.")
        var composition = "k"

        @Option(name: [.customShort("n"), .long], help: "Number of pairs to print.")
        var top = 12

        @OptionGroup var reading: JSONOption

        func validate() throws {
            guard CompositionScores.Kind(word: composition) != nil else {
                throw ValidationError("--composition must be q, k, or v.")
            }
            guard (1...100_000).contains(top) else { throw ValidationError("--top must be 1 to 100000.") }
        }

        func result(in options: JSONOption) throws -> some Presentable {
            let hooked = try OpenedCheckpoint(path: try model.path()).hooked(Double.self).processed()
            let weights = try CircuitWeights(hooked.weights)
            let copying = try weights.copyingScores(ofTokens: true)
            let kind = CompositionScores.Kind(word: composition) ?? .key
            var composition = try CompositionScores(weights, kind)
            composition.baseline = try CompositionScores.measuredBaseline(like: weights, kind: kind)
            let report = CircuitReport(copying: copying, composition: composition)
            return Report(report) { report.text(top: top) }
        }
    }
}

extension CompositionScores.Kind {
    init?(word: String) {
        switch word {
        case "q": self = .query
        case "k": self = .key
        case "v": self = .value
        default: return nil
        }
    }
}

/// Properties of heads that follow from the weights alone.
struct CircuitReport: JSONRepresentable {
    let copying: [[Double]]
    let composition: CompositionScores

    private struct Pair {
        let earlier: (layer: Int, head: Int)
        let later: (layer: Int, head: Int)
        let score: Double
    }

    private var pairs: [Pair] {
        let (layers, heads) = (copying.count, copying.first?.count ?? 0)
        var pairs: [Pair] = []
        for first in 0..<layers {
            for head in 0..<heads {
                for second in first + 1..<max(layers, first + 1) {
                    for other in 0..<heads {
                        let value = composition[(first, head), (second, other)]
                        pairs.append(
                            Pair(
                                earlier: (first, head), later: (second, other),
                                score: value - composition.baseline.value))
                    }
                }
            }
        }
        return pairs.sorted { $0.score > $1.score }
    }

    func text(top: Int) -> String {
        var scores = TextTable(
            ["copying"] + (copying.first ?? []).indices.map { "H\($0)" },
            rightAligned: Set(1...max(1, copying.first?.count ?? 1)))
        for (layer, row) in copying.enumerated() {
            scores.add(["L\(layer)"] + row.map { Format.fixed($0, digits: 2) })
        }
        return scores.text + "\n\n" + table.text(Array(pairs.prefix(top)))
    }

    private var table: Columns<Pair> {
        Columns { table in
            table.text("earlier", json: "earlier", { [$0.earlier.layer, $0.earlier.head] }) { "L\($0[0])H\($0[1])" }
            table.text("later", json: "later", { [$0.later.layer, $0.later.head] }) { "L\($0[0])H\($0[1])" }
            let title = "composition above \(composition.baseline.name)"
            table.text(title, json: "score", align: .right, \.score) { Format.fixed($0, digits: 4) }
        }
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("copying", copying)
            json.member("baseline", composition.baseline.value)
            json.member("pairs", table.records(pairs))
        }
    }
}
